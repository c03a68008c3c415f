/* theorem1.c: the public functions of Theorem 1: M and radius from each other, the sphere's loss,
 * the force. */
#include "theory/arguments.h"
#include "theory/stationary.h"

#include "math/quadrature.h"

#include <math.h>

double ecc_theory_m_paper(size_t d, double mu)
{
    double dim = (double)d;
    return 2 * dim * (1 + 1 / (2 * mu * (dim - 1))) / (2 * mu - 1);
}

/* s = 4 rho^2 / M of the stationary sphere. */
static enum ecc_status solve(double *s, size_t d, double mu, struct ecc_error *error)
{
    struct ecc_stationary equation;
    ecc_stationary_init(&equation, d);
    *s = ecc_stationary_solve(&equation, 2 * mu - 1, 0);
    if (isfinite(*s)) return ECC_OK;
    return ecc_fail(error, ECC_NUMERIC,
                    "the equation of Theorem 1 has no solution in range for d = %zu, mu = %g", d,
                    mu);
}

/* Refuses a result that over- or underflowed. */
static enum ecc_status check_result(const char *name, double value, struct ecc_error *error)
{
    if (isfinite(value) && value != 0) return ECC_OK;
    return ecc_fail(error, ECC_NUMERIC, "the %s is outside the range of a double: %g", name, value);
}

enum ecc_status ecc_theory_m_for_radius(double *m, size_t d, double mu, double radius,
                                        struct ecc_error *error)
{
    double s = 0;
    ECC_TRY(ecc_theory_check_d_mu(d, mu, error));
    ECC_TRY(ecc_theory_check_positive("the radius", radius, error));
    ECC_TRY(solve(&s, d, mu, error));
    *m = 4 * radius * (radius / s);
    return check_result("M for this radius", *m, error);
}

enum ecc_status ecc_theory_m(double *m, size_t d, double mu, enum ecc_m_rule rule, double given,
                             struct ecc_error *error)
{
    ECC_TRY(ecc_theory_check_d_mu(d, mu, error));
    switch (rule) {
    case ECC_M_PAPER: *m = ecc_theory_m_paper(d, mu); return check_result("paper's M", *m, error);
    case ECC_M_EXACT: return ecc_theory_m_for_radius(m, d, mu, sqrt((double)d), error);
    case ECC_M_GIVEN:
        ECC_TRY(ecc_theory_check_positive("M", given, error));
        *m = given;
        return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "%d is not a rule for M: expected one of enum ecc_m_rule", (int)rule);
}

enum ecc_status ecc_theory_radius(double *rho, size_t d, double mu, double m,
                                  struct ecc_error *error)
{
    double s = 0;
    ECC_TRY(ecc_theory_check_d_mu(d, mu, error));
    ECC_TRY(ecc_theory_check_positive("M", m, error));
    ECC_TRY(solve(&s, d, mu, error));
    *rho = sqrt(m) * sqrt(s) / 2;
    return check_result("radius", *rho, error);
}

static double log_term(double t, void *s)
{
    return log1p(*(const double *)s * t);
}

/* x - log(1+x) for x >= 0, without cancellation for small x: x^2/2 - x^3/3 + ... */
static double log_excess(double x)
{
    if (x > 0.1) return x - log1p(x);
    double sum = 0, power = x * x;
    for (int k = 2; k < 18; k++, power *= -x) sum += power / k;
    return sum;
}

static double log_excess_term(double t, void *s)
{
    return log_excess(*(const double *)s * t);
}

/*
 * rho^2 - mu M E[log(1+st)], s = 4 rho^2/M, where t = (1+c)/2 for the cosine c between two random
 * directions: Beta((d-1)/2, (d-1)/2).  For small s the terms of first order are taken out of the
 * logarithm, since they nearly cancel rho^2 near mu = 1/2: M E[st] = 2 rho^2.
 */
enum ecc_status ecc_theory_sphere_loss(double *loss, size_t d, double mu, double m, double rho,
                                       struct ecc_error *error)
{
    ECC_TRY(ecc_theory_check_d_mu(d, mu, error));
    ECC_TRY(ecc_theory_check_positive("M", m, error));
    if (!(rho >= 0) || isinf(rho)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the radius is %.10g, expected a number of at least 0", rho);
    }
    double p = ((double)d - 1) / 2;
    double s = 4 * rho * (rho / m);
    if (s < 1) {
        double mean = ecc_quadrature_beta_mean(p, p, log_excess_term, &s);
        *loss = rho * rho * (1 - 2 * mu) + mu * m * mean;
    } else {
        double mean = ecc_quadrature_beta_mean(p, p, log_term, &s);
        *loss = rho * rho - mu * m * mean;
    }
    if (isfinite(*loss)) return ECC_OK;
    return ecc_fail(error, ECC_NUMERIC, "the loss of the sphere is outside the range of a double");
}

double ecc_theory_force(double distance, double mu, double m)
{
    return 2 * mu * distance / (1 + distance * (distance / m));
}
