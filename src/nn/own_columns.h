/*
 * own_columns.h: a convolution as a matrix product.
 *
 * Seen from the weights a convolution has a big image and a small one (winograd_shape.h).  The
 * window of the big image that belongs to a pixel of the small one becomes a row of a matrix, the
 * columns: [pixels, depth], where depth counts [blocks of channels, kernel height, kernel width,
 * channels of a block].  With weights: [depth, small channels] and the small image as rows:
 * [pixels, small channels] the three passes are
 *     gather   rows = columns * weights
 *     spread   columns = rows * transposed weights, then added up in the big image
 *     weights  dweights = transposed columns * rows
 * Each thread does its part of a pass in chunks of a few lines (rows of pixels) of the small
 * images, so that columns stay in its cache.
 */
#ifndef ECC_NN_OWN_COLUMNS_H
#define ECC_NN_OWN_COLUMNS_H

#include "nn/dnn.h"

struct ecc_columns {
    struct ecc_map big, small; /* without filling: blocks divide the channels */
    size_t kernel[2], stride[2], padding[2];
    size_t items, threads;
    size_t run;          /* floats of a slice: a row of a window, in one block of channels */
    size_t slices;       /* [blocks, kernel height]: depth = slices * run */
    size_t lines, chunk; /* of the whole batch; of a chunk at most */
    size_t group;        /* blocks of the small image that one product makes at once */
};

/* Consecutive lines of the batch, slices of the columns, and blocks of the small image. */
struct ecc_columns_part {
    size_t line, lines, slice, slices, block, blocks;
};

/* Blocks of 8 channels, or else all channels side by side. */
size_t ecc_columns_block(size_t channels);

/* For as many threads as OpenMP would use now. */
struct ecc_columns ecc_columns_plan(const struct ecc_conv_shape *shape, size_t in_block,
                                    size_t out_block);
/* Floats of a chunk's columns and rows, for one thread. */
size_t ecc_columns_size(const struct ecc_columns *plan);
size_t ecc_columns_rows_size(const struct ecc_columns *plan);
size_t ecc_columns_scratch(const struct ecc_columns *plan); /* bytes, for all threads */
/* Of the weights: [outputs, inputs, height, width]. */
struct ecc_layout ecc_columns_weights(const struct ecc_columns *plan, bool transposed);

/* What is left of a part, at most a chunk of it, from a line on. */
struct ecc_columns_part ecc_columns_chunk(const struct ecc_columns *plan,
                                          const struct ecc_columns_part *part, size_t line);

/* Columns from the big images of a batch, and columns added to them. */
void ecc_columns_read(float *columns, const float *big, const struct ecc_columns *plan,
                      const struct ecc_columns_part *part);
void ecc_columns_add(float *big, const float *columns, const struct ecc_columns *plan,
                     const struct ecc_columns_part *part);

/* Rows from the small images of a batch, and back: [pixels, channels of the part's blocks] */
void ecc_columns_pack(float *rows, const float *small, const struct ecc_columns *plan,
                      const struct ecc_columns_part *part);
void ecc_columns_unpack(float *small, const float *rows, const struct ecc_columns *plan,
                        const struct ecc_columns_part *part);

/* ---- own_passes.c: the passes above, for the whole batch ------------------------------------ */

/* big, small: images of the batch; weights: [depth, small channels]; scratch: as planned. */
struct ecc_columns_data {
    float *big, *small, *weights, *scratch;
};

void ecc_columns_gather(const struct ecc_columns *plan, const struct ecc_columns_data *data);
void ecc_columns_spread(const struct ecc_columns *plan, const struct ecc_columns_data *data);
void ecc_columns_sum_weights(const struct ecc_columns *plan, const struct ecc_columns_data *data);

#endif
