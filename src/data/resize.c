/* resize.c: resizes square images without aliasing, first along the lines, then across. */
#include "data/resize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fills one row of weights: the triangle around `centre`, cut off at the borders. */
static void fill_weights(struct ecc_resize *resize, size_t row, double scale, double reach)
{
    const double centre = ((double)row + 0.5) * scale;
    const double left = centre - reach + 0.5, right = centre + reach + 0.5;
    const size_t first = left > 0 ? (size_t)left : 0;
    const size_t end = right < (double)resize->from ? (size_t)right : resize->from;
    float *const weights = resize->weights + row * resize->taps;
    double sum = 0;
    for (size_t i = first; i < end && i - first < resize->taps; i++) {
        const double weight = 1 - fabs(((double)i + 0.5 - centre) / reach);
        weights[i - first] = (float)(weight > 0 ? weight : 0);
        sum += (double)weights[i - first];
    }
    for (size_t i = 0; i < resize->taps; i++) {
        weights[i] = (float)((double)weights[i] / sum);
    }
    resize->first[row] = first;
}

enum ecc_status ecc_resize_init(struct ecc_resize *resize, size_t from, size_t to, size_t channels,
                                struct ecc_error *error)
{
    const double scale = (double)from / (double)to, reach = scale > 1 ? scale : 1;
    *resize = (struct ecc_resize){
        .from = from, .to = to, .taps = (size_t)ceil(reach) * 2 + 1, .channels = channels};
    resize->first = calloc(to, sizeof *resize->first);
    resize->weights = calloc(to * resize->taps, sizeof *resize->weights);
    resize->lines = malloc(from * to * channels * sizeof *resize->lines);
    if (!resize->first || !resize->weights || !resize->lines) {
        ecc_resize_release(resize);
        return ecc_fail_memory(error, "resizing images");
    }
    for (size_t row = 0; row < to; row++) {
        fill_weights(resize, row, scale, reach);
    }
    return ECC_OK;
}

void ecc_resize_release(struct ecc_resize *resize)
{
    free(resize->first);
    free(resize->weights);
    free(resize->lines);
    *resize = (struct ecc_resize){0};
}

/* How many weights of a row lie inside the image. */
static size_t taps_inside(const struct ecc_resize *resize, size_t row)
{
    const size_t left = resize->from - resize->first[row];
    return left < resize->taps ? left : resize->taps;
}

/* Along the lines: [from, from, channels] to resize->lines. */
static void narrow(const struct ecc_resize *resize, const uint8_t *in, size_t stride)
{
    const size_t channels = resize->channels;
    float *out = resize->lines;
    for (size_t y = 0; y < resize->from; y++, in += stride) {
        for (size_t x = 0; x < resize->to; x++) {
            const float *const weights = resize->weights + x * resize->taps;
            const uint8_t *const pixel = in + resize->first[x] * channels;
            const size_t taps = taps_inside(resize, x);
            for (size_t c = 0; c < channels; c++) {
                float sum = 0;
                for (size_t k = 0; k < taps; k++) {
                    sum += weights[k] * (float)pixel[k * channels + c];
                }
                *out++ = sum;
            }
        }
    }
}

/* Across them, into planes. */
void ecc_resize_run(const struct ecc_resize *resize, uint8_t *out, const uint8_t *in, size_t stride)
{
    narrow(resize, in, stride);
    const size_t width = resize->to, channels = resize->channels, line = width * channels;
    for (size_t y = 0; y < resize->to; y++) {
        const float *const weights = resize->weights + y * resize->taps;
        const float *const start = resize->lines + resize->first[y] * line;
        const size_t taps = taps_inside(resize, y);
        for (size_t i = 0; i < line; i++) {
            float sum = 0.5F; /* rounds to the nearest */
            for (size_t k = 0; k < taps; k++) {
                sum += weights[k] * start[k * line + i];
            }
            out[(i % channels * width + y) * width + i / channels] = (uint8_t)(sum < 0     ? 0
                                                                               : sum > 255 ? 255
                                                                                           : sum);
        }
    }
}
