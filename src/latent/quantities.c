/* quantities.c: numbers known of items: copied, counted, and gathered with their points. */
#include "latent/quantities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum ecc_status ecc_quantities_init(struct ecc_quantities *k, struct ecc_error *error)
{
    size_t count;
    const bool fits =
        !__builtin_mul_overflow(k->n, k->count, &count) && count < SIZE_MAX / sizeof *k->values;
    k->values = fits ? calloc(count + 1, sizeof *k->values) : NULL;
    return k->values ? ECC_OK : ecc_fail_memory(error, "the numbers to predict");
}

void ecc_quantities_release(struct ecc_quantities *k)
{
    free(k->values);
    free(k->names);
    *k = (struct ecc_quantities){0};
}

enum ecc_status ecc_quantities_copy(struct ecc_quantities *to, const struct ecc_quantities *from,
                                    const uint32_t *rows, size_t count, struct ecc_error *error)
{
    *to = (struct ecc_quantities){.n = count, .count = from->count};
    ECC_TRY(ecc_quantities_init(to, error));
    for (size_t j = 0; j < to->count; j++) {
        for (size_t i = 0; i < count; i++) {
            to->values[j * count + i] = from->values[j * from->n + rows[i]];
        }
    }
    return ECC_OK;
}

size_t ecc_quantities_count(const double *values, size_t n)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++) known += !isnan(values[i]);
    return known;
}

bool ecc_quantities_alike(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) != isnan(b[i])) return false;
    }
    return true;
}

enum ecc_status ecc_quantities_points(const float **to, float **own, const float *x,
                                      const double *values, size_t n, size_t d,
                                      struct ecc_error *error)
{
    const size_t known = ecc_quantities_count(values, n);
    *own = NULL;
    *to = x;
    if (known == n) return ECC_OK;
    *own = malloc((known * d + 1) * sizeof **own);
    if (!*own) return ecc_fail_memory(error, "the items with a known number");
    for (size_t i = 0, at = 0; i < n; i++) {
        if (isnan(values[i])) continue;
        memcpy(*own + at * d, x + i * d, d * sizeof *x);
        at++;
    }
    *to = *own;
    return ECC_OK;
}
