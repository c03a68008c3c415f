/*
 * sphere.c: latents projected to the sphere of radius sqrt(d) before the decoder sees them
 * (Zhao et al., 2019): the explicit projection that the eccentric loss does without.
 *
 * z = sqrt(d) x / |x|, where |x| is taken as sqrt(x.x + tiny).  Nothing is added to the loss.
 */
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tiny = 1e-12;

struct sphere_plan {
    size_t n_max, d;
};

static enum ecc_status sphere_create(void **state, size_t n_max, size_t d,
                                     const struct ecc_regularizer_options *options,
                                     struct ecc_error *error)
{
    (void)options;
    struct sphere_plan *const plan = *state = malloc(sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    *plan = (struct sphere_plan){.n_max = n_max, .d = d};
    return ECC_OK;
}

static double norm_of(const float *x, size_t d)
{
    double sum = tiny;
    for (size_t k = 0; k < d; k++) sum += (double)x[k] * (double)x[k];
    return sqrt(sum);
}

static void sphere_means(float *z, const float *outputs, size_t n, size_t d, const double *own,
                         float *const *values)
{
    (void)own, (void)values;
    for (size_t i = 0; i < n; i++) {
        const float *const x = outputs + i * d;
        const double scale = sqrt((double)d) / norm_of(x, d);
        for (size_t k = 0; k < d; k++) z[i * d + k] = (float)(scale * (double)x[k]);
    }
}

static enum ecc_status sphere_latents(void *state, float *z, const float *outputs, size_t n,
                                      uint64_t step, struct ecc_error *error)
{
    (void)step;
    const struct sphere_plan *const plan = state;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, plan->d, "z", error));
    sphere_means(z, outputs, n, plan->d, NULL, NULL);
    return ECC_OK;
}

/* dx = scale (dz - u (u.dz)) with u = x / |x|. */
static void sphere_pull_back(void *state, float *doutputs, const float *dz, const float *outputs,
                             size_t n, uint64_t step)
{
    (void)step;
    const size_t d = ((const struct sphere_plan *)state)->d;
    for (size_t i = 0; i < n; i++) {
        const float *const x = outputs + i * d, *const g = dz + i * d;
        const double norm = norm_of(x, d), scale = sqrt((double)d) / norm;
        double along = 0;
        for (size_t k = 0; k < d; k++) along += (double)x[k] * (double)g[k];
        along /= norm * norm;
        for (size_t k = 0; k < d; k++) {
            doutputs[i * d + k] += (float)(scale * ((double)g[k] - along * (double)x[k]));
        }
    }
}

static enum ecc_status sphere_evaluate(void *state, struct ecc_regularizer_value *value,
                                       float *doutputs, const float *outputs, size_t n,
                                       uint64_t step, struct ecc_error *error)
{
    (void)step;
    const struct sphere_plan *const plan = state;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, plan->d, "z", error));
    if (doutputs) memset(doutputs, 0, n * plan->d * sizeof *doutputs);
    *value = (struct ecc_regularizer_value){0};
    return ECC_OK;
}

static double sphere_radius(size_t d)
{
    return sqrt((double)d);
}

const struct ecc_regularizer ecc_regularizer_sphere = {
    .name = "sphere",
    .summary = "latents projected to the sphere of radius sqrt(d)",
    .no_lambda = true,
    .outputs_per_latent = 1,
    .n_min = 1,
    .d_min = 2,
    .create = sphere_create,
    .evaluate = sphere_evaluate,
    .latents = sphere_latents,
    .pull_back = sphere_pull_back,
    .means = sphere_means,
    .radius = sphere_radius,
    .destroy = free,
};
