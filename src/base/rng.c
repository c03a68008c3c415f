/*
 * rng.c: counter-based random numbers, Philox4x32-10.
 *
 * The key is the seed; the counter is (block, stream), and a block is four words of 32 bits.
 * Fills are made of groups of LANES blocks that always start at a multiple of LANES, wherever the
 * fill starts: the same item is then always computed by the same instructions, in the same lane.
 */
#include "base/rng.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    LANES = 16,
    LARGE_FILL = 1 << 14, /* items; below that, waking threads takes longer than the work */
};

static const uint32_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
static const uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;

struct words {
    uint32_t w[4][LANES];
};

/* One round on every lane. */
static inline void philox_round(struct words *x, uint32_t key0, uint32_t key1)
{
    for (int lane = 0; lane < LANES; lane++) {
        const uint64_t product0 = (uint64_t)multiplier0 * x->w[0][lane];
        const uint64_t product1 = (uint64_t)multiplier1 * x->w[2][lane];
        x->w[0][lane] = (uint32_t)(product1 >> 32) ^ x->w[1][lane] ^ key0;
        x->w[1][lane] = (uint32_t)product1;
        x->w[2][lane] = (uint32_t)(product0 >> 32) ^ x->w[3][lane] ^ key1;
        x->w[3][lane] = (uint32_t)product0;
    }
}

/* Blocks first .. first + LANES - 1 of a stream. */
static void philox_lanes(struct words *x, uint64_t seed, uint64_t stream, uint64_t first)
{
    for (int lane = 0; lane < LANES; lane++) {
        const uint64_t block = first + (uint64_t)lane;
        x->w[0][lane] = (uint32_t)block;
        x->w[1][lane] = (uint32_t)(block >> 32);
        x->w[2][lane] = (uint32_t)stream;
        x->w[3][lane] = (uint32_t)(stream >> 32);
    }
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        philox_round(x, key0, key1);
        key0 += weyl0;
        key1 += weyl1;
    }
}

void ecc_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3];
    uint32_t key0 = key[0], key1 = key[1];
    for (int round = 0; round < 10; round++) {
        const uint64_t product0 = (uint64_t)multiplier0 * x0;
        const uint64_t product1 = (uint64_t)multiplier1 * x2;
        x0 = (uint32_t)(product1 >> 32) ^ x1 ^ key0;
        x1 = (uint32_t)product1;
        x2 = (uint32_t)(product0 >> 32) ^ x3 ^ key1;
        x3 = (uint32_t)product0;
        key0 += weyl0;
        key1 += weyl1;
    }
    out[0] = x0, out[1] = x1, out[2] = x2, out[3] = x3;
}

uint64_t ecc_rng_bits(uint64_t seed, uint64_t stream, uint64_t index)
{
    const uint64_t block = index / 2;
    const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)stream,
                                 (uint32_t)(stream >> 32)};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t word[4];
    ecc_philox(word, counter, key);
    const unsigned half = 2 * (unsigned)(index & 1);
    return word[half] | (uint64_t)word[half + 1] << 32;
}

/* ---- From bits to numbers ------------------------------------------------------------------- */

/* The middles of 2^52 equal parts of (0, 1): every step is exact. */
static inline double unit_from_52(uint64_t bits)
{
    const uint64_t pattern = bits >> 12 | UINT64_C(0x3FF0000000000000); /* in [1, 2) */
    double number;
    memcpy(&number, &pattern, sizeof number);
    return (number - 1.0) + 0x1p-53;
}

static inline double unit_from_32(uint32_t bits)
{
    const uint64_t pattern = (uint64_t)bits << 20 | UINT64_C(0x3FF0000000000000);
    double number;
    memcpy(&number, &pattern, sizeof number);
    return (number - 1.0) + 0x1p-33;
}

static inline float unit_from_23(uint32_t bits)
{
    const uint32_t pattern = bits >> 9 | UINT32_C(0x3F800000);
    float number;
    memcpy(&number, &pattern, sizeof number);
    return (number - 1.0F) + 0x1p-24F;
}

/* log(u), 0 < u < 1, within 2 units in the last place: u = 2^e m with m in [sqrt(1/2), sqrt(2)),
 * and log m = 2 artanh(s) with s = (m-1)/(m+1), |s| < 0.172. */
static inline double log_unit(double u)
{
    const uint64_t sqrt_half = UINT64_C(0x3FE6A09E667F3BCD);
    uint64_t bits;
    memcpy(&bits, &u, sizeof bits);
    /* u < 1 < sqrt(2): the exponent is 0 or negative; counting from 1024 keeps it unsigned. */
    const uint64_t biased = (bits - sqrt_half + (UINT64_C(1024) << 52)) >> 52;
    bits -= (biased - 1024) << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    const double s = (m - 1) / (m + 1), z = s * s;
    double p = 1.0 / 23;
    p = p * z + 1.0 / 21;
    p = p * z + 1.0 / 19;
    p = p * z + 1.0 / 17;
    p = p * z + 1.0 / 15;
    p = p * z + 1.0 / 13;
    p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    const double exponent = (double)((int32_t)biased - 1024);
    return exponent * 0x1.62e42fefa39efp-1 + (2 * s + 2 * s * (z * p));
}

/* Taylor series for |x| <= pi/4; what is left off is below half a unit in the last place. */
static inline double sine(double x)
{
    const double z = x * x;
    double p = 1.0 / 355687428096000; /* 1/17! */
    p = p * z - 1.0 / 1307674368000;
    p = p * z + 1.0 / 6227020800;
    p = p * z - 1.0 / 39916800;
    p = p * z + 1.0 / 362880;
    p = p * z - 1.0 / 5040;
    p = p * z + 1.0 / 120;
    p = p * z - 1.0 / 6;
    return x + x * (z * p);
}

static inline double cosine(double x)
{
    const double z = x * x;
    double p = 1.0 / 20922789888000; /* 1/16! */
    p = p * z - 1.0 / 87178291200;
    p = p * z + 1.0 / 479001600;
    p = p * z - 1.0 / 3628800;
    p = p * z + 1.0 / 40320;
    p = p * z - 1.0 / 720;
    p = p * z + 1.0 / 24;
    p = p * z - 0.5;
    return 1 + z * p;
}

/* Box-Muller: two uniforms become two independent normals. */
static inline void normal_pair(double *a, double *b, double u, double v)
{
    const double radius = sqrt(-2 * log_unit(u));
    const int quarter = (int)(4 * v + 0.5); /* 0 to 4: the nearest multiple of a right angle */
    const double x = (4 * v - quarter) * 0x1.921fb54442d18p+0;
    const double s = sine(x), c = cosine(x);
    const double cos_turned = quarter & 1 ? -s : c;
    const double sin_turned = quarter & 1 ? c : s;
    *a = radius * (quarter & 2 ? -cos_turned : cos_turned);
    *b = radius * (quarter & 2 ? -sin_turned : sin_turned);
}

/* ---- Groups: LANES blocks as numbers -------------------------------------------------------- */

typedef void make_group(void *out, const struct words *x);

static void group_uniform(void *out, const struct words *x)
{
    double *item = out;
    for (int lane = 0; lane < LANES; lane++) {
        item[2 * lane] = unit_from_52(x->w[0][lane] | (uint64_t)x->w[1][lane] << 32);
        item[2 * lane + 1] = unit_from_52(x->w[2][lane] | (uint64_t)x->w[3][lane] << 32);
    }
}

static void group_uniform_f32(void *out, const struct words *x)
{
    float *item = out;
    for (int lane = 0; lane < LANES; lane++) {
        for (int k = 0; k < 4; k++) {
            item[4 * lane + k] = unit_from_23(x->w[k][lane]);
        }
    }
}

static void group_normal(void *out, const struct words *x)
{
    double a[LANES], b[LANES], *item = out;
    for (int lane = 0; lane < LANES; lane++) {
        const double u = unit_from_52(x->w[0][lane] | (uint64_t)x->w[1][lane] << 32);
        const double v = unit_from_52(x->w[2][lane] | (uint64_t)x->w[3][lane] << 32);
        normal_pair(&a[lane], &b[lane], u, v);
    }
    for (int lane = 0; lane < LANES; lane++) {
        item[2 * lane] = a[lane];
        item[2 * lane + 1] = b[lane];
    }
}

static void group_normal_f32(void *out, const struct words *x)
{
    float *item = out;
    for (int half = 0; half < 4; half += 2) {
        double a[LANES], b[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            normal_pair(&a[lane], &b[lane], unit_from_32(x->w[half][lane]),
                        unit_from_32(x->w[half + 1][lane]));
        }
        for (int lane = 0; lane < LANES; lane++) {
            item[4 * lane + half] = (float)a[lane];
            item[4 * lane + half + 1] = (float)b[lane];
        }
    }
}

/* ---- Fills ---------------------------------------------------------------------------------- */

struct fill {
    unsigned char *out;
    uint64_t seed, stream, first, n;
    size_t size;    /* of an item */
    uint64_t items; /* in a group */
    make_group *make;
};

/* The part of group `group` (its number in the stream) that lies in the fill. */
static void fill_group(const struct fill *fill, uint64_t group)
{
    struct words x;
    philox_lanes(&x, fill->seed, fill->stream, group * LANES);
    const uint64_t start = group * fill->items;
    const uint64_t skip = start < fill->first ? fill->first - start : 0;
    const uint64_t position = start + skip - fill->first; /* in the fill */
    const uint64_t left = fill->n - position;
    const uint64_t count = left < fill->items - skip ? left : fill->items - skip;
    double whole[2 * LANES]; /* as many bytes as LANES blocks, whatever the items are */
    fill->make(whole, &x);
    memcpy(fill->out + position * fill->size, (unsigned char *)whole + skip * fill->size,
           count * fill->size);
}

static void fill_all(const struct fill *fill)
{
    if (fill->n == 0) return;
    const uint64_t first = fill->first / fill->items;
    const uint64_t last = (fill->first + (fill->n - 1)) / fill->items;
#pragma omp parallel for schedule(static) if (fill->n >= LARGE_FILL)
    for (uint64_t group = first; group <= last; group++) {
        fill_group(fill, group);
    }
}

void ecc_rng_uniform(double *out, uint64_t seed, uint64_t stream, uint64_t first, size_t n)
{
    fill_all(&(struct fill){(unsigned char *)out, seed, stream, first, n, sizeof *out, 2 * LANES,
                            group_uniform});
}

void ecc_rng_normal(double *out, uint64_t seed, uint64_t stream, uint64_t first, size_t n)
{
    fill_all(&(struct fill){(unsigned char *)out, seed, stream, first, n, sizeof *out, 2 * LANES,
                            group_normal});
}

void ecc_rng_uniform_f32(float *out, uint64_t seed, uint64_t stream, uint64_t first, size_t n)
{
    fill_all(&(struct fill){(unsigned char *)out, seed, stream, first, n, sizeof *out, 4 * LANES,
                            group_uniform_f32});
}

void ecc_rng_normal_f32(float *out, uint64_t seed, uint64_t stream, uint64_t first, size_t n)
{
    fill_all(&(struct fill){(unsigned char *)out, seed, stream, first, n, sizeof *out, 4 * LANES,
                            group_normal_f32});
}

/* ---- Whole numbers -------------------------------------------------------------------------- */

/* floor(bits / 2^64 * bound) */
static inline uint64_t scale_bits(uint64_t bits, uint64_t bound)
{
    return (uint64_t)((unsigned __int128)bits * bound >> 64);
}

uint64_t ecc_rng_below(uint64_t seed, uint64_t stream, uint64_t index, uint64_t bound)
{
    return scale_bits(ecc_rng_bits(seed, stream, index), bound);
}

void ecc_rng_permutation(uint32_t *out, size_t n, uint64_t seed, uint64_t stream)
{
    struct words x;
    for (size_t i = 0; i < n; i++) {
        const size_t place = i % (2 * LANES), lane = place / 2, half = 2 * (place % 2);
        if (place == 0) philox_lanes(&x, seed, stream, i / 2);
        const uint64_t bits = x.w[half][lane] | (uint64_t)x.w[half + 1][lane] << 32;
        const size_t j = (size_t)scale_bits(bits, (uint64_t)i + 1);
        if (j != i) out[i] = out[j];
        out[j] = (uint32_t)i;
    }
}
