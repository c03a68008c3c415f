/*
 * wae_gan.c: the Wasserstein autoencoder with a discriminator (Tolstikhin et al., 2018): latents
 * that a network cannot tell from draws of the standard normal.
 *
 * value = mean of softplus(-D(z)), the non-saturating loss.  After each step's gradients the
 * discriminator takes one step of its own Adam on softplus(-D(p)) + softplus(D(z)), with draws p of
 * the prior and the latents of the same batch.  The authors encode the batch again after the
 * encoder's step; we use the latents that the step began with.
 *
 * With `trick`, log of the prior's density is added to each item's own logit, so that the network
 * need only learn the density of the latents.  The authors' code adds every item's to every logit.
 */
#include "base/arena.h"
#include "base/rng.h"
#include "base/streams.h"
#include "regularizer/critic.h"
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"

#include <math.h>
#include <stdlib.h>

enum { LAYERS, WIDTH, RATE, TRICK }; /* its options */

static const double half_log_two_pi = 0.91893853320467274; /* once, as the authors have it */
static const double deviation = 0.00999;                   /* of the first weights */

struct wae_gan_plan {
    size_t n_max, d;
    double rate;
    bool trick;
    uint64_t seed;
    struct ecc_critic *critic;
    struct ecc_arena arena;
    float *both;    /* [2 n, d]: draws of the prior, then latents */
    float *logits;  /* [2 n] */
    float *dlogits; /* [2 n] */
};

static void wae_gan_destroy(void *state)
{
    struct wae_gan_plan *const plan = state;
    ecc_critic_free(plan->critic);
    ecc_arena_release(&plan->arena);
    free(plan);
}

static void cut(struct wae_gan_plan *plan)
{
    const size_t rows = 2 * plan->n_max;
    plan->both = ecc_arena_cut(&plan->arena, rows, plan->d * sizeof(float));
    plan->logits = ecc_arena_cut(&plan->arena, rows, sizeof(float));
    plan->dlogits = ecc_arena_cut(&plan->arena, rows, sizeof(float));
}

static enum ecc_status make(struct wae_gan_plan *plan, const double *own, struct ecc_error *error)
{
    cut(plan);
    ECC_TRY(ecc_arena_reserve(&plan->arena, "the plan of the regularizer", error));
    cut(plan);
    const struct ecc_critic_options options = {.inputs = plan->d,
                                               .layers = (size_t)own[LAYERS],
                                               .width = (size_t)own[WIDTH],
                                               .batch = 2 * plan->n_max,
                                               .deviation = deviation,
                                               .seed = plan->seed,
                                               .stream = ECC_STREAM_CRITIC};
    return ecc_critic_create(&plan->critic, &options, error);
}

static enum ecc_status wae_gan_create(void **state, size_t n_max, size_t d,
                                      const struct ecc_regularizer_options *options,
                                      struct ecc_error *error)
{
    struct wae_gan_plan *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    plan->n_max = n_max;
    plan->d = d;
    plan->rate = options->own[RATE];
    plan->trick = options->own[TRICK] > 0;
    plan->seed = options->seed;
    const enum ecc_status status = make(plan, options->own, error);
    if (status != ECC_OK) {
        wae_gan_destroy(plan);
        return status;
    }
    *state = plan;
    return ECC_OK;
}

static double softplus(double x)
{
    return fmax(x, 0) + log1p(exp(-fabs(x)));
}

static double sigmoid(double x)
{
    return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}

/* The logit of item i, with its share of the trick. */
static double logit_of(const struct wae_gan_plan *plan, const float *z, size_t i)
{
    double logit = (double)plan->logits[i], square = 0;
    if (!plan->trick) return logit;
    for (size_t k = 0; k < plan->d; k++)
        square += (double)z[i * plan->d + k] * (double)z[i * plan->d + k];
    return logit - square / 2 - half_log_two_pi;
}

static enum ecc_status wae_gan_evaluate(void *state, struct ecc_regularizer_value *value,
                                        float *doutputs, const float *outputs, size_t n,
                                        uint64_t step, struct ecc_error *error)
{
    (void)step;
    struct wae_gan_plan *const plan = state;
    const size_t d = plan->d;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, d, "z", error));
    ecc_critic_forward(plan->critic, plan->logits, outputs, n);
    double sum = 0, logits = 0;
    for (size_t i = 0; i < n; i++) {
        const double logit = logit_of(plan, outputs, i);
        sum += softplus(-logit);
        logits += logit;
        plan->dlogits[i] = (float)(-sigmoid(-logit) / (double)n);
    }
    *value = (struct ecc_regularizer_value){
        .loss = sum / (double)n, .term_count = 1, .terms = {{"logit", logits / (double)n}}};
    if (!doutputs) return ECC_OK;
    ecc_critic_backward(plan->critic, doutputs, plan->dlogits, outputs, n, false);
    for (size_t k = 0; plan->trick && k < n * d; k++) {
        doutputs[k] -= plan->dlogits[k / d] * outputs[k];
    }
    return ECC_OK;
}

static enum ecc_status wae_gan_learn(void *state, const float *outputs, size_t n,
                                     const struct ecc_regularizer_learning *how,
                                     struct ecc_error *error)
{
    (void)error;
    struct wae_gan_plan *const plan = state;
    const size_t d = plan->d;
    ecc_rng_normal_f32(plan->both, plan->seed, ECC_STREAM_WAE_GAN + how->step, 0, n * d);
    for (size_t k = 0; k < n * d; k++) plan->both[n * d + k] = outputs[k];
    ecc_critic_forward(plan->critic, plan->logits, plan->both, 2 * n);
    for (size_t i = 0; i < 2 * n; i++) {
        const double logit = logit_of(plan, plan->both, i);
        plan->dlogits[i] = (float)((i < n ? -sigmoid(-logit) : sigmoid(logit)) / (double)n);
    }
    ecc_critic_backward(plan->critic, NULL, plan->dlogits, plan->both, 2 * n, true);
    const struct ecc_critic_adam adam = {.rate = plan->rate * how->rate,
                                         .beta1 = 0.5,
                                         .beta2 = 0.999,
                                         .epsilon = 1e-8,
                                         .step = how->step + 1};
    ecc_critic_update(plan->critic, &adam);
    return ECC_OK;
}

static size_t wae_gan_arrays(void *state, struct ecc_regularizer_array list[ECC_REGULARIZER_ARRAYS])
{
    const struct ecc_critic_state s = ecc_critic_state(((struct wae_gan_plan *)state)->critic);
    list[0] = (struct ecc_regularizer_array){"critic", s.weights, s.count};
    list[1] = (struct ecc_regularizer_array){"critic.first", s.first, s.count};
    list[2] = (struct ecc_regularizer_array){"critic.second", s.second, s.count};
    return 3;
}

static void wae_gan_reset(void *state)
{
    ecc_critic_reset(((struct wae_gan_plan *)state)->critic);
}

static const char *const no_yes[] = {"no", "yes", NULL};
static const struct ecc_regularizer_option wae_gan_options[] = {
    {"layers", "hidden layers of the discriminator", 4, 1, 16, .whole = true},
    {"width", "units of each", 512, 1, 8192, .whole = true},
    {"rate", "the discriminator's learning rate; follows the schedule", 1e-3, 0, 1},
    {"trick", "add the logarithm of the prior's density to the logits", 0, 0, 0, .words = no_yes},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_wae_gan = {
    .name = "wae-gan",
    .summary = "latents that a discriminator cannot tell from a standard normal (WAE-GAN)",
    .options = wae_gan_options,
    .lambda = 4e-3,
    .outputs_per_latent = 1,
    .n_min = 1,
    .d_min = 1,
    .create = wae_gan_create,
    .evaluate = wae_gan_evaluate,
    .destroy = wae_gan_destroy,
    .learn = wae_gan_learn,
    .arrays = wae_gan_arrays,
    .reset = wae_gan_reset,
};
