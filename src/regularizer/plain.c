/* plain.c: regularizers as their definitions say, in double and item by item. */
#include "regularizer/plain.h"
#include "regularizer/sigreg.h"

#include <math.h>

/* ---- Covariances ---------------------------------------------------------------------------- */

static double mean_of(const double *z, size_t n, size_t d, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += z[i * d + k];
    return sum / (double)n;
}

static double covariance_of(const double *z, size_t n, size_t d, size_t k, size_t l, double divisor)
{
    const double mean_k = mean_of(z, n, d, k), mean_l = mean_of(z, n, d, l);
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (z[i * d + k] - mean_k) * (z[i * d + l] - mean_l);
    return sum / divisor;
}

double ecc_plain_vicreg(const double *z, size_t n, size_t d, double variance, double covariance)
{
    double hinges = 0, squares = 0;
    for (size_t k = 0; k < d; k++) {
        for (size_t l = 0; l < d; l++) {
            const double c = covariance_of(z, n, d, k, l, (double)n - 1);
            if (k == l) hinges += fmax(0, 1 - sqrt(c + 1e-4));
            if (k != l) squares += c * c;
        }
    }
    return variance * hinges / (double)d + covariance * squares / (double)d;
}

double ecc_plain_dip(const double *z, size_t n, size_t d, double beside, double diagonal)
{
    double sum = 0;
    for (size_t k = 0; k < d; k++) {
        for (size_t l = 0; l < d; l++) {
            const double c = covariance_of(z, n, d, k, l, (double)n);
            sum += k == l ? diagonal * (c - 1) * (c - 1) : beside * c * c;
        }
    }
    return sum;
}

double ecc_plain_evenness(const double *eigenvalues, size_t d)
{
    double trace = 0, sum = log((double)d);
    for (size_t k = 0; k < d; k++) trace += eigenvalues[k];
    for (size_t k = 0; k < d; k++) {
        const double p = eigenvalues[k] / trace;
        if (p > 0) sum += p * log(p);
    }
    return sum;
}

/* ---- Pairs ---------------------------------------------------------------------------------- */

static double product(const double *a, const double *b, size_t d)
{
    double sum = 0;
    for (size_t k = 0; k < d; k++) sum += a[k] * b[k];
    return sum;
}

double ecc_plain_cosine(const double *z, size_t n, size_t d)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const double *const a = z + i * d, *const b = z + j * d;
            const double cosine =
                product(a, b, d) / sqrt((product(a, a, d) + 1e-4) * (product(b, b, d) + 1e-4));
            sum += cosine * cosine;
        }
    }
    return 2 * sum / ((double)n * ((double)n - 1));
}

/* ---- Projections ---------------------------------------------------------------------------- */

static double project(const double *z_i, const float *direction, size_t d)
{
    double sum = 0;
    for (size_t k = 0; k < d; k++) sum += z_i[k] * (double)direction[k];
    return sum;
}

double ecc_plain_sigreg(const double *z, size_t n, size_t d, const float *directions, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        for (size_t q = 0; q < ECC_SIGREG_KNOTS; q++) {
            double phi, t, c = 0, s = 0;
            const double weight = ecc_sigreg_weight(&phi, &t, q);
            for (size_t i = 0; i < n; i++) {
                const double along = project(z + i * d, directions + k * d, d);
                c += cos(t * along) / (double)n;
                s += sin(t * along) / (double)n;
            }
            sum += (double)n * weight * ((c - phi) * (c - phi) + s * s);
        }
    }
    return sum / (double)count;
}

static void insert(double *sorted, size_t count, double x)
{
    size_t at = count;
    for (; at > 0 && sorted[at - 1] > x; at--) sorted[at] = sorted[at - 1];
    sorted[at] = x;
}

double ecc_plain_swae(const double *z, size_t n, size_t d, const float *directions, size_t count,
                      const float *prior, double *scratch)
{
    double *const mine = scratch, *const theirs = scratch + n;
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < n; i++) {
            double draw = 0;
            for (size_t l = 0; l < d; l++) {
                draw += (double)prior[i * d + l] * (double)directions[k * d + l];
            }
            insert(mine, i, project(z + i * d, directions + k * d, d));
            insert(theirs, i, draw);
        }
        for (size_t i = 0; i < n; i++) sum += (mine[i] - theirs[i]) * (mine[i] - theirs[i]);
    }
    return sum / ((double)n * (double)count);
}
