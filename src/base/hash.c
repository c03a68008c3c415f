/* hash.c: XXH64 (Yann Collet), by its description: four lanes of eight bytes, joined at the end. */
#include "base/hash.h"

#include <string.h>

enum { STRIPE = 32 };

static const uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F,
                      prime3 = 0x165667B19E3779F9, prime4 = 0x85EBCA77C2B2AE63,
                      prime5 = 0x27D4EB2F165667C5;

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

/* Little-endian, as the hash is defined. */
static uint64_t read_word(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static uint64_t mix(uint64_t lane, uint64_t word)
{
    return rotate(lane + word * prime2, 31) * prime1;
}

/* Whole stripes; returns what is left of the bytes. */
static const unsigned char *add_stripes(uint64_t lanes[4], const unsigned char *at, size_t stripes)
{
    uint64_t a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
    for (; stripes > 0; stripes--, at += STRIPE) {
        a = mix(a, read_word(at));
        b = mix(b, read_word(at + 8));
        c = mix(c, read_word(at + 16));
        d = mix(d, read_word(at + 24));
    }
    lanes[0] = a, lanes[1] = b, lanes[2] = c, lanes[3] = d;
    return at;
}

void ecc_hash_start(struct ecc_hash *hash)
{
    *hash = (struct ecc_hash){.lanes = {prime1 + prime2, prime2, 0, 0 - prime1}};
}

void ecc_hash_add(struct ecc_hash *hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    const size_t kept = hash->total % STRIPE;
    hash->total += size;
    if (kept > 0) {
        const size_t more = size < STRIPE - kept ? size : STRIPE - kept;
        memcpy(hash->rest + kept, at, more);
        at += more;
        size -= more;
        if (kept + more < STRIPE) return;
        add_stripes(hash->lanes, hash->rest, 1);
    }
    at = add_stripes(hash->lanes, at, size / STRIPE);
    if (size % STRIPE > 0) memcpy(hash->rest, at, size % STRIPE);
}

/* The bytes after the last whole stripe. */
static uint64_t add_rest(uint64_t value, const unsigned char *at, size_t size)
{
    for (; size >= 8; size -= 8, at += 8) {
        value = rotate(value ^ mix(0, read_word(at)), 27) * prime1 + prime4;
    }
    if (size >= 4) {
        const uint64_t word =
            (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
        value = rotate(value ^ word * prime1, 23) * prime2 + prime3;
        size -= 4;
        at += 4;
    }
    for (; size > 0; size--, at++) value = rotate(value ^ *at * prime5, 11) * prime1;
    return value;
}

uint64_t ecc_hash_end(const struct ecc_hash *hash)
{
    const uint64_t *const l = hash->lanes;
    uint64_t value = prime5;
    if (hash->total >= STRIPE) {
        value = rotate(l[0], 1) + rotate(l[1], 7) + rotate(l[2], 12) + rotate(l[3], 18);
        for (size_t i = 0; i < 4; i++) value = (value ^ mix(0, l[i])) * prime1 + prime4;
    }
    value = add_rest(value + hash->total, hash->rest, hash->total % STRIPE);
    value = (value ^ value >> 33) * prime2;
    value = (value ^ value >> 29) * prime3;
    return value ^ value >> 32;
}

uint64_t ecc_hash_of(const void *bytes, size_t size)
{
    struct ecc_hash hash;
    ecc_hash_start(&hash);
    ecc_hash_add(&hash, bytes, size);
    return ecc_hash_end(&hash);
}
