/*
 * stationary.h: the equation of Theorem 1, solved.
 *
 * Let t = (1 + cos theta)/2, which follows Beta((d+1)/2, (d-1)/2) under the weight of the theorem,
 * and s = 4 rho^2 / M.  The theorem's expression is 2 E[1/(1+st)], so it asks for
 *     1 / E[1/(1+st)] = 2 mu,  or with  R(s) = 1/E[1/(1+st)] - 1:  R(s) = 2 mu - 1.
 * R is increasing and concave with R(0) = 0 and a slope that falls from (d+1)/(2d) to 1/2, so the
 * solution exists and is unique for every mu > 1/2 and lies between (2 mu - 1) 2d/(d+1) and
 * 2 (2 mu - 1).  In the paper's letters a = M/(2 rho^2) = 2/s, so a_0 (2 mu - 1) is in (1, 1+1/d).
 */
#ifndef ECC_THEORY_STATIONARY_H
#define ECC_THEORY_STATIONARY_H

#include <stddef.h>

enum { ECC_STATIONARY_TERMS = 512 };

/* The continued fraction of R for one d; its coefficients are computed when first needed, so each
 * thread must have its own. */
struct ecc_stationary {
    double b, c; /* E[1/(1+st)] = 2F1(1, b; c; -s) */
    size_t known;
    double k[ECC_STATIONARY_TERMS];
};

/* d >= 2 */
void ecc_stationary_init(struct ecc_stationary *equation, size_t d);

/* R(s)/s for s >= 0, between 1/2 and (d+1)/(2d), to nearly full precision. */
double ecc_stationary_ratio(struct ecc_stationary *equation, double s);

/* The s with R(s) = excess, where excess = 2 mu - 1 > 0, starting from `guess`, or from a good
 * first guess if that is not positive.  NaN if the iteration did not converge. */
double ecc_stationary_solve(struct ecc_stationary *equation, double excess, double guess);

#endif
