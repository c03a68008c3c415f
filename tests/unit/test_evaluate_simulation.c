/* test_evaluate_simulation.c: what a simulation measures, beside plain computations on its points.
 */
#include "eccentric_evaluate.h"

#include "method/eccentric.h"
#include "testing.h"

enum { N = 60, D = 3 };

static struct ecc_simulation_options usual(void)
{
    struct ecc_simulation_options options = ecc_simulation_defaults();
    options.points = N;
    options.dim = D;
    options.steps = 30;
    return options;
}

static struct ecc_simulation run(const struct ecc_simulation_options *options)
{
    struct ecc_simulation r;
    check_ok(ecc_simulation_run(&r, options, NULL, &testing_error));
    return r;
}

static double distance(const float *a, const float *b)
{
    double sum = 0;
    for (size_t k = 0; k < D; k++) sum += pow((double)a[k] - (b ? (double)b[k] : 0), 2);
    return sqrt(sum);
}

static struct ecc_spread spread_of(const double *values)
{
    struct ecc_spread s = {0};
    double square = 0;
    for (size_t i = 0; i < N; i++) s.mean += values[i] / N;
    for (size_t i = 0; i < N; i++) square += pow(values[i] - s.mean, 2) / N;
    s.deviation = sqrt(square);
    return s;
}

static void check_spread(struct ecc_spread actual, const double *values, const char *what)
{
    const struct ecc_spread expected = spread_of(values);
    check_absolute(actual.mean, expected.mean, 1e-6, what);
    check_absolute(actual.deviation, expected.deviation, 1e-6, what);
}

static void distances_are_measured(void **state)
{
    (void)state;
    const struct ecc_simulation_options options = usual();
    struct ecc_simulation r = run(&options);
    double radius[N], before[N], nearest[N], least = (double)INFINITY;
    size_t trapped = 0;
    for (size_t i = 0; i < N; i++) {
        before[i] = distance(r.start + i * D, NULL);
        radius[i] = distance(r.points + i * D, NULL);
        trapped += radius[i] < r.radius_theory / 2;
        nearest[i] = (double)INFINITY;
        for (size_t j = 0; j < N; j++) {
            if (j == i) continue;
            nearest[i] = fmin(nearest[i], distance(r.points + i * D, r.points + j * D));
        }
        least = fmin(least, nearest[i]);
    }
    check_spread(r.radius_start, before, "radius at the start");
    check_spread(r.radius, radius, "radius at the end");
    check_spread(r.nearest, nearest, "nearest neighbours");
    check_absolute(r.nearest_least, least, 1e-6, "the nearest of all");
    assert_int_equal(r.trapped, trapped);
    ecc_simulation_release(&r);
}

/* Rows of `axes` are eigenvectors of the plain covariance, with these eigenvalues. */
static void spectrum_is_that_of_the_covariance(void **state)
{
    (void)state;
    const struct ecc_simulation_options options = usual();
    struct ecc_simulation r = run(&options);
    double mean[D] = {0}, covariance[D][D] = {{0}}, trace = 0;
    for (size_t i = 0; i < N * D; i++) mean[i % D] += (double)r.points[i] / N;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < D * D; j++) {
            covariance[j / D][j % D] += ((double)r.points[i * D + j / D] - mean[j / D]) *
                                        ((double)r.points[i * D + j % D] - mean[j % D]) / N;
        }
    }
    for (size_t k = 0; k < D; k++) {
        const double *const axis = r.axes + k * D;
        trace += covariance[k][k];
        check_absolute(r.mean[k], mean[k], 1e-6, "mean");
        for (size_t j = 0; j < D; j++) {
            double product = 0;
            for (size_t l = 0; l < D; l++) product += covariance[j][l] * axis[l];
            check_absolute(product, r.eigenvalues[k] * axis[j], 1e-6, "eigenvector");
        }
    }
    check_absolute(r.trace, trace, 1e-6, "trace");
    assert_true(r.eigenvalues[0] >= r.eigenvalues[1] && r.eigenvalues[1] >= r.eigenvalues[2]);
    ecc_simulation_release(&r);
}

static void losses_are_those_of_the_paper(void **state)
{
    (void)state;
    const struct ecc_simulation_options options = usual();
    struct ecc_simulation r = run(&options);
    const double start =
        (double)ecc_loss_reference(NULL, NULL, r.start, N, D, 1, r.m, options.loss.pairs);
    const double end =
        (double)ecc_loss_reference(NULL, NULL, r.points, N, D, 1, r.m, options.loss.pairs);
    double rho;
    check_relative(r.loss_start, start, 1e-6, "loss at the start");
    check_relative(r.loss, end, 1e-6, "loss at the end");
    check_absolute(r.loss_paper, D * (1 - 2 * log(2)), 1e-12, "the paper's loss");
    check_ok(ecc_theory_radius(&rho, D, 1, r.m, &testing_error));
    assert_true(r.radius_theory == rho);
    check_relative(r.radius.mean, rho, 0.02, "radius against Theorem 1");
    ecc_simulation_release(&r);
}

/* The history is what ecc_simulate reports from the same start, and the points are where it leaves
 * them. */
static bool compare_step(void *context, const struct ecc_simulate_progress *now)
{
    const struct ecc_simulation *const r = context;
    assert_true(now->step <= r->steps);
    assert_true(r->history[ECC_HISTORY_STEP][now->step] == (double)now->step);
    assert_true(r->history[ECC_HISTORY_LOSS][now->step] == now->loss);
    assert_true(r->history[ECC_HISTORY_FORCE][now->step] == now->net_force);
    assert_true(r->history[ECC_HISTORY_RADIUS][now->step] == now->radius);
    return true;
}

static void history_is_that_of_the_steps(void **state)
{
    (void)state;
    struct ecc_simulation_options options = usual();
    struct ecc_simulation r = run(&options);
    struct ecc_simulate_options steps = ecc_simulate_defaults();
    float z[N * D];
    size_t taken;
    memcpy(z, r.start, sizeof z);
    steps.steps = options.steps;
    steps.on_step = compare_step;
    steps.context = &r;
    check_ok(ecc_simulate(z, &taken, N, D, &steps, &testing_error));
    assert_int_equal(taken, r.steps);
    assert_memory_equal(z, r.points, sizeof z);
    /* the same again from the points that are given */
    options.start = r.start;
    options.seed = 7;
    struct ecc_simulation again = run(&options);
    assert_memory_equal(again.start, r.start, sizeof z);
    assert_memory_equal(again.points, r.points, sizeof z);
    ecc_simulation_release(&r);
    ecc_simulation_release(&again);
}

static void starts_are_drawn(void **state)
{
    (void)state;
    struct ecc_simulation_options options = usual();
    options.points = 4000;
    options.steps = 1;
    for (int uniform = 0; uniform < 2; uniform++) {
        options.uniform = uniform;
        struct ecc_simulation r = run(&options);
        double most = 0, square = 0;
        for (size_t i = 0; i < 4000 * D; i++) {
            most = fmax(most, fabs((double)r.start[i]));
            square += pow((double)r.start[i], 2) / (4000 * D);
        }
        check_absolute(square, 1, 0.05, "variance");
        assert_true(uniform ? most <= sqrt(3) + 1e-6 : most > 2.5);
        ecc_simulation_release(&r);
    }
}

static bool stop(void *context, const struct ecc_work *work)
{
    (void)context;
    assert_string_equal(work->name, "simulate");
    return work->done < 3;
}

static void an_interrupted_one_is_complete(void **state)
{
    (void)state;
    const struct ecc_watch watch = {.on_work = stop};
    const struct ecc_simulation_options options = usual();
    struct ecc_simulation r;
    check_fails(ecc_simulation_run(&r, &options, &watch, &testing_error), ECC_INTERRUPTED,
                "after step 3 of 30");
    assert_true(r.interrupted);
    assert_int_equal(r.steps, 3);
    assert_true(r.loss < r.loss_start);
    assert_true(r.eigenvalues[0] > 0 && r.nearest.mean > 0);
    ecc_simulation_release(&r);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    struct ecc_simulation r;
    struct ecc_simulation_options options = usual();
    options.points = 1;
    check_fails(ecc_simulation_run(&r, &options, NULL, &testing_error), ECC_BAD_ARGUMENT,
                "1 points");
    ecc_simulation_release(&r);
    options = usual();
    options.dim = SIZE_MAX / 2;
    check_fails(ecc_simulation_run(&r, &options, NULL, &testing_error), ECC_BAD_ARGUMENT,
                "dimensions");
    ecc_simulation_release(&r);
    options = usual();
    options.loss.mu = 0.5;
    check_fails(ecc_simulation_run(&r, &options, NULL, &testing_error), ECC_BAD_ARGUMENT, "mu");
    assert_null(r.points);
    ecc_simulation_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_measured),
        cmocka_unit_test(spectrum_is_that_of_the_covariance),
        cmocka_unit_test(losses_are_those_of_the_paper),
        cmocka_unit_test(history_is_that_of_the_steps),
        cmocka_unit_test(starts_are_drawn),
        cmocka_unit_test(an_interrupted_one_is_complete),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
