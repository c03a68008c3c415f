/*
 * bessel.c: ratios of modified Bessel functions by their continued fraction, and their logarithm.
 *
 * With r_j = I_{nu+j+1}/I_{nu+j}, r_{j-1} = 1 / (2 (nu+j)/x + r_j): evaluated from a high j down,
 * an error of r_j shrinks by r_{j-1}^2 in each step, from the order of x^(1/2) on quickly.  The
 * first r is Amos's bound, which is good to 1/x^2 itself.  log I_nu is that of a high order, where
 * Debye's expansion has converged, minus the logarithms of the ratios below.  I_nu itself leaves
 * the range of a double where densities on spheres still need its logarithm.
 */
#include "math/bessel.h"

#include <math.h>
#include <stddef.h>

static const double debye_order = 64; /* from here on, five terms give 10 digits */

/* log I_nu(x) for large nu, uniformly in x (DLMF 10.41.3). */
static double log_i_debye(double nu, double x)
{
    const double root = hypot(nu, x), t = nu / root, s = t * t;
    const double eta = root + nu * log(x / (nu + root));
    const double u1 = t * (3 - 5 * s) / 24;
    const double u2 = s * (81 + s * (-462 + s * 385)) / 1152;
    const double u3 = s * t * (30375 + s * (-369603 + s * (765765 - s * 425425))) / 414720;
    const double u4 =
        s * s * (4465125 + s * (-94121676 + s * (349922430 + s * (-446185740 + s * 185910725)))) /
        39813120;
    const double series = (u1 + (u2 + (u3 + u4 / nu) / nu) / nu) / nu;
    return eta - 0.5 * log(2 * acos(-1) * root) + log1p(series);
}

double ecc_bessel_ratio(double *log_i, double nu, double x)
{
    const double steps = ceil(sqrt(40 * x)) + 40; /* the first error times 1e-17 */
    const double high = nu < debye_order ? ceil(debye_order - nu) : 0;
    /* the ratios that log I_nu is made of must have converged, too */
    const double top = log_i ? steps + high : steps, order = nu + top;
    double ratio = x / (order + 0.5 + hypot(order + 1.5, x)), logs = 0;
    for (size_t i = (size_t)top; i >= 1; i--) {
        const double j = (double)i;
        ratio = 1 / (2 * (nu + j) / x + ratio); /* that of order nu + j - 1 */
        if (log_i && j <= high) logs += log(ratio);
    }
    if (log_i) *log_i = log_i_debye(nu + high, x) - logs;
    return ratio;
}

/* Both by their asymptotic series from 12 on, where the recurrence leads. */
double ecc_digamma(double x)
{
    double shift = 0;
    while (x < 12) shift += 1 / x++;
    const double z = 1 / (x * x);
    const double series =
        z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z / 132))));
    return log(x) - 0.5 / x - series - shift;
}

double ecc_trigamma(double x)
{
    double shift = 0;
    while (x < 12) {
        shift += 1 / (x * x);
        x++;
    }
    const double z = 1 / (x * x);
    const double series =
        z * (1.0 / 6 - z * (1.0 / 30 - z * (1.0 / 42 - z * (1.0 / 30 - z * 5 / 66))));
    return 1 / x + 0.5 * z + series / x + shift;
}
