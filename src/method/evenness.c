/*
 * evenness.c: uneven eigenvalues of the covariance cost, after Xie, Singh & Xing (2017): the smooth
 * twin of eccentricity.
 *
 * With eigenvalues v of the batch's covariance and p = v / sum of v, the value is
 * log d + sum p log p: 0 if all directions vary alike, log d if only one does.  It does not see the
 * scale of the latents.  Where p is below a floor, its logarithm in the gradient is that of the
 * floor.
 */
#include "math/lapack.h"
#include "regularizer/outputs.h"
#include "regularizer/second_moments.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double least_share = 1e-12;

static enum ecc_status evenness_create(void **state, size_t n_max, size_t d,
                                       const struct ecc_regularizer_options *options,
                                       struct ecc_error *error)
{
    return ecc_second_moments_create((struct ecc_second_moments **)state, n_max, d,
                                     ecc_eigen_work_size(d), options, error);
}

/* G = 2 U diag(slope) U^T, the derivative with respect to S doubled; vectors: [d, d], rows. */
static void spread_slopes(double *g, const double *vectors, const double *slope, size_t d)
{
    memset(g, 0, d * d * sizeof *g);
    for (size_t j = 0; j < d; j++) {
        const double *const u = vectors + j * d;
        for (size_t k = 0; k < d; k++) {
            const double factor = 2 * slope[j] * u[k];
            for (size_t l = 0; l < d; l++) g[k * d + l] += factor * u[l];
        }
    }
}

static enum ecc_status evenness_evaluate(void *state, struct ecc_regularizer_value *value,
                                         float *dz, const float *z, size_t n, uint64_t step,
                                         struct ecc_error *error)
{
    (void)step;
    struct ecc_second_moments *const m = state;
    const size_t d = m->d;
    ECC_TRY(ecc_check_latents(z, n, d, 2, m->n_max, error));
    ecc_second_moments_centre(m, z, n);
    ecc_second_moments_sum(m, n);
    double *const values = m->row, *const vectors = m->spare;
    memcpy(vectors, m->sums, d * d * sizeof *vectors);
    ECC_TRY(ecc_eigen_symmetric_in_place(values, vectors, d, m->work, error));
    double trace = 0, entropy = 0;
    for (size_t k = 0; k < d; k++) trace += values[k] = fmax(values[k], 0);
    const double scale = 1 / fmax(trace, DBL_MIN);
    for (size_t k = 0; k < d; k++) {
        const double p = values[k] * scale;
        values[k] = log(fmax(p, least_share));
        entropy -= p * values[k];
    }
    *value = (struct ecc_regularizer_value){.loss = log((double)d) - entropy};
    if (!dz) return ECC_OK;
    /* latents that all coincide have no direction to go */
    for (size_t k = 0; k < d; k++) values[k] = trace > 0 ? (values[k] + entropy) * scale : 0;
    spread_slopes(m->gradient, vectors, values, d);
    ecc_second_moments_gradient(m, dz, n);
    return ECC_OK;
}

const struct ecc_regularizer ecc_regularizer_evenness = {
    .name = "evenness",
    .summary = "entropy of the eigenvalues of the covariance, as large as possible",
    .outputs_per_latent = 1,
    .n_min = 2,
    .d_min = 2,
    .create = evenness_create,
    .evaluate = evenness_evaluate,
    .destroy = ecc_second_moments_free,
};
