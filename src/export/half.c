/* half.c: numbers of 16 bits. */
#include "export/half.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* To the nearest half, the even one of two; too large ones become the largest. */
static uint16_t half_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000;
    const double size = fabs((double)number);
    if (size >= 65504) return (uint16_t)(sign | 0x7bff);
    if (size < 6.103515625e-5) return (uint16_t)(sign | (uint32_t)lrint(size * 16777216));
    const uint32_t rounded = (bits & 0x7fffffff) + 0xfff + (bits >> 13 & 1);
    return (uint16_t)(sign | ((rounded >> 13) - (112 << 10)));
}

void ecc_put_halves(unsigned char *bytes, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint16_t half = half_of(values[i]);
        bytes[2 * i] = (unsigned char)(half & 255);
        bytes[2 * i + 1] = (unsigned char)(half >> 8);
    }
}
