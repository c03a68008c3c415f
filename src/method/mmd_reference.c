/* mmd_reference.c: MMD^2 as its definition says, pair by pair in double. */
#include "method/mmd.h"

/* k(x, y), and in *slope its derivative with respect to |x - y|^2 */
static double kernel(double *slope, const float *x, const float *y, size_t d)
{
    double squares = 0, sum = 0;
    for (size_t k = 0; k < d; k++) {
        const double difference = (double)x[k] - (double)y[k];
        squares += difference * difference;
    }
    *slope = 0;
    for (size_t s = 0; s < ECC_MMD_SCALES; s++) {
        const double c = ecc_mmd_scales[s] * 2 * (double)d;
        sum += c / (c + squares);
        *slope -= c / ((c + squares) * (c + squares));
    }
    return sum;
}

/* The sum of factor * k(z_i, y_j) over all j but `skip`; its gradient is added to dz_i. */
static double add_row(double *dz_i, const float *z_i, const float *y, size_t skip, size_t n,
                      size_t d, double factor, double gradient_factor)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        if (j == skip) continue;
        double slope;
        sum += factor * kernel(&slope, z_i, y + j * d, d);
        for (size_t k = 0; dz_i && k < d; k++) {
            dz_i[k] += gradient_factor * slope * 2 * ((double)z_i[k] - (double)y[j * d + k]);
        }
    }
    return sum;
}

double ecc_mmd_reference(double *dz, const float *z, const float *prior, size_t n, size_t d)
{
    const double within = 1 / ((double)n * ((double)n - 1)), across = 2 / ((double)n * (double)n);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double *const dz_i = dz ? dz + i * d : 0;
        for (size_t k = 0; dz_i && k < d; k++) dz_i[k] = 0;
        /* item i is on both sides of the pairs within z: its gradient counts twice */
        sum += add_row(dz_i, z + i * d, z, i, n, d, within, 2 * within);
        sum += add_row(dz_i, z + i * d, prior, n, n, d, -across, -across);
        sum += add_row(0, prior + i * d, prior, i, n, d, within, 0);
    }
    return sum;
}
