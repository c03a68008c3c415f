/*
 * mmd_rows.h: the inner kernels of MMD: four rows of pairs against a tile of columns.
 *
 * Samples are stored by coordinate, [d, stride], so that eight items fill a register; the distance
 * ECC_MMD_FAR marks a pair that does not count.
 */
#ifndef ECC_METHOD_MMD_ROWS_H
#define ECC_METHOD_MMD_ROWS_H

#include <stddef.h>

enum { ECC_MMD_ROWS = 4, ECC_MMD_TILE = 128 };

/* Kernel and weight are 0 there, since its square is infinite; larger distances are not allowed. */
#define ECC_MMD_FAR 1e30F

/* x: [ECC_MMD_ROWS, ECC_MMD_TILE]; x[r, j] = |a_r - b_j|^2 * scale for j < count, which is a
 * multiple of 8.  a, b: the first item of each, [d, stride]. */
void ecc_mmd_distances(float *restrict x, const float *a, const float *b, size_t stride, size_t d,
                       size_t count, float scale);

/* Turns u = |a - b|^2/(2d) into sum over s of s/(s+u)^2, for `count` pairs of a row; adds to *sum
 * the kernel, sum over s of s/(s+u). */
void ecc_mmd_weights(float *restrict u, double *restrict sum, size_t count);

/* The same for the kernel exp(-u), whose weight is itself. */
void ecc_mmd_gaussians(float *restrict u, double *restrict sum, size_t count);

/* force[r * d + k] += sum over j of w[r, j] (a_r - b_j)_k */
void ecc_mmd_forces(double *restrict force, const float *restrict w, const float *a, const float *b,
                    size_t stride, size_t d, size_t count);

#endif
