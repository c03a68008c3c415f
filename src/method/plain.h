/*
 * plain.h: regularizers as their definitions say, in double and item by item: the references that
 * the fast ones are tested against.  z: [n, d].
 */
#ifndef ECC_METHOD_PLAIN_H
#define ECC_METHOD_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

double ecc_plain_vicreg(const double *z, size_t n, size_t d, double variance, double covariance);
double ecc_plain_dip(const double *z, size_t n, size_t d, double beside, double diagonal);
double ecc_plain_cosine(const double *z, size_t n, size_t d);
double ecc_plain_mhe(const double *z, size_t n, size_t d, int s, bool half);
double ecc_plain_uniform(const double *z, size_t n, size_t d, double t);
double ecc_plain_cwae(const double *z, size_t n, size_t d);
/* InfoVAE's MMD; prior: [n, d] */
double ecc_plain_info(const double *z, const float *prior, size_t n, size_t d);
/* -entropy + log d of eigenvalues: [d] of the covariance. */
double ecc_plain_evenness(const double *eigenvalues, size_t d);
/* directions: [count, d] */
double ecc_plain_sigreg(const double *z, size_t n, size_t d, const float *directions, size_t count);
/* prior: [n, d]; sorts by insertion in scratch: [2, n]. */
double ecc_plain_swae(const double *z, size_t n, size_t d, const float *directions, size_t count,
                      const float *prior, double *scratch);

#endif
