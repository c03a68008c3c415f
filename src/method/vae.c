/*
 * vae.c: the variational autoencoder with what came after it: beta (Higgins et al., 2017), a
 * capacity that the divergence is held at (Burgess et al., 2018), a rising weight at the start, and
 * a noise of the decoder that is learned (Dai & Wipf, 2019).
 *
 * Outputs, latents and divergence are those of `kl`.  The value is beta KL or, with a capacity C,
 * beta |KL - C|, where C grows linearly from 0.
 *
 * gamma=learned trains one number, log g, where g is the deviation of the decoder's output: of the
 * authors' loss, KL + sum over the P numbers of an item of (x-y)^2 / (2 g^2) + log g, the net's
 * share is that of our loss, mean squared error plus lambda KL, times P / (2 g^2) with
 * lambda = 2 g^2 / P; the derivative by log g is P (1 - error / g^2).  Adam does not see the
 * factor.
 */
#include "regularizer/choice.h"

#include <math.h>
#include <stdlib.h>

enum { GAMMA, BETA, CAPACITY, GROWTH, WARMUP }; /* its options */

struct vae_plan {
    void *kl; /* the plan of `kl` */
    size_t columns;
    double own[ECC_REGULARIZER_OPTIONS];
    float *log_g, *dlog_g; /* as bound */
};

static void vae_destroy(void *state)
{
    struct vae_plan *const plan = state;
    if (!plan) return;
    ecc_regularizer_kl.destroy(plan->kl);
    free(plan);
}

static enum ecc_status vae_create(void **state, size_t n_max, size_t d,
                                  const struct ecc_regularizer_options *options,
                                  struct ecc_error *error)
{
    *state = NULL;
    struct vae_plan *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    for (size_t i = 0; i < ECC_REGULARIZER_OPTIONS; i++) plan->own[i] = options->own[i];
    plan->columns = 2 * d;
    const enum ecc_status status = ecc_regularizer_kl.create(&plan->kl, n_max, d, options, error);
    if (status != ECC_OK) {
        free(plan);
        return status;
    }
    *state = plan;
    return ECC_OK;
}

static enum ecc_status vae_latents(void *state, float *z, const float *outputs, size_t n,
                                   uint64_t step, struct ecc_error *error)
{
    return ecc_regularizer_kl.latents(((struct vae_plan *)state)->kl, z, outputs, n, step, error);
}

static void vae_pull_back(void *state, float *doutputs, const float *dz, const float *outputs,
                          size_t n, uint64_t step)
{
    ecc_regularizer_kl.pull_back(((struct vae_plan *)state)->kl, doutputs, dz, outputs, n, step);
}

static double capacity_at(const struct vae_plan *plan, uint64_t step)
{
    const double growth = plan->own[GROWTH];
    return plan->own[CAPACITY] * (growth > 0 ? fmin(1, (double)step / growth) : 1);
}

static enum ecc_status vae_evaluate(void *state, struct ecc_regularizer_value *value,
                                    float *doutputs, const float *outputs, size_t n, uint64_t step,
                                    struct ecc_error *error)
{
    const struct vae_plan *const plan = state;
    struct ecc_regularizer_value kl;
    ECC_TRY(ecc_regularizer_kl.evaluate(plan->kl, &kl, doutputs, outputs, n, step, error));
    const bool held = plan->own[CAPACITY] > 0;
    const double capacity = held ? capacity_at(plan, step) : 0;
    const double slope = held && kl.loss < capacity ? -plan->own[BETA] : plan->own[BETA];
    const size_t count = doutputs ? n * plan->columns : 0;
    if (slope != 1) {
        for (size_t i = 0; i < count; i++) doutputs[i] *= (float)slope;
    }
    *value = (struct ecc_regularizer_value){
        .loss = slope * (kl.loss - capacity),
        .term_count = held ? 2 : 1,
        .terms = {{"divergence", kl.loss}, {"capacity", capacity}},
    };
    return ECC_OK;
}

/* ---- Its weight ----------------------------------------------------------------------------- */

static size_t vae_tensors(struct ecc_latent_tensor list[ECC_LATENT_TENSORS], size_t d,
                          const double *own)
{
    (void)d;
    if (own[GAMMA] <= 0) return 0;
    list[0] = (struct ecc_latent_tensor){"log_deviation", .rank = 1, .shape = {1}, .trained = true};
    return 1;
}

static void vae_bind(void *state, float *const *values, float *const *gradients)
{
    struct vae_plan *const plan = state;
    if (plan->own[GAMMA] <= 0) return;
    plan->log_g = values[0];
    plan->dlog_g = gradients ? gradients[0] : NULL;
}

static double vae_weight(void *state, double lambda, double error, size_t size, uint64_t step)
{
    const struct vae_plan *const plan = state;
    const double warmup = plan->own[WARMUP];
    if (plan->log_g) {
        const double variance = exp(2 * (double)*plan->log_g);
        if (plan->dlog_g) *plan->dlog_g = (float)(1 - error / variance);
        lambda = 2 * variance / (double)size;
    }
    return warmup > 0 ? lambda * fmin(1, (double)step / warmup) : lambda;
}

static size_t vae_figures(struct ecc_regularizer_figure list[ECC_REGULARIZER_TERMS],
                          const double *own, float *const *values)
{
    if (own[GAMMA] <= 0) return 0;
    list[0].name = "learned noise of the decoder (deviation)";
    list[0].value = exp((double)values[0][0]);
    return 1;
}

bool ecc_vae_learns_noise(const struct ecc_regularizer_choice *choice)
{
    return choice->entry == &ecc_regularizer_vae && choice->own[GAMMA] > 0;
}

static const char *const gammas[] = {"fixed", "learned", NULL};
static const struct ecc_regularizer_option options[] = {
    {"gamma", "the decoder's noise: as lambda has it, or learned, then lambda follows from it",
     .high = 1, .words = gammas},
    {"beta", "factor of the divergence", .usual = 1, .high = 1e6},
    {"capacity", "nats that the divergence is held at; 0: it is made small", .high = 1e6},
    {"growth", "steps over which the capacity grows from 0", .usual = 1e5, .high = 1e9,
     .whole = true},
    {"warmup", "steps over which lambda rises from 0", .high = 1e9, .whole = true},
    {0},
};

const struct ecc_regularizer ecc_regularizer_vae = {
    .name = "vae",
    .summary = "kl with options: beta, capacity, warm-up, learned noise of the decoder",
    .options = options,
    .outputs_per_latent = 2,
    .n_min = 1,
    .d_min = 1,
    .create = vae_create,
    .evaluate = vae_evaluate,
    .latents = vae_latents,
    .pull_back = vae_pull_back,
    .destroy = vae_destroy,
    .tensors = vae_tensors,
    .bind = vae_bind,
    .weight = vae_weight,
    .figures = vae_figures,
};
