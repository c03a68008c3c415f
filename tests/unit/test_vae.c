/* test_vae.c: what `vae` adds to `kl`: beta, capacity, warm-up, the learned noise. */
#include "base/rng.h"
#include "regularizer/choice.h"
#include "method/kl.h"
#include "testing.h"

enum { N = 5, D = 3, COUNT = N * 2 * D };

static void plan_init(struct ecc_regularizer_plan *plan, const char *text)
{
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    check_ok(ecc_regularizer_read(&choice, text, &testing_error));
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    check_ok(ecc_regularizer_init(plan, choice.entry, N, D, &options, &testing_error));
}

/* Latents and divergence are those of kl, bit for bit. */
static void is_kl_by_default(void **state)
{
    (void)state;
    struct ecc_regularizer_plan kl, vae;
    struct ecc_regularizer_value a, b;
    float outputs[COUNT], z[2][N * D], dout[2][COUNT];
    ecc_rng_normal_f32(outputs, 4, 1000, 0, COUNT);
    plan_init(&kl, "kl");
    plan_init(&vae, "vae");
    check_ok(ecc_regularizer_latents(&kl, z[0], outputs, N, 7, &testing_error));
    check_ok(ecc_regularizer_latents(&vae, z[1], outputs, N, 7, &testing_error));
    check_ok(ecc_regularizer_evaluate(&kl, &a, dout[0], outputs, N, 7, &testing_error));
    check_ok(ecc_regularizer_evaluate(&vae, &b, dout[1], outputs, N, 7, &testing_error));
    ecc_regularizer_combine(&kl, dout[0], z[0], 0.5, outputs, N, 7);
    ecc_regularizer_combine(&vae, dout[1], z[1], 0.5, outputs, N, 7);
    assert_memory_equal(z[0], z[1], sizeof z[0]);
    assert_memory_equal(dout[0], dout[1], sizeof dout[0]);
    assert_true(a.loss == b.loss && ecc_regularizer_weight(&vae, 0.5, 1, 9, 0) == 0.5);
    ecc_regularizer_release(&kl);
    ecc_regularizer_release(&vae);
}

/* beta |KL - C|, with C growing to 4 in 10 steps: the divergence is below, then above. */
static void capacity_grows(void **state)
{
    (void)state;
    struct ecc_regularizer_plan plan;
    struct ecc_regularizer_value value;
    float outputs[COUNT], dout[COUNT];
    double expected[COUNT];
    ecc_rng_normal_f32(outputs, 4, 1000, 0, COUNT);
    const double kl = ecc_kl_reference(expected, outputs, N, D);
    assert_true(kl > 1 && kl < 39);
    plan_init(&plan, "vae:beta=3:capacity=40:growth=10");
    static const uint64_t steps[] = {0, 5, 10, 1000};
    static const double capacities[] = {0, 20, 40, 40};
    for (size_t s = 0; s < 4; s++) {
        const double sign = kl < capacities[s] ? -1 : 1;
        check_ok(
            ecc_regularizer_evaluate(&plan, &value, dout, outputs, N, steps[s], &testing_error));
        check_relative(value.loss, 3 * fabs(kl - capacities[s]), 1e-12, "beta |KL - C|");
        check_relative(value.terms[0].value, kl, 1e-12, "KL");
        check_absolute(value.terms[1].value, capacities[s], 1e-12, "C");
        for (size_t i = 0; i < COUNT; i++) {
            check_absolute((double)dout[i], 3 * sign * expected[i], 1e-6, "gradient");
        }
    }
    ecc_regularizer_release(&plan);
}

/* Dai and Wipf's loss, by central differences: sum over P numbers of (x-y)^2 / (2 g^2) + log g, of
 * which ours is 1/P; the weight makes ours theirs times 2 g^2 / P. */
static void noise_is_learned(void **state)
{
    (void)state;
    struct ecc_regularizer_plan plan;
    struct ecc_latent_tensor list[ECC_LATENT_TENSORS];
    float log_g = -0.7F, gradient = 0;
    float *values[] = {&log_g}, *gradients[] = {&gradient};
    const double error = 0.13, h = 1e-5, g = exp((double)log_g);
    plan_init(&plan, "vae:gamma=learned");
    assert_int_equal(ecc_regularizer_tensors(&plan, list), 1);
    assert_true(list[0].trained && list[0].bound == 0 && list[0].shape[0] == 1);
    ecc_regularizer_bind(&plan, values, gradients, 1);
    check_relative(ecc_regularizer_weight(&plan, 5, error, 784, 3), 2 * g * g / 784, 1e-12,
                   "lambda");
    double loss[2];
    for (int side = 0; side < 2; side++) {
        const double at = (double)log_g + (side ? h : -h);
        loss[side] = error / (2 * exp(2 * at)) + at;
    }
    check_relative((double)gradient, (loss[1] - loss[0]) / (2 * h), 1e-6, "gradient of log g");
    ecc_regularizer_release(&plan);
    plan_init(&plan, "vae:warmup=4");
    assert_int_equal(ecc_regularizer_tensors(&plan, list), 0);
    assert_true(ecc_regularizer_weight(&plan, 2, 1, 9, 1) == 0.5);
    ecc_regularizer_release(&plan);
}

static void bad_options(void **state)
{
    (void)state;
    struct ecc_regularizer_choice choice;
    struct ecc_error *const e = &testing_error;
    check_fails(ecc_regularizer_read(&choice, "vae:gamma=yes", e), ECC_BAD_ARGUMENT,
                "fixed or learned");
    check_fails(ecc_regularizer_read(&choice, "vae:beta=-1", e), ECC_BAD_ARGUMENT, "from 0 to");
    check_fails(ecc_regularizer_read(&choice, "vae:warmup=1.5", e), ECC_BAD_ARGUMENT, "whole");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_kl_by_default),
        cmocka_unit_test(capacity_grows),
        cmocka_unit_test(noise_is_learned),
        cmocka_unit_test(bad_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
