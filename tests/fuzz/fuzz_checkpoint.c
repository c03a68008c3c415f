/* fuzz_checkpoint.c: any bytes as a checkpoint, as they are and with a checksum that fits, so that
 * what lies behind it is reached. */
#include "fuzz.h"
#include "run/checkpoint.h"

#include <zlib.h>

static void check_bytes(const uint8_t *bytes, size_t size)
{
    uint64_t step;
    float weights[3];
    struct ecc_checkpoint *c;
    struct ecc_error error = {0};
    require(ecc_checkpoint_create(&c, NULL) == ECC_OK);
    require(ecc_checkpoint_add(c, "step", ECC_I8, &step, 1, NULL) == ECC_OK);
    require(ecc_checkpoint_add(c, "weights", ECC_F4, weights, 3, NULL) == ECC_OK);
    unsigned char *const copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    if (ecc_checkpoint_decode(c, copy, size, "fuzz", &error) != ECC_OK) check_sentence(&error);
    ecc_checkpoint_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    check_bytes(bytes, size);
    if (size < 4) return 0;
    uint8_t *const fitted = malloc(size);
    memcpy(fitted, bytes, size);
    const uLong sum = crc32_z(0, bytes, size - 4);
    for (size_t i = 0; i < 4; i++) fitted[size - 4 + i] = (uint8_t)(sum >> 8 * i);
    check_bytes(fitted, size);
    free(fitted);
    return 0;
}
