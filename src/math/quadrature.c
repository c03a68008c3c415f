/* quadrature.c: Gauss-Jacobi rules, and means under a Beta distribution by the trapezoid rule. */
#include "math/quadrature.h"

#include "math/lapack.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The recurrence of the orthonormal Jacobi polynomials:
 * x p_k = off[k] p_{k+1} + diagonal[k] p_k + off[k-1] p_{k-1}. */
static void jacobi_matrix(double *diagonal, double *off, size_t n, double alpha, double beta)
{
    double sum = alpha + beta;
    diagonal[0] = (beta - alpha) / (sum + 2);
    for (size_t i = 1; i < n; i++) {
        double k = (double)i, m = 2 * k + sum;
        diagonal[i] = (beta - alpha) * sum / (m * (m + 2));
        /* for k = 1 the factor k + alpha + beta cancels m - 1, which may be 0 */
        double tail = i == 1 ? 1 : (k + sum) / (m - 1);
        off[i - 1] = sqrt(4 * k * (k + alpha) * (k + beta) * tail / (m + 1)) / m;
    }
}

/* The weight of a node is 1 / sum of p_k(x)^2 over k < n, with p_0 = 1. */
static double node_weight(double x, const double *diagonal, const double *off, size_t n)
{
    double before = 0, now = 1, sum = 1;
    for (size_t k = 0; k + 1 < n; k++) {
        double next = (x - diagonal[k]) * now - (k > 0 ? off[k - 1] * before : 0);
        before = now;
        now = next / off[k];
        sum += now * now;
        if (sum > 1e300) return 0; /* far outside the bulk of a narrow density */
    }
    return 1 / sum;
}

static void compute_weights(struct ecc_quadrature *rule, const double *diagonal, const double *off)
{
    double total = 0;
    for (size_t i = 0; i < rule->n; i++) {
        rule->weight[i] = node_weight(rule->node[i], diagonal, off, rule->n);
        total += rule->weight[i];
    }
    for (size_t i = 0; i < rule->n; i++) /* total is 1 but for rounding */
        rule->weight[i] /= total;
}

enum ecc_status ecc_quadrature_jacobi_init(struct ecc_quadrature *rule, size_t n, double alpha,
                                           double beta, struct ecc_error *error)
{
    *rule = (struct ecc_quadrature){0};
    if (n == 0 || n > SIZE_MAX / (4 * sizeof(double)))
        return ecc_fail(error, ECC_BAD_ARGUMENT, "cannot make a quadrature of %zu nodes", n);
    if (!(alpha > -1 && beta > -1) || isinf(alpha) || isinf(beta)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "alpha is %g and beta %g, expected above -1",
                        alpha, beta);
    }
    double *scratch = malloc(3 * n * sizeof *scratch);
    rule->node = malloc(2 * n * sizeof *rule->node);
    if (!scratch || !rule->node) {
        free(scratch);
        ecc_quadrature_release(rule);
        return ecc_fail_memory(error, "a quadrature");
    }
    rule->n = n;
    rule->weight = rule->node + n;
    double *diagonal = scratch, *off = scratch + n, *consumed = scratch + 2 * n;
    jacobi_matrix(diagonal, off, n, alpha, beta);
    for (size_t i = 0; i < n; i++) {
        rule->node[i] = diagonal[i];
        if (i + 1 < n) consumed[i] = off[i];
    }
    enum ecc_status status = ecc_eigen_tridiagonal(rule->node, consumed, n, error);
    if (status == ECC_OK)
        compute_weights(rule, diagonal, off);
    else
        ecc_quadrature_release(rule);
    free(scratch);
    return status;
}

void ecc_quadrature_release(struct ecc_quadrature *rule)
{
    free(rule->node);
    *rule = (struct ecc_quadrature){0};
}

double ecc_quadrature_mean(const struct ecc_quadrature *rule, double (*f)(double x, void *context),
                           void *context)
{
    double sum = 0;
    for (size_t i = 0; i < rule->n; i++) sum += rule->weight[i] * f(rule->node[i], context);
    return sum;
}

/* The sum over one half of the grid in y = log(t/(1-t)) - log(p/q). */
struct half_sum {
    double weight, value;
};

/*
 * Adds the nodes on one side of the mode, y = 0, until they no longer count.  With r = p and u its
 * share p/(p+q) below the mode, r = q and u = q/(p+q) above it, and e = exp(-|y|):
 *     weight, relative to the mode's:  exp(-r |y|) / ((1-u) + u e)^(p+q),
 *     t, or 1 - t above:               u e / ((1-u) + u e).
 */
static void add_half(struct half_sum *sum, double r, double other, double step, bool above,
                     double (*f)(double t, void *context), void *context)
{
    double share = r / (r + other), rest = other / (r + other);
    for (int i = above ? 0 : 1;; i++) { /* the mode itself counts once */
        double y = i * step, fall = share * exp(-y), sum_of_shares = rest + fall;
        double change = share * expm1(-y); /* sum_of_shares - 1, precise where that is small */
        double logarithm = change > -0.5 ? log1p(change) : log(sum_of_shares);
        double weight = exp(-r * y - (r + other) * logarithm);
        double value = weight * f((above ? rest : fall) / sum_of_shares, context);
        sum->weight += weight;
        sum->value += value;
        if (weight <= 1e-20 && !(fabs(value) > 1e-20 * fabs(sum->value))) return;
    }
}

/*
 * The error falls as |Gamma(p + iw) Gamma(q + iw)| at w = 2 pi / step: like exp(-pi w) for small p
 * and q, as a Gaussian of variance about min(p, q) for large ones; the constants leave a margin
 * for f.  The sum of the weights is the Beta function to the same precision, so it normalises.
 */
double ecc_quadrature_beta_mean(double p, double q, double (*f)(double t, void *context),
                                void *context)
{
    const double pi = 3.14159265358979323846;
    double step = 2 * pi / (28 + 9 * sqrt(fmin(p, q)));
    struct half_sum sum = {0, 0};
    add_half(&sum, q, p, step, true, f, context);
    add_half(&sum, p, q, step, false, f, context);
    return sum.value / sum.weight;
}
