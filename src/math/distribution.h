/* distribution.h: quantiles of the F distribution, and of samples. */
#ifndef ECC_MATH_DISTRIBUTION_H
#define ECC_MATH_DISTRIBUTION_H

#include <stddef.h>

/* The regularised incomplete beta function I_x(a, b); a, b > 0, x from 0 to 1. */
double ecc_beta_share(double a, double b, double x);

/* The value that a variable with the F distribution of these degrees of freedom stays below with
 * the given probability, from 0 to 1 (both excluded). */
double ecc_f_quantile(double probability, double above, double below);

/* The quantile of values: [n], which get sorted: the straight line between neighbours, as NumPy's
 * and R's default.  NaN if n is 0. */
double ecc_sample_quantile(double *values, size_t n, double probability);

#endif
