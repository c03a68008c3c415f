/*
 * weights.h: from scaled squared distances x = |z_i - z_j|^2/M to the sum of log(1 + x) and the
 * weights 1/(1 + x), with hardly a logarithm.
 *
 * Products of (1 + x) are kept in double, eight side by side, and one logarithm is taken of each
 * when it might leave the range of a double.  That costs two fused multiply-adds per eight pairs
 * instead of a polynomial, and is accurate to 1e-16 per pair even where 1 + x rounds to 1 in float.
 */
#ifndef ECC_REGULARIZER_WEIGHTS_H
#define ECC_REGULARIZER_WEIGHTS_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>

enum ecc_logsum_mode { ECC_LOGSUM_PRODUCT, ECC_LOGSUM_SERIES, ECC_LOGSUM_EACH };

struct ecc_logsum {
    double lanes[8]; /* the products, or the partial sums */
    double total;
    enum ecc_logsum_mode mode;
    size_t room, left; /* vectors of eight between two logarithms, and until the next */
};

/* No x will be above `largest`.  Tiny ones are summed by x - x^2/2, since a product of them would
 * hardly differ from 1; enormous ones one by one. */
void ecc_logsum_start(struct ecc_logsum *sum, double largest);

/* Brings the total up to date and returns it. */
double ecc_logsum_flush(struct ecc_logsum *sum);

/*
 * One row of pairs.  x: [begin, end), multiples of 8 at most 512 apart; an infinite x marks a pair
 * that takes no part.  Adds their logarithms to `sum`, turns x into weights in place, adds each
 * weight to its column's sum, and returns the sum of the row.
 */
float ecc_row_weights(float *restrict x, float *restrict column, struct ecc_logsum *sum,
                      size_t begin, size_t end);

#endif
