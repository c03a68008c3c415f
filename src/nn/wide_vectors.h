/* wide_vectors.h: vectors of sixteen floats, and functions for machines that have the registers. */
#ifndef ECC_NN_WIDE_VECTORS_H
#define ECC_NN_WIDE_VECTORS_H

#include "base/compiler.h"
#include "nn/wide_kernels.h"

/* Not by target_clones: the two versions differ in more than their instructions. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(ECC_PLAIN)
#define ECC_WIDE_TARGETS 1
#define ECC_WIDE_512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")))
#define ECC_WIDE_256 __attribute__((target("avx2,fma")))
#include <immintrin.h>
#endif

typedef float ecc_f16 __attribute__((vector_size(64), aligned(4), may_alias));

ECC_INLINE ecc_f16 ecc_load16(const float *source)
{
    return *(const ecc_f16 *)source;
}

ECC_INLINE void ecc_store16(float *target, ecc_f16 value)
{
    *(ecc_f16 *)target = value;
}

/* Past the caches, without reading the line first; only a vector that is a whole line gains. */
#define ecc_stream16(target, value) _mm512_stream_ps(target, (__m512)(value))
#define ecc_stream8(target, value) ecc_store8(target, value)

#endif
