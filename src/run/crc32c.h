/* crc32c.h: the checksum of TensorBoard's records (Castagnoli's polynomial). */
#ifndef ECC_RUN_CRC32C_H
#define ECC_RUN_CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t ecc_crc32c(const void *bytes, size_t size);

/* Rotated and shifted, as records hold it, so that a checksum of bytes that contain checksums is
 * no trouble. */
uint32_t ecc_crc32c_masked(const void *bytes, size_t size);

#endif
