/*
 * critic.h: a small fully connected network from latents to one number, with its own Adam.
 *
 * logit = w_L relu(... relu(W_1 x + b_1) ...) + b_L; weights start normal, biases 0.  All its
 * numbers are one block, so that checkpoints can hold them.  Nothing is allocated after `create`.
 */
#ifndef ECC_REGULARIZER_CRITIC_H
#define ECC_REGULARIZER_CRITIC_H

#include "base/status.h"

#include <stdint.h>

struct ecc_critic;

struct ecc_critic_options {
    size_t inputs, layers, width; /* hidden layers, and units of each */
    size_t batch;                 /* rows at once, at most */
    double deviation;             /* of the first weights */
    uint64_t seed, stream;
};

enum ecc_status ecc_critic_create(struct ecc_critic **critic,
                                  const struct ecc_critic_options *options,
                                  struct ecc_error *error);
void ecc_critic_free(struct ecc_critic *critic);

/* Back to what `create` left. */
void ecc_critic_reset(struct ecc_critic *critic);

/* The logits: [n] of x: [n, inputs], kept for `backward`. */
void ecc_critic_forward(struct ecc_critic *critic, float *logits, const float *x, size_t n);
/* From dlogits: [n] of the last forward pass: dx: [n, inputs] is overwritten, or NULL; with
 * `learn`, the gradients of the weights are set. */
void ecc_critic_backward(struct ecc_critic *critic, float *dx, const float *dlogits, const float *x,
                         size_t n, bool learn);

/* Adam with these gradients; step: from 1. */
struct ecc_critic_adam {
    double rate, beta1, beta2, epsilon;
    uint64_t step;
};
void ecc_critic_update(struct ecc_critic *critic, const struct ecc_critic_adam *adam);

/* Its state: [*count] each. */
struct ecc_critic_state {
    float *weights, *gradients, *first, *second;
    size_t count;
};
struct ecc_critic_state ecc_critic_state(struct ecc_critic *critic);

#endif
