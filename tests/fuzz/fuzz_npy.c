/* fuzz_npy.c: any bytes as a .npy file: parsed, decoded, and what was accepted written and re-read.
 */
#include "base/npy.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition) abort(); /* what libFuzzer takes for a crash */
}

/* A sentence that ends inside its buffer and would not disturb a terminal. */
static void check_sentence(const struct ecc_error *error)
{
    const size_t length = strnlen(error->text, sizeof error->text);
    require(error->status != ECC_OK && length > 0 && length < sizeof error->text - 1);
    for (size_t i = 0; i < length; i++) {
        require(error->text[i] >= 0x20 && error->text[i] < 0x7f);
    }
}

/* The header that we write for an accepted array is read back as the same array. */
static void check_format(const struct ecc_array *array)
{
    unsigned char bytes[ECC_NPY_HEADER_SIZE];
    struct ecc_npy_header header;
    const size_t length = ecc_npy_format(bytes, array->dtype, array->rank, array->shape);
    require(length % 64 == 0 && length <= sizeof bytes);
    require(ecc_npy_parse(&header, bytes, length, "again", NULL) == ECC_OK);
    require(header.dtype == array->dtype && header.rank == array->rank);
    require(header.count == array->count && !header.swapped && !header.fortran);
    require(memcmp(header.shape, array->shape, sizeof header.shape) == 0);
}

/* Every item is readable as a number; 64-bit integers may round differently on the way through
 * double, by no more than a unit in the last place of float. */
static void check_items(const struct ecc_array *array)
{
    const size_t size = ecc_dtype_size(array->dtype);
    for (size_t i = 0; i < array->count; i++) {
        const unsigned char *item = (unsigned char *)array->data + i * size;
        float single;
        double number;
        ecc_to_f32(&single, item, array->dtype, 1);
        ecc_to_f64(&number, item, array->dtype, 1);
        const double off = fabs((double)single - number);
        require(isnan(number) ? isnan(single)
                              : single == (float)number || off <= 0x1p-23 * fabs(number));
    }
}

/* Where text is allowed, what is read of numbers is the same, and texts end. */
static void check_any(const uint8_t *bytes, size_t size, enum ecc_status decoded)
{
    struct ecc_npy_any any;
    struct ecc_error error = {0};
    const enum ecc_status status = ecc_npy_decode_any(&any, bytes, size, "fuzz.npy", &error);
    if (status != ECC_OK) {
        check_sentence(&error);
        require(!any.texts && !any.array.data && decoded != ECC_OK);
        return;
    }
    require(any.texts ? decoded != ECC_OK : decoded == ECC_OK);
    for (size_t i = 0; any.texts && i < any.array.count; i++) {
        for (const char *at = any.texts[i]; *at;) {
            const size_t length = ecc_utf8_length(at);
            require(length > 0);
            at += length;
        }
    }
    ecc_npy_any_release(&any);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct ecc_npy_header header;
    struct ecc_error error = {0};
    const enum ecc_status parsed = ecc_npy_parse(&header, bytes, size, "fuzz.npy", &error);
    if (parsed != ECC_OK) check_sentence(&error);

    struct ecc_array array;
    error = (struct ecc_error){0};
    const enum ecc_status decoded = ecc_npy_decode(&array, bytes, size, "fuzz.npy", &error);
    require(parsed == ECC_OK || decoded == parsed);
    check_any(bytes, size, decoded);
    if (decoded != ECC_OK) {
        check_sentence(&error);
        require(!array.data);
        return 0;
    }
    check_format(&array);
    check_items(&array);
    ecc_array_release(&array);
    return 0;
}
