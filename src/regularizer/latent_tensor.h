/*
 * latent_tensor.h: numbers between encoder and decoder that a regularizer needs: a codebook,
 * matrices, one scalar.
 *
 * They lie beside the weights of the net, which stores, averages, restores and, if asked, trains
 * them like its own (ecc_net_options.latent_tensors).
 */
#ifndef ECC_REGULARIZER_LATENT_TENSOR_H
#define ECC_REGULARIZER_LATENT_TENSOR_H

#include <stdbool.h>
#include <stddef.h>

enum { ECC_LATENT_TENSORS = 16 }; /* of one regularizer, at most */

struct ecc_latent_tensor {
    char name[32]; /* "codebook", which files have as "latent.codebook" */
    size_t rank, shape[2];
    bool trained; /* by Adam; false: the regularizer changes the numbers itself */
    double bound; /* they start uniform between -bound and bound */
};

#endif
