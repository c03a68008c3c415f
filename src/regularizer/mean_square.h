/* mean_square.h: the mean of z^2 over a batch, which all forms of RAE share. */
#ifndef ECC_REGULARIZER_MEAN_SQUARE_H
#define ECC_REGULARIZER_MEAN_SQUARE_H

#include "regularizer/regularizer.h"

/* A plan for it: `state` of a regularizer that has no other; freed by free. */
struct ecc_mean_square {
    size_t n_max, d;
};

/* As `evaluate` of a regularizer whose state begins with a struct ecc_mean_square. */
enum ecc_status ecc_mean_square_evaluate(void *state, struct ecc_regularizer_value *value,
                                         float *dz, const float *z, size_t n, uint64_t step,
                                         struct ecc_error *error);

#endif
