/* accuracy.c: Figure 1 of the paper: how far the radius with its M is from sqrt(d). */
#include "theory/arguments.h"
#include "theory/stationary.h"

#include <math.h>

static const double most_values = 1e9; /* of mu, for one d */

/* The number of values 1, 1 + step, ... up to 2d + 1, although 4/0.01 is rounded. */
static enum ecc_status count_values(size_t *count, size_t d, double step, struct ecc_error *error)
{
    double steps = floor(2 * (double)d / step * (1 + 1e-12));
    if (!(steps < most_values)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "step is %.10g, too small: there would be %g values of mu for d = %zu",
                        step, steps, d);
    }
    *count = (size_t)steps + 1;
    return ECC_OK;
}

/* |rho - sqrt(d)|/sqrt(d) with rho^2 = M s/4, where rho is close to sqrt(d). */
static double deviation(double s, size_t d, double mu)
{
    double square = ecc_theory_m_paper(d, mu) * s / (4 * (double)d);
    return fabs(square - 1) / (sqrt(square) + 1);
}

/* s is nearly linear in mu, so the line through the last two solutions is such a good guess that
 * one step of Newton's method is enough. */
enum ecc_status ecc_theory_accuracy(double *percent, double *worst_mu, size_t d, double step,
                                    struct ecc_error *error)
{
    size_t count = 0;
    ECC_TRY(ecc_theory_check_d(d, error));
    ECC_TRY(ecc_theory_check_positive("step", step, error));
    ECC_TRY(count_values(&count, d, step, error));
    struct ecc_stationary equation;
    ecc_stationary_init(&equation, d);
    double worst = -1, s = 0, before = 0;
    for (size_t k = 0; k < count; k++) {
        double mu = 1 + (double)k * step;
        double guess = k < 2 ? s : 2 * s - before;
        before = s;
        s = ecc_stationary_solve(&equation, 2 * mu - 1, guess);
        double difference = deviation(s, d, mu);
        if (isnan(difference)) {
            return ecc_fail(error, ECC_NUMERIC,
                            "the equation of Theorem 1 could not be solved for d = %zu, mu = %g", d,
                            mu);
        }
        if (difference > worst) worst = difference, *worst_mu = mu;
    }
    *percent = 100 * worst;
    return ECC_OK;
}
