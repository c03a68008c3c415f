/*
 * layout.h: where the numbers of images and weights are in memory.
 *
 * Images of a batch are stored as [n, blocks, height * width, block]: channels in blocks, those of
 * a block side by side.  That is oneDNN's nChw8c for block 8, plain nchw for block 1, nhwc for one
 * block of all channels, and a plain vector for a 1x1 image with one block.  Channels that only
 * fill up the last block are always zero ("filling").
 */
#ifndef ECC_NN_LAYOUT_H
#define ECC_NN_LAYOUT_H

#include "data/dataset.h"

enum { ECC_BLOCK = 8 }; /* channels that our own kernels compute side by side */

struct ecc_map {
    struct ecc_item_shape shape;
    size_t block, blocks; /* channels in a block, and blocks; blocks * block >= channels */
    size_t pixels;        /* height * width */
    size_t item;          /* floats of one item, filling included */
};

struct ecc_map ecc_map_of(struct ecc_item_shape shape, size_t block);
struct ecc_map ecc_map_plain(struct ecc_item_shape shape); /* nchw, or a vector for 1x1 */

static inline size_t ecc_map_channels(const struct ecc_map *map)
{
    return map->blocks * map->block;
}

/* In whole vectors of our kernels; whether the map has room for just those. */
static inline size_t ecc_eights(size_t channels)
{
    return (channels + ECC_BLOCK - 1) / ECC_BLOCK;
}

static inline bool ecc_map_in_eights(const struct ecc_map *map)
{
    return map->block % ECC_BLOCK == 0 &&
           map->blocks * map->block == ecc_eights(map->shape.channels) * ECC_BLOCK;
}

static inline size_t ecc_map_offset(const struct ecc_map *map, size_t channel, size_t pixel)
{
    return (channel / map->block * map->pixels + pixel) * map->block + channel % map->block;
}

/* y: items in layout `to`, x: the same numbers in layout `from`, for n items.  The shapes may
 * differ (reshape) if they hold the same count of numbers: these keep their order in [c, h, w]. */
void ecc_map_convert(float *y, const struct ecc_map *to, const float *x, const struct ecc_map *from,
                     size_t n, int threads);

/*
 * Any dense or blocked layout of a few dimensions.  An inner block takes index % size of its
 * dimension, times its own stride, and leaves index / size to the blocks before it in the list,
 * and finally to the stride of the dimension.
 */
enum { ECC_MAX_DIMS = 6, ECC_MAX_INNER = 6 };

struct ecc_layout {
    size_t rank, dims[ECC_MAX_DIMS], strides[ECC_MAX_DIMS];
    size_t inner_count, inner_dim[ECC_MAX_INNER], inner_size[ECC_MAX_INNER];
    size_t inner_stride[ECC_MAX_INNER];
    size_t size; /* floats, filling included */
};

struct ecc_layout ecc_layout_vector(size_t count, size_t size);
/* Appends the dimensions [c, h, w] of an image whose floats are `step` apart. */
void ecc_layout_add_image(struct ecc_layout *layout, const struct ecc_map *map, size_t step);
/* For weights whose dimensions 2 and 3 are those of a kernel: taps of the same phase, those a
 * stride apart, lie together; `phase`: floats from a phase to the next. */
void ecc_layout_add_phases(struct ecc_layout *layout, size_t stride, size_t phase);
/* Packs the inner blocks without gaps; the last one varies fastest. */
void ecc_layout_pack_inner(struct ecc_layout *layout);
void ecc_layout_swap(struct ecc_layout *layout, size_t a, size_t b); /* exchanges two dimensions */

/* Between plain row-major order and a layout.  Filling is left alone. */
void ecc_layout_gather(float *plain, const float *data, const struct ecc_layout *layout);
void ecc_layout_scatter(float *data, const float *plain, const struct ecc_layout *layout);

#endif
