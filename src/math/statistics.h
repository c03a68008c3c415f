/* statistics.h: mean and covariance of latents, and what the spectrum of the covariance says. */
#ifndef ECC_MATH_STATISTICS_H
#define ECC_MATH_STATISTICS_H

#include "base/status.h"

/*
 * Mean: [d] and covariance: [d, d] (divided by n, both triangles filled) of z: [n, d], in double.
 * Two passes, so latents far from the origin lose no digits.  The same input gives the same bytes
 * with any number of threads.  covariance may be NULL if only the mean is needed.  Fails with
 * ECC_BAD_ARGUMENT (n or d is 0), ECC_BAD_DATA (NaN, infinite; the sentence says where) or
 * ECC_NO_MEMORY.
 */
enum ecc_status ecc_mean_covariance(double *mean, double *covariance, const float *z, size_t n,
                                    size_t d, struct ecc_error *error);

/* Mean and standard deviation (divided by n, not n - 1) of x: [n], n >= 1. */
void ecc_mean_deviation(double *mean, double *deviation, const double *x, size_t n);

/* The square root of the sum of squares of x: [count], and its mean over the rows of z: [n, d]. */
double ecc_root_sum_squares(const float *x, size_t count);
double ecc_mean_length(const float *z, size_t n, size_t d);

/* Of covariance eigenvalues: [d], in any order: */
double ecc_spectrum_trace(const double *eigenvalues, size_t d);

/* their standard deviation (divided by d) over their mean; 0 for a sphere, NaN if all are 0; */
double ecc_spectrum_eccentricity(const double *eigenvalues, size_t d);

/* exp of the entropy of eigenvalues / trace: d for a sphere, 1 for a line.  Eigenvalues that
 * rounding made negative count as 0. */
double ecc_spectrum_effective_rank(const double *eigenvalues, size_t d);

#endif
