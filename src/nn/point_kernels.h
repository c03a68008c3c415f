/*
 * point_kernels.h: convolutions with a kernel of 1 x 1, on one item.
 *
 * Images are [blocks, pixels, block] with blocks of a multiple of eight channels.  Eight channels
 * or pixels are in a vector; those that fill up the last eight are computed like the others, and
 * counted where weights are [channels, channels].
 */
#ifndef ECC_NN_POINT_KERNELS_H
#define ECC_NN_POINT_KERNELS_H

#include "nn/layout.h"

/* y: image of `to`, x: of `from`, w: [from's channels, to's channels] */
void ecc_point_multiply(float *y, const struct ecc_map *to, const float *x,
                        const struct ecc_map *from, const float *w);
/* dw: [from's channels, to's channels] += the gradient of the above, dy: image of `to` */
void ecc_point_weights(float *dw, const float *dy, const struct ecc_map *to, const float *x,
                       const struct ecc_map *from);

/* The same for few outputs, as a plain image y: [outputs, pixels]; w, dw: [outputs, channels]. */
void ecc_point_few(float *y, size_t outputs, const float *x, const struct ecc_map *from,
                   const float *w);
void ecc_point_few_back(float *dx, const struct ecc_map *from, const float *dy, size_t outputs,
                        const float *w);
void ecc_point_few_weights(float *dw, const float *dy, size_t outputs, const float *x,
                           const struct ecc_map *from);

#endif
