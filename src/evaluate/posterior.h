/*
 * posterior.h: the distributions of latents that VAEs have: what the encoder's outputs stand for,
 * samples of it, and their densities.
 */
#ifndef ECC_EVALUATE_POSTERIOR_H
#define ECC_EVALUATE_POSTERIOR_H

#include "base/status.h"
#include "regularizer/choice.h"

enum ecc_posterior_kind {
    ECC_POSTERIOR_NONE,   /* latents are not drawn from a distribution */
    ECC_POSTERIOR_NORMAL, /* prior: standard normal */
    ECC_POSTERIOR_SPHERE, /* von Mises-Fisher; prior: uniform on the sphere */
    ECC_POSTERIOR_POWER,  /* power spherical; the same prior */
};

enum ecc_posterior_kind ecc_posterior_of(const struct ecc_regularizer_choice *choice);

/* Samples of an item's posterior. */
struct ecc_posterior_samples {
    float *z;          /* [count, d] */
    double *log_ratio; /* [count] log of the prior's density minus that of the posterior */
    double *room;      /* [2 d + count * d] */
    size_t count, d;
};

/* outputs: a row of the encoder's; the draws depend on (seed, item).  Returns the divergence of the
 * posterior from the prior. */
double ecc_posterior_draw(struct ecc_posterior_samples *samples, enum ecc_posterior_kind kind,
                          const float *outputs, uint64_t seed, uint64_t item);

#endif
