/*
 * bessel.h: modified Bessel functions of the first kind as densities on spheres need them, and the
 * derivatives of log Gamma: stable for every order and argument.
 */
#ifndef ECC_MATH_BESSEL_H
#define ECC_MATH_BESSEL_H

/* I_{nu+1}(x) / I_nu(x), for nu >= 0 and x > 0; *log_i (unless NULL) receives log I_nu(x). */
double ecc_bessel_ratio(double *log_i, double nu, double x);

/* The first two derivatives of log Gamma, for x > 0. */
double ecc_digamma(double x);
double ecc_trigamma(double x);

#endif
