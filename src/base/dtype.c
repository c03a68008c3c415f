/* dtype.c: the element types of arrays in files, one table, and their conversion. */
#include "base/dtype.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- Conversion: one loop for each pair of types -------------------------------------------- */

/* IEEE half precision: sign, 5 bits of exponent, 10 of fraction. */
static double half_value(uint16_t half)
{
    const unsigned exponent = half >> 10 & 31, fraction = half & 1023;
    double magnitude;
    if (exponent == 0) {
        magnitude = fraction * 0x1p-24;
    } else if (exponent < 31) {
        magnitude = (1024 + fraction) * (double)(UINT32_C(1) << exponent) * 0x1p-25;
    } else {
        magnitude = fraction ? (double)__builtin_nanf("") : __builtin_inf();
    }
    return half & 0x8000 ? -magnitude : magnitude;
}

/* memcpy, since items in a file may be unaligned; compilers turn it into a load. */
#define CONVERT(name, type, target, value)                                                         \
    static void name(target *out, const unsigned char *in, size_t n)                               \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            type x;                                                                                \
            memcpy(&x, in + i * sizeof x, sizeof x);                                               \
            out[i] = (target)(value);                                                              \
        }                                                                                          \
    }
#define CONVERT_BOTH(name, type, value)                                                            \
    CONVERT(name##_f32, type, float, value)                                                        \
    CONVERT(name##_f64, type, double, value)

CONVERT_BOTH(from_f2, uint16_t, half_value(x))
CONVERT_BOTH(from_f4, float, x)
CONVERT_BOTH(from_f8, double, x)
CONVERT_BOTH(from_i1, int8_t, x)
CONVERT_BOTH(from_i2, int16_t, x)
CONVERT_BOTH(from_i4, int32_t, x)
CONVERT_BOTH(from_i8, int64_t, x)
CONVERT_BOTH(from_u1, uint8_t, x)
CONVERT_BOTH(from_u2, uint16_t, x)
CONVERT_BOTH(from_u4, uint32_t, x)
CONVERT_BOTH(from_u8, uint64_t, x)
CONVERT_BOTH(from_b1, uint8_t, x != 0)

/* ---- The table ------------------------------------------------------------------------------ */

static const struct {
    const char *code, *name;
    size_t size;
    void (*to_f32)(float *out, const unsigned char *in, size_t n);
    void (*to_f64)(double *out, const unsigned char *in, size_t n);
} table[ECC_DTYPE_COUNT] = {
    [ECC_F2] = {"f2", "float16", 2, from_f2_f32, from_f2_f64},
    [ECC_F4] = {"f4", "float32", 4, from_f4_f32, from_f4_f64},
    [ECC_F8] = {"f8", "float64", 8, from_f8_f32, from_f8_f64},
    [ECC_I1] = {"i1", "int8", 1, from_i1_f32, from_i1_f64},
    [ECC_I2] = {"i2", "int16", 2, from_i2_f32, from_i2_f64},
    [ECC_I4] = {"i4", "int32", 4, from_i4_f32, from_i4_f64},
    [ECC_I8] = {"i8", "int64", 8, from_i8_f32, from_i8_f64},
    [ECC_U1] = {"u1", "uint8", 1, from_u1_f32, from_u1_f64},
    [ECC_U2] = {"u2", "uint16", 2, from_u2_f32, from_u2_f64},
    [ECC_U4] = {"u4", "uint32", 4, from_u4_f32, from_u4_f64},
    [ECC_U8] = {"u8", "uint64", 8, from_u8_f32, from_u8_f64},
    [ECC_B1] = {"b1", "bool", 1, from_b1_f32, from_b1_f64},
};

size_t ecc_dtype_size(enum ecc_dtype dtype)
{
    return table[dtype].size;
}

const char *ecc_dtype_name(enum ecc_dtype dtype)
{
    return table[dtype].name;
}

const char *ecc_dtype_code(enum ecc_dtype dtype)
{
    return table[dtype].code;
}

bool ecc_dtype_from_code(enum ecc_dtype *dtype, const char *code, size_t length)
{
    for (int i = 0; i < ECC_DTYPE_COUNT; i++) {
        if (length == strlen(table[i].code) && memcmp(code, table[i].code, length) == 0) {
            *dtype = (enum ecc_dtype)i;
            return true;
        }
    }
    return false;
}

void ecc_swap_bytes(void *items, size_t size, size_t n)
{
    unsigned char *item = items;
    for (size_t i = 0; i < n; i++, item += size) {
        for (size_t k = 0; k < size / 2; k++) {
            const unsigned char byte = item[k];
            item[k] = item[size - 1 - k];
            item[size - 1 - k] = byte;
        }
    }
}

void ecc_to_f32(float *out, const void *in, enum ecc_dtype dtype, size_t n)
{
    table[dtype].to_f32(out, in, n);
}

size_t ecc_to_f32_until(float *out, const void *in, enum ecc_dtype dtype, size_t n)
{
    ecc_to_f32(out, in, dtype, n);
    for (size_t i = 0; dtype == ECC_F8 && i < n; i++) {
        double value;
        if (!isinf(out[i])) continue;
        memcpy(&value, (const unsigned char *)in + i * sizeof value, sizeof value);
        if (isfinite(value)) return i;
    }
    return n;
}

void ecc_to_f64(double *out, const void *in, enum ecc_dtype dtype, size_t n)
{
    table[dtype].to_f64(out, in, n);
}
