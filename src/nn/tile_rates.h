/*
 * tile_rates.h: what tiles and direct convolutions cost on this processor, in one unit.
 *
 * winograd_shape.c and wide_shape.c count what they do in products of vectors; how long these take
 * beside each other depends on the processor.  A plan is chosen by this model and not by a
 * measurement: the bytes of a training must not depend on how busy the machine is.
 */
#ifndef ECC_NN_TILE_RATES_H
#define ECC_NN_TILE_RATES_H

#include <stddef.h>

struct ecc_tile_rates {
    double small;  /* of winograd_shape.c: a product of 8 floats */
    double wide;   /* of wide_shape.c: a product of 16 */
    double direct; /* of a direct convolution by oneDNN: 16 products */
};

const struct ecc_tile_rates *ecc_tile_rates(void);

/* A direct convolution whose small image is so many pixels wide. */
double ecc_direct_time(size_t width, size_t kernel, size_t stride, double products);

#endif
