/*
 * neighbours_product.c: products of queries with a panel of items, and which pairs may be near.
 *
 * Six queries and two vectors of items make twelve sums, which stay in registers and are compared
 * with the limits there.  Most groups hold nothing near, so hardly any product is ever stored.
 */
#include "math/neighbours_product.h"

#include "base/compiler.h"

#include <stdint.h>

typedef float vector4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float vector8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float vector16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef uint64_t bits4 __attribute__((vector_size(16)));
typedef uint64_t bits8 __attribute__((vector_size(32)));
typedef uint64_t bits16 __attribute__((vector_size(64)));

/*
 * find_LANES: one group after another.  A number below its limit leaves its sign in `signs`.
 * (INFINITY - INFINITY may, too.)
 */
#define DEFINE_FIND(NAME, LANES, TARGET)                                                           \
    TARGET static inline uint64_t NAME##_part(const struct ecc_search_panel *panel, size_t group,  \
                                              size_t column)                                       \
    {                                                                                              \
        const size_t d = panel->d;                                                                 \
        const float *const left = panel->left + group * ECC_PANEL_GROUP * d;                       \
        const float *right = panel->right + column;                                                \
        vector##LANES sum[ECC_PANEL_GROUP][2] = {{{0}}};                                           \
        for (size_t k = 0; k < d; k++, right += ECC_PANEL) {                                       \
            const vector##LANES a = *(const vector##LANES *)right;                                 \
            const vector##LANES b = *(const vector##LANES *)(right + (LANES));                     \
            _Pragma("GCC unroll 6") for (size_t i = 0; i < ECC_PANEL_GROUP; i++)                   \
            {                                                                                      \
                sum[i][0] += left[i * d + k] * a;                                                  \
                sum[i][1] += left[i * d + k] * b;                                                  \
            }                                                                                      \
        }                                                                                          \
        const vector##LANES reach_a = *(const vector##LANES *)(panel->reach + column);             \
        const vector##LANES reach_b = *(const vector##LANES *)(panel->reach + column + (LANES));   \
        const float *const limit = panel->limit + group * ECC_PANEL_GROUP;                         \
        bits##LANES signs = {0};                                                                   \
        _Pragma("GCC unroll 6") for (size_t i = 0; i < ECC_PANEL_GROUP; i++)                       \
        {                                                                                          \
            signs |= (bits##LANES)(reach_a - 2 * sum[i][0] - limit[i]);                            \
            signs |= (bits##LANES)(reach_b - 2 * sum[i][1] - limit[i]);                            \
            float *const to = panel->product + i * ECC_PANEL + column;                             \
            *(vector##LANES *)to = sum[i][0];                                                      \
            *(vector##LANES *)(to + (LANES)) = sum[i][1];                                          \
        }                                                                                          \
        uint64_t any = 0;                                                                          \
        for (size_t j = 0; j < (LANES) / 2; j++) any |= signs[j];                                  \
        return any & 0x8000000080000000U;                                                          \
    }                                                                                              \
    TARGET static size_t NAME(const struct ecc_search_panel *panel, size_t group)                  \
    {                                                                                              \
        for (; group < panel->groups; group++) {                                                   \
            uint64_t any = 0;                                                                      \
            for (size_t column = 0; column < ECC_PANEL; column += 2 * (size_t)(LANES)) {           \
                any |= NAME##_part(panel, group, column);                                          \
            }                                                                                      \
            if (any) return group;                                                                 \
        }                                                                                          \
        return group;                                                                              \
    }

DEFINE_FIND(find_plain, 4, )

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

DEFINE_FIND(find_avx2, 8, __attribute__((target("avx2,fma"))))
DEFINE_FIND(find_avx512, 16, __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"))))

size_t ecc_panel_ways(ecc_panel_find *ways[ECC_PANEL_WAYS])
{
    size_t count = 0;
    ways[count++] = find_plain;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) ways[count++] = find_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
        ways[count++] = find_avx512;
    }
    return count;
}

#else

size_t ecc_panel_ways(ecc_panel_find *ways[ECC_PANEL_WAYS])
{
    ways[0] = find_plain;
    return 1;
}

#endif
