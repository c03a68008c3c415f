/* wide_passes.h: the passes of a convolution with many channels, by tiles. */
#ifndef ECC_NN_WIDE_PASSES_H
#define ECC_NN_WIDE_PASSES_H

#include "nn/wide_shape.h"

/* What a run reads and makes; what is NULL is neither. */
struct ecc_wide_run {
    const float *big, *small;   /* images that are read, for spread, gather and weights, */
    float *big_out, *small_out; /* made by spread and by gather, */
    const float *weights;       /* with these, */
    float *dweights;            /* and the gradient of the weights */
    float *scratch;             /* [ecc_wide_scratch] */
    size_t items;
};

/* weights: [phase, small_chunks, big_width, taps, taps, row]: what is transformed together lies
 * together. */
size_t ecc_wide_weights(const struct ecc_wide_shape *shape);
size_t ecc_wide_weight_row(const struct ecc_wide_shape *shape);
size_t ecc_wide_scratch(const struct ecc_wide_shape *shape); /* floats */

/* The same bytes for any number of threads: no sum is shared between them. */
void ecc_wide_run(const struct ecc_wide_shape *shape, const struct ecc_wide_run *run);

#endif
