/* test_compare.c: which methods are compared, which weights are tried, which is chosen, how long.
 */
#include "compare/trials.h"
#include "testing.h"

#include <math.h>
#include <string.h>

static void methods_are_read(void **state)
{
    struct ecc_rivals r;
    struct ecc_error error;
    (void)state;
    assert_int_equal(ecc_rivals_read(&r, "eccentric,kl:lambda=1e-4,irmae:layers=4,none", &error),
                     ECC_OK);
    assert_int_equal(r.count, 4);
    assert_string_equal(r.list[1].text, "kl");
    assert_true(r.list[1].given && r.list[1].lambda == 1e-4);
    assert_false(r.list[0].given);
    assert_string_equal(r.list[2].text, "irmae:layers=4");
    assert_true(r.list[3].entry->no_lambda);
    assert_int_equal(ecc_rivals_read(&r, "all", &error), ECC_OK);
    size_t count = 0;
    while (ecc_regularizers[count]) count++;
    assert_int_equal(r.count, count);
}

static void bad_methods_are_refused(void **state)
{
    static const char *const bad[] = {
        "",        "eccentric,",   ",kl",       "nobody", "kl,kl",         "kl:lambda=x",
        "kl:lamb", "kl:lambda=-1", "irmae:x=1", "all,kl", "none:lambda=1", "kl,kl:lambda=1"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct ecc_rivals r;
        struct ecc_error error = {0};
        assert_int_equal(ecc_rivals_read(&r, bad[i], &error), ECC_BAD_ARGUMENT);
        assert_true(strlen(error.text) > 10);
    }
    struct ecc_rivals r;
    struct ecc_error error;
    assert_int_equal(ecc_rivals_read(&r, "kl:lambda=1,kl:lambda=2", &error), ECC_OK);
}

static struct ecc_rival rival_of(const char *words)
{
    struct ecc_rivals r;
    struct ecc_error error;
    assert_int_equal(ecc_rivals_read(&r, words, &error), ECC_OK);
    return r.list[0];
}

static void lambdas_span_two_decades(void **state)
{
    double lambdas[ECC_LAMBDAS];
    (void)state;
    const struct ecc_rival kl = rival_of("kl"), fixed = rival_of("kl:lambda=0.5"),
                           none = rival_of("none");
    for (size_t count = 2; count <= ECC_LAMBDAS; count++) {
        assert_int_equal(ecc_rival_lambdas(lambdas, &kl, count), count);
        assert_true(fabs(lambdas[0] / kl.lambda - 0.1) < 1e-9);
        assert_true(fabs(lambdas[count - 1] / kl.lambda - 10) < 1e-9);
        for (size_t i = 1; i < count; i++) assert_true(lambdas[i] > lambdas[i - 1]);
        if (count % 2) assert_true(lambdas[count / 2] == kl.lambda);
    }
    assert_int_equal(ecc_rival_lambdas(lambdas, &kl, 1), 1);
    assert_true(lambdas[0] == kl.lambda);
    assert_int_equal(ecc_rival_lambdas(lambdas, &fixed, 5), 1);
    assert_true(lambdas[0] == 0.5);
    assert_int_equal(ecc_rival_lambdas(lambdas, &none, 5), 1);
}

static void the_smallest_score_is_chosen(void **state)
{
    const double lambdas[] = {0.1, 1, 10};
    (void)state;
    assert_int_equal(ecc_rival_choose((double[]){3, 2, 1}, lambdas, 3, 1), 2);
    assert_int_equal(ecc_rival_choose((double[]){NAN, 2, 3}, lambdas, 3, 1), 1);
    /* of equal ones the usual, or the nearest to it */
    assert_int_equal(ecc_rival_choose((double[]){2, 2, 2}, lambdas, 3, 1), 1);
    assert_int_equal(ecc_rival_choose((double[]){2, 3, 2}, lambdas, 3, 2), 2);
    assert_int_equal(ecc_rival_choose((double[]){NAN, NAN, NAN}, lambdas, 3, 1), 3);
}

static void epochs_fit_the_time(void **state)
{
    const double seconds[] = {1, 3};
    const size_t shorts[] = {5, 0};
    (void)state;
    /* an epoch of all costs 1 * (2 + 0.2 * 5) + 3 * 2 = 9 seconds */
    assert_true(ecc_rival_epochs(seconds, shorts, 2, 2, 900) == 100);
    assert_true(ecc_rival_epochs(seconds, shorts, 2, 2, 9 * 57.9) == 57);
    assert_true(fabs(ecc_rival_epochs(seconds, shorts, 2, 2, 9 * 3.49) - 3.4) < 1e-9);
    assert_true(ecc_rival_epochs(seconds, shorts, 2, 2, 1) == 1);
    assert_true(ecc_rival_epochs(seconds, shorts, 0, 2, 1) == 1);
}

static void names_tell_settings_apart(void **state)
{
    struct ecc_train_options o = ecc_train_defaults();
    char a[ECC_TRIAL_NAME], b[ECC_TRIAL_NAME];
    (void)state;
    o.data = "glyphs";
    o.epochs = 3;
    o.regularizer = "irmae:layers=4";
    ecc_trial_name(a, &o);
    assert_null(strpbrk(a, ":=/,"));
    o.threads = 7; /* does not matter */
    ecc_trial_name(b, &o);
    assert_string_equal(a, b);
    o.rate *= 2;
    ecc_trial_name(b, &o);
    assert_string_not_equal(a, b);
    o.rate /= 2;
    o.data = "mnist";
    ecc_trial_name(b, &o);
    assert_string_not_equal(a, b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_are_read),         cmocka_unit_test(bad_methods_are_refused),
        cmocka_unit_test(lambdas_span_two_decades), cmocka_unit_test(the_smallest_score_is_chosen),
        cmocka_unit_test(epochs_fit_the_time),      cmocka_unit_test(names_tell_settings_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
