/* train.c: `eccentric train`: trains an autoencoder on images or tables. */
#include "base/clock.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/processes.h"
#include "cli/shared.h"
#include "run/settings.h"
#include "show/training.h"
#include "model/model.h"
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct train_settings {
    struct ecc_common common;
    const char *out, *resume, *m;
    int preset;
    bool overwrite, describe;
    struct ecc_train_options options; /* as given, or the defaults */
};

static void train_defaults(void *settings)
{
    struct train_settings *const s = settings;
    s->options = ecc_train_defaults();
}

/* ---- Options: the command's own, and the table of settings
 * --------------------------------------------- */

enum { PRESET_OURS = 0, PRESET_PAPER };
static const char *const preset_names[] = {"ours", "paper", NULL};

#define TO(field) ECC_TO(train_settings, field)

/* clang-format off */
static const struct ecc_option first_options[] = {
    {"out", ECC_TEXT, TO(out), "RUN",
     "the run directory to create: settings, weights, checkpoint, metrics, pictures"},
    {"resume", ECC_TEXT, TO(resume), "RUN",
     "continue an interrupted run with its own settings, bit for bit; with --epochs N, train until "
     "N epochs in total, even if the run was finished"},
    {"overwrite", ECC_FLAG, TO(overwrite), NULL, "replace an existing run in RUN"},
    {"describe", ECC_FLAG, TO(describe), NULL,
     "print the layers, their shapes, parameters and operations per item, and stop"},
    {"preset", ECC_CHOICE, TO(preset), NULL,
     "settings to start from: ours, chosen by measurement (default), or the "
     "paper's", .choices = preset_names},
    ECC_OPTION_M(train_settings, m),
};
static const struct ecc_option last_options[] = {ECC_OPTION_QUIET, ECC_OPTION_JSON, ECC_OPTION_END};
/* clang-format on */

enum {
    FIRST = sizeof first_options / sizeof first_options[0],
    LAST = sizeof last_options / sizeof last_options[0],
    MOST_SETTINGS = 50,
    MOST_HELP = 240,
};

_Static_assert(FIRST + MOST_SETTINGS + LAST <= 64, "ecc_common.given has 64 bits");

static struct ecc_option train_options[FIRST + MOST_SETTINGS + LAST];
static char help_texts[MOST_SETTINGS][MOST_HELP];
static const struct ecc_train_setting
    *option_settings[FIRST + MOST_SETTINGS]; /* NULL: not a setting */

/* "passes through the data (default 20)" */
static const char *help_text(char out[MOST_HELP], const struct ecc_train_setting *s)
{
    struct ecc_train_options usual = ecc_train_defaults();
    const void *const at = ecc_setting_at(s, &usual);
    char value[40] = "";
    if (s->kind == ECC_SETTING_TEXT && *(const char *const *)at) {
        snprintf(value, sizeof value, "%s", *(const char *const *)at);
    } else if (s->kind == ECC_SETTING_CHOICE) {
        snprintf(value, sizeof value, "%s", s->choices[*(const int *)at]);
    } else if (s->kind == ECC_SETTING_COUNT && *(const size_t *)at > 0) {
        snprintf(value, sizeof value, "%zu", *(const size_t *)at);
    } else if (s->kind == ECC_SETTING_U64) {
        snprintf(value, sizeof value, "%llu", (unsigned long long)*(const uint64_t *)at);
    } else if (s->kind == ECC_SETTING_NUMBER && *(const double *)at > 0) {
        snprintf(value, sizeof value, "%g", *(const double *)at);
    }
    snprintf(out, MOST_HELP, *value ? "%s (default %s)" : "%s", s->meaning, value);
    return out;
}

static struct ecc_option option_of(const struct ecc_train_setting *s, size_t number)
{
    static const enum ecc_option_kind kinds[] = {
        [ECC_SETTING_TEXT] = ECC_TEXT, [ECC_SETTING_COUNT] = ECC_COUNT,
        [ECC_SETTING_U64] = ECC_COUNT, [ECC_SETTING_NUMBER] = ECC_NUMBER,
        [ECC_SETTING_FLAG] = ECC_FLAG, [ECC_SETTING_CHOICE] = ECC_CHOICE,
    };
    return (struct ecc_option){.name = s->flag,
                               .kind = kinds[s->kind],
                               .offset = offsetof(struct train_settings, options) + s->offset,
                               .value_name = s->value,
                               .help = help_text(help_texts[number], s),
                               .low = s->low,
                               .high = s->high,
                               .above_low = s->above_low,
                               .choices = s->choices};
}

static void train_prepare(void)
{
    struct ecc_option *at = train_options;
    size_t number = 0;
    for (size_t i = 0; i < FIRST; i++) *at++ = first_options[i];
    for (size_t i = 0; i < ecc_setting_count && number < MOST_SETTINGS; i++) {
        if (!ecc_settings[i].flag) continue;
        option_settings[at - train_options] = &ecc_settings[i];
        *at = option_of(&ecc_settings[i], number++);
        if (strcmp(at->name, "latent") == 0) at->several = "eccentric dims DATA";
        at++;
    }
    for (size_t i = 0; i < LAST; i++) *at++ = last_options[i];
}

/* ---- What was given ---------------------------------------------------------------------------
 */

static bool given(const struct train_settings *s, size_t option)
{
    return s->common.given >> option & 1;
}

static bool given_by_name(const struct train_settings *s, const char *name)
{
    size_t i = 0;
    while (strcmp(train_options[i].name, name) != 0) i++;
    return given(s, i);
}

/* With --resume, only --epochs changes the training. */
static enum ecc_status check_resume(const struct train_settings *s, size_t operand_count,
                                    struct ecc_error *error)
{
    if (operand_count > 0 || s->out) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--resume takes all settings from the run: leave out DATA and --out");
    }
    for (size_t i = 0; train_options[i].name; i++) {
        const char *const name = train_options[i].name;
        const bool allowed = strcmp(name, "resume") == 0 || strcmp(name, "epochs") == 0 ||
                             strcmp(name, "quiet") == 0 || strcmp(name, "json") == 0;
        if (allowed || !given(s, i)) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--resume takes all settings from the run: only --epochs, --quiet and "
                        "--json can be given with it, not --%s",
                        name);
    }
    return ECC_OK;
}

/* The preset, overridden by the options given. */
static enum ecc_status put_together(struct train_settings *s, struct ecc_error *error)
{
    struct ecc_train_options *const o = &s->options;
    if (s->preset == PRESET_PAPER) {
        struct ecc_train_options paper = ecc_train_defaults();
        paper.net = o->net;
        ecc_train_preset_paper(&paper);
        for (size_t i = FIRST; train_options[i].name; i++) {
            if (option_settings[i] && given(s, i)) ecc_setting_copy(option_settings[i], &paper, o);
        }
        *o = paper;
    }
    if (given_by_name(s, "regularizer") && !given_by_name(s, "lambda")) {
        ECC_TRY(ecc_train_method(o, o->regularizer, error));
    }
    if (s->m) ECC_TRY(ecc_parse_m(&o->m_rule, &o->m, s->m, error));
    return ecc_settings_check(o, error);
}

static enum ecc_status train_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    struct train_settings *const s = settings;
    s->common.threads = s->options.threads;
    if (s->resume) return check_resume(s, operand_count, error);
    if (operand_count == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "train needs DATA (or --resume RUN)");
    }
    if (!s->out && !s->describe) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "train needs --out RUN, the directory to create");
    }
    return put_together(s, error);
}

/* ---- Training, with progress
 * --------------------------------------------------------------------- */

enum { DRAW_SECONDS = 10 }; /* between two drawings, at least */

struct watched {
    const struct ecc_common *common;
    const char *run;
    struct ecc_progress progress;
    bool started;
    double drawn_at;
    enum ecc_status status; /* of the drawing */
    struct ecc_error error;
};

static bool on_step(void *context, const struct ecc_train_progress *now)
{
    struct watched *const w = context;
    if (!w->started) {
        ecc_cli_progress(&w->progress, w->common, "train", "steps", now->total);
        ecc_progress_skip(&w->progress, now->step - 1);
        w->started = true;
    }
    char text[100];
    snprintf(text, sizeof text, "error %.5f  reg %.4f  lambda %.2g  ecc %.3f  trace %.2f",
             now->error, now->regularizer, now->lambda, now->eccentricity, now->trace);
    w->progress.total = now->total;
    ecc_progress_update(&w->progress, now->step, text);
    if (now->ended || (now->epoch_ended && ecc_seconds() - w->drawn_at >= DRAW_SECONDS)) {
        w->status = ecc_show_progress(w->run, now, &w->error);
        w->drawn_at = ecc_seconds();
    }
    return w->status == ECC_OK && !ecc_interrupted();
}

/* Of all processes but the first, which watches for all. */
static bool on_step_beside(void *context, const struct ecc_train_progress *now)
{
    (void)context, (void)now;
    return !ecc_interrupted();
}

static void on_remark(void *context, const char *sentence)
{
    const struct watched *const w = context;
    if (!w->common->quiet) ecc_print_to(stderr, "eccentric: %s%s\n", sentence, ecc_hint(sentence));
}

static double percent(double error, double variance)
{
    return variance > 0 ? 100 * (1 - error / variance) : (double)NAN;
}

/* The errors, and on unseen items those of PCA, with the share of the data's variance explained. */
static void print_errors(const struct ecc_train_result *r)
{
    const struct ecc_train_comparison *const c = &r->unseen;
    if (r->best_step == 0 && r->steps > 0) { /* only a net that starts there can end there */
        ecc_print("the model is PCA, from which the training started: nothing better was found\n");
    } else if (r->refit) {
        ecc_print("after step %llu the error of %zu validation item%s was the smallest, %.5f: the "
                  "model was trained again for as many steps, on all items\n",
                  (unsigned long long)r->best_step, r->validation_items, ecc_s(r->validation_items),
                  r->validation_error);
    } else if (r->best_step < r->steps &&
               r->model->options.reconstruction == ECC_RECONSTRUCTION_BCE) {
        ecc_print(
            "the model of step %llu is kept: its loss on the validation items is the smallest "
            "(their mean squared error: %.5f)\n",
            (unsigned long long)r->best_step, r->validation_error);
    } else if (r->best_step < r->steps) {
        ecc_print("the model of step %llu is kept: its validation error, %.5f, is the smallest\n",
                  (unsigned long long)r->best_step, r->validation_error);
    }
    ecc_print("reconstruction error of the training items %.5f\n", r->error);
    if (!c->items_are) return;
    const bool before = r->refit && strcmp(c->items_are, "validation") == 0;
    ecc_print("on %zu %s item%s, %s trained on%s: %.5f, %.1f%% of the data explained\n", c->items,
              c->items_are, ecc_s(c->items),
              before          ? "before they were"
              : c->items == 1 ? "which was not"
                              : "which were not",
              before ? " as well" : "", c->error, fmax(0, percent(c->error, c->variance)));
    ecc_print("PCA of the same size: %.5f, %.1f%% explained\n", c->pca_error,
              fmax(0, percent(c->pca_error, c->variance)));
    if (c->error > c->variance) {
        ecc_print("the mean of the training items would do better than the model: %.5f\n",
                  c->variance);
    }
}

/* To be told even to those who read no figures. */
static void warn_of_pca(const struct ecc_train_result *r)
{
    const struct ecc_train_comparison *const c = &r->unseen;
    if (!c->items_are || !(c->error > 1.001 * c->pca_error) || !(c->error > 1e-9)) return;
    ecc_print_to(stderr,
                 "eccentric: PCA of the same size reconstructs the %s items better: %.5g against "
                 "%.5g; %s\n",
                 c->items_are, c->pca_error, c->error,
                 r->best_step < r->steps ? "more items would help, or use PCA"
                                         : "train longer (--epochs), or with a smaller --lambda");
}

static void print_words(const struct ecc_train_result *r)
{
    ecc_print("%zu items, %llu step%s (%.1f epochs) in %.1f s, %.0f items/s\n", r->items,
              (unsigned long long)r->steps, ecc_s(r->steps), r->epochs, r->seconds,
              r->items_per_second);
    print_errors(r);
    ecc_print("latents: %zu dimension%s, trace %.3f", r->components.d, ecc_s(r->components.d),
              r->components.trace);
    if (!isnan(r->components.eccentricity)) {
        ecc_print(", eccentricity %.3f", r->components.eccentricity);
    }
    if (!isnan(r->loss)) ecc_print(", eccentric loss %.4f", r->loss);
    if (!(r->components.trace > 0)) ecc_print("; all are the same");
    ecc_print("\nmodel, metrics and pictures are in %s\n", r->model->run->directory);
}

static enum ecc_status report(const struct ecc_train_result *r, const struct ecc_common *common,
                              struct ecc_error *error)
{
    ECC_TRY(ecc_show_samples(r->model, r->model->options.seed, error));
    if (r->remark[0]) ecc_print_to(stderr, "eccentric: %s%s\n", r->remark, ecc_hint(r->remark));
    if (!common->quiet) warn_of_pca(r);
    if (!common->json) {
        print_words(r);
        return ECC_OK;
    }
    struct ecc_config file;
    ECC_TRY(ecc_config_init(&file, ECC_RUN_RESULT, error));
    ecc_train_result_store(r, &file);
    const enum ecc_status status = ecc_json_print(json_incref(file.root), error);
    ecc_config_release(&file);
    return status;
}

static enum ecc_status describe(const struct ecc_train_options *options, struct ecc_error *error)
{
    char *text;
    ECC_TRY(ecc_train_describe(&text, options, error));
    ecc_print_lines(stdout, text);
    free(text);
    return ECC_OK;
}

static void say_how_to_continue(struct ecc_error *error, const char *run)
{
    char quoted[ECC_PATH_SIZE];
    const size_t length = strlen(error->text);
    snprintf(error->text + length, sizeof error->text - length,
             "; to continue: eccentric train --resume %s", ecc_quote_path(quoted, run));
}

static enum ecc_status train_run(void *settings, const char *const *operands, size_t count,
                                 struct ecc_error *error)
{
    struct train_settings *const s = settings;
    s->options.data = count > 0 ? operands[0] : NULL;
    if (s->describe) return describe(&s->options, error);
    const bool beside = ecc_team_rank(ecc_processes()) > 0;
    struct watched watched = {
        .common = &s->common, .run = s->resume ? s->resume : s->out, .drawn_at = ecc_seconds()};
    const struct ecc_train_job job = {.out = watched.run,
                                      .overwrite = s->overwrite,
                                      .on_step = beside ? on_step_beside : on_step,
                                      .on_remark = on_remark,
                                      .context = &watched,
                                      .take_turns = !ecc_processes(),
                                      .team = ecc_processes()};
    struct ecc_train_result result;
    ecc_catch_interrupt();
    const bool longer = given_by_name(s, "epochs");
    enum ecc_status status =
        s->resume ? ecc_train_resume(&result, longer ? s->options.epochs : 0, &job, error)
                  : ecc_train(&result, &s->options, &job, error);
    if (watched.started) ecc_progress_end(&watched.progress, NULL);
    if (status == ECC_INTERRUPTED) say_how_to_continue(error, watched.run);
    if (watched.status != ECC_OK)
        status = ecc_fail(error, watched.status, "%s", watched.error.text);
    if (status == ECC_OK && !beside) status = report(&result, &s->common, error);
    ecc_train_result_release(&result);
    return status;
}

const struct ecc_command ecc_command_train = {
    .name = "train",
    .operands = "[DATA]",
    .operand_max = 1,
    .summary = "train an autoencoder on images or tables",
    .description =
        "Trains an autoencoder on DATA and writes it to a run directory, which all other commands "
        "use. DATA is a directory of idx files, a folder of images, a .npy, .npz or .csv file, or "
        "one of glyphs (built in), mnist, fashion-mnist, celeba. Ctrl-C saves a checkpoint; "
        "--resume continues from it with the same result as an uninterrupted training. mpirun -n P "
        "or srun before the same command trains with P processes, each with a batch of its own "
        "(docs/cluster.md).",
    .examples = "  eccentric train glyphs --out run --minutes 1\n"
                "  eccentric train mnist --net paper-mnist --latent 8 --epochs 20 --out run\n"
                "  eccentric train faces/ --crop 140 --size 64 --latent 64 --out faces-run\n"
                "  eccentric train table.csv --target-eccentricity 0.5 --out table-run\n"
                "  eccentric train --resume run\n"
                "  eccentric train --resume run --epochs 40\n",
    .together = true,
    .options = train_options,
    .prepare = train_prepare,
    .settings_size = sizeof(struct train_settings),
    .defaults = train_defaults,
    .check = train_check,
    .run = train_run,
};
