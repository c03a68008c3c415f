/* half.h: numbers of 16 bits: a sign, five bits of exponent, ten of fraction. */
#ifndef ECC_EXPORT_HALF_H
#define ECC_EXPORT_HALF_H

#include <stddef.h>

/* bytes: [2 count], little-endian, of values: [count]: each to the nearest, those that are too
 * large to the largest. */
void ecc_put_halves(unsigned char *bytes, const float *values, size_t count);

#endif
