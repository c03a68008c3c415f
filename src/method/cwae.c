/*
 * cwae.c: the Cramer-Wold distance to the standard normal (Knop et al., 2020), as its authors'
 * PyTorch code has it.
 *
 * With g = (4/(3n))^0.4 and K = 1/(2d-3), cw = (1 + g)^-1/2 + mean over all n^2 pairs of
 * (g + K |z_i - z_j|^2)^-1/2 - 2 mean_i (g + 1/2 + K |z_i|^2)^-1/2, and the value is
 * log(cw + 1e-7).  It is an approximation for large d; the authors use it from d = 8 on.
 */
#include "regularizer/outputs.h"
#include "regularizer/pair_sums.h"
#include "regularizer/regularizer.h"

#include <math.h>
#include <stdlib.h>

static const double least = 1e-7; /* below what float32 can tell from 0 here */

struct cwae_plan {
    size_t n_max, d;
    struct ecc_pair_sums *pairs;
};

static void cwae_destroy(void *state)
{
    struct cwae_plan *const plan = state;
    ecc_pair_sums_free(plan->pairs);
    free(plan);
}

static enum ecc_status cwae_create(void **state, size_t n_max, size_t d,
                                   const struct ecc_regularizer_options *options,
                                   struct ecc_error *error)
{
    if (n_max < 2 || d < 2) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "n is %zu and d is %zu, expected at least 2 of each", n_max, d);
    }
    struct cwae_plan *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    plan->n_max = n_max;
    plan->d = d;
    const enum ecc_status status = ecc_pair_sums_create(
        &plan->pairs, n_max, d, &ecc_law_root, ECC_ALL_DIFFERENT, options->loss.threads, error);
    if (status != ECC_OK) {
        free(plan);
        return status;
    }
    *state = plan;
    return ECC_OK;
}

/* a of one item: g + 1/2 + K |z_i|^2 */
static double spread_of(const float *z_i, size_t d, double g, double k)
{
    double squares = 0;
    for (size_t j = 0; j < d; j++) squares += (double)z_i[j] * (double)z_i[j];
    return g + 0.5 + k * squares;
}

static enum ecc_status cwae_evaluate(void *state, struct ecc_regularizer_value *value, float *dz,
                                     const float *z, size_t n, uint64_t step,
                                     struct ecc_error *error)
{
    (void)step;
    struct cwae_plan *const plan = state;
    const size_t d = plan->d;
    const double items = (double)n, g = pow(4 / (3 * items), 0.4), k = 1 / (2 * (double)d - 3);
    struct ecc_pair_totals totals;
    ECC_TRY(ecc_check_latents(z, n, d, 2, plan->n_max, error));
    ECC_TRY(ecc_pair_sums_evaluate(plan->pairs, &totals, dz, z, n, g / k, error));
    double centre = 0;
    for (size_t i = 0; i < n; i++) centre += 2 / (items * sqrt(spread_of(z + i * d, d, g, k)));
    const double pairs = (items + 2 * totals.terms) / (sqrt(g) * items * items);
    const double distance = fmax(0, 1 / sqrt(1 + g) + pairs - centre);
    *value = (struct ecc_regularizer_value){
        .loss = log(distance + least),
        .term_count = 3,
        .terms = {{"distance", distance}, {"pairs", pairs}, {"centre", centre}},
    };
    if (!dz) return ECC_OK;
    const double share = 1 / (distance + least);
    /* of each of the n^2 pairs, -1/M w (z_i - z_j); item i is on both sides */
    ecc_pair_sums_gradient(plan->pairs, dz, z, n, 0, 2 * share * k / (g * sqrt(g) * items * items));
    for (size_t i = 0; i < n; i++) {
        const double a = spread_of(z + i * d, d, g, k);
        const double pull = share * 2 * k / (items * a * sqrt(a));
        for (size_t j = i * d; j < (i + 1) * d; j++) {
            dz[j] = (float)((double)dz[j] + pull * (double)z[j]);
        }
    }
    return ECC_OK;
}

const struct ecc_regularizer ecc_regularizer_cwae = {
    .name = "cwae",
    .summary = "logarithm of the Cramer-Wold distance to the standard normal (CWAE)",
    .lambda = 1.0 / 784, /* their 1 beside the sum of squared errors of 28 x 28 pixels */
    .outputs_per_latent = 1,
    .n_min = 2,
    .d_min = 2,
    .create = cwae_create,
    .evaluate = cwae_evaluate,
    .destroy = cwae_destroy,
};
