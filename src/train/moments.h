/*
 * moments.h: mean and covariance of the latents over about the last hundred batches.
 *
 * The covariance of one batch is mostly noise: a standard normal of 100 items in 8 dimensions has
 * eccentricity 0.3.  Here older batches decay exponentially, and the remaining noise is subtracted
 * from the eccentricity.
 */
#ifndef ECC_TRAIN_MOMENTS_H
#define ECC_TRAIN_MOMENTS_H

#include "base/status.h"

/* A checkpoint saves the weights and the state. */
struct ecc_moments {
    size_t d;
    double keep; /* share of the past that each new batch keeps */
    double
        weight; /* sum of the decayed weights of all items; and of their squares, for the noise */
    double weight_squares;
    double *state; /* [d + d * d]: decayed sums of z and of z z^T */
    double *work;  /* [d + d * d + room]: eigenvalues, covariance, and what LAPACK needs */
    size_t room;
};

/* window: number of batches that count. */
enum ecc_status ecc_moments_init(struct ecc_moments *moments, size_t d, double window,
                                 struct ecc_error *error);
void ecc_moments_release(struct ecc_moments *moments);

/* z: [n, d] */
void ecc_moments_add(struct ecc_moments *moments, const float *z, size_t n);

/* Trace of the covariance, and its eccentricity without the noise of a finite sample. */
enum ecc_status ecc_moments_spectrum(struct ecc_moments *moments, double *trace,
                                     double *eccentricity, struct ecc_error *error);

#endif
