/*
 * decoder_passes.h: more passes through the decoder within a step, for penalties that need them.
 *
 * The gradients of the step and the running statistics of batch norm are set aside before the
 * first pass and put back after the last: passes change nothing but what they are asked to add.
 */
#ifndef ECC_TRAIN_DECODER_PASSES_H
#define ECC_TRAIN_DECODER_PASSES_H

#include "nn/net.h"
#include "regularizer/regularizer.h"

struct ecc_decoder_passes {
    struct ecc_net *net;
    size_t n, latent, size; /* a batch, and floats of a latent and of an item */
    float *memory;          /* of all these */
    float *gradients;       /* of the step */
    float *statistics;      /* of batch norm */
    float *y;               /* [n, size] */
    float *dz;              /* [n, latent]: what the penalty adds to */
};

enum ecc_status ecc_decoder_passes_init(struct ecc_decoder_passes *passes, struct ecc_net *net,
                                        size_t n, size_t latent, size_t size,
                                        struct ecc_error *error);
void ecc_decoder_passes_release(struct ecc_decoder_passes *passes);

/* After ecc_net_decode_back, which gave *dz: adds the gradient of the penalty to the net's
 * gradients and to *dz, which is then memory of its own. */
enum ecc_status ecc_decoder_passes_penalize(struct ecc_decoder_passes *passes, double *value,
                                            const float **dz, const float *z,
                                            struct ecc_regularizer_plan *regularizer,
                                            struct ecc_error *error);

#endif
