/* test_factors.c: do the components find what the digits were drawn from?  A short training on the
 * built-in glyphs, whose true factors are known; then unseen glyphs. */
#include "data/glyph.h"
#include "model/components.h"
#include "testing.h"
#include "train/trainer.h"

enum { LATENT = 8, TEST = 2000 };

static void train(const char *directory)
{
    struct ecc_train_options options = ecc_train_defaults();
    options.data = "glyphs";
    options.items = 5000;
    options.latent = LATENT;
    options.width = 0.5;
    options.threads = 1; /* two would wait for each other where others work, too */
    options.rate = 4e-3;
    options.validation = 0;
    options.epochs = 8;
    const struct ecc_train_job job = {.out = directory, .overwrite = true};
    struct ecc_train_result result;
    check_ok(ecc_train(&result, &options, &job, &testing_error));
    print_message("error %.5f, eccentricity %.3f, trace %.2f\n", result.error,
                  result.components.eccentricity, result.components.trace);
    ecc_train_result_release(&result);
}

/* What is left of a factor when the mean of its digit and style is taken away: digits have their
 * own slants, widths and balances. */
static void within_digits(double *values, const struct ecc_dataset *data)
{
    double sums[ECC_GLYPH_CLASSES * ECC_GLYPH_STYLES] = {0};
    double counts[ECC_GLYPH_CLASSES * ECC_GLYPH_STYLES] = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < data->count; i++) {
            const float style = data->factors[i * data->factor_count + ECC_GLYPH_STYLE];
            const size_t group = (size_t)data->labels[i] * ECC_GLYPH_STYLES + (style > 0.5F);
            if (pass == 0) {
                sums[group] += values[i];
                counts[group]++;
            } else {
                values[i] -= sums[group] / counts[group];
            }
        }
    }
}

static double correlation(const double *a, const double *b, size_t n)
{
    double aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < n; i++) {
        aa += a[i] * a[i];
        bb += b[i] * b[i];
        ab += a[i] * b[i];
    }
    return ab / sqrt(aa * bb);
}

/* The largest correlation, within digits, of each factor with any one component. */
static void correlate(double best[ECC_GLYPH_FACTORS], const float *p,
                      const struct ecc_dataset *data)
{
    double *const a = malloc(sizeof *a * TEST), *const b = malloc(sizeof *b * TEST);
    for (size_t f = 1; f < ECC_GLYPH_FACTORS; f++) {
        size_t which = 0;
        best[f] = 0;
        for (size_t i = 0; i < TEST; i++) a[i] = (double)data->factors[i * data->factor_count + f];
        within_digits(a, data);
        for (size_t k = 0; k < LATENT; k++) {
            for (size_t i = 0; i < TEST; i++) b[i] = (double)p[i * LATENT + k];
            within_digits(b, data);
            const double r = fabs(correlation(a, b, TEST));
            if (r > best[f]) {
                best[f] = r;
                which = k;
            }
        }
        print_message("%-10s p%zu  %.2f\n", ecc_glyph_factor_names[f], which + 1, best[f]);
    }
    free(a);
    free(b);
}

/* The share of a component's variance that the digit and its style explain. */
static double explained_by_digit(const float *p, size_t k, const struct ecc_dataset *data)
{
    double before = 0, after = 0, mean = 0;
    double *const values = malloc(sizeof *values * TEST);
    for (size_t i = 0; i < TEST; i++) mean += (double)p[i * LATENT + k] / TEST;
    for (size_t i = 0; i < TEST; i++) {
        values[i] = (double)p[i * LATENT + k] - mean;
        before += values[i] * values[i];
    }
    within_digits(values, data);
    for (size_t i = 0; i < TEST; i++) after += values[i] * values[i];
    free(values);
    return 1 - after / before;
}

static void components_find_the_factors(void **state)
{
    (void)state;
    const char *const directory = testing_path("run");
    struct ecc_model *model;
    struct ecc_components components;
    struct ecc_dataset *data;
    train(directory);
    check_ok(ecc_model_open(&model, directory, NULL, &testing_error));
    check_ok(ecc_model_components(model, &components, NULL, NULL, &testing_error));
    check_ok(ecc_model_open_data(model, &data, "glyphs:test", TEST, &testing_error));
    float *const p = malloc(sizeof *p * TEST * LATENT);
    check_ok(ecc_model_encode_data(model, p, data, NULL, TEST, NULL, &testing_error));
    check_ok(ecc_components_project(&components, p, p, TEST, &testing_error));

    double best[ECC_GLYPH_FACTORS], digit = 0;
    correlate(best, p, data);
    for (size_t k = 0; k < LATENT; k++) {
        const double share = explained_by_digit(p, k, data);
        print_message("p%zu: %.0f%% of its variance by digit and style\n", k + 1, 100 * share);
        digit = fmax(digit, share);
    }
    /* by chance: at most 0.08 for the best of eight components over 2000 glyphs, and 1% */
    assert_true(best[ECC_GLYPH_SLANT] > 0.45);
    assert_true(best[ECC_GLYPH_SHIFT_X] > 0.25 && best[ECC_GLYPH_SHIFT_Y] > 0.3);
    assert_true(best[ECC_GLYPH_WIDTH] > 0.2 && best[ECC_GLYPH_THICKNESS] > 0.2);
    assert_true(digit > 0.45);
    free(p);
    ecc_dataset_close(data);
    ecc_components_release(&components);
    ecc_model_close(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(components_find_the_factors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
