/*
 * wide_shape.h: how a convolution with many channels is cut into tiles, slabs and chunks, and
 * whether that is faster than a direct one.
 *
 * The words are those of winograd_shape.h: gather, spread, and phases of a stride.  Tiles are those
 * of the small image for all passes: m x m pixels of it, and the n x n pixels that belong to them
 * in each phase of the big one.
 */
#ifndef ECC_NN_WIDE_SHAPE_H
#define ECC_NN_WIDE_SHAPE_H

#include "nn/layout.h"
#include "nn/wide_kernels.h"

/* A convolution of square kernel and stride, on blocks of 8 or 16 channels. */
struct ecc_wide_request {
    struct ecc_map big, small;
    size_t kernel, stride, padding[2], items;
    bool transposed, training; /* a deconvolution; all passes, or only forward */
    int threads;
};

struct ecc_wide_shape {
    struct ecc_wide_request request;
    const struct ecc_wide_kernels *kernels;
    size_t size, points, phases;     /* m, n * n, stride * stride */
    size_t across, down, tiles;      /* tiles of an item */
    size_t big_width, small_width;   /* channels in whole vectors of 16 */
    size_t big_chunks, small_chunks; /* of channels; of each phase of the big image */
    /* Tiles are made and multiplied a slab at a time; those of a group share weights that were
     * transformed for them. */
    size_t slab_items, group;
};

/* Chooses the tiles; false if none are faster than a direct convolution.  *time: what they take, in
 * the unit of tile_rates.h. */
bool ecc_wide_choose(struct ecc_wide_shape *shape, double *time,
                     const struct ecc_wide_request *request);

/* With tiles of this side, whether or not that is faster; false if there are none. */
bool ecc_wide_shape_of(struct ecc_wide_shape *shape, const struct ecc_wide_request *request,
                       size_t side);

/* Channels of a chunk, for an image of `width` channels. */
static inline size_t ecc_wide_chunk(size_t width, size_t chunk)
{
    const size_t left = width - chunk * ECC_WIDE_CHUNK;
    return left < ECC_WIDE_CHUNK ? left : ECC_WIDE_CHUNK;
}

/* The pixels of a tile in a phase of the big image, and in the small one. */
struct ecc_wide_tile ecc_wide_big_tile(const struct ecc_wide_shape *shape, size_t tile,
                                       size_t phase);
struct ecc_wide_tile ecc_wide_small_tile(const struct ecc_wide_shape *shape, size_t tile);

/* Whether the tiles cover the big image: pixels that no window reaches are zero in a spread. */
bool ecc_wide_covers(const struct ecc_wide_shape *shape);

#endif
