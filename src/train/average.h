/*
 * average.h: the mean of the weights over the last part of a training, however long that becomes.
 *
 * At a constant rate weights go on swinging around what they are looking for, and their mean lies
 * nearer to it than they do.  The look number k counts with k^(1/share - 1): after n looks their
 * mean age is about share * n, and nothing needs to know n beforehand.
 */
#ifndef ECC_TRAIN_AVERAGE_H
#define ECC_TRAIN_AVERAGE_H

#include "base/status.h"

enum { ECC_AVERAGE_STEPS = 10 }; /* of training between two looks */

struct ecc_average {
    double share;   /* 0: no average is kept */
    uint64_t looks; /* so far */
    size_t size;
    float *mean; /* [size] */
    float *work; /* [size], for the caller between calls */
};

enum ecc_status ecc_average_init(struct ecc_average *average, double share, size_t size,
                                 struct ecc_error *error);
void ecc_average_release(struct ecc_average *average);

/* weights: [size] */
void ecc_average_add(struct ecc_average *average, const float *weights);

#endif
