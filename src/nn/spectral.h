/*
 * spectral.h: a net whose kernels are divided by their largest singular values (Miyato et al.,
 * 2018; as RAE-SN has it, in encoder and decoder).
 *
 * The net always holds the normalised kernels, so that using it needs nothing else.  The kernel
 * that Adam trains is sigma times that.  A kernel is a matrix [first dimension, all others]; sigma
 * is estimated by one power iteration a step from vectors that are kept.
 */
#ifndef ECC_NN_SPECTRAL_H
#define ECC_NN_SPECTRAL_H

#include "nn/net.h"

struct ecc_spectral;

enum ecc_status ecc_spectral_create(struct ecc_spectral **spectral, struct ecc_net *net,
                                    struct ecc_error *error);
void ecc_spectral_free(struct ecc_spectral *spectral);

/* From the first weights: draws the vectors, iterates once and divides. */
void ecc_spectral_start(struct ecc_spectral *spectral, uint64_t seed);

/* In place of ecc_net_update: turns the gradients into those of the kernels that are trained, lets
 * Adam change these, iterates once and divides. */
enum ecc_status ecc_spectral_update(struct ecc_spectral *spectral, const struct ecc_adam *adam,
                                    struct ecc_error *error);

/* Its state besides the weights, [*count], for checkpoints: of each kernel sigma, then the two
 * vectors. */
float *ecc_spectral_state(struct ecc_spectral *spectral, size_t *count);

#endif
