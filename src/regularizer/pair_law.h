/*
 * pair_law.h: what two items cost, as a function of x = |z_i - z_j|^2/M: its sum f over rows of
 * pairs, and the weights w of the forces w (z_i - z_j).
 *
 *     law             f(x)            w(x)             derivative of f with respect to z_i
 *     log             log(1 + x)      1/(1 + x)        2/M w (z_i - z_j)
 *     root            (1 + x)^-1/2    (1 + x)^-3/2     -1/M w (z_i - z_j)
 *     inverse         1/(1 + x)       1/(1 + x)^2      -2/M w (z_i - z_j)
 *     exponential     exp(-x)         exp(-x)          -2/M w (z_i - z_j)
 *
 * Rows are arrays of pairs from `begin` to `end`, multiples of 8; an infinite x marks a pair that
 * does not count: it adds nothing and has weight 0.
 */
#ifndef ECC_REGULARIZER_PAIR_LAW_H
#define ECC_REGULARIZER_PAIR_LAW_H

#include <stdbool.h>
#include <stddef.h>

/* A sum on its way. */
struct ecc_pair_sum {
    double lanes[8]; /* sums; of the log, products or sums of the excess */
    double total;
    double factor;     /* each x is multiplied by this, which is 1 except for rounding */
    bool excess;       /* x - log(1 + x) is summed instead */
    size_t room, left; /* vectors of eight between two logarithms, and until the next */
};

struct ecc_pair_law {
    /* No finite x will be above `largest`, itself below 1e38. */
    void (*start)(struct ecc_pair_sum *sum, double largest, double factor);
    void (*add)(struct ecc_pair_sum *sum, const float *x, size_t begin, size_t end);
    /* Brings the total up to date and returns it. */
    double (*flush)(struct ecc_pair_sum *sum);
    /* Turns x into weights in place. */
    void (*weights)(float *x, size_t begin, size_t end);
    /* The same, adding each weight to its column's sum; returns the sum of the row. */
    float (*weights_summed)(float *restrict x, float *restrict column, size_t begin, size_t end);
};

extern const struct ecc_pair_law ecc_law_root, ecc_law_inverse, ecc_law_exponential;

#endif
