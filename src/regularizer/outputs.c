/* outputs.c: the checks of an encoder's outputs that all regularizers share. */
#include "regularizer/outputs.h"
#include "base/compiler.h"

#include <math.h>

enum ecc_status ecc_check_batch(size_t n, size_t n_min, size_t n_max, struct ecc_error *error)
{
    if (n >= n_min && n <= n_max) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "n is %zu, expected %zu to %zu (as planned)", n, n_min,
                    n_max);
}

/* A sum that is finite if and only if every number is: x - x is 0, or NaN for NaN and infinity. */
ECC_MULTIVERSION
static float blemish(const float *z, size_t count)
{
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < count; i++) sum += z[i] - z[i];
    return sum;
}

enum ecc_status ecc_check_finite(const float *z, size_t n, size_t columns, const char *name,
                                 struct ecc_error *error)
{
    if (blemish(z, n * columns) == 0) return ECC_OK;
    size_t at = 0;
    while (at + 1 < n * columns && isfinite(z[at])) at++;
    return ecc_fail(error, ECC_BAD_DATA, "%s[%zu, %zu] is %s, expected finite latents", name,
                    at / columns, at % columns, isnan(z[at]) ? "NaN" : "infinite");
}
