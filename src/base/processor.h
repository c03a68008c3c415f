/* processor.h: what vectors this processor has, for code that is written for each kind. */
#ifndef ECC_BASE_PROCESSOR_H
#define ECC_BASE_PROCESSOR_H

#include <stdbool.h>

enum ecc_vectors { ECC_VECTORS_PLAIN, ECC_VECTORS_AVX2, ECC_VECTORS_AVX512 };

/* The widest that this build and this processor have; AVX2 always comes with FMA.  The environment
 * variable ECCENTRIC_VECTORS=plain or avx2 hides the wider ones, for tests. */
enum ecc_vectors ecc_processor_vectors(void);

/* Whether vectors of 16 floats multiply twice as many numbers in the same time as those of 8. AMD's
 * Zen 4 computes them in two halves. */
bool ecc_processor_wide(void);

#endif
