/* bench_jobs.c: the timed work: a training step, encoding, decoding, the loss. */
#include "base/rng.h"
#include "data/array_data.h"
#include "evaluate/bench.h"
#include "regularizer/choice.h"
#include "run/settings.h"
#include "train/trainer.h"

#include <stdlib.h>
#include <string.h>

static enum ecc_status random_floats(float **block, size_t count, struct ecc_error *error)
{
    *block = aligned_alloc(64, (count * sizeof **block + 63) / 64 * 64);
    if (!*block) return ecc_fail_memory(error, "a batch");
    ecc_rng_uniform_f32(*block, 1, 0, 0, count);
    return ECC_OK;
}

/* ---- Data ----------------------------------------------------------------------------------- */

#define RANDOM_IMAGES "random images"

enum { DRAWN_ITEMS = 2000, RANDOM_BATCHES = 8 };

static enum ecc_status find_shape(struct ecc_bench_case *at, struct ecc_error *error)
{
    const struct ecc_data_options options = ecc_settings_data(&at->train);
    struct ecc_dataset *data;
    ECC_TRY(ecc_dataset_open(&data, at->train.data, &options, error));
    at->shape = data->shape;
    ecc_dataset_close(data);
    return ECC_OK;
}

/* Images for nets that cannot take glyphs. */
static enum ecc_status lend_images(struct ecc_bench_case *at, size_t n, struct ecc_error *error)
{
    at->shape = (struct ecc_item_shape){3, 64, 64};
    at->train.data = "memory:" RANDOM_IMAGES ":all";
    at->data_name = RANDOM_IMAGES;
    ECC_TRY(random_floats(&at->images, n * ecc_shape_size(at->shape), error));
    const struct ecc_array_data array = {
        .x = at->images, .n = n, .channels = 3, .height = 64, .width = 64};
    return ecc_data_lend(RANDOM_IMAGES, &array, error);
}

enum ecc_status ecc_bench_case_init(struct ecc_bench_case *at,
                                    const struct ecc_train_options *options,
                                    struct ecc_error *error)
{
    const size_t enough = 4 * options->batch > DRAWN_ITEMS ? 4 * options->batch : DRAWN_ITEMS;
    *at = (struct ecc_bench_case){.train = *options, .shape = {1, 28, 28}};
    at->data_name = options->data;
    if (options->data) return find_shape(at, error);
    if (strcmp(options->net, "paper-celeba") == 0) {
        return lend_images(at, RANDOM_BATCHES * options->batch, error);
    }
    at->train.data = at->data_name = "glyphs";
    if (options->items == 0) at->train.items = enough;
    return ECC_OK;
}

void ecc_bench_case_release(struct ecc_bench_case *at)
{
    if (at->images) ecc_data_return(RANDOM_IMAGES);
    free(at->images);
    at->images = NULL;
}

/* ---- Jobs ----------------------------------------------------------------------------------- */

/* For `open`: returns the job, or frees it on failure. */
static enum ecc_status opened(void **result, void *job, void (*close)(void *),
                              enum ecc_status status)
{
    *result = status == ECC_OK ? job : NULL;
    if (status != ECC_OK) close(job);
    return status;
}

/* ---- A training step, as `eccentric train` does it ------------------------------------------ */

struct step_job {
    struct ecc_run *run;
    struct ecc_trainer *trainer;
};

static void step_close(void *job)
{
    struct step_job *const step = job;
    if (!step) return;
    ecc_trainer_free(step->trainer);
    ecc_run_close(step->run);
    free(step);
}

static enum ecc_status start_training(struct step_job *job, const struct ecc_bench_case *at,
                                      struct ecc_error *error)
{
    struct ecc_train_options options = at->train;
    options.validation = 0;
    options.epochs = 1e6;
    options.checkpoint_seconds = 60;
    ECC_TRY(ecc_run_in_memory(&job->run, NULL, "a benchmark", error));
    return ecc_trainer_start(&job->trainer, job->run, &options, NULL, error);
}

static enum ecc_status step_open(void **result, struct ecc_bench_cost *cost,
                                 const struct ecc_bench_case *at, struct ecc_error *error)
{
    struct step_job *const job = calloc(1, sizeof *job);
    if (!job) return ecc_fail_memory(error, "a benchmark");
    const enum ecc_status status = start_training(job, at, error);
    if (status == ECC_OK) {
        *cost = (struct ecc_bench_cost){ecc_net_step_flops(job->trainer->net),
                                        ecc_net_bytes(job->trainer->net)};
    }
    return opened(result, job, step_close, status);
}

static enum ecc_status step_run(void *job, struct ecc_error *error)
{
    struct ecc_train_progress now;
    return ecc_trainer_step(((struct step_job *)job)->trainer, &now, error);
}

/* ---- Encoding and decoding a batch ---------------------------------------------------------- */

struct net_job {
    struct ecc_net_spec *spec;
    struct ecc_net *net;
    float *x, *z;
    size_t n;
};

static void net_close(void *job)
{
    struct net_job *const net = job;
    if (!net) return;
    ecc_net_free(net->net);
    ecc_net_spec_free(net->spec);
    free(net->x);
    free(net->z);
    free(net);
}

static enum ecc_status make_net(struct net_job *job, const struct ecc_bench_case *at,
                                struct ecc_error *error)
{
    const struct ecc_net_options options = {.batch = at->train.batch,
                                            .threads = (int)at->train.threads};
    job->n = at->train.batch;
    ECC_TRY(ecc_net_spec_load(&job->spec, at->train.net, at->shape, at->train.latent,
                              at->train.latent, at->train.width, error));
    ECC_TRY(ecc_net_create(&job->net, job->spec, &options, error));
    ecc_net_initialize(job->net, at->train.seed);
    ECC_TRY(random_floats(&job->x, job->n * ecc_shape_size(at->shape), error));
    return random_floats(&job->z, job->n * at->train.latent, error);
}

static double part_flops(const struct ecc_layer_spec *layers, size_t count, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += layers[i].flops;
    return sum * (double)n;
}

static enum ecc_status net_open(void **result, struct ecc_bench_cost *cost,
                                const struct ecc_bench_case *at, bool decoder,
                                struct ecc_error *error)
{
    struct net_job *const job = calloc(1, sizeof *job);
    if (!job) return ecc_fail_memory(error, "a benchmark");
    const enum ecc_status status = make_net(job, at, error);
    if (status == ECC_OK) {
        const struct ecc_net_spec *const s = job->spec;
        cost->flops = decoder ? part_flops(s->decoder, s->decoder_count, job->n)
                              : part_flops(s->encoder, s->encoder_count, job->n);
        cost->bytes = ecc_net_bytes(job->net);
    }
    return opened(result, job, net_close, status);
}

static enum ecc_status encode_open(void **job, struct ecc_bench_cost *cost,
                                   const struct ecc_bench_case *at, struct ecc_error *error)
{
    return net_open(job, cost, at, false, error);
}

static enum ecc_status decode_open(void **job, struct ecc_bench_cost *cost,
                                   const struct ecc_bench_case *at, struct ecc_error *error)
{
    return net_open(job, cost, at, true, error);
}

static enum ecc_status encode_run(void *job, struct ecc_error *error)
{
    struct net_job *const net = job;
    const float *z;
    return ecc_net_encode(net->net, &z, net->x, net->n, false, error);
}

static enum ecc_status decode_run(void *job, struct ecc_error *error)
{
    struct net_job *const net = job;
    return ecc_net_decode(net->net, net->x, net->z, net->n, false, error);
}

/* ---- The loss ------------------------------------------------------------------------------- */

struct loss_job {
    struct ecc_loss_plan *plan;        /* of the eccentric loss; or NULL: ... */
    struct ecc_regularizer_plan other; /* ... of another regularizer */
    float *z, *dz;
    size_t n;
};

static void loss_close(void *job)
{
    struct loss_job *const loss = job;
    if (!loss) return;
    if (loss->other.state) ecc_regularizer_release(&loss->other);
    ecc_loss_plan_free(loss->plan);
    free(loss->z);
    free(loss->dz);
    free(loss);
}

static enum ecc_status make_other(struct loss_job *job, const struct ecc_bench_case *at,
                                  struct ecc_error *error)
{
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    struct ecc_regularizer_choice choice;
    ECC_TRY(ecc_regularizer_read(&choice, at->train.regularizer, error));
    if (choice.entry->tensors) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "regularizer %s may keep numbers with the weights of a net, and cannot be "
                        "timed alone",
                        choice.entry->name);
    }
    options.loss.threads = (int)at->train.threads;
    options.seed = at->train.seed;
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    return ecc_regularizer_init(&job->other, choice.entry, job->n, at->train.latent, &options,
                                error);
}

static enum ecc_status make_loss(struct loss_job *job, const struct ecc_bench_case *at,
                                 struct ecc_error *error)
{
    struct ecc_loss_options options = ecc_loss_defaults();
    size_t columns = at->train.latent;
    options.threads = (int)at->train.threads;
    job->n = at->train.batch;
    if (strcmp(at->train.regularizer, "eccentric") != 0) {
        ECC_TRY(make_other(job, at, error));
        columns = ecc_regularizer_columns(job->other.entry, at->train.latent);
    } else {
        ECC_TRY(ecc_loss_plan_create(&job->plan, job->n, at->train.latent, &options, error));
    }
    ECC_TRY(random_floats(&job->z, job->n * columns, error));
    ECC_TRY(random_floats(&job->dz, job->n * columns, error));
    ecc_rng_normal_f32(job->z, at->train.seed, 0, 0, job->n * columns);
    return ECC_OK;
}

static enum ecc_status loss_open(void **result, struct ecc_bench_cost *cost,
                                 const struct ecc_bench_case *at, struct ecc_error *error)
{
    struct loss_job *const job = calloc(1, sizeof *job);
    if (!job) return ecc_fail_memory(error, "a benchmark");
    const enum ecc_status status = make_loss(job, at, error);
    if (status == ECC_OK) {
        /* n (n - 1) / 2 pairs: an inner product, and the force on both items */
        const double n = (double)job->n, d = (double)at->train.latent;
        *cost = (struct ecc_bench_cost){n * (n - 1) / 2 * 6 * d,
                                        job->plan ? ecc_loss_plan_bytes(job->plan) : 0};
    }
    return opened(result, job, loss_close, status);
}

static enum ecc_status loss_run(void *job, struct ecc_error *error)
{
    struct loss_job *const loss = job;
    struct ecc_regularizer_value other;
    struct ecc_loss_value value;
    if (!loss->plan) {
        return ecc_regularizer_evaluate(&loss->other, &other, loss->dz, loss->z, loss->n, 0, error);
    }
    return ecc_loss_plan_evaluate(loss->plan, &value, loss->dz, loss->z, loss->n, error);
}

/* ---- The table ------------------------------------------------------------------------------ */

const struct ecc_bench_kind ecc_bench_kinds[ECC_BENCH_KINDS] = {
    {.name = "step",
     .shows = "whole training step: loading the batch, forward, error, backward, regularizer, "
              "Adam, running moments",
     .counted = "convolutions and dense layers, forward and backward",
     .has_net = true,
     .open = step_open,
     .run = step_run,
     .close = step_close},
    {.name = "encode",
     .shows = "batch of images in memory to its latents",
     .counted = "convolutions and dense layers",
     .has_net = true,
     .open = encode_open,
     .run = encode_run,
     .close = net_close},
    {.name = "decode",
     .shows = "batch of latents in memory to its images",
     .counted = "convolutions and dense layers",
     .has_net = true,
     .open = decode_open,
     .run = decode_run,
     .close = net_close},
    {.name = "loss",
     .shows = "evaluation of the eccentric loss (or --regularizer) of n points: value and gradient",
     .counted = "6 d for each of the n (n - 1) / 2 pairs",
     .open = loss_open,
     .run = loss_run,
     .close = loss_close},
};
