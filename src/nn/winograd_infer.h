/*
 * winograd_infer.h: convolution with bias and ReLU by tiles with few multiplications, for
 * inference, one image at a time, in blocks of 8 channels.
 */
#ifndef ECC_NN_WINOGRAD_INFER_H
#define ECC_NN_WINOGRAD_INFER_H

#include "nn/dnn.h"
#include "nn/winograd_shape.h"

struct ecc_winograd_infer {
    struct ecc_winograd_shape shape;
    size_t weights, scratch; /* floats: of the transformed weights; of a thread */
};

/* False if this is not available, or not faster than a direct convolution. */
bool ecc_winograd_infer_plan(struct ecc_winograd_infer *plan, const struct ecc_conv_shape *shape);

/* weights: [plan->weights] of kernel: [outputs, inputs, taps, taps]; room: as large as kernel. */
void ecc_winograd_infer_weights(const struct ecc_winograd_infer *plan, float *weights,
                                const float *kernel, float *room);

/* scratch: [threads, plan->scratch] */
void ecc_winograd_infer_run(const struct ecc_winograd_infer *plan, float *out, const float *in,
                            const float *weights, const float *bias, float *scratch, int threads);

#endif
