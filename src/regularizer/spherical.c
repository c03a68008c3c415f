/*
 * spherical.c: distributions on the sphere around a mean direction (Davidson et al., 2018; De Cao &
 * Aziz, 2020).
 *
 * With nu = m/2 - 1 and A = I_{nu+1}(kappa) / I_nu(kappa), von Mises-Fisher has E w = A and the
 * divergence kappa A + log C + log area with log C = nu log kappa - (m/2) log 2 pi - log I_nu; its
 * derivative is kappa - kappa A^2 - (m-1) A.  For power spherical, (1 + w)/2 is Beta(alpha, beta)
 * with alpha = (m-1)/2 + kappa, beta = (m-1)/2.
 *
 * Cosines are kept as gap = 1 - w, which stays exact where kappa is large.
 */
#include "regularizer/spherical.h"
#include "base/rng.h"
#include "math/bessel.h"

#include <math.h>

enum { ATTEMPTS = 4096 }; /* of a rejection; two thirds of them are accepted, at least */

static const double pi = 3.14159265358979323846;

double ecc_spherical_log_area(double m)
{
    return log(2) + 0.5 * m * log(pi) - lgamma(0.5 * m);
}

static void set_von_mises_fisher(struct ecc_spherical *s)
{
    const double nu = 0.5 * s->m - 1, k = s->kappa;
    double log_i;
    const double a = ecc_bessel_ratio(&log_i, nu, k);
    s->mean = a;
    s->log_factor = nu * log(k) - 0.5 * s->m * log(2 * pi) - log_i;
    s->kl = k * a + s->log_factor + ecc_spherical_log_area(s->m);
    s->slope = k * (1 - a) * (1 + a) - (s->m - 1) * a;
}

static void set_power(struct ecc_spherical *s)
{
    const double beta = 0.5 * (s->m - 1), alpha = beta + s->kappa;
    s->mean = ecc_digamma(alpha) - ecc_digamma(alpha + beta);
    s->log_factor =
        -((alpha + beta) * log(2) + lgamma(alpha) - lgamma(alpha + beta) + beta * log(pi));
    s->kl = s->log_factor + s->kappa * (log(2) + s->mean) + ecc_spherical_log_area(s->m);
    s->slope = s->kappa * (ecc_trigamma(alpha) - ecc_trigamma(alpha + beta));
}

struct ecc_spherical ecc_spherical_of(bool power, size_t m, double kappa)
{
    struct ecc_spherical s = {.power = power, .m = (double)m, .kappa = kappa};
    (power ? set_power : set_von_mises_fisher)(&s);
    return s;
}

/* ---- Cosines -------------------------------------------------------------------------------- */

/* m = 3: w = 1 + log(u + (1-u) exp(-2 kappa)) / kappa. */
static double draw_inverse(const struct ecc_spherical *s, double *path,
                           const struct ecc_spherical_source *from)
{
    const double k = s->kappa, small = exp(-2 * k);
    double u;
    ecc_rng_uniform(&u, from->seed, from->height, from->item, 1);
    const double mixed = u + (1 - u) * small, logarithm = log(mixed);
    *path = -(logarithm / k + 2 * (1 - u) * small / mixed) / k;
    return -logarithm / k;
}

/* Beta((m-1)/2, (m-1)/2): half of one plus a coordinate of a random point of the sphere. */
static double draw_symmetric(double m, const double u[2])
{
    const double radius = m > 2 ? sqrt(-expm1(2 / (m - 2) * log(u[1]))) : 1;
    return 0.5 + 0.5 * radius * cos(2 * pi * u[0]);
}

static double draw_rejected(const struct ecc_spherical *s, double *path,
                            const struct ecc_spherical_source *from)
{
    const double k = s->kappa, rest = s->m - 1, c = hypot(2 * k, rest);
    const double b = rest / (2 * k + c), a = 0.25 * (rest + 2 * k + c);
    const double constant = 4 * a * b / (1 + b) - rest * log(rest);
    double eps = 0.5, below = 0.5 * (1 + b);
    for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        double u[3];
        ecc_rng_uniform(u, from->seed, from->height, 4 * (from->item * ATTEMPTS + attempt), 3);
        eps = draw_symmetric(s->m, u);
        below = 1 - (1 - b) * eps;
        const double t = 2 * a * b / below;
        if (rest * log(t) - t + constant >= log(u[2])) break;
    }
    const double by_b = -2 * eps * (1 - eps) / (below * below);
    *path = by_b * -2 * rest / (c * (2 * k + c)); /* db/dkappa = (4 kappa / c - 2) / (m - 1) */
    return 2 * b * eps / below;
}

/* Marsaglia & Tsang; alpha >= 1. */
static double draw_gamma(double alpha, const struct ecc_spherical_source *from)
{
    const double d = alpha - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        const uint64_t at = from->item * ATTEMPTS + attempt;
        double x, u;
        ecc_rng_normal(&x, from->seed, from->gamma, at, 1);
        ecc_rng_uniform(&u, from->seed, from->height, at, 1);
        const double root = 1 + c * x, v = root * root * root;
        if (v > 0 && log(u) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
    }
    return d;
}

double ecc_spherical_draw(const struct ecc_spherical *s, double *path,
                          const struct ecc_spherical_source *from)
{
    if (s->power) {
        const double one = draw_gamma(0.5 * (s->m - 1) + s->kappa, from);
        const double other = 0.5 * from->squares;
        *path = NAN;
        return 2 * other / (one + other);
    }
    return s->m == 3 ? draw_inverse(s, path, from) : draw_rejected(s, path, from);
}

/* ---- Their derivative ----------------------------------------------------------------------- */

/* log of the density of the angle at b, relative to that at a: (m-2) log sin + kappa h, where h is
 * cos, or log(1 + cos). */
static double log_density_from(const struct ecc_spherical *s, double a, double b)
{
    const double h = s->power ? 2 * log(cos(0.5 * b) / cos(0.5 * a))
                              : -2 * sin(0.5 * (a + b)) * sin(0.5 * (b - a));
    const double sines = s->m == 2 ? 0 : (s->m - 2) * log(sin(b) / sin(a));
    return sines + s->kappa * h;
}

/* h - E h */
static double score(const struct ecc_spherical *s, double angle)
{
    const double half = sin(0.5 * angle);
    if (s->power) return log1p(-half * half) - s->mean;
    return (1 - s->mean) - 2 * half * half;
}

/*
 * dw/dkappa = integral of (E h - h) f over all cosines below w, divided by f(w), or of (h - E h) f
 * over those above: the side that leads away from the mode, where f falls, so that nothing can
 * overflow; and there only as far as f counts.
 */
double ecc_spherical_implicit(const struct ecc_spherical *s, const struct ecc_quadrature *rule,
                              double gap)
{
    const double tiny = 1e-9;
    const double angle = fmin(fmax(2 * asin(sqrt(fmin(1, 0.5 * gap))), tiny), pi - tiny);
    const double fall = s->power ? tan(0.5 * angle) : sin(angle);
    const bool below = (s->m - 2) / tan(angle) < s->kappa * fall;
    const double sign = below ? 1 : -1;
    double length = below ? pi - angle : angle, sum = 0;
    while (log_density_from(s, angle, angle + 0.75 * sign * length) < -42) length *= 0.75;
    for (size_t i = 0; i < rule->n; i++) {
        const double at = angle + sign * length * 0.5 * (1 + rule->node[i]);
        sum += rule->weight[i] * score(s, at) * exp(log_density_from(s, angle, at));
    }
    return -sign * sum * length * sin(angle);
}

/* ---- Points --------------------------------------------------------------------------------- */

/*
 * A reflection takes the axis e = (sign, 0, ..., 0) to mu: z = x - (x.q) q / c with q = e - mu and
 * c = |q|^2 / 2 = 1 - sign mu_1.  The sign is that of the axis far from mu, so that c >= 1: one
 * axis for all, as in the published code, has derivatives without bound near it.
 */
struct reflection {
    double sign, c;
};

static struct reflection reflection_of(const double *mu)
{
    const double sign = mu[0] > 0 ? -1 : 1;
    return (struct reflection){sign, 1 - sign * mu[0]};
}

static double q_at(const struct reflection *r, const double *mu, size_t k)
{
    return (k == 0 ? r->sign : 0) - mu[k];
}

/* The point before the reflection. */
static double x_at(const struct reflection *r, const double *tangent, double gap, size_t k)
{
    return k == 0 ? r->sign * (1 - gap) : sqrt(gap * (2 - gap)) * tangent[k - 1];
}

void ecc_spherical_place(double *z, const double *mu, const double *tangent, double gap, size_t m)
{
    const struct reflection r = reflection_of(mu);
    double xq = 0;
    for (size_t k = 0; k < m; k++) xq += x_at(&r, tangent, gap, k) * q_at(&r, mu, k);
    for (size_t k = 0; k < m; k++) {
        z[k] = x_at(&r, tangent, gap, k) - xq / r.c * q_at(&r, mu, k);
    }
}

double ecc_spherical_pull(double *dmu, const float *dz, const double *mu, const double *tangent,
                          double gap, size_t m)
{
    const struct reflection r = reflection_of(mu);
    double xq = 0, gq = 0;
    for (size_t k = 0; k < m; k++) {
        xq += x_at(&r, tangent, gap, k) * q_at(&r, mu, k);
        gq += (double)dz[k] * q_at(&r, mu, k);
    }
    /* the cosine: x has derivative (sign, -w / sqrt(1 - w^2) tangent) */
    const double turn = -(1 - gap) / sqrt(fmax(gap * (2 - gap), 1e-20));
    double dw = 0;
    for (size_t k = 0; k < m; k++) {
        const double x = x_at(&r, tangent, gap, k), g = (double)dz[k];
        const double before = g - gq / r.c * q_at(&r, mu, k); /* the gradient reflected back */
        dmu[k] += (gq * x + xq * g) / r.c;
        dw += before * (k == 0 ? r.sign : turn * tangent[k - 1]);
    }
    dmu[0] -= r.sign * xq * gq / (r.c * r.c);
    return dw;
}
