/*
 * post_kernels.h: the inner loops of batch norm and activations, on one item [blocks, pixels,
 * block].
 *
 * If blocks fill vectors, a vector holds eight channels of a pixel; in plain layout, eight pixels
 * of a channel; other blocks are handled one number at a time.
 */
#ifndef ECC_NN_POST_KERNELS_H
#define ECC_NN_POST_KERNELS_H

#include "nn/post.h"

/* Mean of each channel and sum of squared deviations from it; [blocks * block] each. */
void ecc_kernel_statistics(float *mean, float *squares, const float *u, size_t pixels,
                           size_t blocks, size_t block);

/* y = act(scale * u + shift) */
void ecc_kernel_affine(float *y, const float *u, const float *scale, const float *shift,
                       float slope, size_t pixels, size_t blocks, size_t block);

/* y = 1 / (1 + exp(-y)), within 3e-7 of itself */
void ecc_kernel_sigmoid(float *y, size_t count);

/* With g = act'(.) dy: sums of g and of g (u - mean) inverse, by channel. */
void ecc_kernel_sums(float *sum, float *product, const float *dy, const float *u,
                     const struct ecc_post *post, size_t pixels, size_t blocks, size_t block);

/* dy = gamma inverse (g - share dbeta - (u - mean) inverse share dgamma) with batch norm, else g.
 */
void ecc_kernel_back(float *dy, const float *u, const struct ecc_post *post, float share,
                     size_t pixels, size_t blocks, size_t block);

#endif
