/* point_kernels.c: convolutions with a kernel of 1 x 1, sums in registers. */
#include "nn/point_kernels.h"
#include "base/compiler.h"

enum { BLOCK = ECC_BLOCK };

/* ---- Many outputs --------------------------------------------------------------------------- */

/* Where eight channels of an image are. */
ECC_INLINE size_t eight_at(const struct ecc_map *map, size_t eight)
{
    const size_t per = map->block / BLOCK;
    return (eight / per * map->pixels * per + eight % per) * BLOCK;
}

/* Some pixels of a few eights of channels; both counts are constants. */
ECC_INLINE void multiply_block(float *const *y, size_t y_step, const float *x,
                               const struct ecc_map *from, const float *w, size_t w_row,
                               size_t pixels, size_t vectors)
{
    const size_t step = from->block, eights = ecc_eights(from->shape.channels);
    ecc_f8 sum[12][3] = {{{0}}};
    for (size_t e = 0; e < eights; e++) {
        const float *const at = x + eight_at(from, e);
        for (size_t c = 0; c < BLOCK; c++, w += w_row) {
            ecc_f8 row[3];
            for (size_t v = 0; v < vectors; v++) row[v] = ecc_load8(w + v * BLOCK);
            for (size_t p = 0; p < pixels; p++) {
                for (size_t v = 0; v < vectors; v++) sum[p][v] += row[v] * at[p * step + c];
            }
        }
    }
    for (size_t v = 0; v < vectors; v++) {
        for (size_t p = 0; p < pixels; p++) ecc_store8(y[v] + p * y_step, sum[p][v]);
    }
}

ECC_INLINE void multiply_eights(float *y, const struct ecc_map *to, const float *x,
                                const struct ecc_map *from, const float *w, size_t eight,
                                size_t pixels, size_t vectors)
{
    const size_t outputs = ecc_map_channels(to);
    float *at[3] = {NULL};
    for (size_t v = 0; v < vectors; v++) at[v] = y + eight_at(to, eight + v);
    w += eight * BLOCK;
    size_t p = 0;
    for (; p + pixels <= to->pixels; p += pixels) {
        multiply_block(at, to->block, x, from, w, outputs, pixels, vectors);
        for (size_t v = 0; v < vectors; v++) at[v] += pixels * to->block;
        x += pixels * from->block;
    }
    for (; p < to->pixels; p++) {
        multiply_block(at, to->block, x, from, w, outputs, 1, vectors);
        for (size_t v = 0; v < vectors; v++) at[v] += to->block;
        x += from->block;
    }
}

ECC_MULTIVERSION
void ecc_point_multiply(float *y, const struct ecc_map *to, const float *x,
                        const struct ecc_map *from, const float *w)
{
    const size_t eights = ecc_eights(to->shape.channels);
    for (size_t e = 0; e < eights;) {
        const size_t left = eights - e;
        if (left == 1) {
            multiply_eights(y, to, x, from, w, e, 12, 1);
            e += 1;
        } else if (left == 2 || left == 4) {
            multiply_eights(y, to, x, from, w, e, 6, 2);
            e += 2;
        } else {
            multiply_eights(y, to, x, from, w, e, 4, 3);
            e += 3;
        }
    }
}

/* Four channels of x with one or two eights of dy, over all pixels. */
ECC_INLINE void weights_block(float *dw, size_t row, const float *const *dy, size_t dy_step,
                              const float *x, const struct ecc_map *from, size_t vectors)
{
    ecc_f8 sum[4][2] = {{{0}}};
    for (size_t p = 0; p < from->pixels; p++) {
        for (size_t v = 0; v < vectors; v++) {
            const ecc_f8 d = ecc_load8(dy[v] + p * dy_step);
            for (size_t c = 0; c < 4; c++) sum[c][v] += d * x[p * from->block + c];
        }
    }
    for (size_t c = 0; c < 4; c++) {
        for (size_t v = 0; v < vectors; v++) {
            float *const at = dw + c * row + v * BLOCK;
            ecc_store8(at, ecc_load8(at) + sum[c][v]);
        }
    }
}

ECC_MULTIVERSION
void ecc_point_weights(float *dw, const float *dy, const struct ecc_map *to, const float *x,
                       const struct ecc_map *from)
{
    const size_t outputs = ecc_map_channels(to), eights = outputs / BLOCK;
    for (size_t c = 0; c < ecc_map_channels(from); c += 4) {
        const float *const at = x + eight_at(from, c / BLOCK) + c % BLOCK;
        size_t e = 0;
        for (; e + 2 <= eights; e += 2) {
            const float *const d[2] = {dy + eight_at(to, e), dy + eight_at(to, e + 1)};
            weights_block(dw + c * outputs + e * BLOCK, outputs, d, to->block, at, from, 2);
        }
        const float *const d[2] = {dy + eight_at(to, eights - 1), NULL};
        if (e < eights) {
            weights_block(dw + c * outputs + e * BLOCK, outputs, d, to->block, at, from, 1);
        }
    }
}

/* ---- Few outputs ---------------------------------------------------------------------------- */

/* The sums of the lanes of eight vectors, in order. */
ECC_INLINE ecc_f8 add_lanes_of_eight(const ecc_f8 *s)
{
    ecc_f8 a[4], b[2];
    for (size_t i = 0; i < 4; i++) {
        a[i] = ECC_SHUFFLE8(s[2 * i], s[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14) +
               ECC_SHUFFLE8(s[2 * i], s[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (size_t i = 0; i < 2; i++) {
        b[i] = ECC_SHUFFLE8(a[2 * i], a[2 * i + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
               ECC_SHUFFLE8(a[2 * i], a[2 * i + 1], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    return ECC_SHUFFLE8(b[0], b[1], 0, 1, 2, 3, 8, 9, 10, 11) +
           ECC_SHUFFLE8(b[0], b[1], 4, 5, 6, 7, 12, 13, 14, 15);
}

/* Pixels from p on, a constant number. */
ECC_INLINE void few_pixels(ecc_f8 *sum, const float *x, const struct ecc_map *from, const float *w,
                           size_t p, size_t pixels)
{
    for (size_t i = 0; i < pixels; i++) sum[i] = (ecc_f8){0};
    for (size_t e = 0; e < ecc_eights(from->shape.channels); e++) {
        const float *const at = x + eight_at(from, e) + p * from->block;
        const ecc_f8 row = ecc_load8(w + e * BLOCK);
        for (size_t i = 0; i < pixels; i++) sum[i] += row * ecc_load8(at + i * from->block);
    }
}

ECC_MULTIVERSION
void ecc_point_few(float *y, size_t outputs, const float *x, const struct ecc_map *from,
                   const float *w)
{
    const size_t pixels = from->pixels;
    ecc_f8 sum[8];
    for (size_t o = 0; o < outputs; o++, w += ecc_map_channels(from), y += pixels) {
        size_t p = 0;
        for (; p + 8 <= pixels; p += 8) {
            few_pixels(sum, x, from, w, p, 8);
            ecc_store8(y + p, add_lanes_of_eight(sum));
        }
        for (; p < pixels; p++) {
            few_pixels(sum, x, from, w, p, 1);
            y[p] = ecc_add_lanes8(sum[0]);
        }
    }
}

ECC_MULTIVERSION
void ecc_point_few_back(float *dx, const struct ecc_map *from, const float *dy, size_t outputs,
                        const float *w)
{
    const size_t channels = ecc_map_channels(from), pixels = from->pixels;
    for (size_t e = 0; e < channels / BLOCK; e++) {
        float *const at = dx + eight_at(from, e);
        for (size_t p = 0; p < pixels; p++) {
            ecc_f8 sum = ecc_load8(w + e * BLOCK) * dy[p];
            for (size_t o = 1; o < outputs; o++) {
                sum += ecc_load8(w + o * channels + e * BLOCK) * dy[o * pixels + p];
            }
            ecc_store8(at + p * from->block, sum);
        }
    }
}

ECC_MULTIVERSION
void ecc_point_few_weights(float *dw, const float *dy, size_t outputs, const float *x,
                           const struct ecc_map *from)
{
    const size_t pixels = from->pixels, step = from->block;
    for (size_t o = 0; o < outputs; o++, dy += pixels) {
        for (size_t e = 0; e < ecc_eights(from->shape.channels); e++, dw += BLOCK) {
            const float *const at = x + eight_at(from, e);
            ecc_f8 sum[4] = {{0}};
            size_t p = 0;
            for (; p + 4 <= pixels; p += 4) {
                for (size_t i = 0; i < 4; i++) {
                    sum[i] += ecc_load8(at + (p + i) * step) * dy[p + i];
                }
            }
            for (; p < pixels; p++) sum[0] += ecc_load8(at + p * step) * dy[p];
            ecc_store8(dw, ecc_load8(dw) + ((sum[0] + sum[1]) + (sum[2] + sum[3])));
        }
    }
}
