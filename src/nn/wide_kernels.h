/*
 * wide_kernels.h: tiles of convolutions with many channels, and the products at their points.
 *
 * As in winograd_kernels.h, m outputs of r taps are y = A' (G g * B' d) with n = m + r - 1 points,
 * in rows and columns.  The same matrices, transposed, go the other way:
 *     gather   small = A' (sum of U * V) A      V = B' big B      U = G w G'
 *     spread   big   = B (sum of U * S) B'      S = A small A'    tiles overlap and are added
 *     weights  dw    = G' (sum of V * S) G
 * so that U, V and S serve all three.
 */
#ifndef ECC_NN_WIDE_KERNELS_H
#define ECC_NN_WIDE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

/* Channels are multiplied in chunks of CHUNK; vectors have 8 or 16 lanes, chunks whole 16s. */
enum {
    ECC_WIDE_CHUNK = 64,
    ECC_WIDE_VECTOR = 16,
    ECC_WIDE_SPAN = 2,
    ECC_WIDE_SIDE = 8,
    ECC_WIDE_POINTS = 64
};

/* The pixels of a tile, in one block of channels: `row` and `column` floats apart; those outside
 * [top, bottom) x [left, right) are not in the image: zero if read, never written. */
struct ecc_wide_tile {
    ptrdiff_t at, row, column; /* at: of the tile's first pixel, which may be outside */
    size_t top, bottom, left, right;
};

/* The transforms of one kind of tile, for one block of channels.  Points lie `stride` floats
 * apart. */
struct ecc_wide_kernels {
    size_t lanes, side, taps;
    /* these two write to whole cache lines: v and s at multiples of 64 bytes */
    void (*input)(float *v, size_t stride, const float *image, const struct ecc_wide_tile *tile);
    void (*evaluate)(float *s, size_t stride, const float *image, const struct ecc_wide_tile *tile);
    void (*collect)(float *image, const struct ecc_wide_tile *tile, const float *m, size_t stride);
    /* adds to the first `taps - 1` rows or columns that an earlier tile has written */
    void (*spread)(float *image, const struct ecc_wide_tile *tile, const float *m, size_t stride,
                   bool rows, bool columns);
    /* w: [taps, taps] with `step` floats between */
    void (*kernel)(float *u, size_t stride, const float *w, size_t step);
    void (*kernel_back)(float *dw, size_t step, const float *m, size_t stride, bool add);
};

/* Before others read what `input` and `evaluate` wrote past the caches. */
void ecc_wide_settle(void);

/* Those for blocks of `lanes` channels, or NULL: there are none, or none for this machine. */
const struct ecc_wide_kernels *ecc_wide_find(size_t lanes, size_t side, size_t taps);

/* c: [rows, columns] = a: [rows, depth] * b: [depth, columns] (+ c).  columns: 16 to 64 in 16s. */
struct ecc_wide_product {
    size_t rows, columns, depth;
    size_t a_row, a_step; /* floats from a row of a to the next, and from a column */
    size_t b_row, c_row;
    bool add;
    const float *ahead[3]; /* what will be needed next: fetched into the second-level cache */
    size_t ahead_size[3];  /* floats of it, 0 for nothing */
};
void ecc_wide_multiply(float *c, const float *a, const float *b, const struct ecc_wide_product *p);

/* out: [8, 8] of rows `out_row` apart = transpose of in. */
void ecc_wide_transpose(float *out, size_t out_row, const float *in, size_t in_row);

#endif
