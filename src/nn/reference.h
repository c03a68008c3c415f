/*
 * reference.h: the same nets in double, layer by layer as in the spec, in plain layout and simple
 * slow loops: what the fast code is tested against.
 */
#ifndef ECC_NN_REFERENCE_H
#define ECC_NN_REFERENCE_H

#include "nn/net.h"

struct ecc_reference {
    const struct ecc_net_spec *spec; /* the caller's */
    size_t n, flat_size;
    double *flat, *gradient;       /* [flat_size] parameters as ecc_net_export gives them */
    double **encoder, **decoder;   /* [layers + 1][n, size]: the input of each layer, the output */
    double **dencoder, **ddecoder; /* gradients of these */
    double *z, *y,
        *dz; /* the encoder's output, the decoder's output, the decoder's input gradient */
};

enum ecc_status ecc_reference_create(struct ecc_reference **reference,
                                     const struct ecc_net_spec *spec, size_t n,
                                     struct ecc_error *error);
void ecc_reference_free(struct ecc_reference *reference);

/* x: [n, c, h, w] -> reference->z.  Training updates the running statistics. */
void ecc_reference_encode(struct ecc_reference *reference, const double *x, bool training);
/* z: [n, latent] -> reference->y */
void ecc_reference_decode(struct ecc_reference *reference, const double *z, bool training);
/* Mean squared error of y and x; its gradient goes back to reference->dz, when training. */
double ecc_reference_error(struct ecc_reference *reference, const double *x);
void ecc_reference_decode_back(struct ecc_reference *reference);
void ecc_reference_encode_back(struct ecc_reference *reference, const double *dz);

#endif
