/* test_predictions.c: how well predictions agree with the truth, numbers predicted by neighbours
 * and by trees, and the number of neighbours: against scikit-learn
 * (tests/golden/classify_golden.py). */
#include "testing.h"

#include "latent/knn.h"
#include "latent/tree.h"

enum { D = 6, TRAIN = 3000, TEST = 1000 };

/* ---- Classes -------------------------------------------------------------------------------- */

enum { ITEMS = 500, CLASSES = 6 };

/* As in the script. */
static void make_answers(int32_t *truth, int32_t *predicted)
{
    for (int32_t i = 0; i < ITEMS; i++) {
        truth[i] = i % 50 == 0 ? 3 : i % 7 == 0 ? 2 : (i * i + i / 3) % 2;
        predicted[i] = i * 31 % 11 < 7 ? truth[i] % 3 : i * 13 % 5;
        if (predicted[i] == 3) predicted[i] = 5;
    }
}

static void test_agreement_is_as_sklearn(void **state)
{
    (void)state;
    int32_t truth[ITEMS], predicted[ITEMS];
    struct ecc_agreement a;
    make_answers(truth, predicted);
    check_ok(ecc_agreement_of(&a, truth, predicted, ITEMS, CLASSES, &testing_error));
    check_absolute(a.error, 0.314, 1e-15, "error");
    check_absolute(a.balanced, 0.4758928571428571, 1e-14, "balanced error");
    check_absolute(a.f1, 0.3619670143663105, 1e-14, "macro F1");
    /* more classes than occur change nothing */
    struct ecc_agreement more;
    check_ok(ecc_agreement_of(&more, truth, predicted, ITEMS, 50, &testing_error));
    assert_memory_equal(&a, &more, sizeof a);
    check_ok(ecc_agreement_of(&a, truth, truth, ITEMS, CLASSES, &testing_error));
    assert_true(a.error == 0 && a.balanced == 0 && a.f1 == 1);
}

static void test_agreement_refuses(void **state)
{
    (void)state;
    const int32_t truth[] = {0, 1}, predicted[] = {0, 2};
    struct ecc_agreement a;
    check_fails(ecc_agreement_of(&a, truth, predicted, 2, 2, &testing_error), ECC_BAD_DATA,
                "item 1 is of class 2");
    check_fails(ecc_agreement_of(&a, predicted, truth, 2, 2, &testing_error), ECC_BAD_DATA,
                "item 1 is of class 2");
    check_fails(ecc_agreement_of(&a, truth, predicted, 0, 2, &testing_error), ECC_BAD_ARGUMENT,
                "no items");
}

/* Always the most frequent class: the error is small, the balanced error and F1 say why. */
static void test_majority_of_rare_classes(void **state)
{
    (void)state;
    int32_t truth[100] = {0}, predicted[100] = {0};
    truth[3] = 1;
    truth[70] = 1;
    struct ecc_agreement a;
    check_ok(ecc_agreement_of(&a, truth, predicted, 100, 2, &testing_error));
    check_absolute(a.error, 0.02, 1e-15, "error");
    check_absolute(a.balanced, 0.5, 1e-15, "balanced error");
    check_absolute(a.f1, 98.0 / 99 / 2, 1e-15, "macro F1");
}

/* ---- How many neighbours -------------------------------------------------------------------- */

/* sizes: [classes] items of each class. */
static size_t chosen(const size_t *sizes, size_t classes)
{
    struct ecc_labels labels = {.targets = 1};
    for (size_t c = 0; c < classes; c++) labels.n += sizes[c];
    check_ok(ecc_labels_init(&labels, &testing_error));
    labels.classes[0] = classes;
    for (size_t c = 0, at = 0; c < classes; c++) {
        for (size_t i = 0; i < sizes[c]; i++) labels.values[at++] = (int32_t)c;
    }
    size_t k = 0;
    check_ok(ecc_knn_choose(&k, &labels, &testing_error));
    ecc_labels_release(&labels);
    return k;
}

static void test_neighbours_follow_class_size(void **state)
{
    (void)state;
    static const struct {
        size_t size, k;
    } expected[] = {{1, 1},  {10, 1},  {15, 1},   {16, 3},   {45, 3},
                    {64, 5}, {100, 5}, {400, 11}, {784, 15}, {6000, 15}};
    for (size_t e = 0; e < sizeof expected / sizeof expected[0]; e++) {
        const size_t even[] = {expected[e].size, expected[e].size, expected[e].size};
        assert_int_equal(chosen(even, 3), expected[e].k);
    }
    /* the smallest of few classes; a class without items does not count */
    assert_int_equal(chosen((const size_t[]){900, 20}, 2), 3);
    assert_int_equal(chosen((const size_t[]){900, 0, 900}, 3), 15);
    /* but not one odd label among many classes */
    assert_int_equal(chosen((const size_t[]){100, 100, 100, 1, 100}, 5), 5);
}

/* ---- Numbers -------------------------------------------------------------------------------- */

/* As in the script. */
static void make_points(float *x, double *values, size_t n, size_t first)
{
    for (size_t i = 0; i < n * D; i++) {
        uint32_t v = (uint32_t)((first * D + i) * UINT64_C(2654435761) + 12345);
        v = (v ^ v >> 15) * UINT32_C(2246822519);
        v ^= v >> 13;
        x[i] = (float)(v / 4294967296.0);
    }
    for (size_t i = 0; i < n; i++) {
        const float *const r = x + i * D;
        values[i] =
            40 + 30 * (double)r[0] * (double)r[1] - 12 * (double)r[2] + 5 * ((double)r[4] > 0.7);
    }
}

static float train[TRAIN * D], test[TEST * D];
static double known[TRAIN], truth[TEST], predicted[TRAIN];

static int set_up(void **state)
{
    (void)state;
    make_points(train, known, TRAIN, 0);
    make_points(test, truth, TEST, TRAIN);
    return 0;
}

static void check_fit(const double *values, size_t n, struct ecc_fit expected, double tolerance)
{
    const struct ecc_fit fit = ecc_fit_of(values, predicted, n);
    check_absolute(fit.r2, expected.r2, tolerance, "R2");
    check_absolute(fit.mae, expected.mae, 10 * tolerance, "mean absolute error");
    check_absolute(fit.rmse, expected.rmse, 10 * tolerance, "RMSE");
}

static void test_means_of_neighbours_are_as_sklearn(void **state)
{
    (void)state;
    static const struct {
        size_t k;
        struct ecc_fit fit;
    } expected[] = {{1, {0.889206743797367, 1.9902191790818542, 2.6329865745978296}},
                    {5, {0.9481603778650317, 1.3814078782718486, 1.8010380788613758}},
                    {9, {0.9499703241787585, 1.3510533875948147, 1.7693177150792687}}};
    size_t *const index = malloc(TEST * 9 * sizeof *index);
    assert_non_null(index);
    for (size_t e = 0; e < 3; e++) {
        const size_t k = expected[e].k;
        check_ok(ecc_neighbours(NULL, index, test, TEST, train, TRAIN, D, k, &testing_error));
        ecc_knn_mean(predicted, known, index, TEST, k);
        check_fit(truth, TEST, expected[e].fit, 1e-12);
    }
    free(index);
    assert_int_equal(ecc_knn_choose_mean(4), 4);
    assert_int_equal(ecc_knn_choose_mean(300), 9);
    assert_int_equal(ecc_knn_choose_mean(2000), 13);
    assert_int_equal(ecc_knn_choose_mean(1000000), 15);
}

static void test_trees_of_numbers_are_as_sklearn(void **state)
{
    (void)state;
    static const struct {
        size_t depth, nodes;
        struct ecc_fit test, train;
        double tolerance; /* deep in the tree, equally good splits may be chosen differently */
    } expected[] = {
        {1,
         3,
         {0.2435922310731441, 5.501439147640931, 6.879707465539903},
         {0.24176483405864868, 5.382798954111176, 6.785927855896946},
         1e-12},
        {3,
         15,
         {0.6905791943607924, 3.5234270702400994, 4.400142462176624},
         {0.6902862788608637, 3.4770417964511533, 4.336980804601068},
         1e-12},
        {8,
         509,
         {0.9526515204611199, 1.28430001430291, 1.7212541492705504},
         {0.9792548648483046, 0.8502648285722771, 1.12244588252043},
         6e-3},
        {SIZE_MAX,
         5999,
         {0.9633680952626696, 1.1042949236660209, 1.5139855566067224},
         {1, 0, 0},
         6e-3},
    };
    struct ecc_tree_order order;
    check_ok(ecc_tree_order_init(&order, train, TRAIN, D, &testing_error));
    for (size_t e = 0; e < 4; e++) {
        struct ecc_tree tree;
        check_ok(ecc_tree_grow_numbers(&tree, &order, known, expected[e].depth, &testing_error));
        assert_int_equal(tree.node_count, expected[e].nodes);
        assert_int_equal(tree.nodes[0].feature, 0);
        check_absolute(tree.nodes[0].threshold, 0.5241823792457581, 0, "threshold");
        check_relative(tree.nodes[0].gain, 14.682759476405174, 1e-11, "variance explained");
        ecc_tree_predict_numbers(&tree, predicted, test, TEST);
        check_fit(truth, TEST, expected[e].test, expected[e].tolerance);
        ecc_tree_predict_numbers(&tree, predicted, train, TRAIN);
        check_fit(known, TRAIN, expected[e].train, 1e-10);
        ecc_tree_release(&tree);
    }
    ecc_tree_order_release(&order);
}

/* Large values lose no digits, and what cannot be split is a leaf. */
static void test_trees_of_odd_numbers(void **state)
{
    (void)state;
    const float x[] = {1, 2, 3, 4};
    const double far[] = {1e9, 1e9, 1e9 + 1, 1e9 + 1}, same[] = {7, 7, 7, 7};
    double values[4];
    struct ecc_tree_order order;
    struct ecc_tree tree;
    check_ok(ecc_tree_order_init(&order, x, 4, 1, &testing_error));
    check_ok(ecc_tree_grow_numbers(&tree, &order, far, SIZE_MAX, &testing_error));
    assert_int_equal(tree.node_count, 3);
    check_absolute(tree.nodes[0].threshold, 2.5, 0, "threshold");
    check_absolute(tree.nodes[0].gain, 0.25, 1e-9, "variance explained");
    ecc_tree_predict_numbers(&tree, values, x, 4);
    for (size_t i = 0; i < 4; i++) check_absolute(values[i], far[i], 1e-6, "value");
    ecc_tree_release(&tree);
    check_ok(ecc_tree_grow_numbers(&tree, &order, same, SIZE_MAX, &testing_error));
    assert_int_equal(tree.node_count, 1);
    check_absolute(tree.nodes[0].value, 7, 0, "value");
    ecc_tree_release(&tree);
    ecc_tree_order_release(&order);
}

static void test_fits(void **state)
{
    (void)state;
    const double constant[] = {2, 2, 2}, other[] = {1, 2, 4};
    struct ecc_fit fit = ecc_fit_of(constant, other, 3);
    assert_true(isnan(fit.r2));
    check_absolute(fit.mae, 1, 1e-15, "mean absolute error");
    fit = ecc_fit_of(other, constant, 3);
    check_absolute(fit.rmse, sqrt(5.0 / 3), 1e-15, "RMSE");
    assert_true(fit.r2 < 0); /* worse than the mean */
    assert_true(isnan(ecc_fit_of(other, constant, 0).rmse));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement_is_as_sklearn),
        cmocka_unit_test(test_agreement_refuses),
        cmocka_unit_test(test_majority_of_rare_classes),
        cmocka_unit_test(test_neighbours_follow_class_size),
        cmocka_unit_test(test_means_of_neighbours_are_as_sklearn),
        cmocka_unit_test(test_trees_of_numbers_are_as_sklearn),
        cmocka_unit_test(test_trees_of_odd_numbers),
        cmocka_unit_test(test_fits),
    };
    return cmocka_run_group_tests_name("predictions", tests, set_up, NULL);
}
