/* stationary.c: Theorem 1 by a continued fraction and Newton's method. */
#include "theory/stationary.h"

#include "math/quadrature.h"

#include <math.h>

enum { CHUNK = 4 }; /* terms between two checks of convergence; divides ECC_STATIONARY_TERMS */

static const double fraction_tolerance = 4e-15;
static const double fraction_largest = 1e30; /* of s: CHUNK factors of it stay in range */

void ecc_stationary_init(struct ecc_stationary *equation, size_t d)
{
    equation->b = ((double)d + 1) / 2;
    equation->c = (double)d;
    equation->known = 0;
}

/*
 * Gauss's fraction for a quotient of hypergeometric functions, with numerator parameter 1:
 * 2F1(1, b; c; -s) = 1/(1 + k1 s/(1 + k2 s/(1 + ...))), hence R(s) = k1 s/(1 + k2 s/(1 + ...)).
 */
static void compute_coefficients(struct ecc_stationary *equation, size_t count)
{
    double b = equation->b, c = equation->c;
    for (size_t i = equation->known; i < count; i++) {
        size_t half = (i + 1) / 2; /* k[i] is k_{i+1} */
        double n = (double)half;
        double m = c - 1 + (double)i; /* c - 1 + 2n, or c - 2 + 2n */
        double top = i % 2 == 0 ? (b + n) * (c - 1 + n) : n * (c - b + n - 1);
        equation->k[i] = top / (m * (m + 1));
    }
    if (count > equation->known) equation->known = count;
}

/*
 * R(s)/s = k1 / D with D = 1 + k2 s/(1 + k3 s/(1 + ...)), by the forward recurrence of numerators p
 * and denominators q.  Everything is positive, so nothing cancels, and D lies between any two
 * successive convergents, so their agreement proves the precision.  NaN if that is not reached.
 */
static double ratio_by_fraction(struct ecc_stationary *equation, double s)
{
    double p0 = 1, p1 = 1, q0 = 0, q1 = 1;
    for (size_t i = 0; i < ECC_STATIONARY_TERMS; i += CHUNK) {
        if (equation->known < i + CHUNK) compute_coefficients(equation, i + CHUNK);
        for (size_t j = i > 0 ? i : 1; j < i + CHUNK; j++) {
            double ks = equation->k[j] * s;
            double p2 = p1 + ks * p0, q2 = q1 + ks * q0;
            p0 = p1, p1 = p2;
            q0 = q1, q1 = q2;
        }
        double left = p1 * q0, right = p0 * q1;
        if (fabs(left - right) <= fraction_tolerance * right) return equation->k[0] * q1 / p1;
        double scale = 1 / q1;
        p0 *= scale, p1 *= scale, q0 *= scale, q1 = 1;
    }
    return (double)NAN;
}

static double reciprocal(double t, void *s)
{
    return 1 / (1 + *(const double *)s * t);
}

static double reciprocal_t(double t, void *s)
{
    return t / (1 + *(const double *)s * t);
}

/* R(s)/s = E[t/(1+st)] / E[1/(1+st)], for small d with large mu, where the fraction is slow. */
static double ratio_by_quadrature(const struct ecc_stationary *equation, double s)
{
    double p = equation->b, q = equation->c - equation->b;
    return ecc_quadrature_beta_mean(p, q, reciprocal_t, &s) /
           ecc_quadrature_beta_mean(p, q, reciprocal, &s);
}

double ecc_stationary_ratio(struct ecc_stationary *equation, double s)
{
    double ratio = s < fraction_largest ? ratio_by_fraction(equation, s) : (double)NAN;
    return isnan(ratio) ? ratio_by_quadrature(equation, s) : ratio;
}

/*
 * dR/ds from z(1-z) F' = (c-1) - (c-1-bz) F, the equation of first order that F = 2F1(1, b; c; z)
 * satisfies, with 1 + R = 1/F.  For very large d the difference loses digits; the bounds on the
 * slope, which are exact, keep it usable.
 */
static double slope(const struct ecc_stationary *equation, double s, double ratio)
{
    double b = equation->b, c = equation->c;
    double value = (1 + ratio * s) / (1 + s) * (b - (c - 1) * ratio);
    return fmin(fmax(value, 0.5), b / c);
}

double ecc_stationary_solve(struct ecc_stationary *equation, double excess, double guess)
{
    /* The paper's a_1, with d for d - 1, is within the bounds that the slope sets for a_0. */
    double s = guess > 0 ? guess : 2 * excess / (1 + 1 / ((excess + 1) * equation->c));
    /* Newton's method.  Any slope between 1/2 and 3/4 would at least halve the error, so no bracket
     * is needed; and once a step is relatively below 1e-8 the next would be below rounding. */
    for (int i = 0; i < 100; i++) {
        double ratio = ecc_stationary_ratio(equation, s);
        double step = (excess - ratio * s) / slope(equation, s, ratio);
        s += step;
        if (fabs(step) <= 1e-8 * s) return s;
    }
    return (double)NAN;
}
