/*
 * spherical.h: distributions on the unit sphere of R^m around a mean direction mu, as posteriors of
 * a hyperspherical VAE: von Mises-Fisher, with density proportional to exp(kappa w) for the cosine
 * w = <mu, z>, and power spherical (De Cao & Aziz, 2020), proportional to (1 + w)^kappa.
 */
#ifndef ECC_REGULARIZER_SPHERICAL_H
#define ECC_REGULARIZER_SPHERICAL_H

#include "math/quadrature.h"

#include <stdint.h>

struct ecc_spherical {
    bool power;        /* power spherical instead of von Mises-Fisher */
    double m, kappa;   /* m >= 2, kappa > 0 */
    double mean;       /* of w, or of log((1 + w) / 2) */
    double log_factor; /* log density = log_factor + kappa w, or + kappa log(1 + w) */
    double kl, slope;  /* divergence from the uniform distribution, and its derivative by kappa */
};

struct ecc_spherical ecc_spherical_of(bool power, size_t m, double kappa);

/* Where the random numbers come from: those of `item` depend on nothing but these. */
struct ecc_spherical_source {
    uint64_t seed, height, gamma; /* two streams */
    uint64_t item;
    double squares; /* of the m - 1 normal numbers that give the direction around mu */
};

/* Draws 1 - w, by Ulrich's and Wood's rejection, or for m = 3 by the inverse of its distribution.
 * *path receives dw/dkappa along the draw, which leaves out that acceptance depends on kappa, as
 * the authors of the hyperspherical VAE do: a biased estimate unless m = 3.  NaN for power. */
double ecc_spherical_draw(const struct ecc_spherical *s, double *path,
                          const struct ecc_spherical_source *source);

/* dw/dkappa at fixed probability, -(dF/dkappa) / f, given 1 - w: the unbiased one.  rule: of
 * Gauss and Legendre. */
double ecc_spherical_implicit(const struct ecc_spherical *s, const struct ecc_quadrature *rule,
                              double gap);

/* z: [m] at cosine 1 - gap from mu, in the direction of tangent: [m - 1], both unit vectors: by a
 * reflection that takes an axis to mu.  And back: adds to dmu: [m] the gradient that follows from
 * dz: [m], and returns that with respect to the cosine. */
void ecc_spherical_place(double *z, const double *mu, const double *tangent, double gap, size_t m);
double ecc_spherical_pull(double *dmu, const float *dz, const double *mu, const double *tangent,
                          double gap, size_t m);

/* The logarithm of the sphere's surface. */
double ecc_spherical_log_area(double m);

#endif
