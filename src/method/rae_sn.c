/*
 * rae_sn.c: the regularized autoencoder with spectral normalisation (Ghosh et al., 2020): the mean
 * of z^2, and every kernel of the net divided by its largest singular value (nn/spectral.h).
 */
#include "regularizer/mean_square.h"

#include <stdlib.h>

static enum ecc_status rae_sn_create(void **state, size_t n_max, size_t d,
                                     const struct ecc_regularizer_options *options,
                                     struct ecc_error *error)
{
    (void)options;
    struct ecc_mean_square *const plan = *state = malloc(sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    *plan = (struct ecc_mean_square){.n_max = n_max, .d = d};
    return ECC_OK;
}

static bool rae_sn_normalizes(const double *own)
{
    (void)own;
    return true;
}

const struct ecc_regularizer ecc_regularizer_rae_sn = {
    .name = "rae-sn",
    .summary = "mean square of the latents, in a net of kernels with spectral norm 1 (RAE-SN)",
    .lambda = 9e-3,
    .outputs_per_latent = 1,
    .n_min = 1,
    .d_min = 1,
    .create = rae_sn_create,
    .evaluate = ecc_mean_square_evaluate,
    .destroy = free,
    .normalizes = rae_sn_normalizes,
};
