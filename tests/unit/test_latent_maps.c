/* test_latent_maps.c: regularizers that change what the decoder gets (uae, nested, fsq), and rae.
 */
#include "base/rng.h"
#include "regularizer/choice.h"
#include "testing.h"

enum { N = 2000, D = 6 };

static struct ecc_regularizer_plan plan_of(const char *text, uint64_t seed)
{
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    struct ecc_regularizer_plan plan;
    check_ok(ecc_regularizer_read(&choice, text, &testing_error));
    options.seed = seed;
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    check_ok(ecc_regularizer_init(&plan, choice.entry, N, D, &options, &testing_error));
    return plan;
}

static void latents_of(float *z, const float *x, const char *text, uint64_t seed, uint64_t step)
{
    struct ecc_regularizer_plan plan = plan_of(text, seed);
    check_ok(ecc_regularizer_latents(&plan, z, x, N, step, &testing_error));
    ecc_regularizer_release(&plan);
}

static void rae_is_the_mean_square(void **state)
{
    (void)state;
    struct ecc_regularizer_plan plan = plan_of("rae:l2=1e-3", 1);
    struct ecc_regularizer_value value;
    const float z[2 * D] = {1, -2, 3, 0, 0.5F, 0, 4, 0, 0, 0, -1, 2};
    float dz[2 * D];
    check_ok(ecc_regularizer_evaluate(&plan, &value, dz, z, 2, 0, &testing_error));
    check_relative(value.loss, 35.25 / 12, 1e-12, "mean of squares");
    for (size_t i = 0; i < 2 * D; i++) check_absolute((double)dz[i], z[i] / 6, 1e-7, "gradient");
    double encoder = 0, decoder = 0;
    plan.entry->decay(&encoder, &decoder, plan.own);
    assert_true(encoder == 0 && decoder == 2e-3);
    ecc_regularizer_release(&plan);
}

static void uae_adds_noise(void **state)
{
    (void)state;
    static float x[N * D], z[N * D], again[N * D];
    ecc_rng_normal_f32(x, 3, 1000, 0, (size_t)N * D);
    latents_of(z, x, "uae:sigma=0.5", 2, 9);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < (size_t)N * D; i++) {
        const double noise = (double)z[i] - (double)x[i];
        sum += noise / (N * D);
        squares += noise * noise / (N * D);
    }
    check_absolute(sum, 0, 0.02, "mean of the noise");
    check_absolute(sqrt(squares), 0.5, 0.015, "deviation of the noise");
    latents_of(again, x, "uae:sigma=0.5", 2, 9);
    assert_memory_equal(z, again, sizeof z);
    latents_of(again, x, "uae:sigma=0.5", 2, 10);
    assert_memory_not_equal(z, again, sizeof z);
    latents_of(again, x, "uae:sigma=0", 2, 10);
    assert_memory_equal(x, again, sizeof x);
    struct ecc_regularizer_plan plan = plan_of("uae:l2=0.25", 1);
    double encoder = 0, decoder = 0;
    plan.entry->decay(&encoder, &decoder, plan.own);
    assert_true(encoder == 0.25 && decoder == 0);
    ecc_regularizer_release(&plan);
}

/* The number of latents kept of an item, checking that they are the first ones. */
static size_t kept(const float *z)
{
    size_t count = 0;
    while (count < D && z[count] == 1) count++;
    for (size_t k = count; k < D; k++) assert_true(z[k] == 0);
    return count;
}

static void nested_keeps_the_first(void **state)
{
    (void)state;
    static float x[N * D], z[N * D];
    for (size_t i = 0; i < (size_t)N * D; i++) x[i] = 1;
    for (double keep = 0; keep <= 1; keep += 0.25) {
        char text[40];
        size_t at_least[D + 1] = {0};
        snprintf(text, sizeof text, "nested:keep=%g", keep);
        latents_of(z, x, text, 4, 7);
        for (size_t i = 0; i < N; i++) {
            for (size_t b = kept(z + i * D); b > 0; b--) at_least[b]++;
        }
        for (size_t b = 1; b <= D; b++) {
            check_absolute((double)at_least[b] / N, pow(keep, (double)(b - 1)), 0.035, text);
        }
    }
}

static void nested_depends_on_the_step(void **state)
{
    (void)state;
    static float x[N * D], z[N * D], other[N * D], back[N * D];
    for (size_t i = 0; i < (size_t)N * D; i++) x[i] = 1;
    struct ecc_regularizer_plan plan = plan_of("nested:keep=0.5", 4);
    check_ok(ecc_regularizer_latents(&plan, z, x, N, 1, &testing_error));
    check_ok(ecc_regularizer_latents(&plan, other, x, N, 2, &testing_error));
    assert_memory_not_equal(z, other, sizeof z);
    check_ok(ecc_regularizer_evaluate(&plan, NULL, back, x, N, 1, &testing_error));
    ecc_regularizer_combine(&plan, back, x, 1, x, N, 1);
    assert_memory_equal(z, back, sizeof z); /* gradients pass where latents did */
    ecc_regularizer_release(&plan);
}

/* The levels are those of the authors' code. */
static void fsq_rounds_to_levels(void **state)
{
    (void)state;
    static float x[N * D], z[N * D];
    for (size_t i = 0; i < (size_t)N * D; i++) x[i] = -6 + 12 * (float)i / (N * D);
    x[0] = -3e38F, x[N * D - 1] = 3e38F;
    for (int levels = 2; levels <= 9; levels++) {
        char text[40];
        snprintf(text, sizeof text, "fsq:levels=%d", levels);
        latents_of(z, x, text, 1, 0);
        int seen = 1;
        const int unit = levels / 2;
        for (size_t i = 0; i < (size_t)N * D; i++) {
            const double code = (double)z[i] * unit;
            check_absolute(code, rint(code), 1e-5, text);
            if (i == 0) continue;
            assert_true(z[i] >= z[i - 1]);
            seen += z[i] > z[i - 1];
        }
        assert_int_equal(seen, levels);
        check_absolute((double)z[0], -1, 1e-6, text);
        check_absolute((double)z[N * D - 1], levels % 2 ? 1 : 1 - 1.0 / unit, 1e-6, text);
    }
}

/* The gradient is that of the map before rounding: half/floor(L/2) (1 - tanh(x + shift)^2). */
static void fsq_passes_gradients_through(void **state)
{
    (void)state;
    float x[D] = {-2, -0.3F, 0, 0.1F, 1.5F, 300}, g[D] = {1, 2, -1, 1, 1, 1}, dx[D];
    struct ecc_regularizer_plan plan = plan_of("fsq:levels=8", 1);
    check_ok(ecc_regularizer_evaluate(&plan, NULL, dx, x, 1, 0, &testing_error));
    ecc_regularizer_combine(&plan, dx, g, 1, x, 1, 0);
    const double half = 7 * 0.999 / 2, shift = tan(0.5 / half);
    for (size_t k = 0; k < D; k++) {
        const double h = 1e-5, above = tanh((double)x[k] + h + shift),
                     below = tanh((double)x[k] - h + shift);
        check_absolute((double)dx[k], (double)g[k] * half / 4 * (above - below) / (2 * h), 1e-6,
                       "dx");
    }
    ecc_regularizer_release(&plan);
}

static void what_is_not_finite_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"rae", "uae", "nested", "fsq"};
    struct ecc_error *const e = &testing_error;
    for (size_t i = 0; i < 4; i++) {
        struct ecc_regularizer_plan plan = plan_of(names[i], 1);
        float x[2 * D] = {0}, z[2 * D];
        x[8] = NAN;
        check_fails(ecc_regularizer_evaluate(&plan, NULL, NULL, x, 2, 0, e), ECC_BAD_DATA,
                    "z[1, 2] is NaN");
        if (i > 0) {
            check_fails(ecc_regularizer_latents(&plan, z, x, 2, 0, e), ECC_BAD_DATA, "is NaN");
        }
        check_fails(ecc_regularizer_evaluate(&plan, NULL, NULL, x, N + 1, 0, e), ECC_BAD_ARGUMENT,
                    "1 to 2000");
        ecc_regularizer_release(&plan);
    }
    struct ecc_regularizer_choice choice;
    check_fails(ecc_regularizer_read(&choice, "fsq:levels=1", e), ECC_BAD_ARGUMENT, "2 to 4096");
    check_fails(ecc_regularizer_read(&choice, "nested:keep=1.1", e), ECC_BAD_ARGUMENT, "0 to 1");
    check_fails(ecc_regularizer_read(&choice, "uae:sigma=-1", e), ECC_BAD_ARGUMENT, "0 to 1000");
    check_fails(ecc_regularizer_read(&choice, "rae:l1=2", e), ECC_BAD_ARGUMENT, "it takes l2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rae_is_the_mean_square),
        cmocka_unit_test(uae_adds_noise),
        cmocka_unit_test(nested_keeps_the_first),
        cmocka_unit_test(nested_depends_on_the_step),
        cmocka_unit_test(fsq_rounds_to_levels),
        cmocka_unit_test(fsq_passes_gradients_through),
        cmocka_unit_test(what_is_not_finite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
