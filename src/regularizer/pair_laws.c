/* pair_laws.c: the laws of pairs besides the logarithm: inverse powers and the exponential. */
#include "base/compiler.h"
#include "regularizer/pair_law.h"

#include <math.h>

/* ---- f and w of eight pairs ----------------------------------------------------------------- */

ECC_INLINE ecc_f8 inverse_root(ecc_f8 x)
{
    const ecc_f8 y = 1.0F + x;
    ecc_f8 root = y;
    for (int lane = 0; lane < 8; lane++) root[lane] = sqrtf(y[lane]);
    return 1.0F / root;
}

ECC_INLINE ecc_f8 inverse(ecc_f8 x)
{
    return 1.0F / (1.0F + x);
}

/* exp(-x), 0 from 87 on: 2^-k times a polynomial of what is left, at most log(2)/2. */
ECC_INLINE ecc_f8 exponential(ecc_f8 x)
{
    typedef int ecc_i8 __attribute__((vector_size(32), aligned(4), may_alias));
    const ecc_i8 counts = x < 87.0F;
    union {
        ecc_f8 number;
        ecc_i8 bits;
    } held = {.number = x}, power, result;
    held.bits &= counts;                                             /* infinity becomes 0 */
    const ecc_f8 shifted = held.number * -1.44269504F + 12582912.0F; /* 1.5 * 2^23: rounds */
    power.number = shifted;
    power.bits = (power.bits - 0x4b400000 + 127) << 23;
    const ecc_f8 k = shifted - 12582912.0F;
    const ecc_f8 y = (-held.number - k * 0.693359375F) + k * 2.12194440e-4F;
    const ecc_f8 tail = 0.5F + y * (1.6666665e-1F + y * (4.1665796e-2F + y * 8.3334519e-3F));
    result.number = power.number * (1.0F + y * (1.0F + y * (tail + y * y * y * y * 1.3888889e-3F)));
    result.bits &= counts;
    return result.number;
}

ECC_INLINE ecc_f8 root_weight(ecc_f8 x)
{
    const ecc_f8 r = inverse_root(x);
    return r * r * r;
}

ECC_INLINE ecc_f8 inverse_weight(ecc_f8 x)
{
    const ecc_f8 r = inverse(x);
    return r * r;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

static void start(struct ecc_pair_sum *sum, double largest, double factor)
{
    (void)largest;
    *sum = (struct ecc_pair_sum){.factor = factor};
}

static double flush(struct ecc_pair_sum *sum)
{
    for (int lane = 0; lane < 8; lane++) {
        sum->total += sum->lanes[lane];
        sum->lanes[lane] = 0;
    }
    return sum->total;
}

/* Adds eight numbers to eight sums in double. */
ECC_INLINE void add_lanes(double lanes[8], ecc_f8 f)
{
    union {
        ecc_f8 whole;
        ecc_f4 half[2];
    } parts = {.whole = f};
    *(ecc_d4 *)lanes += __builtin_convertvector(parts.half[0], ecc_d4);
    *(ecc_d4 *)(lanes + 4) += __builtin_convertvector(parts.half[1], ecc_d4);
}

/* The law with these f and w. */
#define LAW(name, f, w)                                                                            \
    ECC_MULTIVERSION                                                                               \
    static void name##_add(struct ecc_pair_sum *sum, const float *x, size_t begin, size_t end)     \
    {                                                                                              \
        for (size_t j = begin; j < end; j += 8) add_lanes(sum->lanes, f(ecc_load8(x + j)));        \
    }                                                                                              \
    ECC_MULTIVERSION                                                                               \
    static void name##_weights(float *x, size_t begin, size_t end)                                 \
    {                                                                                              \
        for (size_t j = begin; j < end; j += 8) ecc_store8(x + j, w(ecc_load8(x + j)));            \
    }                                                                                              \
    ECC_MULTIVERSION                                                                               \
    static float name##_weights_summed(float *restrict x, float *restrict column, size_t begin,    \
                                       size_t end)                                                 \
    {                                                                                              \
        ecc_f8 row = {0};                                                                          \
        for (size_t j = begin; j < end; j += 8) {                                                  \
            const ecc_f8 weight = w(ecc_load8(x + j));                                             \
            ecc_store8(x + j, weight);                                                             \
            ecc_store8(column + j, ecc_load8(column + j) + weight);                                \
            row += weight;                                                                         \
        }                                                                                          \
        return ecc_add_lanes8(row);                                                                \
    }                                                                                              \
    const struct ecc_pair_law ecc_law_##name = {                                                   \
        .start = start,                                                                            \
        .add = name##_add,                                                                         \
        .flush = flush,                                                                            \
        .weights = name##_weights,                                                                 \
        .weights_summed = name##_weights_summed,                                                   \
    };

LAW(root, inverse_root, root_weight)
LAW(inverse, inverse, inverse_weight)
LAW(exponential, exponential, exponential)
