/* plain.c: regularizers as their definitions say, in double and item by item. */
#include "method/plain.h"
#include "method/sigreg.h"

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

/* |u_i - sign u_j|^2 of two latents projected to the unit sphere */
static double square_of(const double *a, const double *b, size_t d, double sign)
{
    const double a_length = sqrt(product(a, a, d) + 1e-4);
    const double b_length = sqrt(product(b, b, d) + 1e-4);
    double sum = 0;
    for (size_t k = 0; k < d; k++) {
        const double difference = a[k] / a_length - sign * b[k] / b_length;
        sum += difference * difference;
    }
    return sum;
}

static double energy(double q, int s)
{
    return s == 0 ? -log(q + 1e-6) : pow(q + 1e-6, -0.5 * s);
}

double ecc_plain_mhe(const double *z, size_t n, size_t d, int s, bool half)
{
    const double points = (double)(half ? 2 * n : n);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double *const a = z + i * d;
        if (half) sum += energy(square_of(a, a, d, -1), s);
        for (size_t j = 0; j < i; j++) {
            const double *const b = z + j * d;
            const double same = energy(square_of(a, b, d, 1), s);
            sum += half ? 2 * same + 2 * energy(square_of(a, b, d, -1), s) : same;
        }
    }
    return 2 * sum / (points * (points - 1));
}

double ecc_plain_uniform(const double *z, size_t n, size_t d, double t)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) sum += exp(-t * square_of(z + i * d, z + j * d, d, 1));
    }
    return log(2 * sum / ((double)n * ((double)n - 1)));
}

double ecc_plain_cwae(const double *z, size_t n, size_t d)
{
    const double g = pow(4 / (3 * (double)n), 0.4), k = 1 / (2 * (double)d - 3);
    double pairs = 0, centre = 0;
    for (size_t i = 0; i < n; i++) {
        const double *const a = z + i * d;
        for (size_t j = 0; j < n; j++) {
            double square = 0;
            for (size_t l = 0; l < d; l++) square += (a[l] - z[j * d + l]) * (a[l] - z[j * d + l]);
            pairs += 1 / sqrt(g + k * square);
        }
        centre += 1 / sqrt(g + 0.5 + k * product(a, a, d));
    }
    pairs /= (double)n * (double)n;
    return log(fmax(0, 1 / sqrt(1 + g) + pairs - 2 * centre / (double)n) + 1e-7);
}

double ecc_plain_info(const double *z, const float *prior, size_t n, size_t d)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double within = 0, among = 0, across = 0;
            for (size_t k = 0; k < d; k++) {
                const double p = (double)prior[i * d + k], q = (double)prior[j * d + k];
                within += pow(z[i * d + k] - z[j * d + k], 2);
                among += pow(p - q, 2);
                across += pow(z[i * d + k] - q, 2);
            }
            const double scale = 1 / ((double)d * (double)d);
            sum += exp(-scale * within) + exp(-scale * among) - 2 * exp(-scale * across);
        }
    }
    return sum / ((double)n * (double)n);
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
