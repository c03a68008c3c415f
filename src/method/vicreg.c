/*
 * vicreg.c: variance and covariance terms of VICReg (Bardes, Ponce & LeCun, 2022), as its authors'
 * code has them for one branch.
 *
 * value = variance * mean_j max(0, 1 - sqrt(var_j + 1e-4)) + covariance * (1/d) sum_{j != k} C_jk^2
 * with unbiased variances and covariances.  Their third term, invariance, compares two views of an
 * item; here the reconstruction error takes its place, so lambda is 1/25: their weight of it is 25.
 */
#include "regularizer/outputs.h"
#include "regularizer/second_moments.h"

#include <math.h>

enum { VARIANCE = 0, COVARIANCE = 1 }; /* its options */

static const double tiny = 1e-4;

static enum ecc_status vicreg_create(void **state, size_t n_max, size_t d,
                                     const struct ecc_regularizer_options *options,
                                     struct ecc_error *error)
{
    return ecc_second_moments_create((struct ecc_second_moments **)state, n_max, d, 0, options,
                                     error);
}

/* The term of the variances; sets the diagonal of the gradient. */
static double weigh_variances(struct ecc_second_moments *m, double per_item)
{
    const double share = m->own[VARIANCE] / (double)m->d;
    double sum = 0;
    for (size_t k = 0; k < m->d; k++) {
        const size_t at = k * m->d + k;
        const double deviation = sqrt(m->sums[at] * per_item + tiny);
        m->gradient[at] = deviation < 1 ? -share * per_item / deviation : 0;
        sum += fmax(0, 1 - deviation);
    }
    return share * sum;
}

/* The term of the covariances; sets the gradient beside the diagonal. */
static double weigh_covariances(struct ecc_second_moments *m, double per_item)
{
    const double share = m->own[COVARIANCE] / (double)m->d;
    double sum = 0;
    for (size_t k = 0; k < m->d; k++) {
        for (size_t l = 0; l < m->d; l++) {
            const double c = m->sums[k * m->d + l] * per_item;
            if (k == l) continue;
            m->gradient[k * m->d + l] = 4 * share * per_item * c;
            sum += c * c;
        }
    }
    return share * sum;
}

static enum ecc_status vicreg_evaluate(void *state, struct ecc_regularizer_value *value, float *dz,
                                       const float *z, size_t n, uint64_t step,
                                       struct ecc_error *error)
{
    (void)step;
    struct ecc_second_moments *const m = state;
    ECC_TRY(ecc_check_latents(z, n, m->d, 2, m->n_max, error));
    ecc_second_moments_centre(m, z, n);
    ecc_second_moments_sum(m, n);
    const double per_item = 1 / ((double)n - 1);
    const double variance = weigh_variances(m, per_item);
    const double covariance = weigh_covariances(m, per_item);
    *value = (struct ecc_regularizer_value){
        .loss = variance + covariance,
        .term_count = 2,
        .terms = {{"variance", variance}, {"covariance", covariance}},
    };
    if (dz) ecc_second_moments_gradient(m, dz, n);
    return ECC_OK;
}

static const struct ecc_regularizer_option vicreg_options[] = {
    {"variance", "weight of the hinge that keeps deviations at 1", 12.5, 0, 1e6},
    {"covariance", "weight of the squared covariances", 1, 0, 1e6},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_vicreg = {
    .name = "vicreg",
    .summary = "deviations of at least 1 and no covariances (VICReg)",
    .options = vicreg_options,
    .lambda = 0.04,
    .outputs_per_latent = 1,
    .n_min = 2,
    .d_min = 1,
    .create = vicreg_create,
    .evaluate = vicreg_evaluate,
    .destroy = ecc_second_moments_free,
};
