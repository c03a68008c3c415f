/* swae.h: what the sliced Wasserstein distance draws at a step, for tests. */
#ifndef ECC_METHOD_SWAE_H
#define ECC_METHOD_SWAE_H

#include <stddef.h>
#include <stdint.h>

/* directions: [count, d]; prior: [n, d]. */
void ecc_swae_directions(float *directions, size_t count, size_t d, uint64_t seed, uint64_t step);
void ecc_swae_prior(float *prior, size_t n, size_t d, uint64_t seed, uint64_t step);

#endif
