/*
 * free_points.c: free points moved by the eccentric loss alone.
 *
 * Nesterov's accelerated descent, restarted whenever the momentum points uphill (O'Donoghue and
 * Candes, 2015), on E = (n-1)/2 times the loss, so that a point's gradient is the net force on it.
 * The pair energy -mu M log(1 + r^2/M) curves upward by at most mu/4 (at r^2 = 3M) and the
 * attraction by 1, so a step of 1/(1 + mu/4) never overshoots, and nothing needs tuning.
 */
#include "base/arena.h"
#include "math/statistics.h"

#include <math.h>
#include <string.h>

struct ecc_simulate_options ecc_simulate_defaults(void)
{
    return (struct ecc_simulate_options){
        .loss = ecc_loss_defaults(), .steps = 200, .tolerance = 1e-4};
}

/* Everything a simulation holds; arrays are [n, d]. */
struct simulation {
    size_t count; /* n * d */
    double step;  /* of the descent */
    double momentum;
    float *z;     /* the caller's points */
    float *ahead; /* z plus momentum: where the gradient is taken */
    float *dz;    /* of the loss, at `ahead` */
    struct ecc_arena arena;
};

static enum ecc_status simulation_init(struct simulation *s, float *z, size_t n, size_t d,
                                       double mu, struct ecc_error *error)
{
    *s = (struct simulation){.count = n * d, .momentum = 1, .z = z};
    s->step = 0.5 * (double)(n - 1) / (1 + mu / 4);
    for (int pass = 0; pass < 2; pass++) {
        s->ahead = ecc_arena_cut(&s->arena, n, d * sizeof *s->ahead);
        s->dz = ecc_arena_cut(&s->arena, n, d * sizeof *s->dz);
        if (pass == 0) ECC_TRY(ecc_arena_reserve(&s->arena, "the simulation", error));
    }
    memcpy(s->ahead, z, s->count * sizeof *z);
    return ECC_OK;
}

/* z moves to ahead - step dz, and `ahead` beyond it by the momentum of that move. */
static void advance(struct simulation *s)
{
    const float step = (float)s->step;
    double uphill = 0;
    for (size_t i = 0; i < s->count; i++) {
        const float next = s->ahead[i] - step * s->dz[i];
        uphill += (double)s->dz[i] * (double)(next - s->z[i]);
    }
    const double last = uphill > 0 ? 1 : s->momentum;
    s->momentum = 0.5 * (1 + sqrt(1 + 4 * last * last));
    const float carry = (float)((last - 1) / s->momentum);
    for (size_t i = 0; i < s->count; i++) {
        const float next = s->ahead[i] - step * s->dz[i];
        s->ahead[i] = next + carry * (next - s->z[i]);
        s->z[i] = next;
    }
}

/* One evaluation per step, at the points ahead; reports are about those points. */
static enum ecc_status descend(struct simulation *s, struct ecc_loss_plan *plan, size_t *taken,
                               size_t n, size_t d, const struct ecc_simulate_options *options,
                               struct ecc_error *error)
{
    for (*taken = 0;; ++*taken) {
        struct ecc_loss_value value;
        ECC_TRY(ecc_loss_plan_evaluate(plan, &value, s->dz, s->ahead, n, error));
        struct ecc_simulate_progress now = {.step = *taken, .steps = options->steps};
        now.loss = value.loss;
        now.net_force = 0.5 * (double)(n - 1) * ecc_root_sum_squares(s->dz, s->count);
        now.radius = ecc_mean_length(s->ahead, n, d);
        now.at_rest =
            now.net_force <= options->tolerance * ecc_root_sum_squares(s->ahead, s->count);
        if (options->on_step && !options->on_step(options->context, &now)) {
            return ecc_fail(error, ECC_INTERRUPTED, "stopped after step %zu of %zu", *taken,
                            options->steps);
        }
        if (now.at_rest || *taken == options->steps) return ECC_OK;
        advance(s);
    }
}

enum ecc_status ecc_simulate(float *z, size_t *taken, size_t n, size_t d,
                             const struct ecc_simulate_options *options, struct ecc_error *error)
{
    const struct ecc_simulate_options settings = options ? *options : ecc_simulate_defaults();
    size_t ignored;
    struct ecc_loss_plan *plan;
    ECC_TRY(ecc_loss_plan_create(&plan, n, d, &settings.loss, error));
    struct simulation s;
    enum ecc_status status = simulation_init(&s, z, n, d, settings.loss.mu, error);
    if (status == ECC_OK) {
        status = descend(&s, plan, taken ? taken : &ignored, n, d, &settings, error);
        memcpy(z, s.ahead, s.count * sizeof *z);
    }
    ecc_arena_release(&s.arena);
    ecc_loss_plan_free(plan);
    return status;
}
