/*
 * rng.h: counter-based random numbers, Philox4x32-10 (Salmon et al., "Parallel random numbers: as
 * easy as 1, 2, 3", 2011).
 *
 * Item `index` of a stream depends on (seed, stream, index) and nothing else: any thread can make
 * any part, and a fill gives the same bytes wherever it starts and however many threads share it.
 * Normals use this library's own logarithm, sine and cosine, so that they do not depend on the
 * C library either.
 *
 * Different functions called with the same (seed, stream) use the same bits, so their results are
 * not independent: give each purpose its own stream (streams.h).
 */
#ifndef ECC_BASE_RNG_H
#define ECC_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

/* The plain bijection: ten rounds of Philox4x32. */
void ecc_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]);

/* out[i] is item first + i of the stream.  Uniform in (0, 1), never 0 or 1; normal has mean 0,
 * variance 1 (Box-Muller).  first + n <= 2^64. */
void ecc_rng_uniform(double *out, uint64_t seed, uint64_t stream, uint64_t first, size_t n);
void ecc_rng_normal(double *out, uint64_t seed, uint64_t stream, uint64_t first, size_t n);
void ecc_rng_uniform_f32(float *out, uint64_t seed, uint64_t stream, uint64_t first, size_t n);
void ecc_rng_normal_f32(float *out, uint64_t seed, uint64_t stream, uint64_t first, size_t n);

/* Item `index` as 64 random bits, and as a whole number in [0, bound); 0 when bound is 0.  The
 * bias is below bound / 2^64. */
uint64_t ecc_rng_bits(uint64_t seed, uint64_t stream, uint64_t index);
uint64_t ecc_rng_below(uint64_t seed, uint64_t stream, uint64_t index, uint64_t bound);

/* A random order of 0 .. n-1 (Fisher-Yates); n <= 2^32. */
void ecc_rng_permutation(uint32_t *out, size_t n, uint64_t seed, uint64_t stream);

#endif
