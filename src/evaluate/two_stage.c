/* two_stage.c: a second VAE on the latents of a run, to draw new latents from. */
#include "evaluate/two_stage.h"

#include "base/file.h"
#include "base/rng.h"
#include "base/streams.h"
#include "base/watch.h"
#include "eccentric_train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 64, NAME = 40 };

struct ecc_two_stage {
    struct ecc_model *model;
    float *noise; /* [batch, d] */
};

struct training {
    const struct ecc_watch *watch;
};

static bool on_step(void *context, const struct ecc_train_progress *now)
{
    const struct training *const t = context;
    char text[80];
    snprintf(text, sizeof text, "second stage, error %.4f", now->error);
    const struct ecc_work work = {"two-stage", "steps", now->step, now->total, text};
    return ecc_watch_work(t->watch, &work, NULL) == ECC_OK;
}

/* The name of the latents says which weights they come from: a second stage of others is made
 * again. */
static void name_of(char name[NAME], const struct ecc_model *model)
{
    snprintf(name, NAME, "latents-%08x", (unsigned)model->weight_sum);
}

static enum ecc_status train(const char *directory, const struct ecc_model *model, const char *name,
                             const struct ecc_two_stage_options *o, const struct ecc_watch *watch,
                             struct ecc_error *error)
{
    char data[NAME + 16];
    struct training training = {watch};
    struct ecc_train_result result;
    struct ecc_train_options options = ecc_train_defaults();
    snprintf(data, sizeof data, "memory:%s:all", name);
    ECC_TRY(ecc_train_method(&options, "vae:gamma=learned", error));
    options.data = data;
    options.net = "two-stage";
    options.latent = model->d;
    options.validation = 0;
    options.keep = ECC_KEEP_LAST;
    options.average = 0;
    options.batch = BATCH;
    options.total_steps = o->steps ? o->steps : ECC_TWO_STAGE_STEPS;
    options.seed = model->options.seed;
    options.threads = o->threads;
    const struct ecc_train_job job = {
        .out = directory, .overwrite = true, .on_step = on_step, .context = &training};
    ECC_TRY(ecc_train(&result, &options, &job, error));
    ecc_train_result_release(&result);
    return ECC_OK;
}

static enum ecc_status make(const char *directory, struct ecc_model *model, const char *name,
                            const struct ecc_two_stage_options *o, const struct ecc_watch *watch,
                            struct ecc_error *error)
{
    float *z;
    size_t n;
    ECC_TRY(ecc_model_training_latents(model, &z, &n, o->data, watch, error));
    const struct ecc_array_data array = {
        .x = z, .n = n, .channels = 1, .height = 1, .width = model->d, .is_table = true};
    enum ecc_status status = ecc_data_lend(name, &array, error);
    if (status == ECC_OK) {
        status = train(directory, model, name, o, watch, error);
        ecc_data_return(name);
    }
    free(z);
    return status;
}

/* Whether there is one, finished, of these very weights. */
static bool open_old(struct ecc_model **second, const char *directory, const char *name, size_t d)
{
    struct ecc_error unused;
    *second = NULL;
    if (ecc_model_open(second, directory, NULL, &unused) != ECC_OK) return false;
    const struct ecc_model *const m = *second;
    if (m->finished && m->size == d && strstr(m->options.data, name)) return true;
    ecc_model_close(*second);
    *second = NULL;
    return false;
}

enum ecc_status ecc_two_stage_open(struct ecc_two_stage **result, struct ecc_model *model,
                                   const struct ecc_two_stage_options *options,
                                   const struct ecc_watch *watch, struct ecc_error *error)
{
    char name[NAME];
    name_of(name, model);
    *result = NULL;
    struct ecc_two_stage *const two = calloc(1, sizeof *two);
    char *const directory = ecc_path_join(model->run->directory, "two-stage");
    enum ecc_status status = two && directory ? ECC_OK : ecc_fail_memory(error, "a second stage");
    if (status == ECC_OK && !open_old(&two->model, directory, name, model->d)) {
        status = make(directory, model, name, options, watch, error);
        if (status == ECC_OK) status = ecc_model_open(&two->model, directory, NULL, error);
    }
    if (status == ECC_OK) {
        two->noise = malloc(two->model->batch * two->model->d * sizeof *two->noise);
        if (!two->noise) status = ecc_fail_memory(error, "a second stage");
    }
    free(directory);
    if (status != ECC_OK) {
        ecc_two_stage_close(two);
        return status;
    }
    *result = two;
    return ECC_OK;
}

void ecc_two_stage_close(struct ecc_two_stage *two)
{
    if (!two) return;
    ecc_model_close(two->model);
    free(two->noise);
    free(two);
}

/* z = what the decoder makes of u, plus noise of the deviation that it learned; in units of the
 * first stage. */
enum ecc_status ecc_two_stage_draw(void *context, float *z, uint64_t seed, uint64_t first, size_t n,
                                   struct ecc_error *error)
{
    struct ecc_two_stage *const two = context;
    struct ecc_model *const m = two->model;
    const size_t d = m->d;
    const double deviation = exp((double)m->regularizer.values[0][0]);
    for (size_t done = 0; done < n; done += m->batch) {
        const size_t count = n - done < m->batch ? n - done : m->batch;
        const uint64_t at = (first + done) * d;
        float *const out = z + done * d;
        ecc_rng_normal_f32(two->noise, seed, ECC_STREAM_TWO_STAGE, at, count * d);
        ECC_TRY(ecc_model_decode(m, out, two->noise, count, error));
        ecc_rng_normal_f32(two->noise, seed, ECC_STREAM_TWO_STAGE_NOISE, at, count * d);
        for (size_t k = 0; k < count * d; k++) {
            const double x = (double)out[k] + deviation * (double)two->noise[k];
            out[k] = (float)(x * m->scaling.deviation[k % d] + m->scaling.mean[k % d]);
        }
    }
    return ECC_OK;
}
