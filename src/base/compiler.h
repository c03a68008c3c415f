/* compiler.h: the few compiler extensions that hot kernels use, in one place. */
#ifndef ECC_BASE_COMPILER_H
#define ECC_BASE_COMPILER_H

/*
 * A function compiled twice, for every machine and for those with AVX2 and FMA; the loader picks
 * one.  (Not "arch=haswell": that would leave out AMD.)  Only for leaf functions, without OpenMP
 * regions inside.  Sanitizers instrument the picking code before their runtime is up, so those
 * builds keep the plain version, and so do those with ECC_PLAIN, for tests.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(ECC_PLAIN)
#define ECC_HAS_MULTIVERSION 1
#if __GNUC__ >= 12
#define ECC_MULTIVERSION __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define ECC_MULTIVERSION __attribute__((target_clones("avx2", "default")))
#endif
#else
#define ECC_MULTIVERSION
#endif

#define ECC_INLINE static inline __attribute__((always_inline))

/* Vectors only pass between functions that are always inlined, where the ABI plays no part. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

/* Eight floats and four doubles; arithmetic is element by element, addresses need no alignment. */
typedef float ecc_f8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float ecc_f4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef double ecc_d4 __attribute__((vector_size(32), aligned(8), may_alias));

/* Eight lanes of two vectors, by number: 0 to 7 are those of a, 8 to 15 those of b. */
#ifdef __clang__
#define ECC_SHUFFLE8(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
typedef int ecc_lanes8 __attribute__((vector_size(32)));
#define ECC_SHUFFLE8(a, b, ...) __builtin_shuffle(a, b, (ecc_lanes8){__VA_ARGS__})
#endif

ECC_INLINE ecc_f8 ecc_load8(const float *source)
{
    return *(const ecc_f8 *)source;
}

ECC_INLINE void ecc_store8(float *target, ecc_f8 value)
{
    *(ecc_f8 *)target = value;
}

ECC_INLINE float ecc_add_lanes8(ecc_f8 v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* The same of four vectors at once, with the same bits. */
ECC_INLINE ecc_f4 ecc_add_lanes4x8(ecc_f8 a, ecc_f8 b, ecc_f8 c, ecc_f8 d)
{
    const ecc_f8 ab = ECC_SHUFFLE8(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
                      ECC_SHUFFLE8(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    const ecc_f8 cd = ECC_SHUFFLE8(c, d, 0, 1, 2, 3, 8, 9, 10, 11) +
                      ECC_SHUFFLE8(c, d, 4, 5, 6, 7, 12, 13, 14, 15);
    const ecc_f8 pairs = ECC_SHUFFLE8(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13) +
                         ECC_SHUFFLE8(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
    const ecc_f8 sums = pairs + ECC_SHUFFLE8(pairs, pairs, 1, 0, 3, 2, 5, 4, 7, 6);
    return (ecc_f4){sums[0], sums[4], sums[2], sums[6]};
}

#endif
