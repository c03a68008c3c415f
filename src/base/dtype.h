/* dtype.h: the element types of arrays in files, and their conversion to what we compute with. */
#ifndef ECC_BASE_DTYPE_H
#define ECC_BASE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

enum ecc_dtype {
    ECC_F2,
    ECC_F4,
    ECC_F8,
    ECC_I1,
    ECC_I2,
    ECC_I4,
    ECC_I8,
    ECC_U1,
    ECC_U2,
    ECC_U4,
    ECC_U8,
    ECC_B1,
    ECC_DTYPE_COUNT,
};

size_t ecc_dtype_size(enum ecc_dtype dtype);      /* bytes of an item */
const char *ecc_dtype_name(enum ecc_dtype dtype); /* "float32", "uint8", ... */
const char *ecc_dtype_code(enum ecc_dtype dtype); /* NumPy's "f4", "u1", ... */

/* The type for a NumPy code such as "f4" of `length` bytes, or false. */
bool ecc_dtype_from_code(enum ecc_dtype *dtype, const char *code, size_t length);

/* Reverses the bytes of each of n items in place. */
void ecc_swap_bytes(void *items, size_t size, size_t n);

/* out[i] = in[i] for n native-endian items; `in` needs no alignment and must not overlap `out`.
 * Values that a float cannot hold are rounded, or become infinite. */
void ecc_to_f32(float *out, const void *in, enum ecc_dtype dtype, size_t n);
/* The same; returns the place of the first finite number that is too large for float, or n. */
size_t ecc_to_f32_until(float *out, const void *in, enum ecc_dtype dtype, size_t n);
void ecc_to_f64(double *out, const void *in, enum ecc_dtype dtype, size_t n);

#endif
