/* outputs.c: the checks of an encoder's outputs that all regularizers share. */
#include "regularizer/outputs.h"
#include "base/compiler.h"

#include <math.h>
#include <string.h>

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

ECC_MULTIVERSION
static float reach(const float *z, size_t count)
{
    float largest = 0;
#pragma omp simd reduction(max : largest)
    for (size_t i = 0; i < count; i++) largest = fmaxf(largest, fabsf(z[i]));
    return largest;
}

enum ecc_status ecc_check_latents(const float *z, size_t n, size_t d, size_t n_min, size_t n_max,
                                  struct ecc_error *error)
{
    ECC_TRY(ecc_check_batch(n, n_min, n_max, error));
    ECC_TRY(ecc_check_finite(z, n, d, "z", error));
    const float largest = reach(z, n * d);
    if (largest <= ECC_REACH) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "the latents reach %.3g, expected at most %.3g",
                    (double)largest, (double)ECC_REACH);
}

enum ecc_status ecc_evaluate_nothing(struct ecc_regularizer_value *value, float *doutputs,
                                     const float *outputs, size_t n, size_t n_max, size_t columns,
                                     struct ecc_error *error)
{
    ECC_TRY(ecc_check_batch(n, 1, n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, columns, "z", error));
    if (doutputs) memset(doutputs, 0, n * columns * sizeof *doutputs);
    *value = (struct ecc_regularizer_value){0};
    return ECC_OK;
}
