/* direct_kernels.c: convolution of one image with few channels, eight outputs in a vector. */
#include "nn/direct_kernels.h"
#include "base/compiler.h"

ECC_INLINE ecc_f8 zero8(void)
{
    return (ecc_f8){0, 0, 0, 0, 0, 0, 0, 0};
}

/* ---- Forward -------------------------------------------------------------------------------- */

/* `count` pixels of a row (a constant, so that the sums stay in registers) of `pair` blocks. */
ECC_INLINE void forward_tile(float *u, const float *x, const float *w,
                             const struct ecc_direct_shape *s, size_t count, size_t pair)
{
    const size_t taps = s->channels * s->kernel[0] * s->kernel[1];
    const size_t plane = s->out_height * s->out_width * 8;
    ecc_f8 sum[2][6];
    for (size_t b = 0; b < pair; b++) {
        for (size_t p = 0; p < count; p++) sum[b][p] = zero8();
    }
    for (size_t c = 0; c < s->channels; c++) {
        for (size_t h = 0; h < s->kernel[0]; h++) {
            const float *const row = x + (c * s->height + h) * s->width;
            for (size_t k = 0; k < s->kernel[1]; k++, w += 8) {
                const ecc_f8 w0 = ecc_load8(w);
                const ecc_f8 w1 = pair > 1 ? ecc_load8(w + taps * 8) : w0;
                for (size_t p = 0; p < count; p++) {
                    const float value = row[p * s->stride[1] + k];
                    sum[0][p] += w0 * value;
                    if (pair > 1) sum[1][p] += w1 * value;
                }
            }
        }
    }
    for (size_t b = 0; b < pair; b++) {
        for (size_t p = 0; p < count; p++) ecc_store8(u + b * plane + p * 8, sum[b][p]);
    }
}

ECC_INLINE void forward_blocks(float *u, const float *x, const float *w,
                               const struct ecc_direct_shape *s, size_t pair)
{
    for (size_t h = 0; h < s->out_height; h++) {
        const float *const row = x + h * s->stride[0] * s->width;
        float *const out = u + h * s->out_width * 8;
        size_t p = 0;
        for (; p + 6 <= s->out_width; p += 6) {
            forward_tile(out + p * 8, row + p * s->stride[1], w, s, 6, pair);
        }
        for (; p + 2 <= s->out_width; p += 2) {
            forward_tile(out + p * 8, row + p * s->stride[1], w, s, 2, pair);
        }
        for (; p < s->out_width; p++) {
            forward_tile(out + p * 8, row + p * s->stride[1], w, s, 1, pair);
        }
    }
}

ECC_MULTIVERSION
void ecc_direct_forward(float *u, const float *x, const float *w, const struct ecc_direct_shape *s)
{
    const size_t plane = s->out_height * s->out_width * 8;
    const size_t weights = s->channels * s->kernel[0] * s->kernel[1] * 8;
    size_t b = 0;
    for (; b + 2 <= s->blocks; b += 2) forward_blocks(u + b * plane, x, w + b * weights, s, 2);
    if (b < s->blocks) forward_blocks(u + b * plane, x, w + b * weights, s, 1);
}

/* ---- Gradient of the weights ---------------------------------------------------------------- */

/* `count` neighbouring taps of a kernel's row, over all pixels. */
ECC_INLINE void weights_taps(float *dw, const float *x, const float *du,
                             const struct ecc_direct_shape *s, size_t count, size_t pair)
{
    const size_t taps = s->channels * s->kernel[0] * s->kernel[1];
    const size_t plane = s->out_height * s->out_width * 8, stride = s->stride[1];
    ecc_f8 sum[2][5];
    for (size_t b = 0; b < pair; b++) {
        for (size_t k = 0; k < count; k++) sum[b][k] = zero8();
    }
    for (size_t h = 0; h < s->out_height; h++) {
        const float *const row = x + h * s->stride[0] * s->width;
        const float *const out = du + h * s->out_width * 8;
        for (size_t p = 0; p < s->out_width; p++) {
            const ecc_f8 d0 = ecc_load8(out + p * 8);
            const ecc_f8 d1 = pair > 1 ? ecc_load8(out + plane + p * 8) : d0;
            for (size_t k = 0; k < count; k++) {
                const float value = row[p * stride + k];
                sum[0][k] += d0 * value;
                if (pair > 1) sum[1][k] += d1 * value;
            }
        }
    }
    for (size_t b = 0; b < pair; b++) {
        for (size_t k = 0; k < count; k++) {
            float *const at = dw + (b * taps + k) * 8;
            ecc_store8(at, ecc_load8(at) + sum[b][k]);
        }
    }
}

ECC_INLINE void weights_row(float *dw, const float *x, const float *du,
                            const struct ecc_direct_shape *s, size_t pair)
{
    size_t k = 0;
    const size_t width = s->kernel[1];
    for (; k + 5 <= width; k += 5) weights_taps(dw + k * 8, x + k, du, s, 5, pair);
    switch (width - k) {
    case 4: weights_taps(dw + k * 8, x + k, du, s, 4, pair); break;
    case 3: weights_taps(dw + k * 8, x + k, du, s, 3, pair); break;
    case 2: weights_taps(dw + k * 8, x + k, du, s, 2, pair); break;
    case 1: weights_taps(dw + k * 8, x + k, du, s, 1, pair); break;
    default: break;
    }
}

ECC_INLINE void weights_blocks(float *dw, const float *x, const float *du,
                               const struct ecc_direct_shape *s, size_t pair)
{
    for (size_t c = 0; c < s->channels; c++) {
        for (size_t h = 0; h < s->kernel[0]; h++) {
            weights_row(dw + (c * s->kernel[0] + h) * s->kernel[1] * 8,
                        x + (c * s->height + h) * s->width, du, s, pair);
        }
    }
}

ECC_MULTIVERSION
void ecc_direct_weights(float *dw, const float *x, const float *du,
                        const struct ecc_direct_shape *s)
{
    const size_t plane = s->out_height * s->out_width * 8;
    const size_t weights = s->channels * s->kernel[0] * s->kernel[1] * 8;
    size_t b = 0;
    for (; b + 2 <= s->blocks; b += 2) weights_blocks(dw + b * weights, x, du + b * plane, s, 2);
    if (b < s->blocks) weights_blocks(dw + b * weights, x, du + b * plane, s, 1);
}
