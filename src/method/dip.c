/*
 * dip.c: the regularizer of DIP-VAE I (Kumar, Sattigeri & Balakrishnan, 2018) on plain latents.
 *
 * value = beside * sum_{j != k} C_jk^2 + diagonal * sum_j (C_jj - 1)^2, with the covariance C of
 * the batch divided by n.  DIP-VAE adds it to the loss of a variational autoencoder, for its means.
 */
#include "regularizer/outputs.h"
#include "regularizer/second_moments.h"

enum { BESIDE = 0, DIAGONAL = 1 }; /* its options */

static enum ecc_status dip_create(void **state, size_t n_max, size_t d,
                                  const struct ecc_regularizer_options *options,
                                  struct ecc_error *error)
{
    return ecc_second_moments_create((struct ecc_second_moments **)state, n_max, d, 0, options,
                                     error);
}

static enum ecc_status dip_evaluate(void *state, struct ecc_regularizer_value *value, float *dz,
                                    const float *z, size_t n, uint64_t step,
                                    struct ecc_error *error)
{
    (void)step;
    struct ecc_second_moments *const m = state;
    const size_t d = m->d;
    ECC_TRY(ecc_check_latents(z, n, d, 2, m->n_max, error));
    ecc_second_moments_centre(m, z, n);
    ecc_second_moments_sum(m, n);
    double beside = 0, diagonal = 0;
    for (size_t k = 0; k < d; k++) {
        for (size_t l = 0; l < d; l++) {
            const double c = m->sums[k * d + l] / (double)n - (k == l);
            const double weight = m->own[k == l ? DIAGONAL : BESIDE];
            m->gradient[k * d + l] = 4 * weight * c / (double)n;
            *(k == l ? &diagonal : &beside) += weight * c * c;
        }
    }
    *value = (struct ecc_regularizer_value){
        .loss = beside + diagonal,
        .term_count = 2,
        .terms = {{"beside", beside}, {"diagonal", diagonal}},
    };
    if (dz) ecc_second_moments_gradient(m, dz, n);
    return ECC_OK;
}

static const struct ecc_regularizer_option dip_options[] = {
    {"beside", "weight of the squared covariances", 1, 0, 1e6},
    {"diagonal", "weight of the squared differences of variances from 1", 10, 0, 1e6},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_dip = {
    .name = "dip",
    .summary = "a covariance near the unit matrix (DIP I, on plain latents)",
    .options = dip_options,
    .outputs_per_latent = 1,
    .n_min = 2,
    .d_min = 1,
    .create = dip_create,
    .evaluate = dip_evaluate,
    .destroy = ecc_second_moments_free,
};
