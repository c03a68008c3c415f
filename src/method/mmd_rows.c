/* mmd_rows.c: the inner kernels of MMD: four rows of pairs against a tile of columns. */
#include "method/mmd_rows.h"
#include "base/compiler.h"
#include "regularizer/pair_law.h"

ECC_MULTIVERSION
void ecc_mmd_distances(float *restrict x, const float *a, const float *b, size_t stride, size_t d,
                       size_t count, float scale)
{
    for (size_t j = 0; j < count; j += 8) {
        ecc_f8 s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (size_t k = 0; k < d; k++) {
            const float *const ak = a + k * stride;
            const ecc_f8 bk = ecc_load8(b + k * stride + j);
            const ecc_f8 d0 = ak[0] - bk, d1 = ak[1] - bk, d2 = ak[2] - bk, d3 = ak[3] - bk;
            s0 += d0 * d0;
            s1 += d1 * d1;
            s2 += d2 * d2;
            s3 += d3 * d3;
        }
        ecc_store8(x + j, s0 * scale);
        ecc_store8(x + ECC_MMD_TILE + j, s1 * scale);
        ecc_store8(x + 2 * ECC_MMD_TILE + j, s2 * scale);
        ecc_store8(x + 3 * ECC_MMD_TILE + j, s3 * scale);
    }
}

/* Adds s/(s+x) and s/(s+x)^2 for two scales with one division, which takes most of the time. */
ECC_INLINE void add_scales(ecc_f8 *kernel, ecc_f8 *weight, ecc_f8 x, float s, float t)
{
    const ecc_f8 a = x + s, b = x + t, both = 1.0F / (a * b);
    const ecc_f8 share_a = b * both, share_b = a * both;
    const ecc_f8 part_a = s * share_a, part_b = t * share_b;
    *kernel += part_a + part_b;
    *weight += part_a * share_a + part_b * share_b;
}

ECC_MULTIVERSION
void ecc_mmd_weights(float *restrict u, double *restrict sum, size_t count)
{
    ecc_d4 low = {0}, high = {0};
    for (size_t j = 0; j < count; j += 8) {
        const ecc_f8 x = ecc_load8(u + j), share = 1.0F / (x + 1.0F);
        ecc_f8 kernel = share, weight = share * share;
        add_scales(&kernel, &weight, x, .1F, .2F); /* the scales of mmd.c */
        add_scales(&kernel, &weight, x, .5F, 2);
        add_scales(&kernel, &weight, x, 5, 10);
        ecc_store8(u + j, weight);
        low += __builtin_convertvector(*(const ecc_f4 *)&kernel, ecc_d4);
        high += __builtin_convertvector(*((const ecc_f4 *)&kernel + 1), ecc_d4);
    }
    low += high;
    *sum += (low[0] + low[2]) + (low[1] + low[3]);
}

void ecc_mmd_gaussians(float *restrict u, double *restrict sum, size_t count)
{
    struct ecc_pair_sum row;
    ecc_law_exponential.start(&row, 0, 1);
    ecc_law_exponential.add(&row, u, 0, count);
    ecc_law_exponential.weights(u, 0, count);
    *sum += ecc_law_exponential.flush(&row);
}

ECC_MULTIVERSION
void ecc_mmd_forces(double *restrict force, const float *restrict w, const float *a, const float *b,
                    size_t stride, size_t d, size_t count)
{
    for (size_t k = 0; k < d; k++) {
        const float *const ak = a + k * stride;
        ecc_f8 f0 = {0}, f1 = {0}, f2 = {0}, f3 = {0};
        for (size_t j = 0; j < count; j += 8) {
            const ecc_f8 bk = ecc_load8(b + k * stride + j);
            f0 += ecc_load8(w + j) * (ak[0] - bk);
            f1 += ecc_load8(w + ECC_MMD_TILE + j) * (ak[1] - bk);
            f2 += ecc_load8(w + 2 * ECC_MMD_TILE + j) * (ak[2] - bk);
            f3 += ecc_load8(w + 3 * ECC_MMD_TILE + j) * (ak[3] - bk);
        }
        force[k] += (double)ecc_add_lanes8(f0);
        force[d + k] += (double)ecc_add_lanes8(f1);
        force[2 * d + k] += (double)ecc_add_lanes8(f2);
        force[3 * d + k] += (double)ecc_add_lanes8(f3);
    }
}
