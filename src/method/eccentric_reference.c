/* eccentric_reference.c: the eccentric loss as the paper writes it, pair by pair in long double. */
#include "method/eccentric.h"

#include <math.h>

/* |z_i - z_j|^2/M */
static long double stretch(const float *z, size_t i, size_t j, size_t d, double m)
{
    long double squares = 0;
    for (size_t k = 0; k < d; k++) {
        const long double difference = (long double)z[i * d + k] - z[j * d + k];
        squares += difference * difference;
    }
    return squares / m;
}

void ecc_loss_reference_item(long double *dz_i, const float *z, size_t i, size_t n, size_t d,
                             double mu, double m, enum ecc_pairs pairs)
{
    const long double items = n;
    const long double attract = 2 / (pairs == ECC_PAIRS_DISTINCT ? items : items - 1);
    for (size_t k = 0; k < d; k++) dz_i[k] = attract * z[i * d + k];
    for (size_t j = 0; j < n; j++) {
        const long double factor = 4 * mu / (items * (items - 1)) / (1 + stretch(z, i, j, d, m));
        for (size_t k = 0; k < d; k++) {
            dz_i[k] -= factor * ((long double)z[i * d + k] - z[j * d + k]);
        }
    }
}

long double ecc_loss_reference(long double *dz, long double *repulsion, const float *z, size_t n,
                               size_t d, double mu, double m, enum ecc_pairs pairs)
{
    const long double items = n;
    long double squares = 0, logs = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < d; k++) squares += (long double)z[i * d + k] * z[i * d + k];
        for (size_t j = 0; j < i; j++) logs += log1pl(stretch(z, i, j, d, m));
        if (dz) ecc_loss_reference_item(dz + i * d, z, i, n, d, mu, m, pairs);
    }
    const long double push = 2 * mu * m * logs / (items * (items - 1));
    if (repulsion) *repulsion = push;
    return squares / (pairs == ECC_PAIRS_DISTINCT ? items : items - 1) - push;
}
