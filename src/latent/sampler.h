/* sampler.h: the names of what latents are drawn from; drawing is public (eccentric.h). */
#ifndef ECC_LATENT_SAMPLER_H
#define ECC_LATENT_SAMPLER_H

#include "base/status.h"

extern const char *const ecc_sample_names[]; /* in the order of the enum, ending in NULL */
extern const char *const ecc_sample_words[]; /* the same for people: "the fitted Gaussian", ... */

#endif
