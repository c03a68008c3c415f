/* test_simulate.c: free points find the sphere that the theory predicts. */
#include "base/rng.h"
#include "math/lapack.h"
#include "math/statistics.h"
#include "regularizer/descend.h"
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

/* The sum over pairs of 1/distance, or of -log distance. */
static double energy(const float *z, size_t n, int s)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double a = 0, b = 0, product = 0; /* lengths are 1 but for rounding */
            for (size_t k = 0; k < 3; k++) {
                a += (double)z[3 * i + k] * (double)z[3 * i + k];
                b += (double)z[3 * j + k] * (double)z[3 * j + k];
                product += (double)z[3 * i + k] * (double)z[3 * j + k];
            }
            const double square = 2 - 2 * product / sqrt(a * b);
            sum += s == 1 ? 1 / sqrt(square) : -0.5 * log(square);
        }
    }
    return sum;
}

/* The least energy that a few starts find. */
static double least_energy(const char *text, size_t n, int s)
{
    struct ecc_regularizer_choice choice;
    struct ecc_simulate_options options = ecc_simulate_defaults();
    double least = (double)INFINITY;
    check_ok(ecc_regularizer_read(&choice, text, &testing_error));
    options.steps = 2000;
    options.tolerance = 1e-5;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        float z[96];
        size_t steps;
        ecc_rng_normal_f32(z, seed, 0, 0, 3 * n);
        check_ok(ecc_descend(z, &steps, n, 3, &choice, &options, &testing_error));
        least = fmin(least, energy(z, n, s));
    }
    return least;
}

/* Thomson's problem: the least energies known. */
static void charges_find_the_least_energy(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        double energy;
    } known[] = {{2, 0.5},           {3, 1.732050808},    {5, 6.474691495},
                 {12, 49.165253058}, {20, 150.881568334}, {32, 412.261274651}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        check_absolute(least_energy("mhe:s=1", known[i].n, 1), known[i].energy, 1e-6, "Coulomb");
    }
}

/* Smale's problem, where the least energy is proved: 2 to 6 and 12 points. */
static void logarithmic_points_find_the_least_energy(void **state)
{
    (void)state;
    const double edge = 1 / sin(0.4 * acos(-1)), golden = (1 + sqrt(5)) / 2; /* of an icosahedron */
    check_absolute(least_energy("mhe:s=0", 2, 0), -log(2), 1e-6, "log, 2");
    check_absolute(least_energy("mhe:s=0", 3, 0), -1.5 * log(3), 1e-6, "log, 3");
    check_absolute(least_energy("mhe:s=0", 4, 0), -3 * log(8.0 / 3), 1e-6, "log, 4");
    check_absolute(least_energy("mhe:s=0", 5, 0), -4 * log(2) - 1.5 * log(3), 1e-6, "log, 5");
    check_absolute(least_energy("mhe:s=0", 6, 0), -9 * log(2), 1e-6, "log, 6");
    check_absolute(least_energy("mhe:s=0", 12, 0), -60 * log(edge) - 30 * log(golden) - 6 * log(2),
                   1e-6, "log, 12");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_minimum_and_trace),
        cmocka_unit_test(planar_points_find_theorem_1),
        cmocka_unit_test(planar_points_escape),
        cmocka_unit_test(the_caller_can_stop_it),
        cmocka_unit_test(charges_find_the_least_energy),
        cmocka_unit_test(logarithmic_points_find_the_least_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
