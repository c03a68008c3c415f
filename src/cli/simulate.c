/* simulate.c: `eccentric simulate`: free points moved by a loss alone. */
#include "base/file.h"
#include "base/npy.h"
#include "base/text.h"
#include "cli/latent.h"
#include "cli/print.h"
#include "cli/shared.h"
#include "eccentric_show.h"
#include "regularizer/descend.h"

#include <stdlib.h>
#include <string.h>

struct simulate_settings {
    struct ecc_common common;
    struct ecc_simulation_options options; /* points and dim are 0 if not given */
    const char *start, *out, *regularizer;
    int format;
    struct ecc_loss_words words;
};

static void simulate_defaults(void *settings)
{
    struct simulate_settings *const s = settings;
    s->words = ecc_loss_words_defaults();
    s->options = ecc_simulation_defaults();
    s->options.points = s->options.dim = 0;
    s->start = "normal";
    s->regularizer = "eccentric";
}

static const char *const format_names[] = {"png", "svg", "pdf", NULL};

#define TO(field) ECC_TO(simulate_settings, field)

/* clang-format off */
static const struct ecc_option simulate_options[] = {
    {"points", ECC_COUNT, TO(options.points), "N",
     "number of points (default 1000, or as in the start file)", 2, 1e9},
    {"dim", ECC_COUNT, TO(options.dim), "D",
     "number of dimensions (default 2, or as in the start file)", 2, 1e4},
    ECC_OPTIONS_LOSS(simulate_settings, words),
    {"regularizer", ECC_TEXT, TO(regularizer), "NAME[:OPTION=VALUE]",
     "the loss that moves the points (default eccentric; eccentric methods)"},
    {"starts", ECC_COUNT, TO(options.starts), "K",
     "the best of K starts: seeds S, S + 1, ... (default 1)", 1, 1e6},
    {"start", ECC_TEXT, TO(start), "normal|uniform|Z.npy",
     "where the points start (default normal; normal and uniform have variance 1 in each "
     "direction)"},
    {"steps", ECC_COUNT, TO(options.steps), "S", "at most S steps (default 200)", 1, 1e9},
    {"tolerance", ECC_NUMBER, TO(options.tolerance), "T",
     "stop when the net forces are below T times the radius (default 1e-4)", 0, 1},
    {"out", ECC_TEXT, TO(out), "DIR",
     "write points.npy, history.csv, result.json and pictures to DIR",
     .writes = ECC_FORMAT_FOLDER},
    {"format", ECC_CHOICE, TO(format), NULL,
     "format of the pictures (default png)", .choices = format_names},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};
/* clang-format on */

static enum ecc_status simulate_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    struct simulate_settings *const s = settings;
    struct ecc_regularizer_choice choice;
    ECC_TRY(ecc_regularizer_read(&choice, s->regularizer, error));
    if (choice.entry != &ecc_regularizer_eccentric) {
        ECC_TRY(ecc_descend_check(choice.entry, error));
        s->options.regularizer = s->regularizer;
    }
    return ecc_loss_words_read(&s->options.loss, &s->words, s->common.threads, error);
}

/* ---- The start ------------------------------------------------------------------------------ */

static enum ecc_status check_start(const struct simulate_settings *s, const float *z, size_t n,
                                   size_t d, struct ecc_error *error)
{
    const struct ecc_simulation_options *const o = &s->options;
    char quoted[ECC_PATH_SIZE];
    if ((o->points && o->points != n) || (o->dim && o->dim != d)) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s holds %zu points in %zu dimensions, expected --points %zu --dim %zu",
                        ecc_quote_path(quoted, s->start), n, d, o->points ? o->points : n,
                        o->dim ? o->dim : d);
    }
    /* one evaluation finds what is wrong with the points; the message names their file */
    struct ecc_error inner;
    struct ecc_regularizer_choice choice;
    double value;
    ECC_TRY(ecc_regularizer_read(&choice, s->regularizer, error));
    const enum ecc_status status =
        o->regularizer ? ecc_descend_value(&value, z, n, d, &choice, o->loss.threads, &inner)
                       : ecc_loss(NULL, NULL, z, n, d, &o->loss, &inner);
    if (status == ECC_OK) return ECC_OK;
    return ecc_fail(error, status, "%s: %s", ecc_quote_path(quoted, s->start), inner.text);
}

/* *file: [points, dim] of --start, or NULL: the points are drawn at random.  The caller frees
 * *file. */
static enum ecc_status find_start(struct ecc_simulation_options *options, float **file,
                                  const struct simulate_settings *s, struct ecc_error *error)
{
    const struct ecc_simulation_options defaults = ecc_simulation_defaults();
    *options = s->options;
    options->seed = s->common.seed;
    options->uniform = strcmp(s->start, "uniform") == 0;
    if (options->uniform || strcmp(s->start, "normal") == 0) {
        if (!options->points) options->points = defaults.points;
        if (!options->dim) options->dim = defaults.dim;
        return ECC_OK;
    }
    ECC_TRY(ecc_npy_read_f32(file, &options->points, &options->dim, s->start, error));
    options->start = *file;
    return check_start(s, *file, options->points, options->dim, error);
}

/* ---- Files ---------------------------------------------------------------------------------- */

/* Writes the points and the history, even if nothing else can be measured. */
static enum ecc_status write_points(const struct ecc_simulation *r, const char *out,
                                    struct ecc_error *error)
{
    static const char *const names[ECC_HISTORY] = {"step", "loss", "net_force", "radius"};
    char *const points = ecc_path_join(out, "points.npy");
    char *const history = ecc_path_join(out, "history.csv");
    enum ecc_status status = points && history ? ECC_OK : ecc_fail_memory(error, "a path");
    if (status == ECC_OK) status = ecc_npy_write_f32(points, r->points, r->n, r->d, error);
    if (status == ECC_OK) {
        status = ecc_csv_write(history, names, (const double *const *)r->history, ECC_HISTORY,
                               r->steps + 1, error);
    }
    free(points);
    free(history);
    return status;
}

/* Writes the pictures and, last, the result, which marks the output as complete. */
static enum ecc_status write_result(const struct ecc_simulation *r,
                                    const struct ecc_simulation_words *words,
                                    const struct simulate_settings *s, struct ecc_error *error)
{
    ECC_TRY(ecc_draw_simulation(r, s->out, format_names[s->format], error));
    char *const path = ecc_path_join(s->out, "result.json");
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_json_write(ecc_simulation_json(r, words), path, error);
    free(path);
    return status;
}

static enum ecc_status report(const struct ecc_simulation *r, const struct simulate_settings *s,
                              struct ecc_error *error)
{
    const struct ecc_simulation_words words = {.regularizer = s->options.regularizer,
                                               .starts = s->options.starts,
                                               .m_rule = s->words.m,
                                               .pairs = ecc_pairs_names[s->words.pairs],
                                               .start = s->start,
                                               .seed = s->common.seed,
                                               .tolerance = s->options.tolerance};
    char quoted[ECC_PATH_SIZE];
    if (s->out) ECC_TRY(write_result(r, &words, s, error));
    if (s->common.json) return ecc_json_print(ecc_simulation_json(r, &words), error);
    ecc_print_simulation(r, &words);
    if (s->out)
        ecc_print("points, history and pictures are in %s\n", ecc_quote_path(quoted, s->out));
    return ECC_OK;
}

/* ---- The command ---------------------------------------------------------------------------- */

static enum ecc_status move_points(struct ecc_simulation *r,
                                   const struct ecc_simulation_options *options,
                                   const struct simulate_settings *s, struct ecc_error *error)
{
    struct ecc_cli_watch cli;
    if (s->out) ECC_TRY(ecc_make_directory(s->out, error));
    ecc_cli_watch_start(&cli, &s->common);
    const enum ecc_status status = ecc_simulation_run(r, options, &cli.watch, error);
    if (cli.name[0] && r->at_rest) ecc_progress_end(&cli.progress, "at rest");
    ecc_cli_watch_end(&cli);
    if (s->out && r->points) ECC_TRY(write_points(r, s->out, error));
    return status;
}

static enum ecc_status simulate(struct ecc_simulation *r, float **file,
                                const struct simulate_settings *s, struct ecc_error *error)
{
    struct ecc_simulation_options options;
    ECC_TRY(find_start(&options, file, s, error));
    const enum ecc_status status = move_points(r, &options, s, error);
    if (status != ECC_OK && status != ECC_INTERRUPTED) return status;
    ECC_TRY(report(r, s, error));
    if (status == ECC_OK) return ECC_OK;
    return ecc_fail(error, status, "interrupted after step %zu of %zu%s%s%s", r->steps,
                    options.steps, s->out ? "; to continue: --start " : "", s->out ? s->out : "",
                    s->out ? "/points.npy" : "");
}

static enum ecc_status simulate_run(void *settings, const char *const *operands, size_t count,
                                    struct ecc_error *error)
{
    (void)operands, (void)count;
    struct ecc_simulation result = {0};
    float *file = NULL;
    const enum ecc_status status = simulate(&result, &file, settings, error);
    ecc_simulation_release(&result);
    free(file);
    return status;
}

const struct ecc_command ecc_command_simulate = {
    .name = "simulate",
    .operands = "",
    .summary = "move free points by the loss alone, until they cover a sphere",
    .description =
        "Minimises the eccentric loss of free points and compares the result with the theory: the "
        "loss with that of the sphere and with the paper's d(1 - 2 log 2) (for mu = 1), the "
        "radius with Theorem 1, the trace of the covariance with d. Ctrl-C stops early and keeps "
        "the result so far. With --regularizer another loss on latents moves the points: mhe:s=1 "
        "in 3 dimensions is Thomson's problem.",
    .examples = "  eccentric simulate --points 1000 --dim 64 --out demo\n"
                "  eccentric simulate --points 500 --dim 2 --mu 2.5 --seed 7 --json\n"
                "  eccentric simulate --start demo/points.npy --mu 4.5 --out demo2\n"
                "  eccentric simulate --regularizer mhe:s=1 --points 12 --dim 3 --starts 20 "
                "--steps 2000\n",
    .options = simulate_options,
    .settings_size = sizeof(struct simulate_settings),
    .defaults = simulate_defaults,
    .check = simulate_check,
    .run = simulate_run,
};
