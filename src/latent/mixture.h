/*
 * mixture.h: what the files of the Gaussian mixture (eccentric.h) share.
 *
 * EM starts from k-means++ and a few rounds of k-means; in double, by log-sum-exp; a small share of
 * the data's variance on their diagonals keeps covariances from becoming singular.
 */
#ifndef ECC_LATENT_MIXTURE_H
#define ECC_LATENT_MIXTURE_H

#include "base/status.h"

/* Sums of one pass over the data, of responsibilities: [k], responsibilities times (z - mean):
 * [k, d], and of their products: [k, d, d] upper triangles. */
struct ecc_mixture_sums {
    double *counts, *firsts, *seconds;
    double log_likelihood;
};

/* The means of the mixture by k-means++ and k-means; groups: [n] the nearest of them. */
enum ecc_status ecc_mixture_start(struct ecc_mixture *mixture, uint32_t *groups, const float *z,
                                  size_t n, uint64_t seed, struct ecc_error *error);

/* Expectation and the sums for maximisation, in one pass; groups, if given, replace the
 * expectation: each item belongs to one of them. */
enum ecc_status ecc_mixture_pass(const struct ecc_mixture *mixture, struct ecc_mixture_sums *sums,
                                 const uint32_t *groups, const float *z, size_t n,
                                 struct ecc_error *error);

#endif
