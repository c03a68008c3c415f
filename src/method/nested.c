/*
 * nested.c: nested dropout (Rippel, Gelbart & Adams, 2014): of each item the decoder gets the first
 * b latents and zeros in place of the others, with b drawn again at every step.
 *
 * b is 1 plus a geometric number: each further latent is kept with probability `keep`.  The first
 * latents must serve all truncations, so that they come out ordered by what they tell, without
 * principal components.  Analysis uses all of them.
 */
#include "base/arena.h"
#include "base/rng.h"
#include "base/streams.h"
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEEP = 0 }; /* its option */

struct nested_plan {
    size_t n_max, d;
    double keep;
    uint64_t seed;
    struct ecc_arena arena;
    double *draw; /* [n] */
};

static void nested_destroy(void *state)
{
    struct nested_plan *const plan = state;
    ecc_arena_release(&plan->arena);
    free(plan);
}

static enum ecc_status nested_create(void **state, size_t n_max, size_t d,
                                     const struct ecc_regularizer_options *options,
                                     struct ecc_error *error)
{
    struct nested_plan *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    *plan = (struct nested_plan){
        .n_max = n_max, .d = d, .keep = options->own[KEEP], .seed = options->seed};
    ecc_arena_cut(&plan->arena, n_max, sizeof *plan->draw);
    const enum ecc_status status =
        ecc_arena_reserve(&plan->arena, "the plan of the regularizer", error);
    if (status != ECC_OK) {
        nested_destroy(plan);
        return status;
    }
    plan->draw = ecc_arena_cut(&plan->arena, n_max, sizeof *plan->draw);
    *state = plan;
    return ECC_OK;
}

/* How many latents of an item are kept: P(b > j) = keep^j, but never more than d. */
static size_t kept(const struct nested_plan *plan, double draw)
{
    const double more = plan->keep < 1 ? log(draw) / log(plan->keep) : (double)plan->d;
    return more < (double)(plan->d - 1) ? 1 + (size_t)more : plan->d;
}

static void draw_items(struct nested_plan *plan, size_t n, uint64_t step)
{
    ecc_rng_uniform(plan->draw, plan->seed, ECC_STREAM_NESTED + step, 0, n);
}

static enum ecc_status nested_latents(void *state, float *z, const float *outputs, size_t n,
                                      uint64_t step, struct ecc_error *error)
{
    struct nested_plan *const plan = state;
    const size_t d = plan->d;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, d, "z", error));
    draw_items(plan, n, step);
    for (size_t i = 0; i < n; i++) {
        const size_t b = kept(plan, plan->draw[i]);
        memcpy(z + i * d, outputs + i * d, b * sizeof *z);
        memset(z + i * d + b, 0, (d - b) * sizeof *z);
    }
    return ECC_OK;
}

static void nested_pull_back(void *state, float *doutputs, const float *dz, const float *outputs,
                             size_t n, uint64_t step)
{
    (void)outputs;
    struct nested_plan *const plan = state;
    draw_items(plan, n, step);
    for (size_t i = 0; i < n; i++) {
        const size_t begin = i * plan->d, end = begin + kept(plan, plan->draw[i]);
        for (size_t k = begin; k < end; k++) doutputs[k] += dz[k];
    }
}

static enum ecc_status nested_evaluate(void *state, struct ecc_regularizer_value *value,
                                       float *doutputs, const float *outputs, size_t n,
                                       uint64_t step, struct ecc_error *error)
{
    (void)step;
    const struct nested_plan *const plan = state;
    return ecc_evaluate_nothing(value, doutputs, outputs, n, plan->n_max, plan->d, error);
}

static const struct ecc_regularizer_option nested_options[] = {
    {"keep", "probability that the next latent is kept, too", 0.9, 0, 1},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_nested = {
    .name = "nested",
    .summary = "the last latents of an item left out at random: latents come out ordered",
    .options = nested_options,
    .no_lambda = true,
    .outputs_per_latent = 1,
    .n_min = 1,
    .d_min = 1,
    .create = nested_create,
    .evaluate = nested_evaluate,
    .latents = nested_latents,
    .pull_back = nested_pull_back,
    .destroy = nested_destroy,
};
