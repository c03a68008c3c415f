/* direct_kernels.h: convolution of one image with few channels, eight outputs in a vector. */
#ifndef ECC_NN_DIRECT_KERNELS_H
#define ECC_NN_DIRECT_KERNELS_H

#include <stddef.h>

struct ecc_direct_shape {
    size_t channels, height, width; /* of the image with its border; 64 floats after it are read */
    size_t out_height, out_width, blocks;
    size_t kernel[2], stride[2];
};

/* u: [blocks, out_height, out_width, 8], x: [channels, height, width],
 * w: [blocks, channels, kernel height, kernel width, 8] */
void ecc_direct_forward(float *u, const float *x, const float *w,
                        const struct ecc_direct_shape *shape);

/* dw += what one item adds. */
void ecc_direct_weights(float *dw, const float *x, const float *du,
                        const struct ecc_direct_shape *shape);

#endif
