/*
 * post.h: what follows a linear layer: batch norm or a bias per channel, and an activation.
 *
 * Batch norm is PyTorch's: epsilon 1e-5, biased variance to normalise, unbiased into the running
 * variance with momentum 0.1.  A bias before batch norm changes only the running mean, so it is
 * added there, and its gradient is zero.
 */
#ifndef ECC_NN_POST_H
#define ECC_NN_POST_H

#include "nn/layout.h"

#define ECC_NORM_EPSILON 1e-5
#define ECC_NORM_MOMENTUM 0.1

struct ecc_post {
    bool norm, has_bias, sigmoid;
    float slope; /* for negative inputs: 1 without activation, 0 for relu */

    /* All [channels with filling], zero in the filling; NULL if not used. */
    float *bias, *dbias;
    float *gamma, *beta, *dgamma, *dbeta;
    float *running_mean, *running_variance;
    float *mean, *inverse; /* of the batch: mean, and 1/sqrt(variance + epsilon) */
    float *scale, *shift;  /* all of this combined: y = act(scale * u + shift) */
};

/* Whether y differs from u at all. */
static inline bool ecc_post_needed(const struct ecc_post *post)
{
    return post->norm || post->has_bias || post->sigmoid || post->slope != 1;
}

/* How a batch is computed. */
struct ecc_post_batch {
    const struct ecc_map *map;
    size_t n;
    float *partial; /* [2, n, channels] */
    int threads;
};

/* scale and shift from the running statistics, for inference. */
void ecc_post_fold(struct ecc_post *post, const struct ecc_map *map);
/* Sums of each item, into batch->partial: means and squared deviations by channel. */
void ecc_post_sum(const struct ecc_post_batch *batch, const float *u);
/* scale and shift from these sums; updates the running statistics. */
void ecc_post_statistics(struct ecc_post *post, const struct ecc_post_batch *batch);
/* y = act(scale * u + shift); y may be u. */
void ecc_post_apply(const struct ecc_post *post, const struct ecc_post_batch *batch, float *y,
                    const float *u);
/* dy becomes du; gradients of gamma, beta and bias are written. */
void ecc_post_backward(struct ecc_post *post, const struct ecc_post_batch *batch, float *dy,
                       const float *u, const float *y);

#endif
