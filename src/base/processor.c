/* processor.c: what vectors this processor has. */
#include "base/processor.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(ECC_PLAIN)

static enum ecc_vectors find_vectors(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return ECC_VECTORS_PLAIN;
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    return wide ? ECC_VECTORS_AVX512 : ECC_VECTORS_AVX2;
}

static bool find_wide(void)
{
    /* of AMD's, those that are wide are also those with this instruction */
    return !__builtin_cpu_is("amd") || __builtin_cpu_supports("avx512vp2intersect");
}

#else

static enum ecc_vectors find_vectors(void)
{
    return ECC_VECTORS_PLAIN;
}

static bool find_wide(void)
{
    return false;
}

#endif

static enum ecc_vectors allowed(void)
{
    const char *const word = getenv("ECCENTRIC_VECTORS");
    if (word && strcmp(word, "plain") == 0) return ECC_VECTORS_PLAIN;
    if (word && strcmp(word, "avx2") == 0) return ECC_VECTORS_AVX2;
    return ECC_VECTORS_AVX512;
}

enum ecc_vectors ecc_processor_vectors(void)
{
    static int known = -1; /* threads that find it at once find the same */
    int vectors = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (vectors < 0) {
        const enum ecc_vectors has = find_vectors(), may = allowed();
        vectors = (int)(has < may ? has : may);
        __atomic_store_n(&known, vectors, __ATOMIC_RELAXED);
    }
    return (enum ecc_vectors)vectors;
}

bool ecc_processor_wide(void)
{
    return ecc_processor_vectors() == ECC_VECTORS_AVX512 && find_wide();
}
