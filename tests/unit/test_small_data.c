/* test_small_data.c: what few items need: settings by their number, a start at PCA's solution, the
 * best weights kept. */
#include "base/rng.h"
#include "eccentric_evaluate.h"
#include "model/model.h"
#include "train/best.h"
#include "train/settle.h"

#include "testing.h"

static struct ecc_train_options settled(size_t items, bool table, size_t columns)
{
    const struct ecc_dataset data = {.is_table = table, .shape = {columns, 1, 1}, .count = items};
    struct ecc_train_options o = ecc_train_defaults();
    ecc_settings_settle(&o, &data, items, 1);
    return o;
}

static void settings_follow_the_items(void **state)
{
    (void)state;
    assert_int_equal(settled(10, true, 4).batch, 10);
    assert_int_equal(settled(130, true, 13).batch, 16);
    assert_int_equal(settled(1000, true, 13).batch, 48);
    assert_int_equal(settled(60000, false, 784).batch, 100);
    assert_true(settled(60000, false, 784).epochs == 20);
    assert_true(settled(1000000, true, 10).epochs * 10000 <= 60000);
    for (size_t n = 10; n < 5000; n += 37) {
        const struct ecc_train_options o = settled(n, true, 20);
        assert_true(o.epochs * (double)(n / o.batch) >= 6000);
    }
    assert_int_equal(settled(500, true, 20).keep, ECC_KEEP_REFIT);
    assert_int_equal(settled(50000, true, 20).keep, ECC_KEEP_BEST);
    assert_int_equal(settled(500, false, 784).keep, ECC_KEEP_BEST);
    assert_true(settled(62, true, 2308).width < 0.13 && settled(4000, true, 64).width == 0);
    struct ecc_train_options given = ecc_train_defaults();
    const struct ecc_dataset data = {.is_table = true, .shape = {5, 1, 1}, .count = 100};
    given.batch = 7;
    given.epochs = 3;
    given.width = 2;
    ecc_settings_settle(&given, &data, 100, 1);
    assert_true(given.batch == 7 && given.epochs == 3 && given.width == 2);
}

static void best_is_kept_and_luck_is_not(void **state)
{
    (void)state;
    struct ecc_best best;
    enum { N = 10 };
    check_ok(ecc_best_init(&best, N, 3, &testing_error));
    for (size_t i = 0; i < N; i++) best.now[i] = 1;
    assert_true(ecc_best_look(&best, 1, 0)); /* PCA's solution */
    for (size_t i = 0; i < N; i++) best.now[i] = i == 0 ? 0.5 : 1;
    assert_false(ecc_best_look(&best, 0.95, 100)); /* one lucky item */
    for (size_t i = 0; i < N; i++) best.now[i] = 0.94 + 0.002 * (double)i;
    assert_true(ecc_best_look(&best, 0.949, 200));
    assert_false(ecc_best_look(&best, 0.96, 300));
    assert_true(best.step == 200 && best.error == 0.949 && best.first_error == 1);
    ecc_best_release(&best);
    check_ok(ecc_best_init(&best, 4, 3, &testing_error)); /* too few to say anything */
    for (size_t i = 0; i < 4; i++) best.now[i] = 1;
    assert_true(ecc_best_look(&best, 1, 0));
    for (size_t i = 0; i < 4; i++) best.now[i] = 0.9;
    assert_false(ecc_best_look(&best, 0.9, 100));
    ecc_best_release(&best);
}

enum { ROWS = 60, COLUMNS = 6, FACTORS = 2 };

/* Two factors and noise, all linear: nothing is to be found that PCA does not find. */
static void fill_linear(float *x)
{
    float factors[ROWS * FACTORS], noise[ROWS * COLUMNS];
    ecc_rng_normal_f32(factors, 5, 1, 0, ROWS * FACTORS);
    ecc_rng_normal_f32(noise, 5, 2, 0, ROWS * COLUMNS);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        const size_t row = i / COLUMNS, column = i % COLUMNS;
        x[i] = factors[row * FACTORS] * (float)(column + 1) +
               factors[row * FACTORS + 1] * (float)(column % 2) + 0.5F * noise[i];
    }
}

static struct ecc_train_result train_lent(const float *x, size_t latent)
{
    const struct ecc_array_data array = {
        .x = x, .n = ROWS, .channels = 1, .height = 1, .width = COLUMNS, .is_table = true};
    struct ecc_train_options options = ecc_train_defaults();
    struct ecc_train_result result;
    check_ok(ecc_data_lend("small", &array, &testing_error));
    options.data = "memory:small";
    options.latent = latent;
    check_ok(ecc_train(&result, &options, NULL, &testing_error));
    return result;
}

static void never_worse_than_pca(void **state)
{
    (void)state;
    float x[ROWS * COLUMNS];
    fill_linear(x);
    for (size_t d = 2; d <= COLUMNS; d += 2) {
        struct ecc_train_result r = train_lent(x, d);
        assert_true(r.started_from_pca && r.unseen.items > 0);
        assert_string_equal(r.unseen.items_are, "test");
        assert_true(r.unseen.error <= 1.02 * r.unseen.pca_error + 1e-9);
        assert_true(r.best_step <= r.steps);
        ecc_train_result_release(&r);
    }
    ecc_data_return("small");
}

/* A line that bends: PCA of one size loses, so training goes on for a while. */
static void fill_bent(float *x)
{
    float place[ROWS], noise[ROWS * COLUMNS];
    ecc_rng_normal_f32(place, 7, 1, 0, ROWS);
    ecc_rng_normal_f32(noise, 7, 2, 0, ROWS * COLUMNS);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        const float t = place[i / COLUMNS], turn = (float)(i % COLUMNS);
        x[i] = sinf(t * (turn + 1)) + 0.05F * noise[i];
    }
}

static bool stop_at(void *step, const struct ecc_train_progress *now)
{
    return now->step != *(const uint64_t *)step;
}

static struct ecc_train_result refit_bent(const char *directory, uint64_t stop)
{
    struct ecc_train_options options = ecc_train_defaults();
    const struct ecc_train_job job = {.out = directory, .on_step = stop_at, .context = &stop};
    struct ecc_train_result r;
    options.data = "memory:small";
    options.latent = 2;
    options.epochs = 200;
    if (stop == 0) {
        check_ok(ecc_train(&r, &options, &job, &testing_error));
        return r;
    }
    check_fails(ecc_train(&r, &options, &job, &testing_error), ECC_INTERRUPTED, "interrupted");
    stop = 0;
    check_ok(ecc_train_resume(&r, 0, &job, &testing_error));
    return r;
}

static void a_refit_is_resumed(void **state)
{
    (void)state;
    float x[ROWS * COLUMNS];
    fill_bent(x);
    const struct ecc_array_data array = {
        .x = x, .n = ROWS, .channels = 1, .height = 1, .width = COLUMNS, .is_table = true};
    check_ok(ecc_data_lend("small", &array, &testing_error));
    struct ecc_train_result whole = refit_bent(testing_path("whole"), 0);
    assert_true(whole.refit && whole.best_step > 0 && whole.steps > whole.best_step);
    assert_true(whole.unseen.error < whole.unseen.pca_error);
    const uint64_t first = whole.steps - whole.best_step; /* steps of the first training */
    const uint64_t stops[] = {first - 10, first, first + 1, whole.steps - 1};
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        char name[20];
        snprintf(name, sizeof name, "part%zu", i);
        struct ecc_train_result part = refit_bent(testing_path(name), stops[i]);
        assert_true(part.model->weight_sum == whole.model->weight_sum);
        assert_true(part.steps == whole.steps && part.best_step == whole.best_step);
        assert_true(part.error == whole.error && part.validation_error == whole.validation_error);
        ecc_train_result_release(&part);
    }
    ecc_train_result_release(&whole);
    ecc_data_return("small");
}

static void trainings_are_estimated(void **state)
{
    (void)state;
    float x[ROWS * COLUMNS];
    fill_linear(x);
    struct ecc_train_result r = train_lent(x, 2);
    struct ecc_train_options options = ecc_train_defaults();
    struct ecc_train_estimate estimate;
    options.data = "memory:small";
    options.latent = 2;
    check_ok(ecc_train_estimate(&estimate, &options, &testing_error));
    assert_true(estimate.batch == 16 && estimate.steps >= 6000 && estimate.seconds > 0);
    assert_true(estimate.threads == 1 && estimate.seconds < 600);
    options.data = NULL;
    check_fails(ecc_train_estimate(&estimate, &options, &testing_error), ECC_BAD_ARGUMENT, "data");
    ecc_train_result_release(&r);
    ecc_data_return("small");
}

static void sizes_are_compared(void **state)
{
    (void)state;
    float x[ROWS * COLUMNS];
    fill_linear(x);
    struct ecc_train_result r = train_lent(x, 2); /* lends the table */
    struct ecc_train_options options = ecc_train_defaults();
    const size_t sizes[] = {1, 2, 4}, falling[] = {2, 1};
    struct ecc_dims dims;
    options.data = "memory:small";
    options.epochs = 20;
    options.regularizer = "none"; /* the others need two dimensions */
    check_ok(ecc_dims_measure(&dims, &options, sizes, 3, NULL, &testing_error));
    for (size_t i = 1; i < 3; i++) assert_true(dims.rows[i].error < dims.rows[i - 1].error);
    assert_true(dims.recommended >= 1 && dims.recommended <= 4);
    ecc_dims_release(&dims);
    check_fails(ecc_dims_measure(&dims, &options, falling, 2, NULL, &testing_error),
                ECC_BAD_ARGUMENT, "rising");
    ecc_dims_release(&dims);
    struct ecc_runs_alignment again;
    const struct ecc_stability_options two = {.runs = 2}, one = {.runs = 1};
    check_ok(ecc_stability_measure(&again, r.model, &two, NULL, &testing_error));
    assert_true(again.run_count == 2 && again.stability[0] > 0.9); /* both start from PCA */
    ecc_runs_alignment_release(&again);
    check_fails(ecc_stability_measure(&again, r.model, &one, NULL, &testing_error),
                ECC_BAD_ARGUMENT, "two or more");
    ecc_train_result_release(&r);
    ecc_data_return("small");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_follow_the_items), cmocka_unit_test(best_is_kept_and_luck_is_not),
        cmocka_unit_test(never_worse_than_pca),      cmocka_unit_test(a_refit_is_resumed),
        cmocka_unit_test(trainings_are_estimated),   cmocka_unit_test(sizes_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
