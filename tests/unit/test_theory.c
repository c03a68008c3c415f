/* test_theory.c: Theorem 1 and the Lemma against closed forms, brute integration and each other. */
#include "testing.h"

#include "base/rng.h"
#include "math/quadrature.h"
#include "theory/stationary.h"

static const double pi = 3.14159265358979323846;

/* Item `index` of a random stream, in (low, high). */
static double uniform(uint64_t stream, uint64_t index, double low, double high)
{
    double u;
    ecc_rng_uniform(&u, 1, stream, index, 1);
    return low + (high - low) * u;
}

static double log_uniform(uint64_t stream, uint64_t index, double low, double high)
{
    return exp(uniform(stream, index, log(low), log(high)));
}

/* ---- The function B(a) of the theorem: 2 mu B = 1 ------------------------------------------- */

static double mean_force(size_t d, double a)
{
    struct ecc_stationary equation;
    ecc_stationary_init(&equation, d);
    double s = 2 / a;
    return 1 / (1 + s * ecc_stationary_ratio(&equation, s));
}

static double closed_form(size_t d, double a)
{
    if (d == 2) return a * (1 - sqrt(a / (a + 2)));
    if (d == 3) return a * (1 - a / 2 * log1p(2 / a));
    double x = a + 1; /* d = 4: Stieltjes transform of the semicircle */
    return a * (1 - 2 * a / (x + sqrt(x * x - 1)));
}

static void test_closed_forms(void **state)
{
    (void)state;
    for (size_t d = 2; d <= 4; d++) {
        for (uint64_t i = 0; i < 300; i++) {
            double a = log_uniform(d, i, 1e-14, 30);
            check_relative(mean_force(d, a), closed_form(d, a), 1e-13 * (1 + a * a), "B(a)");
        }
    }
}

static double kernel(double c, void *a)
{
    return 1 / (1 + (1 + c) / *(double *)a);
}

static void test_against_gauss_jacobi(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 60; i++) {
        size_t d = (size_t)log_uniform(10, i, 2, 3000);
        double a = log_uniform(11, i, 0.02, 1000);
        struct ecc_quadrature rule;
        check_ok(ecc_quadrature_jacobi_init(&rule, 160, ((double)d - 3) / 2, ((double)d - 1) / 2,
                                            &testing_error));
        check_relative(mean_force(d, a), ecc_quadrature_mean(&rule, kernel, &a), 2e-13, "B(a)");
        ecc_quadrature_release(&rule);
    }
}

/* ---- The paper's own integrals -------------------------------------------------------------- */

/* f_{d,a}(u) of the appendix, as a logarithm. */
static double log_f(size_t d, double a, double u)
{
    double half = (double)d / 2, x = a * (u - 1);
    return log(2 * a / sqrt(pi)) + lgamma(half) - lgamma(half - 0.5) + (half - 0.5) * log(x) +
           (half - 1.5) * log(2 - x) - log(u);
}

/* The integral of u^power f(u) du from 1 to 1 + 2/a, by the midpoint rule in theta, where
 * u = 1 + (1 + cos theta)/a. */
static double integrate_f(size_t d, double a, int power)
{
    const int steps = 200000;
    double sum = 0;
    for (int i = 0; i < steps; i++) {
        double theta = pi * (i + 0.5) / steps;
        double u = 1 + (1 + cos(theta)) / a;
        sum += exp(log_f(d, a, u)) * pow(u, power) * sin(theta) / a;
    }
    return sum * pi / steps;
}

static void test_theorem_by_brute_integration(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20; i++) {
        size_t d = (size_t)log_uniform(20, i, 2, 400);
        double mu = log_uniform(21, i, 0.51, 50), m = log_uniform(22, i, 0.01, 100), rho;
        check_ok(ecc_theory_radius(&rho, d, mu, m, &testing_error));
        check_relative(integrate_f(d, m / (2 * rho * rho), 0), 1 / mu, 1e-8, "Theorem 1");
    }
}

static void test_lemma_a(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20; i++) {
        size_t d = (size_t)log_uniform(30, i, 3, 400);
        check_absolute(integrate_f(d, uniform(31, i, 0.001, 2), 1), 2, 1e-8, "Lemma (a)");
    }
}

/* The u that maximises f, by golden sections; f has one maximum for d >= 4. */
static double maximise_f(size_t d, double a)
{
    const double golden = (sqrt(5) - 1) / 2;
    double low = 1, high = 1 + 2 / a;
    for (int i = 0; i < 80; i++) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        if (log_f(d, a, left) < log_f(d, a, right))
            low = left;
        else
            high = right;
    }
    return (low + high) / 2;
}

static void test_lemma_b(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        size_t d = (size_t)log_uniform(40, i, 4, 400);
        double a = log_uniform(41, i, 0.001, 20);
        double u = maximise_f(d, a);
        double expected = (1 + 1 / (u * ((double)d - 3) + 1)) / (u - 1);
        check_relative(expected, a, 1e-6, "Lemma (b)");
    }
}

/* ---- Radius and M --------------------------------------------------------------------------- */

static void test_reference_points(void **state)
{
    (void)state;
    static const struct {
        size_t d;
        double mu, rho;
    } points[] = {{2, 5, 1.354006}, {12, 2.1, 3.460656}, {64, 1.8, 7.999735}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        double rho, m = ecc_theory_m_paper(points[i].d, points[i].mu);
        check_ok(ecc_theory_radius(&rho, points[i].d, points[i].mu, m, &testing_error));
        check_absolute(rho, points[i].rho, 5.1e-7, "radius");
    }
}

static void check_exact(size_t d, double mu)
{
    double m, rho;
    check_ok(ecc_theory_m(&m, d, mu, ECC_M_EXACT, 0, &testing_error));
    check_ok(ecc_theory_radius(&rho, d, mu, m, &testing_error));
    check_relative(rho, sqrt((double)d), 1e-14, "radius with the exact M");
    double scaled = m / (2 * (double)d) * (2 * mu - 1); /* a_0 (2 mu - 1) */
    assert_true(scaled > 1 - 1e-14 && scaled < 1 + 1 / (double)d + 1e-14);
    if (d <= 4 && mu > 0.6) {
        double a = m / (2 * (double)d);
        check_relative(2 * mu * closed_form(d, a), 1, 1e-13 * (1 + a * a), "Theorem 1");
    }
}

static void test_exact_m(void **state)
{
    (void)state;
    static const size_t dims[] = {2, 3, 4, 5, 12, 38, 64, 117, 300, 1000, 4096, 100000};
    static const double mus[] = {0.5 + 1e-9, 0.5001, 0.6, 1, 1.8, 10, 601, 1e4, 1e6, 1e8, 1e12};
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        for (size_t j = 0; j < sizeof mus / sizeof *mus; j++) check_exact(dims[i], mus[j]);
    }
    for (uint64_t i = 0; i < 2000; i++)
        check_exact((size_t)log_uniform(50, i, 2, 1e5), 0.5 + log_uniform(51, i, 1e-9, 1e8));
}

/* The fraction and the quadrature that replaces it for large mu must agree where they meet. */
static void test_no_seam(void **state)
{
    (void)state;
    for (size_t d = 2; d < 12; d++) {
        double before = (double)INFINITY;
        for (int i = 0; i < 400; i++) {
            double m, mu = pow(10, 1 + i * 0.02);
            check_ok(ecc_theory_m(&m, d, mu, ECC_M_EXACT, 0, &testing_error));
            double scaled = m * (2 * mu - 1); /* falls slowly towards 2 d */
            assert_true(scaled < before * (1 + 1e-14));
            before = scaled;
        }
    }
}

static void test_monotone(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        size_t d = (size_t)log_uniform(60, i, 2, 1e4);
        double mu = 0.5 + log_uniform(61, i, 1e-6, 1e4), m = log_uniform(62, i, 1e-3, 1e3);
        double rho, stronger, wider, back;
        check_ok(ecc_theory_radius(&rho, d, mu, m, &testing_error));
        check_ok(ecc_theory_radius(&stronger, d, mu * 1.001, m, &testing_error));
        check_ok(ecc_theory_radius(&wider, d, mu, 4 * m, &testing_error));
        check_ok(ecc_theory_m_for_radius(&back, d, mu, rho, &testing_error));
        assert_true(stronger > rho);
        check_relative(wider, 2 * rho, 1e-14, "radius with 4 M");
        check_relative(back, m, 1e-14, "M for the radius");
    }
}

static void test_rules(void **state)
{
    (void)state;
    double m;
    check_ok(ecc_theory_m(&m, 8, 1, ECC_M_PAPER, 0, &testing_error));
    check_relative(m, 2 * 8 * (1 + 1 / 14.0), 1e-15, "the paper's M");
    check_ok(ecc_theory_m(&m, 8, 1, ECC_M_GIVEN, 3.5, &testing_error));
    check_absolute(m, 3.5, 0, "M as given");
    check_absolute(ecc_theory_force(sqrt(m), 1.8, m), 1.8 * sqrt(m), 1e-14, "largest force");
    assert_true(ecc_theory_force(1.01 * sqrt(m), 1.8, m) < 1.8 * sqrt(m));
    assert_true(ecc_theory_force(0.99 * sqrt(m), 1.8, m) < 1.8 * sqrt(m));
}

/* ---- Figure 1 ------------------------------------------------------------------------------- */

/* "within 0.1% of sqrt(d) for d >= 12, within 0.01% for d >= 38, and within 0.001% for d >= 117" */
static void test_paper_claims(void **state)
{
    (void)state;
    static const struct {
        size_t first;
        double percent;
    } claims[] = {{12, 0.1}, {38, 0.01}, {117, 0.001}};
    for (size_t i = 0; i < 3; i++) {
        double at, before, mu;
        check_ok(ecc_theory_accuracy(&at, &mu, claims[i].first, 0.01, &testing_error));
        check_ok(ecc_theory_accuracy(&before, &mu, claims[i].first - 1, 0.01, &testing_error));
        assert_true(at <= claims[i].percent && before > claims[i].percent);
    }
    double percent, mu;
    check_ok(ecc_theory_accuracy(&percent, &mu, 2, 0.01, &testing_error));
    check_absolute(percent, 4.257289, 1e-6, "Figure 1 at d = 2");
    check_absolute(mu, 5, 1e-12, "the last mu is 2d + 1");
}

/* Warm starts must not show: the same as a plain loop over ecc_theory_radius. */
static void test_accuracy_is_plain_maximum(void **state)
{
    (void)state;
    for (size_t d = 2; d < 40; d += 3) {
        double percent, mu, worst = 0, worst_mu = 0;
        check_ok(ecc_theory_accuracy(&percent, &mu, d, 0.3, &testing_error));
        for (int k = 0; 1 + k * 0.3 <= 2 * (double)d + 1 + 1e-9; k++) {
            double rho, at = 1 + k * 0.3;
            check_ok(ecc_theory_radius(&rho, d, at, ecc_theory_m_paper(d, at), &testing_error));
            double off = 100 * fabs(rho / sqrt((double)d) - 1);
            if (off > worst) worst = off, worst_mu = at;
        }
        check_absolute(percent, worst, 1e-12, "percent");
        check_absolute(mu, worst_mu, 0, "worst mu");
    }
}

static void test_accuracy_in_threads(void **state)
{
    (void)state;
    double alone[20], together[20], mu;
    for (size_t i = 0; i < 20; i++)
        check_ok(ecc_theory_accuracy(&alone[i], &mu, i + 2, 0.05, &testing_error));
    int failures = 0;
#pragma omp parallel for num_threads(4) schedule(dynamic) reduction(+ : failures)
    for (size_t i = 0; i < 20; i++) {
        double at;
        failures += ecc_theory_accuracy(&together[i], &at, i + 2, 0.05, NULL) != ECC_OK;
    }
    assert_int_equal(failures, 0);
    assert_memory_equal(alone, together, sizeof alone);
}

/* ---- The loss of the sphere ----------------------------------------------------------------- */

static double sphere_loss(size_t d, double mu, double m, double rho)
{
    double loss = 0;
    check_ok(ecc_theory_sphere_loss(&loss, d, mu, m, rho, &testing_error));
    return loss;
}

/* d loss / d rho = 2 rho (1 - 2 mu B): zero, and the loss least, at the radius of Theorem 1. */
static void test_loss_is_stationary(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        size_t d = (size_t)log_uniform(70, i, 2, 3e4);
        double mu = 0.5 + log_uniform(71, i, 1e-3, 1e3), m = log_uniform(72, i, 1e-2, 1e2), rho;
        check_ok(ecc_theory_radius(&rho, d, mu, m, &testing_error));
        double h = 1e-4, r = rho * uniform(73, i, 0.5, 2);
        double least = sphere_loss(d, mu, m, rho);
        double slope =
            (sphere_loss(d, mu, m, rho * (1 + h)) - sphere_loss(d, mu, m, rho * (1 - h))) / (2 * h);
        check_absolute(slope / (rho * rho), 0, 1e-7, "slope at the stationary radius");
        assert_true(sphere_loss(d, mu, m, rho * 1.02) > least);
        assert_true(sphere_loss(d, mu, m, rho * 0.98) > least);
        slope = (sphere_loss(d, mu, m, r * (1 + h)) - sphere_loss(d, mu, m, r * (1 - h))) / (2 * h);
        double expected = 2 * (1 - 2 * mu * mean_force(d, m / (2 * r * r)));
        check_absolute(slope / (r * r), expected, 1e-6 * mu, "slope elsewhere");
    }
}

struct pair_loss {
    double mu, m, rho;
};

static double pair_loss(double c, void *context)
{
    const struct pair_loss *p = context;
    return p->rho * p->rho - p->mu * p->m * log1p(2 * p->rho * p->rho * (1 + c) / p->m);
}

static void test_loss_against_gauss_jacobi(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 60; i++) {
        size_t d = (size_t)log_uniform(80, i, 2, 1000);
        double alpha = ((double)d - 3) / 2;
        struct pair_loss p = {uniform(81, i, 0.51, 5), 1, log_uniform(82, i, 0.1, 4)};
        struct ecc_quadrature rule;
        check_ok(ecc_quadrature_jacobi_init(&rule, 200, alpha, alpha, &testing_error));
        double expected = ecc_quadrature_mean(&rule, pair_loss, &p);
        check_absolute(sphere_loss(d, p.mu, p.m, p.rho), expected,
                       1e-12 * (1 + p.rho * p.rho) * p.mu, "loss of the sphere");
        ecc_quadrature_release(&rule);
    }
}

static void test_loss_against_monte_carlo(void **state)
{
    (void)state;
    enum { PAIRS = 200000, D = 5 };
    struct pair_loss p = {1.3, 7, 2.1};
    double sum = 0, squares = 0, x[2 * D];
    for (uint64_t i = 0; i < PAIRS; i++) {
        double xx = 0, yy = 0, xy = 0;
        ecc_rng_normal(x, 3, 90, i * 2 * D, 2 * D);
        for (int k = 0; k < D; k++)
            xx += x[k] * x[k], yy += x[D + k] * x[D + k], xy += x[k] * x[D + k];
        double loss = pair_loss(-xy / sqrt(xx * yy), &p);
        sum += loss, squares += loss * loss;
    }
    double mean = sum / PAIRS, error = sqrt((squares / PAIRS - mean * mean) / PAIRS);
    check_absolute(sphere_loss(D, p.mu, p.m, p.rho), mean, 4 * error, "loss of the sphere");
}

static void test_loss_values(void **state)
{
    (void)state;
    /* "the minimum value ... can be approximated by d (1 - 2 log 2)" for mu = 1 */
    double loss = sphere_loss(128, 1, ecc_theory_m_paper(128, 1), sqrt(128));
    check_relative(loss, 128 * (1 - 2 * log(2)), 0.01, "minimum loss");
    check_absolute(sphere_loss(3, 1, 2, 0), 0, 0, "loss at the origin");
    /* near mu = 1/2 and for M -> infinity: rho^2 (1 - 2 mu) + 2 mu (1 + 1/d) rho^4 / M */
    double mu = 0.5 + 1e-9, expected = 1 - 2 * mu + 2 * mu * (1 + 1 / 7.0) / 1e10;
    check_relative(sphere_loss(7, mu, 1e10, 1), expected, 1e-9, "loss near mu = 1/2");
    /* d = 2 has a closed form, also where nodes would be many: mean log(1+st) = 2 log((1+w)/2) */
    double s = 4e12, w = sqrt(1 + s);
    check_relative(sphere_loss(2, 1, 4 / s, 1), 1 - 4 / s * 2 * log((1 + w) / 2), 1e-14, "d = 2");
    check_relative(sphere_loss(2, 1e12, 4 / s, 1), 1 - 8 * (1e12 / s) * log((1 + w) / 2), 1e-13,
                   "d = 2, large mu");
}

/* ---- Wrong arguments ------------------------------------------------------------------------ */

static void test_errors(void **state)
{
    (void)state;
    struct ecc_error *e = &testing_error;
    double x, y;
    check_fails(ecc_theory_radius(&x, 1, 1, 1, e), ECC_BAD_ARGUMENT, "d is 1, expected at least 2");
    check_fails(ecc_theory_radius(&x, 2, 0.5, 1, e), ECC_BAD_ARGUMENT, "mu is 0.5, expected");
    check_fails(ecc_theory_radius(&x, 2, (double)NAN, 1, e), ECC_BAD_ARGUMENT, "mu is nan");
    check_fails(ecc_theory_radius(&x, 2, (double)INFINITY, 1, e), ECC_BAD_ARGUMENT, "mu is inf");
    check_fails(ecc_theory_radius(&x, 2, 1, 0, e), ECC_BAD_ARGUMENT, "M is 0, expected a positive");
    check_fails(ecc_theory_radius(&x, 2, 1, (double)NAN, e), ECC_BAD_ARGUMENT, "M is nan");
    check_fails(ecc_theory_radius(&x, 2, 1e308, 1, e), ECC_NUMERIC, "Theorem 1");
    check_fails(ecc_theory_m(&x, 0, 1, ECC_M_PAPER, 0, e), ECC_BAD_ARGUMENT, "d is 0");
    check_fails(ecc_theory_m(&x, 3, 1, ECC_M_GIVEN, -2, e), ECC_BAD_ARGUMENT, "M is -2");
    check_fails(ecc_theory_m(&x, 3, 1, (enum ecc_m_rule)9, 1, e), ECC_BAD_ARGUMENT,
                "9 is not a rule");
    check_fails(ecc_theory_m_for_radius(&x, 3, 1, 0, e), ECC_BAD_ARGUMENT, "radius is 0");
    check_fails(ecc_theory_m_for_radius(&x, 3, 1, 1e200, e), ECC_NUMERIC, "outside the range");
    check_fails(ecc_theory_sphere_loss(&x, 3, 1, 1, -1, e), ECC_BAD_ARGUMENT, "radius is -1");
    check_fails(ecc_theory_sphere_loss(&x, 3, 1, 1, 1e200, e), ECC_NUMERIC, "outside the range");
    check_fails(ecc_theory_accuracy(&x, &y, 1, 0.01, e), ECC_BAD_ARGUMENT, "d is 1");
    check_fails(ecc_theory_accuracy(&x, &y, 2, 0, e), ECC_BAD_ARGUMENT, "step is 0");
    check_fails(ecc_theory_accuracy(&x, &y, 2, 1e-300, e), ECC_BAD_ARGUMENT, "too small");
}

/* To the centre: U(0) = -2 mu M log(1 + rho^2/M), and U(rho) = 2 loss - rho^2. */
static void escape_to_the_centre(void **state)
{
    (void)state;
    for (double mu = 1.6; mu < 100; mu *= 1.5) {
        const double m = ecc_theory_m_paper(2, mu);
        double gain, radius, rho, loss;
        check_ok(ecc_theory_escape(&gain, &radius, 2, mu, m, &testing_error));
        check_ok(ecc_theory_radius(&rho, 2, mu, m, &testing_error));
        check_ok(ecc_theory_sphere_loss(&loss, 2, mu, m, rho, &testing_error));
        check_absolute(radius, 0, 1e-6, "the best place is the centre");
        check_absolute(gain, 2 * loss - rho * rho + 2 * mu * m * log1p(rho * rho / m), 1e-9,
                       "gain");
    }
}

/* The sphere is the minimum for every mu from d = 4 on, below 1.5536 for d = 2, 3.7447 for d = 3.
 */
static void where_the_sphere_is_the_minimum(void **state)
{
    (void)state;
    static const double mus[] = {0.501, 0.75, 1, 1.5, 1.55, 1.56, 3.7, 3.8, 10, 1000};
    static const size_t dims[] = {2, 3, 4, 5, 8, 64, 1000};
    for (size_t i = 0; i < sizeof dims / sizeof dims[0]; i++) {
        for (size_t k = 0; k < sizeof mus / sizeof mus[0]; k++) {
            const size_t d = dims[i];
            const double critical = d == 2 ? 1.5536 : d == 3 ? 3.7447 : 1e300;
            double gain, radius;
            check_ok(ecc_theory_escape(&gain, &radius, d, mus[k], ecc_theory_m_paper(d, mus[k]),
                                       &testing_error));
            assert_int_equal(gain > 0, mus[k] > critical);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_against_gauss_jacobi),
        cmocka_unit_test(test_theorem_by_brute_integration),
        cmocka_unit_test(test_lemma_a),
        cmocka_unit_test(test_lemma_b),
        cmocka_unit_test(test_reference_points),
        cmocka_unit_test(test_exact_m),
        cmocka_unit_test(test_no_seam),
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_paper_claims),
        cmocka_unit_test(test_accuracy_is_plain_maximum),
        cmocka_unit_test(test_accuracy_in_threads),
        cmocka_unit_test(test_loss_is_stationary),
        cmocka_unit_test(test_loss_against_gauss_jacobi),
        cmocka_unit_test(test_loss_against_monte_carlo),
        cmocka_unit_test(test_loss_values),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(escape_to_the_centre),
        cmocka_unit_test(where_the_sphere_is_the_minimum),
    };
    return cmocka_run_group_tests_name("theory", tests, NULL, NULL);
}
