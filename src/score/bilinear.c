/* bilinear.c: images resized for Inception-v3 as pytorch-fid does it: between the four nearest
 * pixels, without antialiasing. */
#include "score/inception.h"

#include <stdlib.h>
#include <string.h>

static void fill(struct ecc_bilinear *bilinear, int k, size_t from, size_t to)
{
    const double scale = (double)from / (double)to;
    for (size_t i = 0; i < to; i++) {
        double at = ((double)i + 0.5) * scale - 0.5;
        if (at < 0) at = 0;
        size_t near = (size_t)at;
        if (near > from - 1) near = from - 1;
        bilinear->near[k][i] = near;
        bilinear->far[k][i] = near + 1 < from ? near + 1 : near;
        bilinear->part[k][i] = (float)(at - (double)near);
    }
}

enum ecc_status ecc_bilinear_init(struct ecc_bilinear *bilinear, struct ecc_item_shape from,
                                  size_t height, size_t width, struct ecc_error *error)
{
    *bilinear = (struct ecc_bilinear){.from = from, .height = height, .width = width};
    if (from.height == 0 || from.width == 0 || (from.channels != 1 && from.channels != 3)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "items of %zux%zux%zu, expected images with 1 or 3 channels", from.channels,
                        from.height, from.width);
    }
    const size_t to[2] = {height, width};
    for (int k = 0; k < 2; k++) {
        bilinear->near[k] = calloc(to[k], sizeof *bilinear->near[k]);
        bilinear->far[k] = calloc(to[k], sizeof *bilinear->far[k]);
        bilinear->part[k] = calloc(to[k], sizeof *bilinear->part[k]);
        if (!bilinear->near[k] || !bilinear->far[k] || !bilinear->part[k]) {
            ecc_bilinear_release(bilinear);
            return ecc_fail_memory(error, "resizing images");
        }
    }
    fill(bilinear, 0, from.height, height);
    fill(bilinear, 1, from.width, width);
    return ECC_OK;
}

void ecc_bilinear_release(struct ecc_bilinear *bilinear)
{
    for (int k = 0; k < 2; k++) {
        free(bilinear->near[k]);
        free(bilinear->far[k]);
        free(bilinear->part[k]);
    }
    *bilinear = (struct ecc_bilinear){0};
}

static void fill_row(const struct ecc_bilinear *bilinear, float *y, const float *plane, size_t row,
                     float scale, float shift)
{
    const size_t width = bilinear->from.width;
    const float *const upper = plane + bilinear->near[0][row] * width;
    const float *const lower = plane + bilinear->far[0][row] * width;
    const float down = bilinear->part[0][row];
    for (size_t i = 0; i < bilinear->width; i++) {
        const size_t left = bilinear->near[1][i], right = bilinear->far[1][i];
        const float part = bilinear->part[1][i];
        const float top = upper[left] + part * (upper[right] - upper[left]);
        const float bottom = lower[left] + part * (lower[right] - lower[left]);
        y[i] = scale * (top + down * (bottom - top)) + shift;
    }
}

void ecc_bilinear_run(const struct ecc_bilinear *bilinear, float *y, const float *x, float scale,
                      float shift, int threads)
{
    const size_t channels = bilinear->from.channels, height = bilinear->height;
    const size_t from = bilinear->from.height * bilinear->from.width;
    const size_t to = height * bilinear->width;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t row = 0; row < channels * height; row++) {
        fill_row(bilinear, y + row * bilinear->width, x + row / height * from, row % height, scale,
                 shift);
    }
    for (size_t c = channels; c < 3; c++) memcpy(y + c * to, y, to * sizeof *y);
}
