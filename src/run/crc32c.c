/* crc32c.c: the checksum of TensorBoard's records (Castagnoli's polynomial), half a byte at a time:
 * records are short. */
#include "run/crc32c.h"

/* The checksum of each half byte, for the reflected polynomial 0x82f63b78. */
static const uint32_t table[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

uint32_t ecc_crc32c(const void *bytes, size_t size)
{
    const unsigned char *const b = bytes;
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= b[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

uint32_t ecc_crc32c_masked(const void *bytes, size_t size)
{
    const uint32_t crc = ecc_crc32c(bytes, size);
    return (crc >> 15 | crc << 17) + UINT32_C(0xa282ead8);
}
