/*
 * fsq.c: finite scalar quantisation (Mentzer et al., 2023), as its authors' code has it: each
 * latent takes one of L values between -1 and 1.
 *
 * y = tanh(x + shift) half - offset, with half = (L-1)(1-1e-3)/2, offset 1/2 for even L and else 0,
 * shift = tan(offset/half); z = round(y)/floor(L/2).  The gradient passes straight through the
 * rounding.  There is no codebook, nothing is learnt and nothing is added to the loss.
 */
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"

#include <math.h>
#include <stdlib.h>

enum { LEVELS = 0 }; /* its option */

/* The map of one latent. */
struct bounds {
    double half, offset, shift, unit;
};

struct fsq_plan {
    size_t n_max, d;
    double own[ECC_REGULARIZER_OPTIONS];
};

static struct bounds bounds_of(const double *own)
{
    const double levels = own[LEVELS];
    struct bounds b = {.half = (levels - 1) * (1 - 1e-3) / 2, .unit = floor(levels / 2)};
    b.offset = fmod(levels, 2) == 0 ? 0.5 : 0;
    b.shift = tan(b.offset / b.half);
    return b;
}

static enum ecc_status fsq_create(void **state, size_t n_max, size_t d,
                                  const struct ecc_regularizer_options *options,
                                  struct ecc_error *error)
{
    struct fsq_plan *const plan = *state = malloc(sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    *plan = (struct fsq_plan){.n_max = n_max, .d = d};
    plan->own[LEVELS] = options->own[LEVELS];
    return ECC_OK;
}

static void fsq_means(float *z, const float *outputs, size_t n, size_t d, const double *own,
                      float *const *values)
{
    (void)values;
    const struct bounds b = bounds_of(own);
    for (size_t i = 0; i < n * d; i++) {
        const double y = tanh((double)outputs[i] + b.shift) * b.half - b.offset;
        z[i] = (float)(rint(y) / b.unit);
    }
}

static enum ecc_status fsq_latents(void *state, float *z, const float *outputs, size_t n,
                                   uint64_t step, struct ecc_error *error)
{
    (void)step;
    const struct fsq_plan *const plan = state;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, plan->d, "z", error));
    fsq_means(z, outputs, n, plan->d, plan->own, NULL);
    return ECC_OK;
}

static void fsq_pull_back(void *state, float *doutputs, const float *dz, const float *outputs,
                          size_t n, uint64_t step)
{
    (void)step;
    const struct fsq_plan *const plan = state;
    const struct bounds b = bounds_of(plan->own);
    for (size_t i = 0; i < n * plan->d; i++) {
        const double t = tanh((double)outputs[i] + b.shift);
        doutputs[i] += (float)(b.half / b.unit * (1 - t * t) * (double)dz[i]);
    }
}

static enum ecc_status fsq_evaluate(void *state, struct ecc_regularizer_value *value,
                                    float *doutputs, const float *outputs, size_t n, uint64_t step,
                                    struct ecc_error *error)
{
    (void)step;
    const struct fsq_plan *const plan = state;
    return ecc_evaluate_nothing(value, doutputs, outputs, n, plan->n_max, plan->d, error);
}

static void fsq_codes(size_t *dim, double *count, size_t d, const double *own)
{
    *dim = d;
    *count = pow(own[LEVELS], (double)d);
}

static const struct ecc_regularizer_option fsq_options[] = {
    {"levels", "values that each latent can take", 5, 2, 4096, .whole = true},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_fsq = {
    .name = "fsq",
    .summary = "each latent rounded to one of a few values (finite scalar quantisation)",
    .options = fsq_options,
    .straight_through = true,
    .no_lambda = true,
    .outputs_per_latent = 1,
    .n_min = 1,
    .d_min = 1,
    .create = fsq_create,
    .evaluate = fsq_evaluate,
    .latents = fsq_latents,
    .pull_back = fsq_pull_back,
    .destroy = free,
    .means = fsq_means,
    .codes = fsq_codes,
};
