/*
 * uniform.c: uniformity on the unit sphere (Wang & Isola, 2020): the logarithm of the mean over
 * pairs of exp(-t |u_i - u_j|^2), with latents projected to the sphere.
 *
 * In many dimensions all pairs are near |u_i - u_j|^2 = 2, and the value near -2t.
 */
#include "regularizer/sphere_pairs.h"

#include <math.h>

enum { T = 0 }; /* its option */

static enum ecc_status uniform_create(void **state, size_t n_max, size_t d,
                                      const struct ecc_regularizer_options *options,
                                      struct ecc_error *error)
{
    return ecc_sphere_pairs_create((struct ecc_sphere_pairs **)state, n_max, d,
                                   &ecc_law_exponential, false, options, error);
}

static enum ecc_status uniform_evaluate(void *state, struct ecc_regularizer_value *value, float *dz,
                                        const float *z, size_t n, uint64_t step,
                                        struct ecc_error *error)
{
    (void)step;
    struct ecc_sphere_pairs *const plan = state;
    const double t = plan->own[T];
    struct ecc_pair_totals totals;
    double pairs;
    ECC_TRY(ecc_sphere_pairs_evaluate(plan, &totals, &pairs, z, n, 1 / t, dz != NULL, error));
    *value = (struct ecc_regularizer_value){.loss = log(totals.terms / pairs)};
    if (dz) ecc_sphere_pairs_gradient(plan, dz, z, n, -2 * t / totals.terms);
    return ECC_OK;
}

static const struct ecc_regularizer_option uniform_options[] = {
    /* up to 20, exp(-4t) is a number of float32 */
    {"t", "sharpness of the repulsion", 2, 0.01, 20},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_uniform = {
    .name = "uniform",
    .summary = "latents projected to the unit sphere, spread by Gaussian repulsion (uniformity)",
    .options = uniform_options,
    .directions = true,
    .outputs_per_latent = 1,
    .n_min = 2,
    .d_min = 2,
    .create = uniform_create,
    .evaluate = uniform_evaluate,
    .destroy = ecc_sphere_pairs_free,
};
