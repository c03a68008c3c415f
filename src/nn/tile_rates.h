/*
 * tile_rates.h: what tiles and direct convolutions cost on this processor, in one unit.
 *
 * winograd_shape.c and wide_shape.c count what they do in products of vectors; how long these take
 * beside each other depends on the processor.  A plan is chosen by this model and not by a
 * measurement: the bytes of a training must not depend on how busy the machine is.
 */
#ifndef ECC_NN_TILE_RATES_H
#define ECC_NN_TILE_RATES_H

#include "nn/layout.h"

struct ecc_tile_rates {
    double small;  /* of winograd_shape.c: a product of 8 floats */
    double wide;   /* of wide_shape.c: a product of 16 */
    double direct; /* of a direct convolution by oneDNN: 16 products */
    double narrow; /* the same where channels do not fill blocks of 16 */
};

const struct ecc_tile_rates *ecc_tile_rates(void);

/* All products of a direct convolution between two images, the small one after the stride. */
double ecc_direct_time(const struct ecc_map *big, const struct ecc_map *small, size_t kernel,
                       size_t stride, double passes);

#endif
