/* test_mmd.c: the MMD regularizer against its double reference, central differences, its own
 * symmetries and the statistics of an unbiased estimator. */
#include "base/rng.h"
#include "method/mmd.h"
#include "regularizer/regularizer.h"
#include "testing.h"

static float *normal_points(size_t n, size_t d, uint64_t seed)
{
    float *const z = malloc(n * d * sizeof *z);
    assert_non_null(z);
    ecc_rng_normal_f32(z, seed, 1000, 0, n * d);
    return z;
}

/* One evaluation from scratch. */
static double evaluate(float *dz, const float *z, size_t n, size_t d, uint64_t seed, uint64_t step,
                       int threads)
{
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    options.seed = seed;
    options.loss.threads = threads;
    struct ecc_regularizer_plan plan;
    struct ecc_regularizer_value value;
    check_ok(ecc_regularizer_init(&plan, &ecc_regularizer_mmd, n, d, &options, &testing_error));
    check_ok(ecc_regularizer_evaluate(&plan, &value, dz, z, n, step, &testing_error));
    check_relative(value.terms[0].value + value.terms[1].value - value.terms[2].value, value.loss,
                   1e-12, "the terms add up");
    ecc_regularizer_release(&plan);
    return value.loss;
}

/* Value to 1e-6 of the kernel's largest value, gradient to 1e-5 of its norm. */
static void compare(const float *z, size_t n, size_t d, const char *what)
{
    float *const dz = malloc(n * d * sizeof *dz), *const prior = malloc(n * d * sizeof *prior);
    double *const expected = malloc(n * d * sizeof *expected);
    ecc_mmd_prior(prior, n, d, 5, 17);
    const double loss = evaluate(dz, z, n, d, 5, 17, 0);
    check_absolute(loss, ecc_mmd_reference(expected, z, prior, n, d), 2e-6, what);
    double error = 0, norm = 0;
    for (size_t i = 0; i < n * d; i++) {
        error += ((double)dz[i] - expected[i]) * ((double)dz[i] - expected[i]);
        norm += expected[i] * expected[i];
    }
    check_absolute(sqrt(error / norm), 0, 1e-5, what);
    free(dz), free(prior), free(expected);
}

static void agrees_with_reference(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{2, 1},   {3, 2},    {31, 3},   {32, 8},   {33, 8},
                                      {100, 8}, {127, 16}, {129, 17}, {257, 64}, {600, 31}};
    static const double scales[] = {1e-3, 0.3, 1, 4, 100};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (size_t c = 0; c < sizeof scales / sizeof scales[0]; c++) {
            const size_t n = sizes[s][0], d = sizes[s][1];
            float *const z = normal_points(n, d, s);
            for (size_t i = 0; i < n * d; i++) z[i] = (float)scales[c] * z[i] + 0.1F;
            char what[80];
            snprintf(what, sizeof what, "n %zu, d %zu, scale %g", n, d, scales[c]);
            compare(z, n, d, what);
            free(z);
        }
    }
}

/* The reference's value, whose gradient is compared above, moves as its gradient says. */
static void gradient_is_the_derivative(void **state)
{
    (void)state;
    enum { n = 12, d = 3 };
    float *const z = normal_points(n, d, 3), prior[n * d], dz[n * d];
    ecc_mmd_prior(prior, n, d, 1, 4);
    evaluate(dz, z, n, d, 1, 4, 1);
    for (size_t i = 0; i < (size_t)n * d; i++) {
        const float kept = z[i], up = kept + 0x1p-8F, down = kept - 0x1p-8F;
        z[i] = up;
        const double above = ecc_mmd_reference(NULL, z, prior, n, d);
        z[i] = down;
        const double below = ecc_mmd_reference(NULL, z, prior, n, d);
        z[i] = kept;
        check_absolute((double)dz[i], (above - below) / ((double)up - (double)down), 2e-6, "dz");
    }
    free(z);
}

static void same_bytes_for_any_thread_count(void **state)
{
    (void)state;
    const size_t n = 700, d = 10;
    float *const z = normal_points(n, d, 8), *const one = malloc(n * d * sizeof *one),
                 *const many = malloc(n * d * sizeof *many);
    const double loss = evaluate(one, z, n, d, 2, 9, 1);
    for (int threads = 2; threads <= 5; threads++) {
        assert_true(evaluate(many, z, n, d, 2, 9, threads) == loss);
        assert_memory_equal(one, many, n * d * sizeof *one);
        assert_true(evaluate(NULL, z, n, d, 2, 9, threads) == loss);
    }
    free(z), free(one), free(many);
}

/* A plan used for other steps and sizes before gives what a fresh one gives. */
static void depends_on_seed_and_step_alone(void **state)
{
    (void)state;
    const size_t d = 5;
    float *const z = normal_points(200, d, 1);
    struct ecc_regularizer_plan plan;
    struct ecc_regularizer_value value;
    check_ok(ecc_regularizer_init(&plan, &ecc_regularizer_mmd, 200, d, NULL, &testing_error));
    for (uint64_t step = 0; step < 4; step++) {
        const size_t n = 200 - 37 * step;
        check_ok(ecc_regularizer_evaluate(&plan, &value, NULL, z, n, step, &testing_error));
        assert_true(value.loss == evaluate(NULL, z, n, d, 1, step, 0));
    }
    ecc_regularizer_release(&plan);
    const double loss = evaluate(NULL, z, 200, d, 1, 0, 0);
    assert_true(loss != evaluate(NULL, z, 200, d, 1, 1, 0));
    assert_true(loss != evaluate(NULL, z, 200, d, 2, 0, 0));
    free(z);
}

/* Latents that are normal themselves: no bias, so values of both signs with mean 0.  Shifted or
 * shrunk ones: clearly above. */
static void unbiased_under_the_prior(void **state)
{
    (void)state;
    enum { n = 60, d = 4, trials = 200 };
    double sum = 0, squares = 0, shifted = 0;
    size_t negative = 0;
    for (uint64_t trial = 0; trial < trials; trial++) {
        float *const z = normal_points(n, d, 100 + trial);
        const double loss = evaluate(NULL, z, n, d, 7, trial, 1);
        sum += loss;
        squares += loss * loss;
        negative += loss < 0;
        for (size_t i = 0; i < (size_t)n * d; i++) z[i] += 1;
        shifted += evaluate(NULL, z, n, d, 7, trial, 1);
        free(z);
    }
    const double mean = sum / trials, deviation = sqrt(squares / trials - mean * mean);
    check_absolute(mean, 0, 4 * deviation / sqrt(trials), "mean under the prior");
    assert_true(negative > trials / 5 && negative < trials);
    assert_true(shifted / trials > 20 * deviation);
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    struct ecc_error *const e = &testing_error;
    struct ecc_regularizer_plan plan;
    const struct ecc_regularizer *const mmd = &ecc_regularizer_mmd;
    check_fails(ecc_regularizer_init(&plan, mmd, 1, 4, NULL, e), ECC_BAD_ARGUMENT, "n is 1");
    check_fails(ecc_regularizer_init(&plan, mmd, 4, 0, NULL, e), ECC_BAD_ARGUMENT, "d is 0");
    check_fails(ecc_regularizer_init(&plan, mmd, SIZE_MAX / 2, 8, NULL, e), ECC_NO_MEMORY, "");
    check_fails(ecc_regularizer_init(&plan, mmd, SIZE_MAX / 100, 800, NULL, e), ECC_NO_MEMORY, "");
    ecc_regularizer_release(&plan);
    check_ok(ecc_regularizer_init(&plan, mmd, 16, 4, NULL, e));
    float z[64] = {0};
    check_fails(ecc_regularizer_evaluate(&plan, NULL, NULL, z, 1, 0, e), ECC_BAD_ARGUMENT,
                "n is 1");
    check_fails(ecc_regularizer_evaluate(&plan, NULL, NULL, z, 17, 0, e), ECC_BAD_ARGUMENT,
                "2 to 16");
    z[6] = NAN;
    check_fails(ecc_regularizer_evaluate(&plan, NULL, NULL, z, 16, 0, e), ECC_BAD_DATA,
                "z[1, 2] is NaN");
    z[6] = -INFINITY;
    check_fails(ecc_regularizer_evaluate(&plan, NULL, NULL, z, 16, 0, e), ECC_BAD_DATA,
                "z[1, 2] is infinite");
    z[6] = 1e13F;
    check_fails(ecc_regularizer_evaluate(&plan, NULL, NULL, z, 16, 0, e), ECC_BAD_DATA, "too far");
    z[6] = 1e11F;
    float dz[64];
    check_ok(ecc_regularizer_evaluate(&plan, NULL, dz, z, 16, 0, e));
    for (size_t i = 0; i < 64; i++) assert_true(isfinite(dz[i]));
    ecc_regularizer_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_reference),
        cmocka_unit_test(gradient_is_the_derivative),
        cmocka_unit_test(same_bytes_for_any_thread_count),
        cmocka_unit_test(depends_on_seed_and_step_alone),
        cmocka_unit_test(unbiased_under_the_prior),
        cmocka_unit_test(refuses_what_it_cannot_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
