/* test_meaning.c: what components do to the columns of a table: numbers, ranks and words. */
#include "eccentric_evaluate.h"
#include "eccentric_train.h"
#include "testing.h"

/* ---- Of a run ------------------------------------------------------------------------------- */

/* A table of three columns in very different units. */
static void write_table(const char *path)
{
    FILE *const out = fopen(path, "w");
    assert_non_null(out);
    fputs("metres,grams,\"share, of one\"\n", out);
    for (int i = 0; i < 200; i++) {
        const double t = sin(i * 0.7), u = cos(i * 1.9);
        fprintf(out, "%.3f,%.1f,%.5f\n", 2 + t, 5000 - 900 * t + 100 * u, 0.5 + 0.01 * u);
    }
    fclose(out);
}

/* Central differences of the decoder by hand, in both units. */
static void changes_are_differences_of_the_decoder(void **state)
{
    (void)state;
    enum { D = 2, COLUMNS = 3 };
    char table[400];
    snprintf(table, sizeof table, "%s", testing_path("table.csv"));
    write_table(table);
    struct ecc_train_options options = ecc_train_defaults();
    options.data = table;
    options.latent = D;
    options.batch = 20;
    options.epochs = 5;
    struct ecc_train_result trained;
    check_ok(ecc_train(&trained, &options, NULL, &testing_error));
    struct ecc_model *const m = trained.model;
    const struct ecc_components c = trained.components;
    const size_t list[] = {1};
    const struct ecc_meaning_options half = {.list = list, .list_count = 1, .deviations = 0.5};
    struct ecc_meaning all, one;
    check_ok(ecc_model_meaning(&all, m, &c, NULL, &testing_error));
    check_ok(ecc_model_meaning(&one, m, &c, &half, &testing_error));
    assert_true(all.count == D && all.column_count == COLUMNS && all.deviations == 1);
    assert_true(one.count == 1 && one.components[0] == 1 && one.deviations == 0.5);
    assert_string_equal(all.columns[2].name, "share, of one");
    const struct ecc_model_info info = ecc_model_describe(m);
    for (size_t k = 0; k < D; k++) {
        float p[2 * D] = {0}, z[2 * D], x[2 * COLUMNS];
        p[k] = (float)c.deviations[k];
        p[D + k] = -(float)c.deviations[k];
        check_ok(ecc_components_restore(&c, z, p, 2, &testing_error));
        check_ok(ecc_model_decode(m, x, z, 2, &testing_error));
        for (size_t j = 0; j < COLUMNS; j++) {
            const double change = ((double)x[j] - (double)x[COLUMNS + j]) / 2;
            check_absolute(all.standard[k * COLUMNS + j], change, 1e-5, "standardised change");
            check_absolute(all.change[k * COLUMNS + j] / info.deviation[j], change, 1e-5, "change");
            const size_t *const ranking = all.ranking + k * COLUMNS;
            if (j == 0) continue;
            assert_true(fabs(all.standard[k * COLUMNS + ranking[j - 1]]) >=
                        fabs(all.standard[k * COLUMNS + ranking[j]]));
        }
    }
    ecc_meaning_release(&all);
    ecc_meaning_release(&one);
    const size_t beyond[] = {2};
    const struct ecc_meaning_options wrong = {.list = beyond, .list_count = 1};
    check_fails(ecc_model_meaning(&one, m, &c, &wrong, &testing_error), ECC_BAD_ARGUMENT,
                "there is no component p3");
    ecc_train_result_release(&trained);
}

/* ---- In words ------------------------------------------------------------------------------- */

static void numbers_have_two_digits(void **state)
{
    (void)state;
    static const struct {
        double deviation, change;
        enum ecc_meaning_unit unit;
        const char *text;
    } CASES[] = {
        {1, 0.6234, ECC_MEANING_NUMBER, "+0.62"},
        {1, 0.0002, ECC_MEANING_NUMBER, "0"},
        {1, -0.043, ECC_MEANING_NUMBER, "-0.04"},
        {300, 251.4, ECC_MEANING_NUMBER, "+251"},
        {300, -3, ECC_MEANING_NUMBER, "-3"},
        {1e-4, 0.000312, ECC_MEANING_NUMBER, "+0.00031"},
        {1e-9, 3.12e-9, ECC_MEANING_NUMBER, "+3.1e-09"},
        {1e12, 3.12e12, ECC_MEANING_NUMBER, "+3.1e+12"},
        {30, 12.34, ECC_MEANING_SHARE, "+12 pp"},
        {30, -0.043, ECC_MEANING_SHARE, "0"},
        {400, 30.2, ECC_MEANING_DAYS, "+30 days"},
        {1, 0, ECC_MEANING_NUMBER, "0"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct ecc_meaning_column column = {NULL, CASES[i].unit, CASES[i].deviation};
        char text[48];
        assert_string_equal(ecc_meaning_number(text, sizeof text, &column, CASES[i].change),
                            CASES[i].text);
    }
}

/* Two components and four columns. */
static char alcohol[] = "alcohol", proline[] = "proline", hue[] = "hue", red[] = "colour=red";
static struct ecc_meaning_column columns[] = {
    {alcohol, ECC_MEANING_NUMBER, 0.8},
    {proline, ECC_MEANING_NUMBER, 300},
    {hue, ECC_MEANING_NUMBER, 0.2},
    {red, ECC_MEANING_SHARE, 40},
};
static double standard[] = {0.7, 0.9, -0.4, 0.05, 0.1, 0, 0.8, -0.6};
static double change[] = {0.56, 270, -0.08, 2, 0.08, 0, 0.16, -24};
static size_t ranking[] = {1, 0, 2, 3, 2, 3, 0, 1}, components[] = {0, 4};
static const struct ecc_meaning meaning = {.count = 2,
                                           .column_count = 4,
                                           .components = components,
                                           .deviations = 1,
                                           .columns = columns,
                                           .change = change,
                                           .standard = standard,
                                           .ranking = ranking};

static void components_are_told_in_words(void **state)
{
    (void)state;
    char text[200];
    assert_string_equal(ecc_meaning_words(text, sizeof text, &meaning, 0, 6),
                        "proline +270, alcohol +0.56, hue -0.080");
    assert_string_equal(ecc_meaning_words(text, sizeof text, &meaning, 1, 6),
                        "hue +0.16, colour=red -24 pp");
    assert_string_equal(ecc_meaning_words(text, sizeof text, &meaning, 0, 1), "proline +270");
    assert_string_equal(ecc_meaning_words(text, 10, &meaning, 0, 6), "proline +");
}

/* Each component gives columns in turn; then they stand by the component that moves them most. */
static void columns_are_chosen_in_turn(void **state)
{
    (void)state;
    size_t list[4];
    assert_int_equal(ecc_meaning_columns(list, &meaning, 4), 4);
    static const size_t ALL[] = {1, 0, 2, 3};
    assert_memory_equal(list, ALL, sizeof ALL);
    assert_int_equal(ecc_meaning_columns(list, &meaning, 2), 2);
    assert_true(list[0] == 1 && list[1] == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_differences_of_the_decoder),
        cmocka_unit_test(numbers_have_two_digits),
        cmocka_unit_test(components_are_told_in_words),
        cmocka_unit_test(columns_are_chosen_in_turn),
    };
    return cmocka_run_group_tests_name("meaning", tests, NULL, NULL);
}
