/*
 * winograd_shape.h: how a convolution is cut into tiles, and whether that is faster than direct.
 *
 * Seen from the weights a convolution has a big image and a small one, and three passes:
 *     gather   small[o] = sum over taps k of big[o + k] w[k]       conv forward, deconv back
 *     spread   big[v] = sum over taps k of small[v - k] w[k]       deconv forward, conv back
 *     weights  dw[k] = sum over o of big[o + k] small[o]
 * With stride 2 the big image is taken as four of half its size, its even and odd rows and columns
 * ("phases"), side by side as channels; the kernel is then half as wide.
 */
#ifndef ECC_NN_WINOGRAD_SHAPE_H
#define ECC_NN_WINOGRAD_SHAPE_H

#include "nn/layout.h"
#include "nn/winograd_kernels.h"

/* Tiles of one of the images: where they start and how far they are apart, in pixels. */
struct ecc_winograd_side {
    struct ecc_map map;
    ptrdiff_t step;         /* from a pixel of a tile to the next: the stride, or 1 */
    size_t phases;          /* numbered row by row */
    ptrdiff_t offset, pace; /* of the first tile without its phase; from a tile to the next */
    size_t across, tiles;   /* tiles in a row and of an item */
    size_t channels;        /* of all phases */
};

struct ecc_winograd_shape {
    size_t side, points; /* of a tile: 6 or 8, and its square */
    size_t taps, size;   /* r and m = side + 1 - r */
    size_t big, small;   /* channels; of the big image those of all phases */
    struct ecc_winograd_side big_side, small_side;
    bool covers; /* tiles reach all pixels of the big image; others are zero in a spread */
};

/* A convolution of square kernel, stride and padding, on blocks of a multiple of 8
 * channels.  Channels that fill up the last eight are computed like the others. */
struct ecc_winograd_request {
    struct ecc_map big, small;
    size_t kernel, stride, padding, items;
    bool transposed, training;
};

/* Chooses the better size of tiles; false if neither is faster than a direct convolution.  *time:
 * what it takes, in the unit of tile_rates.h. */
bool ecc_winograd_choose(struct ecc_winograd_shape *shape, double *time,
                         const struct ecc_winograd_request *request);

/* Which tile of which item; numbers count on from item to item. */
struct ecc_winograd_place {
    size_t item, row, column;
};
struct ecc_winograd_place ecc_winograd_find(const struct ecc_winograd_side *side, size_t number);

/* Where eight channels of a tile are: its plane's place in the batch, and the tile in it. */
size_t ecc_winograd_locate(struct ecc_winograd_tile *tile, const struct ecc_winograd_side *side,
                           const struct ecc_winograd_place *place, size_t block);

#endif
