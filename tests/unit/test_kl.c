/* test_kl.c: the VAE's regularizer against its reference and central differences, the drawing of
 * latents and its gradient; the regularizer none; the table. */
#include "base/rng.h"
#include "method/kl.h"
#include "regularizer/regularizer.h"
#include "testing.h"

static void plan_init(struct ecc_regularizer_plan *plan, const char *name, size_t n, size_t d)
{
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    options.seed = 11;
    check_ok(
        ecc_regularizer_init(plan, ecc_regularizer_find(name), n, d, &options, &testing_error));
}

static float *random_outputs(size_t count, uint64_t seed)
{
    float *const outputs = malloc(count * sizeof *outputs);
    ecc_rng_normal_f32(outputs, seed, 1000, 0, count);
    return outputs;
}

static void agrees_with_reference(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1}, {7, 3}, {100, 8}, {64, 64}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const size_t n = sizes[s][0], d = sizes[s][1], count = 2 * n * d;
        float *const outputs = random_outputs(count, s), *const dout = malloc(count * sizeof *dout);
        double *const expected = malloc(count * sizeof *expected);
        for (size_t i = 0; i < count; i++) outputs[i] *= 2;
        struct ecc_regularizer_plan plan;
        struct ecc_regularizer_value value;
        plan_init(&plan, "kl", n, d);
        check_ok(ecc_regularizer_evaluate(&plan, &value, dout, outputs, n, 3, &testing_error));
        check_relative(value.loss, ecc_kl_reference(expected, outputs, n, d), 1e-12, "KL");
        check_relative(value.terms[0].value + value.terms[1].value, value.loss, 1e-12, "terms");
        for (size_t i = 0; i < count; i++) {
            check_absolute((double)dout[i], expected[i], 1e-6 * (fabs(expected[i]) + 1e-3), "dKL");
        }
        ecc_regularizer_release(&plan);
        free(outputs), free(dout), free(expected);
    }
}

/* Moments of the drawn latents; another step draws others, the same step the same. */
static void draws_as_it_says(void **state)
{
    (void)state;
    enum { n = 20000, d = 2 };
    float *const outputs = malloc(2 * n * d * sizeof *outputs),
                 *const z = malloc(n * d * sizeof *z), *const again = malloc(n * d * sizeof *again);
    for (size_t i = 0; i < n; i++) {
        const float row[] = {3, -1, logf(0.25F), logf(4)};
        memcpy(outputs + 4 * i, row, sizeof row);
    }
    struct ecc_regularizer_plan plan;
    plan_init(&plan, "kl", n, d);
    check_ok(ecc_regularizer_latents(&plan, z, outputs, n, 1, &testing_error));
    double mean[2] = {0}, squares[2] = {0};
    for (size_t i = 0; i < (size_t)n * d; i++) {
        mean[i % 2] += (double)z[i] / n;
        squares[i % 2] += (double)z[i] * (double)z[i] / n;
    }
    check_absolute(mean[0], 3, 0.02, "mean");
    check_absolute(mean[1], -1, 0.07, "mean");
    check_relative(squares[0] - mean[0] * mean[0], 0.25, 0.04, "variance");
    check_relative(squares[1] - mean[1] * mean[1], 4, 0.04, "variance");
    check_ok(ecc_regularizer_latents(&plan, again, outputs, n, 2, &testing_error));
    assert_memory_not_equal(z, again, n * d * sizeof *z);
    check_ok(ecc_regularizer_latents(&plan, again, outputs, 5, 1, &testing_error));
    assert_memory_equal(z, again, 5 * d * sizeof *z);
    check_ok(ecc_regularizer_latents(&plan, again, outputs, n, 1, &testing_error));
    assert_memory_equal(z, again, n * d * sizeof *z);
    ecc_regularizer_means(&plan, z, outputs, n);
    for (size_t i = 0; i < n; i++) assert_true(z[2 * i] == 3 && z[2 * i + 1] == -1);
    ecc_regularizer_release(&plan);
    free(outputs), free(z), free(again);
}

/* Log variances whose exponential overflows: the value is finite, and the gradient points back. */
static void survives_extreme_log_variances(void **state)
{
    (void)state;
    static const float logs[] = {-3e38F, -800, -60, 20, 21, 90, 800, 3e38F};
    struct ecc_regularizer_plan plan;
    plan_init(&plan, "kl", 1, 1);
    double last = INFINITY;
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        const float outputs[] = {0.5F, logs[i]}, dz = 1;
        float z, dout[2];
        struct ecc_regularizer_value value;
        check_ok(ecc_regularizer_latents(&plan, &z, outputs, 1, 1, &testing_error));
        check_ok(ecc_regularizer_evaluate(&plan, &value, dout, outputs, 1, 1, &testing_error));
        assert_true(isfinite(value.loss) && value.loss > 0 && isfinite(z));
        assert_true(logs[i] < 0 ? value.loss < last && dout[1] < 0 : dout[1] > 0);
        last = value.loss;
        ecc_regularizer_combine(&plan, dout, &dz, 1e-3, outputs, 1, 1);
        assert_true(isfinite(dout[0]) && isfinite(dout[1]));
    }
    ecc_regularizer_release(&plan);
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    struct ecc_error *const e = &testing_error;
    struct ecc_regularizer_plan plan;
    const struct ecc_regularizer *const kl = &ecc_regularizer_kl;
    check_fails(ecc_regularizer_init(&plan, kl, 0, 4, NULL, e), ECC_BAD_ARGUMENT, "n is 0");
    check_fails(ecc_regularizer_init(&plan, kl, 4, 0, NULL, e), ECC_BAD_ARGUMENT, "d is 0");
    check_fails(ecc_regularizer_init(&plan, kl, SIZE_MAX / 2, 8, NULL, e), ECC_NO_MEMORY, "");
    check_ok(ecc_regularizer_init(&plan, kl, 8, 4, NULL, e));
    float outputs[64] = {0}, z[32];
    check_fails(ecc_regularizer_latents(&plan, z, outputs, 9, 0, e), ECC_BAD_ARGUMENT, "1 to 8");
    outputs[13] = NAN;
    check_fails(ecc_regularizer_latents(&plan, z, outputs, 8, 0, e), ECC_BAD_DATA, "[1, 5] is NaN");
    outputs[13] = INFINITY;
    check_fails(ecc_regularizer_evaluate(&plan, NULL, NULL, outputs, 8, 0, e), ECC_BAD_DATA,
                "[1, 5] is infinite");
    ecc_regularizer_release(&plan);
}

static void none_is_nothing(void **state)
{
    (void)state;
    struct ecc_regularizer_plan plan;
    struct ecc_regularizer_value value;
    plan_init(&plan, "none", 4, 2);
    float z[8] = {1, 2, 3, 4, 5, 6, 7, 8}, latents[8], dz[8];
    check_ok(ecc_regularizer_latents(&plan, latents, z, 4, 0, &testing_error));
    assert_memory_equal(latents, z, sizeof z);
    check_ok(ecc_regularizer_evaluate(&plan, &value, dz, z, 4, 0, &testing_error));
    assert_true(value.loss == 0 && value.term_count == 0);
    for (size_t i = 0; i < 8; i++) assert_true(dz[i] == 0);
    z[3] = NAN;
    check_fails(ecc_regularizer_evaluate(&plan, &value, dz, z, 4, 0, &testing_error), ECC_BAD_DATA,
                "z[1, 1] is NaN");
    ecc_regularizer_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_reference),
        cmocka_unit_test(draws_as_it_says),
        cmocka_unit_test(survives_extreme_log_variances),
        cmocka_unit_test(refuses_what_it_cannot_do),
        cmocka_unit_test(none_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
