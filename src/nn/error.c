/* error.c: the mean squared error of the decoder's output, or its cross-entropy, and the
 * gradient. */
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

/* ---- Cross-entropy -------------------------------------------------------------------------- */

/* The natural logarithm of a normal float in (0, 1], within 2e-7: x = 2^e m with m in
 * [sqrt(1/2), sqrt(2)), and log m = 2 artanh((m-1)/(m+1)).  The C library's is not vectorised. */
ECC_INLINE float log_unit(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t biased = (bits - UINT32_C(0x3F3504F3) + (UINT32_C(256) << 23)) >> 23;
    bits -= (biased - 256) << 23;
    float m;
    memcpy(&m, &bits, sizeof m);
    const float s = (m - 1) / (m + 1), z = s * s;
    const float tail = z * (1.0F / 3 + z * (1.0F / 5 + z * (1.0F / 7 + z * (1.0F / 9))));
    return (float)((int32_t)biased - 256) * 0x1.62e43p-1F + 2 * (s + s * tail);
}

/* A pixel that the decoder is sure of, and wrong, adds no more than this logarithm's negative. */
static const float surest = 0x1p-24F;

/* One item in one layout.  *squares: its squared error; returns the sum of -x log y -
 * (1-x) log(1-y), or -1 if a number of x lies outside [0, 1].  dy is the gradient before the
 * sigmoid. */
ECC_MULTIVERSION
static double entropy_same_layout(double *squares, float *restrict dy, const float *restrict y,
                                  const float *restrict x, float factor, size_t count)
{
    double sum = 0, square_sum = 0;
    int outside = 0;
    for (size_t start = 0; start < count; start += 256) {
        const size_t end = count - start < 256 ? count : start + 256;
        float part = 0, square_part = 0;
#pragma omp simd reduction(+ : part, square_part) reduction(| : outside)
        for (size_t k = start; k < end; k++) {
            const float off = y[k] - x[k], no = 1 - y[k];
            const float log_y = log_unit(y[k] > surest ? y[k] : surest);
            const float log_no = log_unit(no > surest ? no : surest);
            part -= x[k] * log_y + (1 - x[k]) * log_no;
            square_part += off * off;
            outside |= !(x[k] >= 0) | !(x[k] <= 1);
        }
        sum += (double)part;
        square_sum += (double)square_part;
        for (size_t k = start; dy && k < end; k++) dy[k] = factor * (y[k] - x[k]);
    }
    *squares = square_sum;
    return outside ? -1 : sum;
}

static double entropy_apart(double *squares, float *dy, const struct ecc_error_pair *p,
                            const float *y, const float *x, float factor)
{
    const struct ecc_map *const y_map = p->y_map;
    double sum = 0;
    bool outside = false;
    *squares = 0;
    if (dy) memset(dy, 0, y_map->item * sizeof *dy);
    for (size_t c = 0; c < y_map->shape.channels; c++) {
        for (size_t k = 0; k < y_map->pixels; k++) {
            const size_t at = ecc_map_offset(y_map, c, k);
            double square;
            const double one = entropy_same_layout(&square, dy ? dy + at : NULL, y + at,
                                                   x + ecc_map_offset(p->x_map, c, k), factor, 1);
            outside |= one < 0;
            sum += one;
            *squares += square;
        }
    }
    return outside ? -1 : sum;
}

double ecc_cross_entropy(double *mean_squared, double *items, double *entropies, float *dy,
                         const struct ecc_error_pair *p, int threads)
{
    const struct ecc_map *const y_map = p->y_map, *const x_map = p->x_map;
    const double count = p->cells ? (double)p->cells : 1;
    const float factor = (float)(1 / count);
    const bool same = y_map->block == x_map->block;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < p->n; i++) {
        float *const d = dy ? dy + i * y_map->item : NULL;
        const float *const y = p->y + i * y_map->item, *const x = p->x + i * x_map->item;
        entropies[i] = same ? entropy_same_layout(&items[i], d, y, x, factor, y_map->item)
                            : entropy_apart(&items[i], d, p, y, x, factor);
    }
    double sum = 0, squares = 0;
    bool outside = false;
    for (size_t i = 0; i < p->n; i++) {
        outside |= entropies[i] < 0;
        sum += entropies[i];
        squares += items[i];
    }
    *mean_squared = squares / count;
    return outside ? -1 : sum / count;
}
