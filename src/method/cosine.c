/*
 * cosine.c: pairwise cosine similarity, the implicit projection of diversity regularizers (Yu, Li &
 * Zhou, 2011; Bao et al., 2013; Xie, Deng & Xing, 2015).
 *
 * The value is the mean over pairs of squared cosines.  Squares instead of absolute values: they
 * are smooth where latents are orthogonal, where a minimum should be, and their sum over pairs is
 * |U^T U|^2 - sum |u|^4 with the unit vectors u in the rows of U, so that no pair has to be
 * visited.  It is 1/d for random directions, and less than that only by 1/n.
 */
#include "regularizer/directions.h"
#include "regularizer/outputs.h"
#include "regularizer/second_moments.h"

static enum ecc_status cosine_create(void **state, size_t n_max, size_t d,
                                     const struct ecc_regularizer_options *options,
                                     struct ecc_error *error)
{
    return ecc_second_moments_create((struct ecc_second_moments **)state, n_max, d, 0, options,
                                     error);
}

/* x: [n, d] unit vectors of z, and |z| in lengths: [n]; returns the sum of |u|^4. */
static double project(double *x, double *lengths, const float *z, size_t n, size_t d)
{
    double fourths = 0;
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        lengths[i] = ecc_direction_length(z + i * d, d);
        for (size_t k = 0; k < d; k++) {
            x[i * d + k] = (double)z[i * d + k] / lengths[i];
            squares += x[i * d + k] * x[i * d + k];
        }
        fourths += squares * squares;
    }
    return fourths;
}

/* From U G to the gradient: minus the pair of an item with itself, then along the sphere. */
static void finish(float *dz, const struct ecc_second_moments *m, const float *z, size_t n,
                   double share)
{
    const size_t d = m->d;
    for (size_t i = 0; i < n; i++) {
        const double *const u = m->x + i * d;
        double squares = 0;
        for (size_t k = 0; k < d; k++) squares += u[k] * u[k];
        for (size_t k = 0; k < d; k++) {
            dz[i * d + k] = (float)((double)dz[i * d + k] - 4 * share * squares * u[k]);
        }
        ecc_direction_pull_back(dz + i * d, z + i * d, m->row[i], d);
    }
}

static enum ecc_status cosine_evaluate(void *state, struct ecc_regularizer_value *value, float *dz,
                                       const float *z, size_t n, uint64_t step,
                                       struct ecc_error *error)
{
    (void)step;
    struct ecc_second_moments *const m = state;
    const size_t d = m->d;
    ECC_TRY(ecc_check_latents(z, n, d, 2, m->n_max, error));
    const double fourths = project(m->x, m->row, z, n, d);
    const double share = 1 / ((double)n * ((double)n - 1));
    ecc_second_moments_sum(m, n);
    double squares = 0;
    for (size_t k = 0; k < d * d; k++) {
        squares += m->sums[k] * m->sums[k];
        m->gradient[k] = 4 * share * m->sums[k];
    }
    *value = (struct ecc_regularizer_value){.loss = share * (squares - fourths)};
    if (!dz) return ECC_OK;
    ecc_second_moments_gradient(m, dz, n);
    finish(dz, m, z, n, share);
    return ECC_OK;
}

const struct ecc_regularizer ecc_regularizer_cosine = {
    .name = "cosine",
    .summary = "squared cosines of the angles between latents, as small as possible",
    .directions = true,
    .outputs_per_latent = 1,
    .n_min = 2,
    .d_min = 2,
    .create = cosine_create,
    .evaluate = cosine_evaluate,
    .destroy = ecc_second_moments_free,
};
