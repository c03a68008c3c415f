/* train.c: `eccentric train`: an autoencoder on anybody's images or tables. */
#include "cli/train.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/shared.h"
#include "data/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Options that a preset may set are kept apart until it has: NaN, 0 or NULL where not given. */
struct train_settings {
    struct ecc_common common;
    const char *out, *resume, *preset_name, *net, *regularizer;
    size_t latent, batch, validation, warmup;
    double width, lambda, rate, decay, average, epochs, minutes, target_eccentricity, target_loss;
    double checkpoint_seconds;
    struct ecc_loss_words loss;
    struct ecc_data_words data;
    int schedule, preset;
    bool overwrite, describe, tensorboard, direct;

    struct ecc_train_options options; /* put together by train_check */
};

static const char *const preset_names[] = {"ours", "paper", NULL};
static const char *const schedule_names[] = {"preset", "constant", "cosine", NULL};

static void train_defaults(void *settings)
{
    struct train_settings *const s = settings;
    s->width = s->lambda = s->rate = s->decay = s->average = s->epochs = s->minutes = NAN;
    s->target_eccentricity = s->target_loss = s->checkpoint_seconds = NAN;
    s->validation = s->warmup = SIZE_MAX;
    s->loss = ecc_loss_words_defaults();
}

#define TO(field) ECC_TO(train_settings, field)

static const struct ecc_option train_options[] = {
    {.name = "out",
     .kind = ECC_TEXT,
     TO(out),
     .value_name = "RUN",
     .help = "the run directory to make: settings, weights, checkpoint, metrics, pictures"},
    {.name = "resume",
     .kind = ECC_TEXT,
     TO(resume),
     .value_name = "RUN",
     .help = "go on with a run that was interrupted, with its own settings, bit for bit; with "
             "--epochs N until there are N in all, also of a finished run"},
    {.name = "overwrite", TO(overwrite), .help = "replace the run that is in RUN"},
    {.name = "describe",
     TO(describe),
     .help = "print the layers, their shapes, parameters and work per item, and stop"},
    {.name = "preset",
     .kind = ECC_CHOICE,
     TO(preset),
     .choices = preset_names,
     .help = "settings to start from: ours, chosen by measurement (default), or the paper's"},
    {.name = "net",
     .kind = ECC_TEXT,
     TO(net),
     .value_name = "NAME|FILE",
     .help = "paper-mnist, paper-celeba, auto (default) or a file of one's own (docs/nets.md)"},
    {.name = "width",
     .kind = ECC_NUMBER,
     TO(width),
     .value_name = "W",
     .low = 0.01,
     .high = 16,
     .help = "scales the channels of a built-in net (default 1)"},
    {.name = "latent",
     .kind = ECC_COUNT,
     TO(latent),
     .value_name = "D",
     .low = 1,
     .high = 4096,
     .help = "dimensions of the latent space (default 8)"},
    {.name = "regularizer",
     .kind = ECC_TEXT,
     TO(regularizer),
     .value_name = "NAME",
     .help = "eccentric (default), none, kl (VAE) or mmd (WAE)"},
    {.name = "lambda",
     .kind = ECC_NUMBER,
     TO(lambda),
     .value_name = "L",
     .low = 0,
     .high = 1e6,
     .help = "weight of the regularizer (default 0.001); smaller makes latents more eccentric"},
    ECC_OPTIONS_LOSS(train_settings, loss),
    {.name = "target-eccentricity",
     .kind = ECC_NUMBER,
     TO(target_eccentricity),
     .value_name = "E",
     .above_low = true,
     .high = 100,
     .help = "steer lambda to this eccentricity"},
    {.name = "target-loss",
     .kind = ECC_NUMBER,
     TO(target_loss),
     .value_name = "X",
     .help = "steer lambda to this eccentric loss"},
    {.name = "epochs",
     .kind = ECC_NUMBER,
     TO(epochs),
     .value_name = "N",
     .above_low = true,
     .high = 1e7,
     .help = "passes through the data (default 20)"},
    {.name = "minutes",
     .kind = ECC_NUMBER,
     TO(minutes),
     .value_name = "M",
     .above_low = true,
     .high = 1e6,
     .help = "train for so long instead; steps are settled when the speed is known"},
    {.name = "batch",
     .kind = ECC_COUNT,
     TO(batch),
     .value_name = "N",
     .low = 1,
     .high = 1e6,
     .help = "items per step (default 100)"},
    {.name = "lr",
     .kind = ECC_NUMBER,
     TO(rate),
     .value_name = "R",
     .above_low = true,
     .high = 100,
     .help = "learning rate of Adam (default 0.003)"},
    {.name = "schedule",
     .kind = ECC_CHOICE,
     TO(schedule),
     .choices = schedule_names,
     .help = "of the learning rate (default by preset: ours cosine, paper constant)"},
    {.name = "warmup",
     .kind = ECC_COUNT,
     TO(warmup),
     .value_name = "N",
     .help = "steps of linear rise before it (default 100)"},
    {.name = "average",
     .kind = ECC_NUMBER,
     TO(average),
     .value_name = "SHARE",
     .low = 0,
     .high = 1,
     .help = "the model's weights are the mean over about this last share of the steps (default "
             "0.1); 0: the last weights"},
    {.name = "decay",
     .kind = ECC_NUMBER,
     TO(decay),
     .value_name = "W",
     .low = 0,
     .high = 1,
     .help = "L2 weight decay (default 1e-6)"},
    {.name = "validation",
     .kind = ECC_COUNT,
     TO(validation),
     .value_name = "N",
     .help = "training items kept aside to validate on (default 1000, at most a fifth)"},
    ECC_OPTIONS_DATA(train_settings, data),
    {.name = "direct",
     TO(direct),
     .help = "convolve by direct sums: slower, with a tenth of the rounding errors"},
    {.name = "tensorboard", TO(tensorboard), .help = "write TensorBoard event files, too"},
    {.name = "checkpoint-seconds",
     .kind = ECC_NUMBER,
     TO(checkpoint_seconds),
     .value_name = "S",
     .low = 0,
     .high = 60,
     .help = "between checkpoints (default 30, at most 60)"},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS_SAYING("use N threads (default: all)"),
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

/* ---- From settings to options --------------------------------------------------------------- */

static void take_number(double *field, double given)
{
    if (!isnan(given)) *field = given;
}

static void take_count(size_t *field, size_t given)
{
    if (given > 0) *field = given;
}

static enum ecc_status take_loss(struct ecc_train_options *o, const struct ecc_loss_words *words,
                                 struct ecc_error *error)
{
    struct ecc_loss_options loss;
    ECC_TRY(ecc_loss_words_read(&loss, words, 0, error));
    o->mu = loss.mu;
    o->m_rule = loss.m_rule;
    o->m = loss.m;
    o->pairs = loss.pairs;
    return ECC_OK;
}

static enum ecc_status take_target(struct ecc_train_options *o, const struct train_settings *s,
                                   struct ecc_error *error)
{
    if (!isnan(s->target_eccentricity) && !isnan(s->target_loss)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--target-eccentricity and --target-loss cannot both be met");
    }
    if (!isnan(s->target_eccentricity)) {
        o->steer = ECC_STEER_ECCENTRICITY;
        o->target = s->target_eccentricity;
    } else if (!isnan(s->target_loss)) {
        o->steer = ECC_STEER_LOSS;
        o->target = s->target_loss;
    }
    return ECC_OK;
}

/* Whether anything is set that a run has of its own and keeps. */
static bool has_settings(const struct train_settings *s)
{
    const struct ecc_loss_words loss = ecc_loss_words_defaults();
    const double numbers[] = {
        s->width,
        s->lambda,
        s->rate,
        s->decay,
        s->average,
        s->minutes,
        s->target_eccentricity,
        s->target_loss,
        s->checkpoint_seconds,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!isnan(numbers[i])) return true;
    }
    return s->net || s->regularizer || s->latent > 0 || s->batch > 0 || s->preset > 0 ||
           s->schedule > 0 || s->validation != SIZE_MAX || s->warmup != SIZE_MAX ||
           s->data.items > 0 || s->data.crop > 0 || s->data.size > 0 || s->data.label ||
           s->common.threads > 0 || s->tensorboard || s->overwrite || s->direct ||
           s->common.seed != 1 || s->loss.mu != loss.mu || s->loss.m != loss.m ||
           s->loss.pairs != loss.pairs;
}

/* DATA and --out for a new run, or --resume alone. */
static enum ecc_status check_operands(const struct train_settings *s, size_t operand_count,
                                      struct ecc_error *error)
{
    if (s->resume && (operand_count > 0 || s->out)) {
        return ecc_fail(
            error, ECC_BAD_ARGUMENT,
            "--resume takes everything from the run: neither DATA nor --out go with it");
    }
    if (s->resume && s->describe) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--describe is about DATA and a net to be trained: it does not go with "
                        "--resume");
    }
    if (s->resume && has_settings(s)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--resume takes everything from the run: only --epochs, --quiet and --json "
                        "go with it");
    }
    if (!s->resume && operand_count == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "train needs DATA (or --resume RUN)");
    }
    if (!s->resume && !s->out && !s->describe) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "train needs --out RUN, the directory to make");
    }
    return ECC_OK;
}

static enum ecc_status train_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    struct train_settings *const s = settings;
    struct ecc_train_options *const o = &s->options;
    ECC_TRY(check_operands(s, operand_count, error));
    *o = ecc_train_defaults();
    if (s->preset == 1) ecc_train_preset_paper(o);
    if (s->net) o->net = s->net;
    if (s->regularizer) o->regularizer = s->regularizer;
    take_number(&o->width, s->width);
    take_number(&o->lambda, s->lambda);
    take_number(&o->rate, s->rate);
    take_number(&o->decay, s->decay);
    take_number(&o->average, s->average);
    if (s->preset == 1 && strcmp(o->net, "paper-celeba") == 0) o->epochs = 100;
    take_number(&o->epochs, s->epochs);
    take_number(&o->minutes, s->minutes);
    take_number(&o->checkpoint_seconds, s->checkpoint_seconds);
    take_count(&o->latent, s->latent);
    take_count(&o->batch, s->batch);
    if (s->validation != SIZE_MAX) o->validation = s->validation;
    if (s->warmup != SIZE_MAX) o->warmup = s->warmup;
    if (s->schedule > 0) o->schedule = (enum ecc_schedule_kind)(s->schedule - 1);
    o->data_options = ecc_data_words_read(&s->data, 1);
    o->seed = s->common.seed;
    o->threads = s->common.threads;
    o->tensorboard = s->tensorboard;
    o->direct = s->direct;
    ECC_TRY(take_loss(o, &s->loss, error));
    ECC_TRY(take_target(o, s, error));
    return ecc_train_check(o, error);
}

/* ---- The training --------------------------------------------------------------------------- */

static enum ecc_status interrupted(struct ecc_trainer *trainer, struct ecc_error *error)
{
    ECC_TRY(ecc_trainer_save(trainer, error));
    char quoted[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_INTERRUPTED,
                    "interrupted after step %llu; to go on: eccentric train --resume %s",
                    (unsigned long long)trainer->step,
                    ecc_quote_path(quoted, trainer->run->directory));
}

enum { DRAW_SECONDS = 10 }; /* at least, between two drawings */

/* Curves and reconstructions so far, after an epoch. */
static enum ecc_status draw_sometimes(struct ecc_trainer *trainer, double *drawn_at,
                                      struct ecc_error *error)
{
    if (trainer->step % trainer->batches_per_epoch != 0 || ecc_trainer_done(trainer)) return ECC_OK;
    if (ecc_seconds() - *drawn_at < DRAW_SECONDS) return ECC_OK;
    ECC_TRY(ecc_train_draw(trainer, error));
    *drawn_at = ecc_seconds();
    return ECC_OK;
}

static enum ecc_status train_loop(struct ecc_trainer *trainer, const struct ecc_common *common,
                                  struct ecc_error *error)
{
    struct ecc_progress progress;
    ecc_cli_progress(&progress, common, "train", "steps", trainer->options.total_steps);
    ecc_progress_skip(&progress, trainer->step);
    enum ecc_status status = ECC_OK;
    double drawn_at = ecc_seconds();
    while (status == ECC_OK && !ecc_trainer_done(trainer)) {
        struct ecc_train_now now;
        status = ecc_trainer_step(trainer, &now, error);
        if (status != ECC_OK) break;
        progress.total = now.total;
        char text[100];
        snprintf(text, sizeof text, "error %.5f  reg %.4f  lambda %.2g  ecc %.3f  trace %.2f",
                 now.error, now.regularizer, now.lambda, now.eccentricity, now.trace);
        ecc_progress_update(&progress, now.step, text);
        status = draw_sometimes(trainer, &drawn_at, error);
        if (status == ECC_OK && ecc_interrupted()) status = interrupted(trainer, error);
    }
    ecc_progress_end(&progress, NULL);
    return status;
}

static enum ecc_status train_in(struct ecc_run *run, const struct train_settings *s,
                                struct ecc_error *error)
{
    struct ecc_trainer *trainer;
    struct ecc_error remark = {0};
    if (s->resume) {
        ECC_TRY(ecc_trainer_resume(&trainer, run, &remark, error));
        if (remark.text[0]) fprintf(stderr, "eccentric: %s\n", remark.text);
        if (!isnan(s->epochs)) {
            const enum ecc_status extended = ecc_trainer_extend(trainer, s->epochs, error);
            if (extended != ECC_OK) ecc_trainer_free(trainer);
            ECC_TRY(extended);
        }
    } else {
        ECC_TRY(ecc_trainer_start(&trainer, run, &s->options, error));
    }
    if (trainer->data->remark && !s->common.quiet) fprintf(stderr, "%s\n", trainer->data->remark);
    ecc_catch_interrupt();
    struct ecc_train_result result = {0};
    enum ecc_status status = train_loop(trainer, &s->common, error);
    if (status == ECC_OK) status = ecc_trainer_finish(trainer, &result, error);
    if (status == ECC_OK) status = ecc_train_report(trainer, &result, &s->common, error);
    ecc_train_result_release(&result);
    ecc_trainer_free(trainer);
    return status;
}

static enum ecc_status describe(const struct ecc_train_options *options, struct ecc_error *error)
{
    struct ecc_dataset *data;
    struct ecc_net_spec *spec;
    ECC_TRY(ecc_dataset_open(&data, options->data, &options->data_options, error));
    const size_t outputs =
        options->latent * ecc_regularizer_find(options->regularizer)->outputs_per_latent;
    const enum ecc_status status = ecc_net_spec_load(
        &spec, options->net, data->shape, options->latent, outputs, options->width, error);
    ecc_dataset_close(data);
    ECC_TRY(status);
    ecc_net_spec_describe(stdout, spec);
    ecc_net_spec_free(spec);
    return ECC_OK;
}

static enum ecc_status train_run(void *settings, const char *const *operands, size_t count,
                                 struct ecc_error *error)
{
    struct train_settings *const s = settings;
    s->options.data = count > 0 ? operands[0] : NULL;
    if (s->describe) return describe(&s->options, error);
    struct ecc_run *run;
    if (s->resume) {
        ECC_TRY(ecc_run_resume(&run, s->resume, error));
    } else {
        ECC_TRY(ecc_data_refuse_run_inside(s->out, s->options.data, error));
        ECC_TRY(ecc_run_create(&run, s->out, s->overwrite, error));
    }
    const enum ecc_status status = train_in(run, s, error);
    if (status != ECC_OK && !s->resume) ecc_run_abandon(run);
    ecc_run_close(run);
    return status;
}

const struct ecc_command ecc_command_train = {
    .name = "train",
    .operands = "[DATA]",
    .operand_max = 1,
    .summary = "train an autoencoder on images or tables",
    .description =
        "Trains an autoencoder on DATA: a directory of idx files or images, a .npy, .npz or .csv "
        "file, or one of glyphs (built in), mnist, fashion-mnist, celeba.  The run directory holds "
        "all there is to the model.  Ctrl-C saves; --resume goes on as if nothing had happened.",
    .examples = "  eccentric train glyphs --out run --minutes 1\n"
                "  eccentric train mnist --net paper-mnist --latent 8 --epochs 20 --out run\n"
                "  eccentric train faces/ --crop 140 --size 64 --latent 64 --out faces-run\n"
                "  eccentric train table.csv --target-eccentricity 0.5 --out table-run\n"
                "  eccentric train --resume run\n"
                "  eccentric train --resume run --epochs 40\n",
    .options = train_options,
    .settings_size = sizeof(struct train_settings),
    .defaults = train_defaults,
    .check = train_check,
    .run = train_run,
};
