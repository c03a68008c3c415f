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
    bool before_sigmoid; /* dy of the next backward pass is already that of the sigmoid's input */
    float slope;         /* for negative inputs: 1 without activation, 0 for relu */

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
};

/* scale and shift from the running statistics, for inference. */
void ecc_post_fold(struct ecc_post *post, const struct ecc_map *map);
/* scale and shift from the sums of all items; updates the running statistics. */
void ecc_post_statistics(struct ecc_post *post, const struct ecc_post_batch *batch);
/* The same in two steps, where the batch is spread over processes: mean and sum of squared
 * deviations of each channel, [channels]; then from all: [size, channels], those of each process,
 * whose batches are equally large. */
struct ecc_post_moments {
    double mean, deviations;
};
void ecc_post_measure(struct ecc_post_moments *moments, const struct ecc_post_batch *batch);
void ecc_post_pool(struct ecc_post *post, const struct ecc_post_batch *batch,
                   const struct ecc_post_moments *all, size_t size);
/* Gradients of gamma, beta and bias from the sums of all items. */
void ecc_post_gradients(struct ecc_post *post, const struct ecc_post_batch *batch);
/* Whether du differs from dy. */
bool ecc_post_changes_gradient(const struct ecc_post *post);

/*
 * The work on one item; each may run in any thread.  Images are those of a batch.
 *     sum       into batch->partial: means and squared deviations by channel
 *     apply     y = act(scale * u + shift); y may be u
 *     sum_back  into batch->partial: what the item adds to the gradients; dy becomes the gradient
 *               before a sigmoid
 *     back      dy becomes du
 */
void ecc_post_sum(const struct ecc_post_batch *batch, const float *u, size_t item);
void ecc_post_apply(const struct ecc_post *post, const struct ecc_post_batch *batch, float *y,
                    const float *u, size_t item);
void ecc_post_sum_back(const struct ecc_post *post, const struct ecc_post_batch *batch, float *dy,
                       const float *u, const float *y, size_t item);
void ecc_post_back(const struct ecc_post *post, const struct ecc_post_batch *batch, float *dy,
                   const float *u, size_t item);

#endif
