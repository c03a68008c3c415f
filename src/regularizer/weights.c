/* weights.c: from scaled squared distances to the sum of log(1 + x) and the weights 1/(1 + x). */
#include "regularizer/weights.h"

#include <float.h>
#include <math.h>

enum { LARGEST_RUN = 64 }; /* vectors that may be added between two looks at the room left */

void ecc_logsum_start(struct ecc_logsum *sum, double largest)
{
    const double bits = log2(1.0 + largest);
    sum->mode = largest < 1e-5                ? ECC_LOGSUM_SERIES
                : bits < 1000.0 / LARGEST_RUN ? ECC_LOGSUM_PRODUCT
                                              : ECC_LOGSUM_EACH;
    const bool product = sum->mode == ECC_LOGSUM_PRODUCT;
    for (int lane = 0; lane < 8; lane++) sum->lanes[lane] = product ? 1.0 : 0.0;
    sum->total = 0;
    sum->room = product && bits > 1e-3 ? (size_t)(1000.0 / bits) : 1000000;
    sum->left = sum->room;
}

double ecc_logsum_flush(struct ecc_logsum *sum)
{
    const bool product = sum->mode == ECC_LOGSUM_PRODUCT;
    for (int lane = 0; lane < 8; lane++) {
        sum->total += product ? log(sum->lanes[lane]) : sum->lanes[lane];
        sum->lanes[lane] = product ? 1.0 : 0.0;
    }
    sum->left = sum->room;
    return sum->total;
}

/* x, with pairs that take no part as 0, in two halves of double. */
ECC_INLINE void widen(ecc_d4 *low, ecc_d4 *high, ecc_f8 x)
{
    union {
        ecc_f8 whole;
        ecc_f4 half[2];
    } parts;
    for (int lane = 0; lane < 8; lane++) parts.whole[lane] = x[lane] <= FLT_MAX ? x[lane] : 0;
    *low = __builtin_convertvector(parts.half[0], ecc_d4);
    *high = __builtin_convertvector(parts.half[1], ecc_d4);
}

/* The rare ways to add logarithms, for latents that are all but equal or enormously far apart. */
static void add_rare_logs(struct ecc_logsum *sum, const float *x, size_t begin, size_t end)
{
    for (size_t j = begin; j < end; j++) {
        const double value = x[j] <= FLT_MAX ? (double)x[j] : 0.0;
        sum->lanes[j % 8] +=
            sum->mode == ECC_LOGSUM_SERIES ? value - 0.5 * value * value : log1p(value);
    }
}

ECC_MULTIVERSION
static void add_logs(struct ecc_logsum *sum, const float *restrict x, size_t begin, size_t end)
{
    ecc_d4 low = *(const ecc_d4 *)sum->lanes, high = *(const ecc_d4 *)(sum->lanes + 4);
    for (size_t j = begin; j < end; j += 8) {
        ecc_d4 x_low, x_high;
        widen(&x_low, &x_high, ecc_load8(x + j));
        low += low * x_low;
        high += high * x_high;
    }
    *(ecc_d4 *)sum->lanes = low;
    *(ecc_d4 *)(sum->lanes + 4) = high;
}

ECC_MULTIVERSION
static float make_weights(float *restrict x, float *restrict column, size_t begin, size_t end)
{
    ecc_f8 row = {0};
    for (size_t j = begin; j < end; j += 8) {
        const ecc_f8 w = 1.0F / (1.0F + ecc_load8(x + j));
        ecc_store8(x + j, w);
        ecc_store8(column + j, ecc_load8(column + j) + w);
        row += w;
    }
    return ecc_add_lanes8(row);
}

float ecc_row_weights(float *restrict x, float *restrict column, struct ecc_logsum *sum,
                      size_t begin, size_t end)
{
    const size_t vectors = (end - begin) / 8;
    if (sum->left < vectors) ecc_logsum_flush(sum);
    sum->left -= vectors;
    if (sum->mode == ECC_LOGSUM_PRODUCT) {
        add_logs(sum, x, begin, end);
    } else {
        add_rare_logs(sum, x, begin, end);
    }
    return make_weights(x, column, begin, end);
}
