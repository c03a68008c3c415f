/*
 * log_sum.h: from scaled squared distances x = |z_i - z_j|^2/M to the sum of log(1 + x), with few
 * logarithms, and to the weights 1/(1 + x).
 *
 * Products of (1 + x) are kept in double, eight side by side, and the logarithm of each is taken
 * only when it might leave the range of a double.  That costs two fused multiply-adds per eight
 * pairs instead of a polynomial, and is accurate to 1e-16 per pair even where 1 + x rounds to 1 in
 * float.
 *
 * Rows are arrays of pairs from `begin` to `end`, multiples of 8; an infinite x marks a pair that
 * does not count: it adds no logarithm and has weight 0.
 */
#ifndef ECC_REGULARIZER_LOG_SUM_H
#define ECC_REGULARIZER_LOG_SUM_H

#include "base/compiler.h"
#include "regularizer/pair_law.h"

#include <float.h>

/* Whether all x are so small that the excess x - log(1 + x) is summed instead of the logarithm. */
bool ecc_logsum_is_excess(double largest);

/* No finite x will be above `largest`, itself below 1e38. */
void ecc_logsum_start(struct ecc_pair_sum *sum, double largest, double factor);
void ecc_logsum_add(struct ecc_pair_sum *sum, const float *x, size_t begin, size_t end);
/* Brings the total up to date and returns it. */
double ecc_logsum_flush(struct ecc_pair_sum *sum);

/* Eight products, as two vectors, times 1 + x factor; infinite x do not count. */
ECC_INLINE void ecc_logsum_multiply(ecc_d4 *low, ecc_d4 *high, ecc_f8 x, double factor)
{
    union {
        ecc_f8 whole;
        ecc_f4 half[2];
    } parts;
    for (int lane = 0; lane < 8; lane++) parts.whole[lane] = x[lane] <= FLT_MAX ? x[lane] : 0;
    *low += *low * (__builtin_convertvector(parts.half[0], ecc_d4) * factor);
    *high += *high * (__builtin_convertvector(parts.half[1], ecc_d4) * factor);
}

/* Turns x into weights in place. */
void ecc_row_weights(float *x, size_t begin, size_t end);

/* The same, adding each weight to its column's sum; returns the sum of the row. */
float ecc_row_weights_summed(float *restrict x, float *restrict column, size_t begin, size_t end);

extern const struct ecc_pair_law ecc_law_log; /* all of these */

#endif
