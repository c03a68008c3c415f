/* test_evaluate_numbers.c: numbers known of items, predicted from a small run, beside plain
 * computations: every distance, and the mean. */
#include "eccentric_evaluate.h"
#include "eccentric_train.h"

#include "latent/tree.h"
#include "model/labels.h"
#include "model/model.h"
#include "testing.h"

enum { ROWS = 400, COLUMNS = 5, D = 2, NUMBERS = 3 };
enum { AGE = 0, PRICE, SELDOM };

static float x[ROWS * COLUMNS];
static double numbers[ROWS * NUMBERS];
static int32_t labels[ROWS];
static const char *const names[] = {"age", "price", "seldom"};
static struct ecc_train_result trained;

/* A table of two hidden factors; the age follows one of them, the price both and is not always
 * known, the last number is known of one row only. */
static void make_table(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        const double a = sin((double)i * 1.3), b = cos((double)(i * i % 97));
        for (size_t k = 0; k < COLUMNS; k++) {
            x[i * COLUMNS + k] = (float)(a * (double)(k + 1) + b * (double)(3 - (int)k) +
                                         0.05 * sin((double)(i * (k + 7))));
        }
        numbers[i * NUMBERS + AGE] = 40 + 10 * a;
        numbers[i * NUMBERS + PRICE] = i % 3 == 0 ? (double)NAN : 1e6 + 1e5 * a * b;
        numbers[i * NUMBERS + SELDOM] = i == 7 ? 1 : (double)NAN;
        labels[i] = a > 0;
    }
}

static void lend(const int32_t *classes)
{
    const struct ecc_array_data table = {.x = x,
                                         .n = ROWS,
                                         .channels = 1,
                                         .height = 1,
                                         .width = COLUMNS,
                                         .is_table = true,
                                         .labels = classes,
                                         .numbers = numbers,
                                         .number_count = NUMBERS,
                                         .number_names = names};
    check_ok(ecc_data_lend("shop", &table, &testing_error));
}

static int set_up(void **state)
{
    (void)state;
    make_table();
    lend(NULL);
    struct ecc_train_options options = ecc_train_defaults();
    options.data = "memory:shop";
    options.latent = D;
    options.epochs = 2;
    check_ok(ecc_train(&trained, &options, NULL, &testing_error));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ecc_train_result_release(&trained);
    ecc_data_return("shop");
    return 0;
}

/* ---- Plainly -------------------------------------------------------------------------------- */

/* A part of the table: latents, columns, and one number. */
struct side {
    size_t n;
    float *z, *x;
    struct ecc_quantities known;
};

static struct side open_side(const char *part)
{
    struct side s;
    struct ecc_dataset *data;
    const struct ecc_quantities_choice all = {0};
    check_ok(ecc_model_latents(trained.model, &s.z, NULL, &s.n, part, 0, NULL, &testing_error));
    check_ok(ecc_model_open_data(trained.model, &data, part, 0, &testing_error));
    assert_int_equal(data->count, s.n);
    s.x = malloc(s.n * COLUMNS * sizeof *s.x);
    for (uint32_t i = 0; i < s.n; i++) {
        check_ok(ecc_dataset_read(data, s.x + i * COLUMNS, &i, 1, &testing_error));
    }
    check_ok(ecc_quantities_take(&s.known, data, NULL, s.n, all, &testing_error));
    assert_int_equal(s.known.count, NUMBERS);
    ecc_dataset_close(data);
    return s;
}

static void close_side(struct side *s)
{
    free(s->z);
    free(s->x);
    ecc_quantities_release(&s->known);
}

/* The mean of the k nearest rows whose number is known. */
static double plain_mean(const float *query, const float *items, size_t d, const double *values,
                         size_t n, size_t k)
{
    bool used[ROWS] = {false};
    double sum = 0;
    for (size_t j = 0; j < k; j++) {
        double least = (double)INFINITY;
        size_t best = n;
        for (size_t i = 0; i < n; i++) {
            double distance = 0;
            if (used[i] || isnan(values[i])) continue;
            for (size_t c = 0; c < d; c++) {
                distance += pow((double)query[c] - (double)items[i * d + c], 2);
            }
            if (distance >= least) continue;
            least = distance;
            best = i;
        }
        used[best] = true;
        sum += values[best];
    }
    return sum / (double)k;
}

/* What k neighbours in d columns predict of a number; also into predicted: [test->n]. */
static struct ecc_fit plain_fit(double *predicted, const struct side *train,
                                const struct side *test, size_t number, bool columns, size_t k)
{
    const size_t d = columns ? COLUMNS : D;
    double truth[ROWS], guess[ROWS];
    size_t m = 0;
    for (size_t i = 0; i < test->n; i++) {
        const double value = test->known.values[number * test->n + i];
        predicted[i] = (double)NAN;
        if (isnan(value)) continue;
        truth[m] = value;
        guess[m] = plain_mean((columns ? test->x : test->z) + i * d, columns ? train->x : train->z,
                              d, train->known.values + number * train->n, train->n, k);
        predicted[i] = guess[m++];
    }
    return ecc_fit_of(truth, guess, m);
}

static void check_fit(struct ecc_fit got, struct ecc_fit expected)
{
    check_relative(got.r2, expected.r2, 1e-9, "R2");
    check_relative(got.mae, expected.mae, 1e-9, "mean absolute error");
    check_relative(got.rmse, expected.rmse, 1e-9, "RMSE");
}

/* ---- Tests ---------------------------------------------------------------------------------- */

static struct ecc_classification classify(const struct ecc_classify_options *options)
{
    struct ecc_classification c;
    check_ok(ecc_classify(&c, trained.model, options, NULL, &testing_error));
    return c;
}

static void check_number(const struct ecc_number_result *r, const struct side *train,
                         const struct side *test, size_t number)
{
    const double *const values = train->known.values + number * train->n;
    double predicted[ROWS], sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < train->n; i++) {
        if (isnan(values[i])) continue;
        known++;
        sum += values[i];
    }
    assert_string_equal(r->name, names[number]);
    assert_int_equal(r->items, known);
    check_relative(r->mean, sum / (double)known, 1e-12, "mean");
    assert_int_equal(r->row_count, 3); /* neighbours, and trees of depth 3 and 8 */
    assert_true(r->rows[0].method == ECC_CLASSIFY_KNN && r->rows[0].parameter == 9);
    assert_true(r->rows[1].method == ECC_CLASSIFY_TREE && r->rows[1].parameter == 3);
    assert_int_equal(r->rows[2].parameter, 8);
    check_fit(r->rows[0].fit[ECC_VIEW_PIXELS], plain_fit(predicted, train, test, number, true, 9));
    check_fit(r->rows[0].fit[ECC_VIEW_LATENTS],
              plain_fit(predicted, train, test, number, false, 9));
    for (size_t i = 0; i < test->n; i++) {
        assert_int_equal(isnan(r->truth[i]), isnan(predicted[i]));
        if (isnan(predicted[i])) continue;
        check_relative(r->predicted[i], predicted[i], 1e-12, "prediction");
    }
    assert_true(r->baseline.r2 <= 0 && r->rows[0].fit[ECC_VIEW_LATENTS].r2 > 0.5);
    assert_int_equal(r->rows[1].items[ECC_VIEW_PIXELS], known);
}

static void numbers_are_predicted(void **state)
{
    (void)state;
    struct side train = open_side("memory:shop:train"), test = open_side("memory:shop:test");
    const struct ecc_classify_options options = ecc_classify_defaults();
    struct ecc_classification c = classify(&options);
    assert_true(c.row_count == 0 && c.target_count == 0 && c.name_count == 0 && !c.stumps);
    assert_int_equal(c.number_count, NUMBERS);
    assert_int_equal(c.items, train.n);
    assert_int_equal(c.test_items, test.n);
    check_number(&c.numbers[AGE], &train, &test, AGE);
    check_number(&c.numbers[PRICE], &train, &test, PRICE);
    assert_int_equal(c.numbers[SELDOM].row_count, 0); /* known of too few items */
    close_side(&train);
    close_side(&test);
    ecc_classification_release(&c);
}

/* The tree of the columns is the one that those rows grow. */
static void trees_learn_from_known_rows(void **state)
{
    (void)state;
    struct side train = open_side("memory:shop:train"), test = open_side("memory:shop:test");
    const size_t depth = 2;
    struct ecc_classify_options options = ecc_classify_defaults();
    options.target = "price";
    options.depths = &depth;
    options.depth_count = 1;
    struct ecc_classification c = classify(&options);
    assert_int_equal(c.number_count, 1);
    assert_int_equal(c.numbers[0].row_count, 2);
    const double *const values = train.known.values + PRICE * train.n;
    float *const points = malloc(train.n * COLUMNS * sizeof *points);
    double known[ROWS], truth[ROWS], predicted[ROWS];
    size_t n = 0, m = 0;
    for (size_t i = 0; i < train.n; i++) {
        if (isnan(values[i])) continue;
        memcpy(points + n * COLUMNS, train.x + i * COLUMNS, COLUMNS * sizeof *points);
        known[n++] = values[i];
    }
    struct ecc_tree_order order;
    struct ecc_tree tree;
    check_ok(ecc_tree_order_init(&order, points, n, COLUMNS, &testing_error));
    check_ok(ecc_tree_grow_numbers(&tree, &order, known, depth, &testing_error));
    for (size_t i = 0; i < test.n; i++) {
        if (isnan(test.known.values[PRICE * test.n + i])) continue;
        truth[m] = test.known.values[PRICE * test.n + i];
        predicted[m++] = ecc_tree_leaf(&tree, test.x + i * COLUMNS)->value;
    }
    check_fit(c.numbers[0].rows[1].fit[ECC_VIEW_PIXELS], ecc_fit_of(truth, predicted, m));
    ecc_tree_release(&tree);
    ecc_tree_order_release(&order);
    free(points);
    close_side(&train);
    close_side(&test);
    ecc_classification_release(&c);
}

/* Classes and numbers of the same items stand beside each other. */
static void classes_and_numbers(void **state)
{
    (void)state;
    struct ecc_classify_options options = ecc_classify_defaults();
    struct ecc_classification alone = classify(&options);
    lend(labels);
    struct ecc_classification both = classify(&options);
    assert_int_equal(both.row_count, 1);
    assert_int_equal(both.number_count, NUMBERS);
    assert_non_null(both.confusion);
    assert_memory_equal(&both.numbers[AGE].rows[0].fit, &alone.numbers[AGE].rows[0].fit,
                        sizeof both.numbers[AGE].rows[0].fit);
    options.target = "age";
    struct ecc_classification one = classify(&options);
    assert_true(one.row_count == 0 && one.number_count == 1);
    options.target = NULL;
    options.method = ECC_CLASSIFY_TREE;
    options.baselines = false;
    struct ecc_classification trees = classify(&options);
    assert_non_null(trees.stumps);
    assert_memory_equal(&trees.numbers[AGE].rows[1].fit[0], &both.numbers[AGE].rows[1].fit[0],
                        sizeof(struct ecc_fit));
    assert_true(isnan(trees.numbers[AGE].rows[1].fit[ECC_VIEW_PCA].r2));
    lend(NULL);
    ecc_classification_release(&alone);
    ecc_classification_release(&both);
    ecc_classification_release(&one);
    ecc_classification_release(&trees);
}

static void refuses(const char *target, const size_t *few, enum ecc_status status,
                    const char *words)
{
    struct ecc_classify_options options = ecc_classify_defaults();
    struct ecc_classification c;
    options.target = target;
    options.labels = few;
    options.label_count = few ? 1 : 0;
    check_fails(ecc_classify(&c, trained.model, &options, NULL, &testing_error), status, words);
    ecc_classification_release(&c);
}

static void bad_numbers_are_refused(void **state)
{
    (void)state;
    const size_t few = 20;
    refuses("weight", NULL, ECC_BAD_DATA, "no number 'weight' to predict, but 'age', 'price'");
    refuses("seldom", NULL, ECC_BAD_DATA, "'seldom' is known of only");
    refuses(NULL, &few, ECC_BAD_DATA, "for classes only");
    struct ecc_array_data bad = {.x = x,
                                 .n = ROWS,
                                 .channels = 1,
                                 .height = 1,
                                 .width = COLUMNS,
                                 .is_table = true,
                                 .number_count = NUMBERS,
                                 .number_names = names};
    check_fails(ecc_data_lend("bad", &bad, &testing_error), ECC_BAD_ARGUMENT, "no array of them");
    bad.numbers = numbers;
    bad.number_names = NULL;
    check_fails(ecc_data_lend("bad", &bad, &testing_error), ECC_BAD_ARGUMENT, "no names for them");
    bad.number_names = (const char *const[]){"a", NULL, "c"};
    check_fails(ecc_data_lend("bad", &bad, &testing_error), ECC_BAD_ARGUMENT,
                "no name for number 1");
    const double kept = numbers[NUMBERS * 5 + PRICE];
    bad.number_names = names;
    numbers[NUMBERS * 5 + PRICE] = (double)INFINITY;
    check_fails(ecc_data_lend("bad", &bad, &testing_error), ECC_BAD_DATA,
                "'price' of item 5 is infinite");
    numbers[NUMBERS * 5 + PRICE] = kept;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_predicted),
        cmocka_unit_test(trees_learn_from_known_rows),
        cmocka_unit_test(classes_and_numbers),
        cmocka_unit_test(bad_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
