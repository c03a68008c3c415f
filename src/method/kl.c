/*
 * kl.c: the regularizer of a variational autoencoder (Kingma & Welling, 2014).
 *
 * The encoder's outputs are mean and log variance, [n, 2d].  Latents are drawn as
 * z = mean + exp(logvar/2) eps with eps standard normal, and the value is the Kullback-Leibler
 * divergence from that normal to the standard one, summed over dimensions, averaged over the batch.
 */
#include "method/kl.h"
#include "base/arena.h"
#include "base/rng.h"
#include "base/streams.h"
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"

#include <math.h>
#include <stdlib.h>

struct kl_plan {
    size_t n_max, d;
    uint64_t seed;
    struct ecc_arena arena;
    float *eps; /* [n, d], of the step drawn last */
    uint64_t drawn_step;
    size_t drawn; /* items; 0: none yet */
};

static void kl_destroy(void *state)
{
    struct kl_plan *const plan = state;
    if (!plan) return;
    ecc_arena_release(&plan->arena);
    free(plan);
}

static enum ecc_status kl_create(void **state, size_t n_max, size_t d,
                                 const struct ecc_regularizer_options *options,
                                 struct ecc_error *error)
{
    *state = NULL;
    if (n_max == 0 || d == 0 || d > SIZE_MAX / 16) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "n is %zu and d is %zu, expected at least 1 of each", n_max, d);
    }
    struct kl_plan *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    plan->n_max = n_max;
    plan->d = d;
    plan->seed = (options ? *options : ecc_regularizer_defaults()).seed;
    ecc_arena_cut(&plan->arena, n_max, d * sizeof *plan->eps);
    const enum ecc_status status =
        ecc_arena_reserve(&plan->arena, "the plan of the regularizer", error);
    if (status != ECC_OK) {
        kl_destroy(plan);
        return status;
    }
    plan->eps = ecc_arena_cut(&plan->arena, n_max, d * sizeof *plan->eps);
    *state = plan;
    return ECC_OK;
}

static enum ecc_status check_outputs(const struct kl_plan *plan, const float *outputs, size_t n,
                                     struct ecc_error *error)
{
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    return ecc_check_finite(outputs, n, 2 * plan->d, "[mean, log variance]", error);
}

/* The noise of a step; `latents` and `pull_back` of one step share it. */
static const float *noise(struct kl_plan *plan, size_t n, uint64_t step)
{
    if (plan->drawn < n || plan->drawn_step != step) {
        ecc_rng_normal_f32(plan->eps, plan->seed, ECC_STREAM_KL + step, 0, n * plan->d);
        plan->drawn = n;
        plan->drawn_step = step;
    }
    return plan->eps;
}

static double deviation(float logvar)
{
    return exp(0.5 * fmin((double)logvar, ECC_KL_MAX_LOG_VARIANCE));
}

static enum ecc_status kl_latents(void *state, float *z, const float *outputs, size_t n,
                                  uint64_t step, struct ecc_error *error)
{
    struct kl_plan *const plan = state;
    const size_t d = plan->d;
    ECC_TRY(check_outputs(plan, outputs, n, error));
    const float *const eps = noise(plan, n, step);
    for (size_t i = 0; i < n; i++) {
        const float *const mean = outputs + i * 2 * d, *const logvar = mean + d;
        for (size_t k = 0; k < d; k++) {
            z[i * d + k] = (float)((double)mean[k] + deviation(logvar[k]) * (double)eps[i * d + k]);
        }
    }
    return ECC_OK;
}

/* dz/dmean = 1, dz/dlogvar = exp(logvar/2) eps / 2, and 0 where the deviation is at its limit. */
static void kl_pull_back(void *state, float *doutputs, const float *dz, const float *outputs,
                         size_t n, uint64_t step)
{
    struct kl_plan *const plan = state;
    const size_t d = plan->d;
    const float *const eps = noise(plan, n, step);
    for (size_t i = 0; i < n; i++) {
        const float *const logvar = outputs + i * 2 * d + d;
        float *const dmean = doutputs + i * 2 * d, *const dlogvar = dmean + d;
        for (size_t k = 0; k < d; k++) {
            const size_t at = i * d + k;
            dmean[k] += dz[at];
            if ((double)logvar[k] > ECC_KL_MAX_LOG_VARIANCE) continue;
            dlogvar[k] += (float)(0.5 * deviation(logvar[k]) * (double)eps[at] * (double)dz[at]);
        }
    }
}

/* exp, continued by its tangent; *slope receives the derivative. */
static double variance(double *slope, double logvar)
{
    const double held = fmin(logvar, ECC_KL_MAX_LOG_VARIANCE);
    *slope = exp(held);
    return *slope * (1 + (logvar - held));
}

static enum ecc_status kl_evaluate(void *state, struct ecc_regularizer_value *value,
                                   float *doutputs, const float *outputs, size_t n, uint64_t step,
                                   struct ecc_error *error)
{
    (void)step;
    const struct kl_plan *const plan = state;
    const size_t d = plan->d;
    ECC_TRY(check_outputs(plan, outputs, n, error));
    double squares = 0, spread = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < d; k++) {
            const size_t mean_at = i * 2 * d + k, log_at = mean_at + d;
            const double mean = (double)outputs[mean_at], logvar = (double)outputs[log_at];
            double slope;
            spread += variance(&slope, logvar) - 1 - logvar;
            squares += mean * mean;
            if (!doutputs) continue;
            doutputs[mean_at] = (float)(mean / (double)n);
            doutputs[log_at] = (float)(0.5 * (slope - 1) / (double)n);
        }
    }
    const double per_item = 0.5 / (double)n;
    *value = (struct ecc_regularizer_value){
        .loss = per_item * (squares + spread),
        .term_count = 2,
        .terms = {{"means", per_item * squares}, {"variances", per_item * spread}},
    };
    return ECC_OK;
}

const struct ecc_regularizer ecc_regularizer_kl = {
    .name = "kl",
    .summary = "divergence from the standard normal (variational autoencoder)",
    .outputs_per_latent = 2,
    .n_min = 1,
    .d_min = 1,
    .create = kl_create,
    .evaluate = kl_evaluate,
    .latents = kl_latents,
    .pull_back = kl_pull_back,
    .destroy = kl_destroy,
};
