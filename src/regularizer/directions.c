/* directions.c: latents projected to the unit sphere within a loss. */
#include "regularizer/directions.h"
#include "base/compiler.h"

#include <math.h>

static const double tiny = 1e-4;

ECC_MULTIVERSION
static double product(const float *a, const float *b, size_t d)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < d; k++) sum += (double)a[k] * (double)b[k];
    return sum;
}

double ecc_direction_length(const float *z, size_t d)
{
    return sqrt(product(z, z, d) + tiny);
}

void ecc_directions(float *u, double *lengths, const float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++) {
        lengths[i] = ecc_direction_length(z + i * d, d);
        const double scale = 1 / lengths[i];
        for (size_t k = 0; k < d; k++) u[i * d + k] = (float)(scale * (double)z[i * d + k]);
    }
}

void ecc_direction_pull_back(float *g, const float *z, double length, size_t d)
{
    const double scale = 1 / length, along = product(z, g, d) * scale * scale;
    for (size_t k = 0; k < d; k++) g[k] = (float)(scale * ((double)g[k] - along * (double)z[k]));
}
