/* test_seen.c: which items a run was trained on: of its own source by row, of others by contents.
 */
#include "testing.h"

#include "eccentric_train.h"

#include "base/rng.h"
#include "model/seen.h"

enum { N = 200, COLUMNS = 4 };

static float rows[N][COLUMNS], others[50][COLUMNS];

static void lend(const char *name, const float *x, size_t n)
{
    const struct ecc_array_data array = {
        .x = x, .n = n, .channels = 1, .height = 1, .width = COLUMNS, .is_table = true};
    check_ok(ecc_data_lend(name, &array, &testing_error));
}

static int make_data(void **state)
{
    (void)state;
    ecc_rng_normal_f32(&rows[0][0], 1, 1, 0, sizeof rows / sizeof(float));
    ecc_rng_normal_f32(&others[0][0], 1, 2, 0, sizeof others / sizeof(float));
    memcpy(others, rows, 12 * sizeof rows[0]); /* the first 12 rows also occur in the others */
    lend("rows", &rows[0][0], N);
    lend("others", &others[0][0], 50);
    lend("copy", &rows[0][0], N);
    lend("few", &rows[20][0], 30);
    return 0;
}

/* A model in memory, hardly trained; the caller releases the result. */
static struct ecc_train_result train_keeping(enum ecc_keep keep, const char *data, size_t items,
                                             size_t validation)
{
    struct ecc_train_options options = ecc_train_defaults();
    struct ecc_train_result result;
    options.data = data;
    options.items = items;
    options.validation = validation;
    options.latent = 2;
    options.batch = 20;
    options.total_steps = 2;
    options.threads = 1;
    options.keep = keep;
    check_ok(ecc_train(&result, &options, NULL, &testing_error));
    return result;
}

static struct ecc_train_result train(const char *data, size_t items, size_t validation)
{
    return train_keeping(ECC_KEEP_BEST, data, items, validation);
}

static struct ecc_seen look(struct ecc_model *model, const char *data, size_t items)
{
    struct ecc_seen seen;
    check_ok(ecc_model_seen(model, &seen, data, items, &testing_error));
    return seen;
}

static void the_test_part_is_unseen(void **state)
{
    (void)state;
    struct ecc_train_result r = train("memory:rows", 0, 30);
    struct ecc_seen seen = look(r.model, "memory:rows:test", 0);
    assert_true(seen.answer == ECC_SEEN_NONE && seen.items == 20 && seen.trained == 0);
    seen = look(r.model, NULL, 0);
    assert_true(seen.answer == ECC_SEEN_SOME && seen.trained == 150 && seen.validation == 30);
    seen = look(r.model, "memory:rows:all", 0);
    assert_true(seen.items == 200 && seen.trained == 150 && seen.validation == 30);
    assert_false(seen.changed || seen.by_name);
    /* the same rows under another name are the same source */
    seen = look(r.model, "memory:copy:test", 0);
    assert_true(seen.answer == ECC_SEEN_NONE && seen.twins == 0 && !seen.by_name);
    seen = look(r.model, "memory:copy", 0);
    assert_true(seen.trained == 150);
    ecc_train_result_release(&r);
}

static void all_rows_are_seen(void **state)
{
    (void)state;
    struct ecc_train_result r = train("memory:rows:all", 0, 0);
    assert_true(look(r.model, "memory:rows:test", 0).answer == ECC_SEEN_ALL);
    assert_true(look(r.model, "memory:rows:train", 0).answer == ECC_SEEN_ALL);
    ecc_train_result_release(&r);
    r = train("memory:rows:all", 100, 0);
    assert_int_equal(look(r.model, "memory:rows:all", 0).trained, 100);
    assert_int_equal(look(r.model, "memory:rows:train", 0).trained +
                         look(r.model, "memory:rows:test", 0).trained,
                     100);
    ecc_train_result_release(&r);
}

static void other_rows_are_compared(void **state)
{
    (void)state;
    struct ecc_train_result r = train("memory:rows:all", 0, 0);
    struct ecc_seen seen = look(r.model, "memory:others:all", 0);
    assert_true(seen.answer == ECC_SEEN_NONE && seen.twins == 12 && seen.items == 50);
    /* only rows that it was trained on: seen, under another fingerprint */
    seen = look(r.model, "memory:few:all", 0);
    assert_true(seen.answer == ECC_SEEN_ALL && seen.twins == 30 && seen.trained == 30);
    char words[ECC_SEEN_WORDS];
    assert_string_equal(ecc_seen_words(words, &seen), "training items");
    ecc_train_result_release(&r);
}

static void a_refit_has_seen_the_validation_items(void **state)
{
    (void)state;
    struct ecc_train_result r = train_keeping(ECC_KEEP_REFIT, "memory:rows", 0, 30);
    assert_true(r.refit && r.items == 180 && r.validation_items == 30);
    const struct ecc_seen seen = look(r.model, "memory:rows:all", 0);
    assert_true(seen.items == 200 && seen.trained == 180 && seen.validation == 0);
    ecc_train_result_release(&r);
    r = train_keeping(ECC_KEEP_REFIT, "memory:rows:all", 0, 30);
    assert_string_equal(r.unseen.items_are, "validation"); /* before the refit */
    assert_true(r.unseen.items == 30 && r.unseen.error > 0 && r.validation_error > 0);
    ecc_train_result_release(&r);
}

static void changed_data_is_noticed(void **state)
{
    (void)state;
    struct ecc_train_result r = train("memory:rows", 0, 0);
    rows[N - 1][0] += 1;
    const struct ecc_seen seen = look(r.model, "memory:rows:test", 0);
    assert_true(seen.changed && seen.by_name && seen.answer == ECC_SEEN_NONE);
    rows[N - 1][0] -= 1;
    ecc_train_result_release(&r);
}

static void items_to_test_by_are_found(void **state)
{
    (void)state;
    struct ecc_test_items found;
    struct ecc_train_result r = train("memory:rows:all", 0, 0);
    const struct ecc_test_request any = {.validation = true}, other = {.test = "memory:others"};
    check_fails(ecc_model_test_items(r.model, &found, &any, NULL, &testing_error), ECC_BAD_DATA,
                "name other test data");
    ecc_test_items_release(&found);
    check_ok(ecc_model_test_items(r.model, &found, &other, NULL, &testing_error));
    assert_true(found.count == 50 && !found.items && found.seen.answer == ECC_SEEN_NONE);
    ecc_test_items_release(&found);
    ecc_train_result_release(&r);

    r = train("memory:rows:all", 0, 25);
    check_ok(ecc_model_test_items(r.model, &found, &any, NULL, &testing_error));
    const struct ecc_seen seen = found.seen;
    ecc_test_items_release(&found);
    assert_true(seen.answer == ECC_SEEN_NONE && seen.validation == 25 && seen.items == 25);
    ecc_train_result_release(&r);

    r = train("memory:rows", 0, 25);
    check_ok(ecc_model_test_items(r.model, &found, &any, NULL, &testing_error));
    assert_true(found.count == 20 && found.seen.validation == 0);
    ecc_test_items_release(&found);
    ecc_train_result_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_test_part_is_unseen),
        cmocka_unit_test(all_rows_are_seen),
        cmocka_unit_test(other_rows_are_compared),
        cmocka_unit_test(changed_data_is_noticed),
        cmocka_unit_test(a_refit_has_seen_the_validation_items),
        cmocka_unit_test(items_to_test_by_are_found),
    };
    return cmocka_run_group_tests(tests, make_data, NULL);
}
