/* test_methods_golden.c: values and gradients of regularizers as their authors' losses have them in
 * PyTorch.  The numbers are written by tests/golden/methods_golden.py. */
#include "base/rng.h"
#include "regularizer/choice.h"
#include "testing.h"

enum { MOST = 200 };

static FILE *open_golden(void)
{
    char path[1000];
    const char *const end = strstr(__FILE__, "unit/test_methods_golden.c");
    assert_non_null(end);
    snprintf(path, sizeof path, "%.*sgolden/methods.txt", (int)(end - __FILE__), __FILE__);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

/* Value and gradient; where latents are a map of the outputs, of the sum of g z. */
static double evaluate(float *gradient, const float *outputs, const float *g, size_t n, size_t d,
                       const char *text, uint64_t seed, uint64_t step)
{
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    struct ecc_regularizer_plan plan;
    struct ecc_regularizer_value value;
    check_ok(ecc_regularizer_read(&choice, text, &testing_error));
    options.seed = seed;
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    check_ok(ecc_regularizer_init(&plan, choice.entry, n, d, &options, &testing_error));
    check_ok(ecc_regularizer_evaluate(&plan, &value, gradient, outputs, n, step, &testing_error));
    if (plan.entry->latents) {
        float z[MOST];
        check_ok(ecc_regularizer_latents(&plan, z, outputs, n, step, &testing_error));
        ecc_regularizer_combine(&plan, gradient, g, 1, outputs, n, step);
        for (size_t i = 0; i < n * d; i++) value.loss += (double)g[i] * (double)z[i];
    }
    ecc_regularizer_release(&plan);
    return value.loss;
}

/* Of values and gradients in float32, as a share. */
static const double allowed = 4e-6;

static void agrees_with_the_authors(void **state)
{
    (void)state;
    FILE *const file = open_golden();
    unsigned long long seed, step;
    size_t n, d, cases = 0;
    char text[80];
    double expected, scale;
    assert_int_equal(fscanf(file, "%*[^\n] %llu %llu %zu %zu", &seed, &step, &n, &d), 4);
    assert_true(n * d <= MOST);
    float outputs[MOST], scaled[MOST], g[MOST], gradient[MOST];
    ecc_rng_uniform_f32(outputs, seed, 1000, 0, n * d);
    ecc_rng_uniform_f32(g, seed, 1001, 0, n * d);
    for (size_t i = 0; i < n * d; i++) outputs[i] = 6 * outputs[i] - 3;
    for (; fscanf(file, "%79s %lf %lf", text, &scale, &expected) == 3; cases++) {
        for (size_t i = 0; i < n * d; i++) scaled[i] = (float)scale * outputs[i];
        const double loss = evaluate(gradient, scaled, g, n, d, text, seed, step);
        check_absolute(loss, expected, allowed * (0.1 + fabs(expected)), text);
        double error = 0, norm = 0;
        for (size_t i = 0; i < n * d; i++) {
            double slope;
            assert_int_equal(fscanf(file, "%lf", &slope), 1);
            error += ((double)gradient[i] - slope) * ((double)gradient[i] - slope);
            norm += slope * slope;
        }
        check_absolute(sqrt(error / norm), 0, allowed, text);
    }
    assert_int_equal(cases, 19);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_the_authors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
