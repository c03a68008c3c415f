/*
 * descend.c: free points moved by any loss on latents.
 *
 * Gradient descent with the step lengths of Barzilai and Borwein (1988).  The loss may rise above
 * that of the step before, but not above all of the last few (Grippo, Lampariello and Lucidi,
 * 1986): then a shorter step is tried.
 */
#include "regularizer/descend.h"
#include "base/arena.h"
#include "math/statistics.h"

#include <math.h>
#include <string.h>

enum { MEMORY = 10 }; /* losses that a new one is compared with */

/* No point moves further than this share of the mean radius. */
static const double longest_move = 0.2;

struct descent {
    struct ecc_regularizer_plan plan;
    size_t n, d, count; /* count = n * d */
    float *z, *dz;      /* where the points are: the caller's, and the gradient there */
    float *last, *dlast;
    double length; /* of the step from `last` */
    double losses[MEMORY];
    size_t accepted;
    struct ecc_arena arena;
};

enum ecc_status ecc_descend_check(const struct ecc_regularizer *entry, struct ecc_error *error)
{
    if (!entry->latents && !entry->tensors && !entry->no_lambda && entry->outputs_per_latent == 1 &&
        entry->outputs_more == 0) {
        return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "regularizer %s is not a loss on latents alone: it moves no free points",
                    entry->name);
}

static enum ecc_status plan_of(struct ecc_regularizer_plan *plan, size_t n, size_t d,
                               const struct ecc_regularizer_choice *choice, int threads,
                               struct ecc_error *error)
{
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    ECC_TRY(ecc_descend_check(choice->entry, error));
    options.loss.threads = threads;
    options.own_given = true;
    memcpy(options.own, choice->own, sizeof options.own);
    return ecc_regularizer_init(plan, choice->entry, n, d, &options, error);
}

/* A loss of directions has no say in lengths: they stay at 1. */
static void hold(const struct descent *s)
{
    if (!s->plan.entry->directions) return;
    for (size_t i = 0; i < s->n; i++) {
        float *const point = s->z + i * s->d;
        const double length = ecc_root_sum_squares(point, s->d);
        for (size_t k = 0; length > 0 && k < s->d; k++) {
            point[k] = (float)((double)point[k] / length);
        }
    }
}

/* The projection to a sphere within a loss is not exact near 0 (directions.h): a little of the
 * gradient is along the points.  It is left out. */
static void turn(const struct descent *s)
{
    for (size_t i = 0; s->plan.entry->directions && i < s->n; i++) {
        const float *const point = s->z + i * s->d;
        float *const g = s->dz + i * s->d;
        double along = 0;
        for (size_t k = 0; k < s->d; k++) along += (double)point[k] * (double)g[k];
        for (size_t k = 0; k < s->d; k++) g[k] = (float)((double)g[k] - along * (double)point[k]);
    }
}

/* z = last - length * dlast, with a shorter length if a point would move too far. */
static void move(struct descent *s)
{
    double largest = 0;
    for (size_t i = 0; i < s->n; i++) {
        largest = fmax(largest, ecc_root_sum_squares(s->dlast + i * s->d, s->d));
    }
    const double limit = longest_move * ecc_mean_length(s->last, s->n, s->d);
    if (s->length * largest > limit) s->length = limit / largest;
    for (size_t i = 0; i < s->count; i++) {
        s->z[i] = (float)((double)s->last[i] - s->length * (double)s->dlast[i]);
    }
    hold(s);
}

/* The next length, from how the gradient has changed on the way; twice as long if that says
 * nothing. */
static double next_length(const struct descent *s)
{
    double squares = 0, product = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double way = (double)s->z[i] - (double)s->last[i];
        squares += way * way;
        product += way * ((double)s->dz[i] - (double)s->dlast[i]);
    }
    return product > 0 && squares > 0 ? squares / product : 2 * s->length;
}

/* Whether the loss is above all of the last few by more than rounding. */
static bool too_high(const struct descent *s, double loss)
{
    if (s->accepted == 0) return false;
    double most = -HUGE_VAL;
    for (size_t i = 0; i < MEMORY && i < s->accepted; i++) most = fmax(most, s->losses[i]);
    return loss > most + 1e-7 * fabs(most);
}

static void advance(struct descent *s, double loss)
{
    if (too_high(s, loss)) {
        s->length /= 4;
    } else {
        /* the first length: as far as a point may go */
        s->length = s->accepted == 0 ? HUGE_VAL : next_length(s);
        s->losses[s->accepted++ % MEMORY] = loss;
        memcpy(s->last, s->z, s->count * sizeof *s->z);
        memcpy(s->dlast, s->dz, s->count * sizeof *s->dz);
    }
    move(s);
}

static enum ecc_status run(struct descent *s, size_t *taken,
                           const struct ecc_simulate_options *options, struct ecc_error *error)
{
    hold(s);
    for (*taken = 0;; ++*taken) {
        struct ecc_regularizer_value value;
        ECC_TRY(ecc_regularizer_evaluate(&s->plan, &value, s->dz, s->z, s->n, 0, error));
        turn(s);
        struct ecc_simulate_progress now = {.step = *taken, .steps = options->steps};
        now.loss = value.loss;
        now.net_force = 0.5 * (double)(s->n - 1) * ecc_root_sum_squares(s->dz, s->count);
        now.radius = ecc_mean_length(s->z, s->n, s->d);
        now.at_rest = now.net_force <= options->tolerance * ecc_root_sum_squares(s->z, s->count);
        if (options->on_step && !options->on_step(options->context, &now)) {
            return ecc_fail(error, ECC_INTERRUPTED, "stopped after step %zu of %zu", *taken,
                            options->steps);
        }
        if (now.at_rest || *taken == options->steps) return ECC_OK;
        advance(s, value.loss);
    }
}

enum ecc_status ecc_descend(float *z, size_t *taken, size_t n, size_t d,
                            const struct ecc_regularizer_choice *choice,
                            const struct ecc_simulate_options *options, struct ecc_error *error)
{
    struct descent s = {.n = n, .d = d, .count = n * d, .z = z};
    enum ecc_status status = plan_of(&s.plan, n, d, choice, options->loss.threads, error);
    for (int pass = 0; status == ECC_OK && pass < 2; pass++) {
        s.dz = ecc_arena_cut(&s.arena, n, d * sizeof *s.dz);
        s.last = ecc_arena_cut(&s.arena, n, d * sizeof *s.last);
        s.dlast = ecc_arena_cut(&s.arena, n, d * sizeof *s.dlast);
        if (pass == 0) status = ecc_arena_reserve(&s.arena, "the simulation", error);
    }
    if (status == ECC_OK) status = run(&s, taken, options, error);
    ecc_arena_release(&s.arena);
    ecc_regularizer_release(&s.plan);
    return status;
}

enum ecc_status ecc_descend_value(double *value, const float *z, size_t n, size_t d,
                                  const struct ecc_regularizer_choice *choice, int threads,
                                  struct ecc_error *error)
{
    struct ecc_regularizer_plan plan = {0};
    struct ecc_regularizer_value sums;
    enum ecc_status status = plan_of(&plan, n, d, choice, threads, error);
    if (status == ECC_OK) {
        status = ecc_regularizer_evaluate(&plan, &sums, NULL, z, n, 0, error);
    }
    if (status == ECC_OK) *value = sums.loss;
    ecc_regularizer_release(&plan);
    return status;
}
