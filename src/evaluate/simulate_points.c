/* simulate_points.c: free points moved by the eccentric or another loss, and the result compared
 * with the theory. */
#include "eccentric_evaluate.h"

#include "base/clock.h"
#include "base/rng.h"
#include "base/streams.h"
#include "base/watch.h"
#include "math/lapack.h"
#include "math/neighbours.h"
#include "math/statistics.h"
#include "regularizer/descend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ecc_simulation_options ecc_simulation_defaults(void)
{
    const struct ecc_simulate_options steps = ecc_simulate_defaults();
    return (struct ecc_simulation_options){.loss = steps.loss,
                                           .starts = 1,
                                           .points = 1000,
                                           .dim = 2,
                                           .steps = steps.steps,
                                           .tolerance = steps.tolerance,
                                           .seed = 1};
}

/* ---- The start ------------------------------------------------------------------------------ */

static void draw_start(float *z, const struct ecc_simulation_options *o, uint64_t seed)
{
    const size_t count = o->points * o->dim;
    if (!o->uniform) {
        ecc_rng_normal_f32(z, seed, ECC_STREAM_PLAIN, 0, count);
        return;
    }
    ecc_rng_uniform_f32(z, seed, ECC_STREAM_PLAIN, 0, count);
    for (size_t i = 0; i < count; i++) z[i] = sqrtf(12.0F) * (z[i] - 0.5F);
}

static enum ecc_status reserve(struct ecc_simulation *r, const struct ecc_simulation_options *o,
                               struct ecc_error *error)
{
    if (o->points < 2 || o->dim < 2 || o->points > SIZE_MAX / sizeof(double) / o->dim) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "there are %zu points in %zu dimensions, expected 2 or more of both",
                        o->points, o->dim);
    }
    r->n = o->points;
    r->d = o->dim;
    r->mu = o->loss.mu;
    r->start = malloc(r->n * r->d * sizeof *r->start);
    bool enough = r->start && o->steps < SIZE_MAX;
    for (size_t c = 0; enough && c < ECC_HISTORY; c++) {
        r->history[c] = calloc(o->steps + 1, sizeof(double));
        enough = r->history[c] != NULL;
    }
    if (enough) r->points = malloc(r->n * r->d * sizeof *r->points);
    return r->points ? ECC_OK : ecc_fail_memory(error, "the points and their history");
}

static void place_points(struct ecc_simulation *r, const struct ecc_simulation_options *o)
{
    const size_t bytes = r->n * r->d * sizeof *r->start;
    if (o->start) {
        memcpy(r->start, o->start, bytes);
    } else {
        draw_start(r->start, o, r->seed);
    }
    memcpy(r->points, r->start, bytes);
}

/* ---- The steps ------------------------------------------------------------------------------ */

struct moving {
    struct ecc_simulation *result;
    const struct ecc_watch *watch;
};

static bool on_step(void *context, const struct ecc_simulate_progress *now)
{
    const struct moving *const moving = context;
    struct ecc_simulation *const r = moving->result;
    r->history[ECC_HISTORY_STEP][now->step] = (double)now->step;
    r->history[ECC_HISTORY_LOSS][now->step] = now->loss;
    r->history[ECC_HISTORY_FORCE][now->step] = now->net_force;
    r->history[ECC_HISTORY_RADIUS][now->step] = now->radius;
    r->at_rest = now->at_rest;
    char text[64];
    snprintf(text, sizeof text, "loss %.6f  radius %.4f", now->loss, now->radius);
    const struct ecc_work work = {"simulate", "steps", now->step, now->steps, text};
    return ecc_watch_work(moving->watch, &work, NULL) == ECC_OK;
}

/* other: NULL for the eccentric loss. */
static enum ecc_status move_points(struct ecc_simulation *r, const struct ecc_simulation_options *o,
                                   const struct ecc_regularizer_choice *other,
                                   const struct ecc_watch *watch, struct ecc_error *error)
{
    struct moving moving = {r, watch};
    const struct ecc_simulate_options options = {.loss = o->loss,
                                                 .steps = o->steps,
                                                 .tolerance = o->tolerance,
                                                 .on_step = on_step,
                                                 .context = &moving};
    const double start = ecc_seconds();
    const enum ecc_status status =
        other ? ecc_descend(r->points, &r->steps, r->n, r->d, other, &options, error)
              : ecc_simulate(r->points, &r->steps, r->n, r->d, &options, error);
    r->seconds += ecc_seconds() - start;
    r->interrupted = status == ECC_INTERRUPTED;
    if (status == ECC_OK || r->interrupted) return ECC_OK;
    free(r->points);
    r->points = NULL;
    return status;
}

/* ---- The result -------------------------------------------------------------------------- */

/* *spread: the spread of |z|, z: [n, d]; *below: how many are below `least`. */
static enum ecc_status measure_radius(const struct ecc_simulation *r, struct ecc_spread *spread,
                                      size_t *below, const float *z, double least,
                                      struct ecc_error *error)
{
    *below = 0;
    double *const radius = malloc(r->n * sizeof *radius);
    if (!radius) return ecc_fail_memory(error, "the radii");
    for (size_t i = 0; i < r->n; i++) {
        const float *const row = z + i * r->d;
        double squares = 0;
        for (size_t k = 0; k < r->d; k++) squares += (double)row[k] * (double)row[k];
        radius[i] = sqrt(squares);
        *below += radius[i] < least;
    }
    ecc_mean_deviation(&spread->mean, &spread->deviation, radius, r->n);
    free(radius);
    return ECC_OK;
}

static enum ecc_status measure_nearest(struct ecc_simulation *r, struct ecc_error *error)
{
    double *const distance = malloc(r->n * sizeof *distance);
    if (!distance) return ecc_fail_memory(error, "the nearest neighbours");
    const enum ecc_status status = ecc_nearest(distance, NULL, r->points, r->n, r->d, error);
    r->nearest_least = (double)INFINITY;
    for (size_t i = 0; status == ECC_OK && i < r->n; i++) {
        distance[i] = sqrt(distance[i]);
        r->nearest_least = fmin(r->nearest_least, distance[i]);
    }
    if (status == ECC_OK) {
        ecc_mean_deviation(&r->nearest.mean, &r->nearest.deviation, distance, r->n);
    }
    free(distance);
    return status;
}

static enum ecc_status measure_spectrum(struct ecc_simulation *r, struct ecc_error *error)
{
    r->mean = malloc(r->d * sizeof(double));
    r->eigenvalues = malloc(r->d * sizeof(double));
    r->axes = malloc(r->d * r->d * sizeof(double));
    if (!r->mean || !r->eigenvalues || !r->axes) return ecc_fail_memory(error, "the covariance");
    ECC_TRY(ecc_mean_covariance(r->mean, r->axes, r->points, r->n, r->d, error));
    ECC_TRY(ecc_eigen_symmetric(r->eigenvalues, r->axes, r->axes, r->d, error));
    for (size_t k = 0; k < r->d; k++) r->eigenvalues[k] = fmax(0, r->eigenvalues[k]);
    r->trace = ecc_spectrum_trace(r->eigenvalues, r->d);
    /* if all points coincide, use 0 rather than 0/0 */
    r->eccentricity = r->trace > 0 ? ecc_spectrum_eccentricity(r->eigenvalues, r->d) : 0;
    r->effective_rank = ecc_spectrum_effective_rank(r->eigenvalues, r->d);
    return ECC_OK;
}

static enum ecc_status measure_loss(struct ecc_simulation *r, const struct ecc_loss_options *loss,
                                    struct ecc_error *error)
{
    struct ecc_loss_value before, after;
    ECC_TRY(ecc_loss(&before, NULL, r->start, r->n, r->d, loss, error));
    ECC_TRY(ecc_loss(&after, NULL, r->points, r->n, r->d, loss, error));
    r->loss_start = before.loss;
    r->loss = after.loss;
    r->m = after.m;
    r->loss_paper = r->mu == 1 ? (double)r->d * (1 - 2 * log(2)) : (double)NAN;
    r->energy = (double)NAN;
    ECC_TRY(ecc_theory_radius(&r->radius_theory, r->d, r->mu, r->m, error));
    ECC_TRY(ecc_theory_sphere_loss(&r->loss_sphere, r->d, r->mu, r->m, r->radius_theory, error));
    return ecc_theory_escape(&r->escape_gain, &r->escape_radius, r->d, r->mu, r->m, error);
}

/* The sum over pairs of distance^-s, or -log distance for s = 0, of the points at length 1. */
static double energy_of(const struct ecc_simulation *r, double s)
{
    double sum = 0;
    for (size_t i = 0; i < r->n; i++) {
        const float *const a = r->points + i * r->d;
        for (size_t j = 0; j < i; j++) {
            const float *const b = r->points + j * r->d;
            double aa = 0, bb = 0, square = 0;
            for (size_t k = 0; k < r->d; k++) {
                aa += (double)a[k] * (double)a[k];
                bb += (double)b[k] * (double)b[k];
            }
            for (size_t k = 0; k < r->d; k++) {
                const double difference = (double)a[k] / sqrt(aa) - (double)b[k] / sqrt(bb);
                square += difference * difference;
            }
            sum += s == 0 ? -0.5 * log(square) : pow(square, -0.5 * s);
        }
    }
    return sum;
}

/* Of another loss there is no theory, but points of a loss of directions are at length 1. */
static enum ecc_status measure_other(struct ecc_simulation *r,
                                     const struct ecc_regularizer_choice *other, int threads,
                                     struct ecc_error *error)
{
    ECC_TRY(ecc_descend_value(&r->loss_start, r->start, r->n, r->d, other, threads, error));
    ECC_TRY(ecc_descend_value(&r->loss, r->points, r->n, r->d, other, threads, error));
    r->mu = r->m = r->loss_paper = r->loss_sphere = (double)NAN;
    r->radius_theory = other->entry->directions ? 1 : (double)NAN;
    const bool energy = other->entry == &ecc_regularizer_mhe && other->own[1] == 0;
    r->energy = energy ? energy_of(r, other->own[0]) : (double)NAN;
    return ECC_OK;
}

static enum ecc_status measure(struct ecc_simulation *r, const struct ecc_loss_options *loss,
                               const struct ecc_regularizer_choice *other, struct ecc_error *error)
{
    size_t ignored;
    ECC_TRY(other ? measure_other(r, other, loss->threads, error) : measure_loss(r, loss, error));
    ECC_TRY(measure_radius(r, &r->radius_start, &ignored, r->start, 0, error));
    ECC_TRY(measure_radius(r, &r->radius, &r->trapped, r->points, 0.5 * r->radius_theory, error));
    ECC_TRY(measure_nearest(r, error));
    return measure_spectrum(r, error);
}

/* ---- The whole simulation -------------------------------------------------------------------- */

static enum ecc_status run_from(struct ecc_simulation *r, uint64_t seed,
                                const struct ecc_simulation_options *o,
                                const struct ecc_regularizer_choice *other,
                                const struct ecc_watch *watch, struct ecc_error *error)
{
    r->seed = seed;
    place_points(r, o);
    return move_points(r, o, other, watch, error);
}

/* The points of the best start; it is run again at the end, unless it was the last one. */
static enum ecc_status run_starts(struct ecc_simulation *r, const struct ecc_simulation_options *o,
                                  const struct ecc_regularizer_choice *other,
                                  const struct ecc_watch *watch, struct ecc_error *error)
{
    const size_t starts = o->start || o->starts == 0 ? 1 : o->starts;
    uint64_t best = o->seed;
    double least = (double)INFINITY;
    for (size_t i = 0; i < starts; i++) {
        ECC_TRY(run_from(r, o->seed + i, o, other, watch, error));
        if (r->interrupted) return ECC_OK;
        const double loss = r->history[ECC_HISTORY_LOSS][r->steps];
        if (loss < least) {
            least = loss;
            best = r->seed;
        }
    }
    return best == r->seed ? ECC_OK : run_from(r, best, o, other, watch, error);
}

enum ecc_status ecc_simulation_run(struct ecc_simulation *result,
                                   const struct ecc_simulation_options *options,
                                   const struct ecc_watch *watch, struct ecc_error *error)
{
    const struct ecc_simulation_options defaults = ecc_simulation_defaults();
    const struct ecc_simulation_options *const o = options ? options : &defaults;
    struct ecc_regularizer_choice choice, *other = NULL;
    *result = (struct ecc_simulation){0};
    if (o->regularizer) {
        ECC_TRY(ecc_regularizer_read(&choice, o->regularizer, error));
        if (choice.entry != &ecc_regularizer_eccentric) other = &choice;
    }
    ECC_TRY(reserve(result, o, error));
    ECC_TRY(run_starts(result, o, other, watch, error));
    ECC_TRY(measure(result, &o->loss, other, error));
    if (!result->interrupted) return ECC_OK;
    return ecc_fail(error, ECC_INTERRUPTED, "interrupted after step %zu of %zu", result->steps,
                    o->steps);
}

void ecc_simulation_release(struct ecc_simulation *r)
{
    for (size_t c = 0; c < ECC_HISTORY; c++) free(r->history[c]);
    free(r->start);
    free(r->points);
    free(r->mean);
    free(r->eigenvalues);
    free(r->axes);
    *r = (struct ecc_simulation){0};
}
