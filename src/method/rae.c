/*
 * rae.c: the regularized autoencoder (Ghosh et al., 2020), as its authors' code has it.
 *
 * The value is the mean over the batch and the dimensions of z^2 (their paper writes half the sum);
 * the decoder's kernels decay by Keras' l2(w), w times the sum of squares.
 */
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"

#include <stdlib.h>

enum { L2 = 0 }; /* its option */

struct rae_plan {
    size_t n_max, d;
};

static enum ecc_status rae_create(void **state, size_t n_max, size_t d,
                                  const struct ecc_regularizer_options *options,
                                  struct ecc_error *error)
{
    (void)options;
    struct rae_plan *const plan = *state = malloc(sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    *plan = (struct rae_plan){.n_max = n_max, .d = d};
    return ECC_OK;
}

static enum ecc_status rae_evaluate(void *state, struct ecc_regularizer_value *value, float *dz,
                                    const float *z, size_t n, uint64_t step,
                                    struct ecc_error *error)
{
    (void)step;
    const struct rae_plan *const plan = state;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(z, n, plan->d, "z", error));
    const size_t count = n * plan->d;
    const double share = 1 / (double)count;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (double)z[i] * (double)z[i];
        if (dz) dz[i] = (float)(2 * share * (double)z[i]);
    }
    *value = (struct ecc_regularizer_value){.loss = share * squares};
    return ECC_OK;
}

/* the gradient of w W^2 is 2 w W */
static void rae_decay(double *encoder, double *decoder, const double *own)
{
    (void)encoder;
    *decoder = 2 * own[L2];
}

static const struct ecc_regularizer_option rae_options[] = {
    {"l2", "weight of the sum of squares of the decoder's kernels", 1e-7, 0, 1},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_rae = {
    .name = "rae",
    .summary = "mean of squared latents, and decay of the decoder's kernels",
    .options = rae_options,
    .lambda = 1e-4,
    .outputs_per_latent = 1,
    .n_min = 1,
    .d_min = 1,
    .create = rae_create,
    .evaluate = rae_evaluate,
    .destroy = free,
    .decay = rae_decay,
};
