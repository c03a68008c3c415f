/* distribution.c: the incomplete beta function, quantiles of F and of samples. */
#include "math/distribution.h"

#include <math.h>
#include <stdlib.h>

/* Lentz's method for the continued fraction; converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 / fmax(1 - (a + b) * x / (a + 1), tiny), sum = d;
    for (int m = 1; m < 10000; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        const double steps[] = {even, odd};
        double change = 1;
        for (int i = 0; i < 2; i++) {
            d = 1 + steps[i] * d;
            c = 1 + steps[i] / c;
            if (fabs(d) < tiny) d = tiny;
            if (fabs(c) < tiny) c = tiny;
            d = 1 / d;
            change = c * d;
            sum *= change;
        }
        if (fabs(change - 1) < 1e-15) break;
    }
    return sum;
}

double ecc_beta_share(double a, double b, double x)
{
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double ecc_f_quantile(double probability, double above, double below)
{
    double low = 0, high = 1; /* of the share w = above F / (above F + below) */
    for (int i = 0; i < 200 && high - low > 1e-16 * high; i++) {
        const double middle = (low + high) / 2;
        if (ecc_beta_share(above / 2, below / 2, middle) < probability) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const double w = (low + high) / 2;
    return below * w / (above * (1 - w));
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ecc_sample_quantile(double *values, size_t n, double probability)
{
    if (n == 0) return NAN;
    qsort(values, n, sizeof *values, compare);
    const double at = probability * (double)(n - 1);
    const size_t i = (size_t)floor(at);
    if (i + 1 >= n) return values[n - 1];
    return values[i] + (at - (double)i) * (values[i + 1] - values[i]);
}
