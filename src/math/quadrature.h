/* quadrature.h: expectations over the angle between two random points of a sphere, and similar
 * ones. */
#ifndef ECC_MATH_QUADRATURE_H
#define ECC_MATH_QUADRATURE_H

#include "base/status.h"

/* Nodes in (-1, 1), ascending, and weights that sum to 1. */
struct ecc_quadrature {
    size_t n;
    double *node, *weight;
};

/*
 * Gauss-Jacobi: the mean of a function under the density proportional to (1-x)^alpha (1+x)^beta,
 * exact for polynomials up to degree 2n - 1.  alpha, beta > -1.  Takes O(n^2) steps.  The cosine
 * between two random directions in R^d has alpha = beta = (d-3)/2.
 */
enum ecc_status ecc_quadrature_jacobi_init(struct ecc_quadrature *rule, size_t n, double alpha,
                                           double beta, struct ecc_error *error);
void ecc_quadrature_release(struct ecc_quadrature *rule);

/* The mean of f(x) under the rule. */
double ecc_quadrature_mean(const struct ecc_quadrature *rule, double (*f)(double x, void *context),
                           void *context);

/*
 * The mean of f(t) for t with the density proportional to t^(p-1) (1-t)^(q-1) on (0, 1), p, q > 0:
 * Beta(p, q).  By the trapezoid rule in log(t/(1-t)), where a singularity of f at any t <= 0 or
 * t >= 1 (1/(1+st), log(1+st)) stays a distance pi away from the real line: some 40 evaluations for
 * large p and q, 1,000 for p = q = 1/2, give full precision, where Gauss-Jacobi would need 100,000
 * nodes for large s.  f must not grow faster than log t near 0, or log(1-t) near 1.  The relative
 * error is about 1e-14 + 1e-15 max(p, q)/min(p, q).
 */
double ecc_quadrature_beta_mean(double p, double q, double (*f)(double t, void *context),
                                void *context);

#endif
