/* fuzz_idx.c: any bytes as an idx file, unpacked first where they look gzipped. */
#include "data/idx.h"
#include "data/inflate.h"
#include "fuzz.h"

static void parse(const uint8_t *bytes, size_t size)
{
    struct ecc_idx idx;
    struct ecc_error error = {0};
    if (ecc_idx_parse(&idx, bytes, size, "fuzz-idx3-ubyte", &error) != ECC_OK) {
        check_sentence(&error);
        return;
    }
    /* every byte that was promised is there */
    const size_t total = idx.shape[0] * idx.item_size;
    require(idx.data + total == bytes + size);
    size_t sum = 0;
    for (size_t i = 0; i < total; i++) {
        sum += idx.data[i];
    }
    require(sum <= 255 * total);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct ecc_error error = {0};
    parse(bytes, size);
    if (size < 2 || bytes[0] != 0x1f || bytes[1] != 0x8b) return 0;
    const struct ecc_gzip gzip = {bytes, size, "fuzz.gz", ecc_idx_announced};
    unsigned char *unpacked;
    size_t unpacked_size;
    if (ecc_inflate_gzip(&unpacked, &unpacked_size, &gzip, &error) != ECC_OK) {
        check_sentence(&error);
        require(!unpacked);
        return 0;
    }
    parse(unpacked, unpacked_size);
    free(unpacked);
    return 0;
}
