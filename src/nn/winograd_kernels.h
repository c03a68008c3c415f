/*
 * winograd_kernels.h: convolution by tiles with few multiplications (Winograd, Toom-Cook).
 *
 * With the points 0, 1, -1, 2, -2, 1/2, -1/2 and infinity, or without the halves, m outputs of a
 * kernel with r taps are y = A' (G g * B' d), where d holds as many inputs as there are points,
 * m + r - 1 = 8 or 6, and * goes point by point; in two dimensions the same is done along rows and
 * columns.  A' and G are powers of the points; only they depend on r.  The same matrices,
 * transposed, go the other way:
 *     gather   small = A' (sum of U * V) A      V = B' big B      U = G w G'
 *     spread   big   = B (sum of U * S) B'      S = A small A'    tiles overlap and are added
 *     weights  dw    = G' (sum of V * S) G
 */
#ifndef ECC_NN_WINOGRAD_KERNELS_H
#define ECC_NN_WINOGRAD_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

enum { ECC_WINOGRAD_SIDE = 8, ECC_WINOGRAD_POINTS = 64 }; /* of the larger tiles */

/* Whether these kernels are compiled for this kind of machine, and so worth choosing. */
bool ecc_winograd_available(void);

/* Every step-th pixel of 8 channels from (y, x) on; pixels outside are zero.
 * plane: [height, width, block], of which the first 8 */
struct ecc_winograd_tile {
    size_t height, width;
    ptrdiff_t y, x, step, block;
};

/* Points of a tile lie `stride` floats apart; v, m: [side * side][stride], 8 channels at each. */

/* v = B' d B, d: the side x side pixels of a tile. */
void ecc_winograd_input(float *v, size_t stride, const float *plane,
                        const struct ecc_winograd_tile *tile, size_t side);
/* v = A d A', d: the size x size pixels of a tile. */
void ecc_winograd_evaluate(float *v, size_t stride, const float *plane,
                           const struct ecc_winograd_tile *tile, size_t side, size_t size);
/* The size x size pixels of a tile = A' m A. */
void ecc_winograd_output(float *plane, const struct ecc_winograd_tile *tile, const float *m,
                         size_t stride, size_t side, size_t size);

/* Rows and columns of a tile that earlier tiles have written already. */
struct ecc_winograd_overlap {
    size_t rows, columns;
};
/* The side x side pixels of a tile = B m B', added where tiles overlap. */
void ecc_winograd_spread(float *plane, const struct ecc_winograd_tile *tile, const float *m,
                         size_t stride, struct ecc_winograd_overlap overlap, size_t side);

/* u = G w G', w: [taps, taps] with `step` floats between. */
void ecc_winograd_kernel(float *u, size_t stride, const float *w, size_t step, size_t side,
                         size_t taps);
/* dw = G' m G, the gradient of the above. */
void ecc_winograd_kernel_back(float *dw, size_t step, const float *m, size_t stride, size_t side,
                              size_t taps);

/* For each of `points`: m: [tiles, outputs] = v: [tiles, inputs] * u: [inputs, outputs], whose
 * rows lie u_row apart.  tiles: a multiple of 4, channels of 8; strides: floats from a point to
 * the next. */
struct ecc_winograd_product {
    size_t points, tiles, inputs, outputs, u_row;
    size_t v_stride, u_stride, m_stride;
};
void ecc_winograd_multiply(float *m, const float *v, const float *u,
                           const struct ecc_winograd_product *product);
/* For each: u += v' * m, over any number of tiles. */
void ecc_winograd_accumulate(float *u, const float *v, const float *m,
                             const struct ecc_winograd_product *product);

#endif
