/* test_simulate.c: free points find the sphere that the theory predicts. */
#include "base/rng.h"
#include "math/lapack.h"
#include "math/statistics.h"
#include "testing.h"

static double trace_of(const float *z, size_t n, size_t d)
{
    double *const mean = malloc(d * sizeof *mean), *const covariance = malloc(d * d * sizeof *mean);
    check_ok(ecc_mean_covariance(mean, covariance, z, n, d, &testing_error));
    double trace = 0;
    for (size_t k = 0; k < d; k++) trace += covariance[k * d + k];
    free(mean);
    free(covariance);
    return trace;
}

/* The claim of Section 3.3: for mu = 1 the least loss is about d(1 - 2 log 2), and of 3.2: the
 * trace of the covariance stays at d. */
static void paper_minimum_and_trace(void **state)
{
    (void)state;
    const size_t n = 1000, d = 64;
    float *const z = malloc(n * d * sizeof *z);
    ecc_rng_normal_f32(z, 1, 0, 0, n * d);
    size_t steps;
    check_ok(ecc_simulate(z, &steps, n, d, NULL, &testing_error));
    struct ecc_loss_value value;
    check_ok(ecc_loss(&value, NULL, z, n, d, NULL, &testing_error));
    check_relative(value.loss, (double)d * (1 - 2 * log(2)), 0.01, "loss against d(1 - 2 log 2)");
    check_relative(trace_of(z, n, d), (double)d, 0.01, "trace against d");
    double rho;
    check_ok(ecc_theory_radius(&rho, d, 1, value.m, &testing_error));
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        for (size_t k = 0; k < d; k++) squares += (double)z[i * d + k] * (double)z[i * d + k];
        check_relative(sqrt(squares), rho, 2e-3, "radius against Theorem 1");
    }
    free(z);
}

struct history {
    double loss[2001];
    size_t count, stop_after;
};

static bool record(void *context, const struct ecc_simulate_progress *now)
{
    struct history *const history = context;
    history->loss[history->count++] = now->loss;
    return history->count != history->stop_after;
}

/* In the plane, for those mu whose circle is the minimum and not only stationary. */
static void planar_points_find_theorem_1(void **state)
{
    (void)state;
    static const double mus[] = {0.75, 1, 1.5};
    for (size_t m = 0; m < 3; m++) {
        const size_t n = 400, d = 2;
        float z[800];
        ecc_rng_normal_f32(z, m, 0, 0, n * d);
        struct history history = {0};
        struct ecc_simulate_options options = ecc_simulate_defaults();
        options.loss.mu = mus[m];
        options.loss.pairs = ECC_PAIRS_DISTINCT;
        options.steps = 2000;
        options.tolerance = 3e-4;
        options.on_step = record;
        options.context = &history;
        size_t steps;
        check_ok(ecc_simulate(z, &steps, n, d, &options, &testing_error));
        assert_int_equal(steps + 1, history.count);
        assert_true(steps < 2000);
        assert_true(history.loss[steps] <= history.loss[0]);
        double rho, mean = 0;
        check_ok(ecc_theory_radius(&rho, d, mus[m], ecc_theory_m_paper(d, mus[m]), &testing_error));
        for (size_t i = 0; i < n; i++) mean += (double)hypotf(z[2 * i], z[2 * i + 1]) / (double)n;
        check_relative(mean, rho, 0.01, "mean radius against Theorem 1");
    }
}

/* Beyond mu = 1.55 points in the plane find something better than the circle of Theorem 1. */
static void planar_points_escape(void **state)
{
    (void)state;
    const size_t n = 400, d = 2;
    float z[800];
    ecc_rng_normal_f32(z, 2, 0, 0, n * d);
    struct ecc_simulate_options options = ecc_simulate_defaults();
    options.loss.mu = 2.5;
    options.loss.pairs = ECC_PAIRS_DISTINCT;
    options.steps = 1000;
    check_ok(ecc_simulate(z, NULL, n, d, &options, &testing_error));
    struct ecc_loss_value value;
    check_ok(ecc_loss(&value, NULL, z, n, d, &options.loss, &testing_error));
    float circle[800]; /* as many points, evenly on the circle */
    double rho;
    check_ok(ecc_theory_radius(&rho, d, 2.5, value.m, &testing_error));
    for (size_t i = 0; i < n; i++) {
        circle[2 * i] = (float)(rho * cos(2 * acos(-1) * (double)i / (double)n));
        circle[2 * i + 1] = (float)(rho * sin(2 * acos(-1) * (double)i / (double)n));
    }
    struct ecc_loss_value even;
    check_ok(ecc_loss(&even, NULL, circle, n, d, &options.loss, &testing_error));
    assert_true(value.loss < even.loss - 0.005);
}

static void the_caller_can_stop_it(void **state)
{
    (void)state;
    float z[200];
    ecc_rng_normal_f32(z, 1, 0, 0, 200);
    struct history history = {.stop_after = 3};
    struct ecc_simulate_options options = ecc_simulate_defaults();
    options.on_step = record;
    options.context = &history;
    size_t steps;
    check_fails(ecc_simulate(z, &steps, 100, 2, &options, &testing_error), ECC_INTERRUPTED,
                "step 2 of 200");
    assert_int_equal(steps, 2);
    for (size_t i = 0; i < 200; i++) assert_true(isfinite(z[i]));
    check_fails(ecc_simulate(z, &steps, 1, 2, &options, &testing_error), ECC_BAD_ARGUMENT,
                "n is 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_minimum_and_trace),
        cmocka_unit_test(planar_points_find_theorem_1),
        cmocka_unit_test(planar_points_escape),
        cmocka_unit_test(the_caller_can_stop_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
