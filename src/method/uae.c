/*
 * uae.c: the uncertainty autoencoder (Grover & Ermon, 2019): the decoder gets z = x + sigma eps
 * with standard normal eps, where x are the encoder's outputs.
 *
 * With a Gaussian decoder the reconstruction error is then a bound of the mutual information of
 * items and latents; nothing is added to it.  Large latents make noise small, so the encoder's
 * kernels may decay (l2).
 */
#include "base/rng.h"
#include "base/streams.h"
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"

#include <stdlib.h>

enum { SIGMA = 0, L2 = 1 }; /* its options */

struct uae_plan {
    size_t n_max, d;
    double sigma;
    uint64_t seed;
};

static enum ecc_status uae_create(void **state, size_t n_max, size_t d,
                                  const struct ecc_regularizer_options *options,
                                  struct ecc_error *error)
{
    struct uae_plan *const plan = *state = malloc(sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    *plan = (struct uae_plan){
        .n_max = n_max, .d = d, .sigma = options->own[SIGMA], .seed = options->seed};
    return ECC_OK;
}

static enum ecc_status uae_latents(void *state, float *z, const float *outputs, size_t n,
                                   uint64_t step, struct ecc_error *error)
{
    const struct uae_plan *const plan = state;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, plan->d, "z", error));
    ecc_rng_normal_f32(z, plan->seed, ECC_STREAM_UAE + step, 0, n * plan->d);
    const float sigma = (float)plan->sigma;
    for (size_t i = 0; i < n * plan->d; i++) z[i] = outputs[i] + sigma * z[i];
    return ECC_OK;
}

static void uae_pull_back(void *state, float *doutputs, const float *dz, const float *outputs,
                          size_t n, uint64_t step)
{
    (void)outputs, (void)step;
    const struct uae_plan *const plan = state;
    for (size_t i = 0; i < n * plan->d; i++) doutputs[i] += dz[i];
}

static enum ecc_status uae_evaluate(void *state, struct ecc_regularizer_value *value,
                                    float *doutputs, const float *outputs, size_t n, uint64_t step,
                                    struct ecc_error *error)
{
    (void)step;
    const struct uae_plan *const plan = state;
    return ecc_evaluate_nothing(value, doutputs, outputs, n, plan->n_max, plan->d, error);
}

static void uae_decay(double *encoder, double *decoder, const double *own)
{
    (void)decoder;
    *encoder = own[L2];
}

static const struct ecc_regularizer_option uae_options[] = {
    {"sigma", "deviation of the noise", 0.1, 0, 1e3},
    {"l2", "weight of half the sum of squares of the encoder's kernels", 0, 0, 1},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_uae = {
    .name = "uae",
    .summary = "noise on the latents (uncertainty autoencoder)",
    .options = uae_options,
    .no_lambda = true,
    .outputs_per_latent = 1,
    .n_min = 1,
    .d_min = 1,
    .create = uae_create,
    .evaluate = uae_evaluate,
    .latents = uae_latents,
    .pull_back = uae_pull_back,
    .destroy = free,
    .decay = uae_decay,
};
