/* error.c: the mean squared error of the decoder's output, and its gradient. */
#include "base/compiler.h"
#include "nn/plan.h"

#include <string.h>

/* For `count` numbers in the same layout in y and x; dy may be NULL. */
ECC_MULTIVERSION
static double error_same_layout(float *restrict dy, const float *restrict y,
                                const float *restrict x, float factor, size_t count)
{
    double sum = 0;
    for (size_t start = 0; start < count; start += 256) {
        const size_t end = count - start < 256 ? count : start + 256;
        float part = 0;
#pragma omp simd reduction(+ : part)
        for (size_t k = start; k < end; k++) {
            const float off = y[k] - x[k];
            part += off * off;
        }
        sum += (double)part;
        for (size_t k = start; dy && k < end; k++) dy[k] = factor * (y[k] - x[k]);
    }
    return sum;
}

static double error_apart(float *dy, const float *y, const struct ecc_map *y_map, const float *x,
                          const struct ecc_map *x_map, float factor)
{
    double sum = 0;
    if (dy) memset(dy, 0, y_map->item * sizeof *dy);
    for (size_t c = 0; c < y_map->shape.channels; c++) {
        for (size_t p = 0; p < y_map->pixels; p++) {
            const size_t at = ecc_map_offset(y_map, c, p);
            const float off = y[at] - x[ecc_map_offset(x_map, c, p)];
            sum += (double)(off * off);
            if (dy) dy[at] = factor * off;
        }
    }
    return sum;
}

/* Vectors with missing numbers. */
static double error_with_gaps(float *dy, const float *y, const float *x, const uint8_t *present,
                              float factor, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        const float off = present[k] ? y[k] - x[k] : 0;
        sum += (double)(off * off);
        if (dy) dy[k] = factor * off;
    }
    return sum;
}

double ecc_squared_error(double *items, float *dy, const struct ecc_error_pair *p, int threads)
{
    const struct ecc_map *const y_map = p->y_map, *const x_map = p->x_map;
    const double count = p->cells ? (double)p->cells : 1;
    const float factor = (float)(2 / count);
    const bool same = y_map->block == x_map->block;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < p->n; i++) {
        float *const d = dy ? dy + i * y_map->item : NULL;
        const float *const y = p->y + i * y_map->item, *const x = p->x + i * x_map->item;
        if (p->present) {
            items[i] = error_with_gaps(d, y, x, p->present + i * x_map->item, factor, y_map->item);
        } else {
            items[i] = same ? error_same_layout(d, y, x, factor, y_map->item)
                            : error_apart(d, y, y_map, x, x_map, factor);
        }
    }
    double sum = 0;
    for (size_t i = 0; i < p->n; i++) sum += items[i];
    return sum / count;
}
