/*
 * hash.h: a fast 64-bit hash of bytes, to tell data apart: XXH64 with seed 0, which other programs
 * have, too.  It is no protection against anyone who wants two inputs to agree.
 *
 *     struct ecc_hash hash;
 *     ecc_hash_start(&hash);
 *     ecc_hash_add(&hash, bytes, size);      as often as there are bytes
 *     const uint64_t value = ecc_hash_end(&hash);
 */
#ifndef ECC_BASE_HASH_H
#define ECC_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct ecc_hash {
    uint64_t lanes[4];
    uint64_t total;         /* bytes so far */
    unsigned char rest[32]; /* the last total % 32 of them */
};

void ecc_hash_start(struct ecc_hash *hash);
void ecc_hash_add(struct ecc_hash *hash, const void *bytes, size_t size);
/* May be called at any time; more bytes may follow. */
uint64_t ecc_hash_end(const struct ecc_hash *hash);

uint64_t ecc_hash_of(const void *bytes, size_t size);

#endif
