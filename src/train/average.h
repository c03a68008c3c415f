/*
 * average.h: the mean of the weights over the last part of training, of any length.
 *
 * At a constant rate the weights keep oscillating around the optimum, and their mean is closer to
 * it than they are.  Sample k of the weights counts with k^(1/share - 1): after n samples their
 * mean age is about share * n, and n need not be known in advance.
 */
#ifndef ECC_TRAIN_AVERAGE_H
#define ECC_TRAIN_AVERAGE_H

#include "base/status.h"

enum { ECC_AVERAGE_STEPS = 10 }; /* of training between two samples */

struct ecc_average {
    double share;   /* 0: no average */
    uint64_t looks; /* samples taken so far */
    size_t size;
    float *mean; /* [size] */
    float *work; /* [size], free for the caller to use between calls */
};

enum ecc_status ecc_average_init(struct ecc_average *average, double share, size_t size,
                                 struct ecc_error *error);
void ecc_average_release(struct ecc_average *average);

/* weights: [size] */
void ecc_average_add(struct ecc_average *average, const float *weights);

#endif
