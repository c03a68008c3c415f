/* simulate.c: `eccentric simulate`: free points moved by the eccentric loss alone. */
#include "cli/simulate.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/npy.h"
#include "base/rng.h"
#include "base/streams.h"
#include "base/text.h"
#include "cli/shared.h"
#include "math/lapack.h"
#include "math/neighbours.h"
#include "math/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct simulate_settings {
    struct ecc_common common;
    size_t points, dim, steps;
    double tolerance;
    const char *start, *out;
    int format;
    struct ecc_loss_words words;

    struct ecc_loss_options loss; /* found by simulate_check */
};

static void simulate_defaults(void *settings)
{
    struct simulate_settings *const s = settings;
    const struct ecc_simulate_options defaults = ecc_simulate_defaults();
    s->words = ecc_loss_words_defaults();
    s->steps = defaults.steps;
    s->tolerance = defaults.tolerance;
    s->start = "normal";
}

static const char *const format_names[] = {"png", "svg", "pdf", NULL};

static const struct ecc_option simulate_options[] = {
    {.name = "points",
     .kind = ECC_COUNT,
     ECC_TO(simulate_settings, points),
     .value_name = "N",
     .low = 2,
     .high = 1e9,
     .help = "how many points (default 1000, or as in the start file)"},
    {.name = "dim",
     .kind = ECC_COUNT,
     ECC_TO(simulate_settings, dim),
     .value_name = "D",
     .low = 2,
     .high = 1e4,
     .help = "in how many dimensions (default 2, or as in the start file)"},
    ECC_OPTIONS_LOSS(simulate_settings, words),
    {.name = "start",
     .kind = ECC_TEXT,
     ECC_TO(simulate_settings, start),
     .value_name = "normal|uniform|Z.npy",
     .help = "where the points start (default normal; both have variance 1 in each direction)"},
    {.name = "steps",
     .kind = ECC_COUNT,
     ECC_TO(simulate_settings, steps),
     .value_name = "S",
     .low = 1,
     .high = 1e9,
     .help = "at most S steps (default 200)"},
    {.name = "tolerance",
     .kind = ECC_NUMBER,
     ECC_TO(simulate_settings, tolerance),
     .value_name = "T",
     .low = 0,
     .high = 1,
     .help = "stop when the net forces are below T times the radius (default 1e-4)"},
    {.name = "out",
     .kind = ECC_TEXT,
     ECC_TO(simulate_settings, out),
     .value_name = "DIR",
     .help = "write points.npy, history.csv, result.json and pictures there"},
    {.name = "format",
     .kind = ECC_CHOICE,
     ECC_TO(simulate_settings, format),
     .choices = format_names,
     .help = "of the pictures (default png)"},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status simulate_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    struct simulate_settings *const s = settings;
    return ecc_loss_words_read(&s->loss, &s->words, s->common.threads, error);
}

/* ---- The start ------------------------------------------------------------------------------ */

static enum ecc_status check_start(const struct simulate_settings *s, const float *z, size_t n,
                                   size_t d, struct ecc_error *error)
{
    char quoted[ECC_PATH_SIZE];
    if ((s->points && s->points != n) || (s->dim && s->dim != d)) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s holds %zu points in %zu dimensions, expected --points %zu --dim %zu",
                        ecc_quote_path(quoted, s->start), n, d, s->points ? s->points : n,
                        s->dim ? s->dim : d);
    }
    /* one evaluation finds what is wrong with the points, and is said of their file */
    struct ecc_error inner;
    const enum ecc_status status = ecc_loss(NULL, NULL, z, n, d, &s->loss, &inner);
    if (status == ECC_OK) return ECC_OK;
    return ecc_fail(error, status, "%s: %s", ecc_quote_path(quoted, s->start), inner.text);
}

static enum ecc_status make_start(struct ecc_simulate_result *r, const struct simulate_settings *s,
                                  struct ecc_error *error)
{
    const bool uniform = strcmp(s->start, "uniform") == 0;
    r->start_name = s->start;
    if (!uniform && strcmp(s->start, "normal") != 0) {
        ECC_TRY(ecc_npy_read_f32(&r->start, &r->n, &r->d, s->start, error));
        return check_start(s, r->start, r->n, r->d, error);
    }
    r->n = s->points ? s->points : 1000;
    r->d = s->dim ? s->dim : 2;
    const size_t count = r->n * r->d; /* both are bounded by the options: no overflow */
    r->start = malloc(count * sizeof *r->start);
    if (!r->start) return ecc_fail_memory(error, "the points");
    if (uniform) {
        ecc_rng_uniform_f32(r->start, s->common.seed, ECC_STREAM_PLAIN, 0, count);
        for (size_t i = 0; i < count; i++) r->start[i] = sqrtf(12.0F) * (r->start[i] - 0.5F);
    } else {
        ecc_rng_normal_f32(r->start, s->common.seed, ECC_STREAM_PLAIN, 0, count);
    }
    return ECC_OK;
}

/* ---- The steps ------------------------------------------------------------------------------ */

struct watch {
    struct ecc_progress progress;
    struct ecc_simulate_result *result;
};

static bool on_step(void *context, const struct ecc_simulate_progress *now)
{
    struct watch *const watch = context;
    const double row[] = {(double)now->step, now->loss, now->net_force, now->radius};
    for (int c = 0; c < 4; c++) watch->result->history[c][now->step] = row[c];
    watch->result->at_rest = now->at_rest;
    char text[64];
    snprintf(text, sizeof text, "loss %.6f  radius %.4f", now->loss, now->radius);
    ecc_progress_update(&watch->progress, now->step, text);
    return !ecc_interrupted();
}

static enum ecc_status move_points(struct ecc_simulate_result *r, const struct simulate_settings *s,
                                   struct ecc_error *error)
{
    struct watch watch = {.result = r};
    const struct ecc_simulate_options options = {.loss = s->loss,
                                                 .steps = s->steps,
                                                 .tolerance = s->tolerance,
                                                 .on_step = on_step,
                                                 .context = &watch};
    ecc_catch_interrupt();
    ecc_cli_progress(&watch.progress, &s->common, "simulate", "steps", s->steps);
    const double start = ecc_seconds();
    enum ecc_status status = ecc_simulate(r->points, &r->steps, r->n, r->d, &options, error);
    r->seconds = ecc_seconds() - start;
    ecc_progress_end(&watch.progress, r->at_rest ? "at rest" : NULL);
    r->interrupted = status == ECC_INTERRUPTED;
    return r->interrupted ? ECC_OK : status;
}

/* ---- What came out -------------------------------------------------------------------------- */

/* Mean and deviation of |z|, and how many are below `least`. */
static enum ecc_status measure_radius(double *mean, double *deviation, size_t *below, double least,
                                      const float *z, size_t n, size_t d, struct ecc_error *error)
{
    *below = 0;
    double *const radius = malloc(n * sizeof *radius);
    if (!radius) return ecc_fail_memory(error, "the radii");
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        for (size_t k = 0; k < d; k++) squares += (double)z[i * d + k] * (double)z[i * d + k];
        radius[i] = sqrt(squares);
        *below += radius[i] < least;
    }
    ecc_mean_deviation(mean, deviation, radius, n);
    free(radius);
    return ECC_OK;
}

static enum ecc_status measure_nearest(struct ecc_simulate_result *r, struct ecc_error *error)
{
    double *const distance = malloc(r->n * sizeof *distance);
    if (!distance) return ecc_fail_memory(error, "the nearest neighbours");
    const enum ecc_status status = ecc_nearest(distance, NULL, r->points, r->n, r->d, error);
    r->nearest_least = INFINITY;
    for (size_t i = 0; status == ECC_OK && i < r->n; i++) {
        distance[i] = sqrt(distance[i]);
        r->nearest_least = fmin(r->nearest_least, distance[i]);
    }
    if (status == ECC_OK) {
        ecc_mean_deviation(&r->nearest, &r->nearest_deviation, distance, r->n);
    }
    free(distance);
    return status;
}

static enum ecc_status measure_spectrum(struct ecc_simulate_result *r, struct ecc_error *error)
{
    r->mean = malloc(r->d * sizeof(double));
    r->eigenvalues = malloc(r->d * sizeof(double));
    r->axes = malloc(r->d * r->d * sizeof(double));
    if (!r->mean || !r->eigenvalues || !r->axes) return ecc_fail_memory(error, "the covariance");
    ECC_TRY(ecc_mean_covariance(r->mean, r->axes, r->points, r->n, r->d, error));
    ECC_TRY(ecc_eigen_symmetric(r->eigenvalues, r->axes, r->axes, r->d, error));
    for (size_t k = 0; k < r->d; k++) r->eigenvalues[k] = fmax(0, r->eigenvalues[k]);
    r->trace = ecc_spectrum_trace(r->eigenvalues, r->d);
    /* points that all coincide have no shape: 0 rather than 0/0 */
    r->eccentricity = r->trace > 0 ? ecc_spectrum_eccentricity(r->eigenvalues, r->d) : 0;
    r->effective_rank = ecc_spectrum_effective_rank(r->eigenvalues, r->d);
    return ECC_OK;
}

static enum ecc_status measure(struct ecc_simulate_result *r, const struct ecc_loss_options *loss,
                               struct ecc_error *error)
{
    struct ecc_loss_value before, after;
    ECC_TRY(ecc_loss(&before, NULL, r->start, r->n, r->d, loss, error));
    ECC_TRY(ecc_loss(&after, NULL, r->points, r->n, r->d, loss, error));
    r->loss_start = before.loss;
    r->loss = after.loss;
    r->m = after.m;
    r->loss_paper = r->mu == 1 ? (double)r->d * (1 - 2 * log(2)) : (double)NAN;
    ECC_TRY(ecc_theory_radius(&r->radius_theory, r->d, r->mu, r->m, error));
    ECC_TRY(ecc_theory_sphere_loss(&r->loss_sphere, r->d, r->mu, r->m, r->radius_theory, error));
    ECC_TRY(ecc_theory_escape(&r->escape_gain, &r->escape_radius, r->d, r->mu, r->m, error));
    size_t ignored;
    ECC_TRY(measure_radius(&r->radius_start, &r->radius_start_deviation, &ignored, 0, r->start,
                           r->n, r->d, error));
    ECC_TRY(measure_radius(&r->radius, &r->radius_deviation, &r->trapped, 0.5 * r->radius_theory,
                           r->points, r->n, r->d, error));
    ECC_TRY(measure_nearest(r, error));
    return measure_spectrum(r, error);
}

/* What the steps have made, before anything else can fail. */
static enum ecc_status write_points(const struct ecc_simulate_result *r,
                                    const struct simulate_settings *s, struct ecc_error *error)
{
    char *const points = ecc_path_join(s->out, "points.npy");
    char *const history = ecc_path_join(s->out, "history.csv");
    static const char *const names[] = {"step", "loss", "net_force", "radius"};
    enum ecc_status status = points && history ? ECC_OK : ecc_fail_memory(error, "a path");
    if (status == ECC_OK) status = ecc_npy_write_f32(points, r->points, r->n, r->d, error);
    if (status == ECC_OK) {
        status = ecc_csv_write(history, names, (const double *const *)r->history, 4, r->steps + 1,
                               error);
    }
    free(points);
    free(history);
    return status;
}

/* The pictures, and last the result, which says that all is there. */
static enum ecc_status write_result(const struct ecc_simulate_result *r,
                                    const struct simulate_settings *s, struct ecc_error *error)
{
    ECC_TRY(ecc_simulate_draw(r, s->out, format_names[s->format], error));
    char *const result = ecc_path_join(s->out, "result.json");
    if (!result) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_json_write(ecc_simulate_json(r), result, error);
    free(result);
    return status;
}

static enum ecc_status report(const struct ecc_simulate_result *r,
                              const struct simulate_settings *s, struct ecc_error *error)
{
    if (s->out) ECC_TRY(write_result(r, s, error));
    if (s->common.json) {
        ECC_TRY(ecc_json_print(ecc_simulate_json(r), error));
    } else {
        ecc_simulate_print(r);
        char quoted[ECC_PATH_SIZE];
        if (s->out) {
            printf("points, history and pictures are in %s\n", ecc_quote_path(quoted, s->out));
        }
    }
    if (!r->interrupted) return ECC_OK;
    return ecc_fail(error, ECC_INTERRUPTED, "interrupted after step %zu of %zu%s%s%s", r->steps,
                    r->steps_max, s->out ? "; to go on: --start " : "", s->out ? s->out : "",
                    s->out ? "/points.npy" : "");
}

static enum ecc_status simulate(struct ecc_simulate_result *r, const struct simulate_settings *s,
                                struct ecc_error *error)
{
    r->mu = s->words.mu;
    r->m_rule = s->words.m;
    r->pairs = ecc_pairs_names[s->words.pairs];
    r->steps_max = s->steps;
    r->tolerance = s->tolerance;
    r->seed = s->common.seed;
    ECC_TRY(make_start(r, s, error));
    if (s->out) ECC_TRY(ecc_make_directory(s->out, error));
    r->points = malloc(r->n * r->d * sizeof *r->points);
    for (int c = 0; c < 4; c++) r->history[c] = calloc(s->steps + 1, sizeof(double));
    if (!r->points || !r->history[0] || !r->history[1] || !r->history[2] || !r->history[3]) {
        return ecc_fail_memory(error, "the points and their history");
    }
    memcpy(r->points, r->start, r->n * r->d * sizeof *r->points);
    ECC_TRY(move_points(r, s, error));
    if (s->out) ECC_TRY(write_points(r, s, error));
    ECC_TRY(measure(r, &s->loss, error));
    return report(r, s, error);
}

static enum ecc_status simulate_run(void *settings, const char *const *operands, size_t count,
                                    struct ecc_error *error)
{
    (void)operands, (void)count;
    struct ecc_simulate_result r = {0};
    const enum ecc_status status = simulate(&r, settings, error);
    for (int c = 0; c < 4; c++) free(r.history[c]);
    free(r.start);
    free(r.points);
    free(r.mean);
    free(r.eigenvalues);
    free(r.axes);
    return status;
}

const struct ecc_command ecc_command_simulate = {
    .name = "simulate",
    .operands = "",
    .summary = "points moved by the loss alone, until they cover a sphere",
    .description =
        "Minimises the eccentric loss of free points and compares what comes out with the theory: "
        "the loss with that of the sphere and with the paper's d(1 - 2 log 2) (for mu = 1), the "
        "radius with Theorem 1, the trace of the covariance with d.  Ctrl-C ends it early and "
        "keeps what there is.",
    .examples = "  eccentric simulate --points 1000 --dim 64 --out demo\n"
                "  eccentric simulate --points 500 --dim 2 --mu 2.5 --seed 7 --json\n"
                "  eccentric simulate --start demo/points.npy --mu 4.5 --out demo2\n",
    .options = simulate_options,
    .settings_size = sizeof(struct simulate_settings),
    .defaults = simulate_defaults,
    .check = simulate_check,
    .run = simulate_run,
};
