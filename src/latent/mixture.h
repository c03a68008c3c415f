/*
 * mixture.h: a Gaussian mixture with full covariances, fitted to latents by EM.
 *
 * Starts from k-means++ and a few rounds of k-means; in double, by log-sum-exp; covariances are
 * kept away from singular by a small share of the data's variance on their diagonals.  The number
 * of Gaussians is given, or chosen by the Bayesian information criterion (BIC).  The same seed
 * gives the same mixture, whatever the thread count.
 */
#ifndef ECC_LATENT_MIXTURE_H
#define ECC_LATENT_MIXTURE_H

#include "base/status.h"

struct ecc_mixture {
    size_t k, d;
    double *weights; /* [k], falling */
    double *means;   /* [k, d] */
    double *factors; /* [k, d, d], lower Cholesky factors of the covariances */

    double log_likelihood; /* mean of an item's, of those it was fitted to */
    double bic;            /* smaller is better */
    size_t iterations;
    bool converged;
};

struct ecc_mixture_options {
    size_t k;         /* Gaussians; 0: chosen by BIC */
    size_t k_max;     /* the most to try then; default 32 */
    size_t starts;    /* the best of so many; default 1 */
    size_t rounds;    /* of EM at most; default 200 */
    double tolerance; /* ends when an item's log-likelihood rises by less; default 1e-3 */
    double floor;     /* on the diagonals, as a share of the data's mean variance; default 1e-6 */
    size_t items;     /* fitted to at most so many, drawn at random; 0: all; default 50,000 */
    uint64_t seed;
    /* After each round of EM; may be NULL.  Returning false ends with ECC_INTERRUPTED. */
    bool (*on_round)(void *context, size_t k, size_t round, double log_likelihood);
    void *context;
};

struct ecc_mixture_options ecc_mixture_defaults(void);

/* z: [n, d] */
enum ecc_status ecc_mixture_fit(struct ecc_mixture *mixture, const float *z, size_t n, size_t d,
                                const struct ecc_mixture_options *options, struct ecc_error *error);
void ecc_mixture_release(struct ecc_mixture *mixture);

/* *mean: of the log-likelihoods of z: [n, d]. */
enum ecc_status ecc_mixture_score(const struct ecc_mixture *mixture, double *mean, const float *z,
                                  size_t n, struct ecc_error *error);

/* ---- Shared by the files of the mixture ----------------------------------------------------- */

enum ecc_status ecc_mixture_init(struct ecc_mixture *mixture, size_t k, size_t d,
                                 struct ecc_error *error);

/* Sums of one pass over the data, of responsibilities: [k], responsibilities times (z - mean):
 * [k, d], and of their products: [k, d, d] upper triangles. */
struct ecc_mixture_sums {
    double *counts, *firsts, *seconds;
    double log_likelihood;
};

/* centres: [k, d] by k-means++ and k-means; groups: [n] the nearest of them. */
enum ecc_status ecc_mixture_start(double *centres, uint32_t *groups, const float *z, size_t n,
                                  size_t d, size_t k, uint64_t seed, struct ecc_error *error);

/* Expectation and the sums for maximisation, in one pass; groups, if given, replace the
 * expectation: each item belongs to one. */
enum ecc_status ecc_mixture_pass(const struct ecc_mixture *mixture, struct ecc_mixture_sums *sums,
                                 const uint32_t *groups, const float *z, size_t n,
                                 struct ecc_error *error);

#endif
