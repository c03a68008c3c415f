/*
 * moments.h: mean and covariance of the latents over the last hundred batches or so.
 *
 * The covariance of one batch is mostly noise: a standard normal of 100 items in 8 dimensions has
 * eccentricity 0.3.  Here older batches fade exponentially, and the noise that is left is taken out
 * of the eccentricity.
 */
#ifndef ECC_TRAIN_MOMENTS_H
#define ECC_TRAIN_MOMENTS_H

#include "base/status.h"

/* A checkpoint holds the weights and the state. */
struct ecc_moments {
    size_t d;
    double keep;   /* share of the past that each new batch leaves */
    double weight; /* of all items so far, faded; and of their squares, for the noise */
    double weight_squares;
    double *state; /* [d + d * d]: faded sums of z and of z z^T */
    double *work;  /* [d * d + d] */
};

/* `window`: batches that count. */
enum ecc_status ecc_moments_init(struct ecc_moments *moments, size_t d, double window,
                                 struct ecc_error *error);
void ecc_moments_release(struct ecc_moments *moments);

/* z: [n, d] */
void ecc_moments_add(struct ecc_moments *moments, const float *z, size_t n);

/* Trace of the covariance, and its eccentricity less the noise of finitely many items. */
enum ecc_status ecc_moments_spectrum(struct ecc_moments *moments, double *trace,
                                     double *eccentricity, struct ecc_error *error);

#endif
