/*
 * escape.c: whether the stationary sphere of Theorem 1 is a minimum, a question that the paper does
 * not ask.
 *
 * To the uniform sphere of radius rho, a little mass at distance r from the origin adds
 *     U(r) = r^2 - 2 mu M E[log(1 + |x - s|^2/M)],  |x| = r, s on the sphere,
 * to first order.  U is stationary at rho, but where U(r) < U(rho) for another r, points gain by
 * leaving the sphere: the minimum is then another distribution, such as a sphere within a sphere.
 */
#include "math/quadrature.h"
#include "theory/arguments.h"

#include <math.h>

struct potential {
    double d, mu, m, rho;
    double r; /* the point of the integrand */
};

/* log(1 + |x - s|^2/M), |x - s|^2 = r^2 + rho^2 - 2 r rho c with c = 2t - 1 */
static double log_term(double t, void *context)
{
    const struct potential *const p = context;
    const double gap = p->r - p->rho;
    return log1p((gap * gap + 4 * p->r * p->rho * t) / p->m);
}

static double potential_at(struct potential p, double r)
{
    p.r = r;
    const double shape = (p.d - 1) / 2;
    const double mean = ecc_quadrature_beta_mean(shape, shape, log_term, &p);
    return r * r - 2 * p.mu * p.m * mean;
}

/* The least value between two radii, by golden section. */
static double refine(const struct potential *p, double low, double high)
{
    const double golden = (sqrt(5) - 1) / 2;
    for (int i = 0; i < 60; i++) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        if (potential_at(*p, a) < potential_at(*p, b)) {
            high = b;
        } else {
            low = a;
        }
    }
    return 0.5 * (low + high);
}

enum ecc_status ecc_theory_escape(double *gain, double *radius, size_t d, double mu, double m,
                                  struct ecc_error *error)
{
    enum { PLACES = 200 };
    struct potential p = {.d = (double)d, .mu = mu, .m = m};
    ECC_TRY(ecc_theory_radius(&p.rho, d, mu, m, error));
    const double home = potential_at(p, p.rho), spacing = 2 * p.rho / PLACES;
    double least = home;
    *gain = 0;
    *radius = p.rho;
    for (int i = 0; i <= PLACES; i++) {
        const double there = potential_at(p, i * spacing);
        if (there < least) {
            least = there;
            *radius = i * spacing;
        }
    }
    if (least < home) {
        if (*radius > 0) *radius = refine(&p, *radius - spacing, *radius + spacing);
        *gain = home - potential_at(p, *radius);
    }
    if (*gain > 1e-9 * p.rho * p.rho) return ECC_OK; /* smaller differences are rounding */
    *gain = 0;
    *radius = p.rho;
    return ECC_OK;
}
