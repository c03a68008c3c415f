/* binarize.h: grey pixels drawn black or white (Salakhutdinov & Murray, 2008). */
#ifndef ECC_DATA_BINARIZE_H
#define ECC_DATA_BINARIZE_H

#include <stddef.h>
#include <stdint.h>

/* drawn: [count] is 1 with x: [count] as probability, else 0, by items first .. of the random
 * stream; x may be drawn. */
void ecc_binarize(float *drawn, const float *x, size_t count, uint64_t seed, uint64_t stream,
                  uint64_t first);

#endif
