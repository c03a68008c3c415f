/* svae.h: what the encoder's outputs mean to the hyperspherical VAE. */
#ifndef ECC_METHOD_SVAE_H
#define ECC_METHOD_SVAE_H

#include <stddef.h>

/* Concentrations above this one are drawn as if they were it, and the divergence is continued by
 * its tangent. */
#define ECC_SVAE_MAX_KAPPA 1e6

/* kappa = softplus(output) + 1 at most ECC_SVAE_MAX_KAPPA, how far it is over that, and the
 * derivative by output. */
double ecc_svae_kappa(double *slope, double *over, double output);

/* mu: [m] = outputs / |outputs|; returns the norm. */
double ecc_svae_mean(double *mu, const float *outputs, size_t m);

/* Makes a unit vector of normal numbers: [count]; returns the sum of their squares. */
double ecc_svae_normalize(double *tangent, size_t count);

#endif
