/* test_classify.c: labels, nearest neighbours and decision trees, against scikit-learn
 * (tests/golden/classify_golden.py) and against plain search. */
#include "testing.h"

#include "base/rng.h"
#include "latent/knn.h"
#include "latent/tree.h"
#include "model/labels.h"

#include <omp.h>

enum { D = 6, TRAIN = 3000, TEST = 1000 };

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) fail_msg("out of memory");
    return memory;
}

/* As in the script. */
static float *make_points(size_t n, size_t first)
{
    float *const x = need(n * D, sizeof *x);
    for (size_t i = 0; i < n * D; i++) {
        uint32_t v = (uint32_t)((first * D + i) * UINT64_C(2654435761) + 12345);
        v = (v ^ v >> 15) * UINT32_C(2246822519);
        v ^= v >> 13;
        x[i] = (float)(v / 4294967296.0);
    }
    return x;
}

static int32_t class_of(const float *x)
{
    return (double)x[1] > 0.45 ? 1 + 2 * ((double)x[3] * (double)x[0] > 0.2)
                               : 2 * ((double)x[3] * (double)x[0] > 0.2);
}

struct problem {
    float *train, *test;
    struct ecc_labels labels, truth;
};

static void make_labels(struct ecc_labels *labels, const float *x, size_t n)
{
    *labels = (struct ecc_labels){.n = n, .targets = 1};
    labels->values = need(n, sizeof *labels->values);
    labels->classes = need(1, sizeof *labels->classes);
    labels->names = need(1, sizeof *labels->names);
    labels->classes[0] = 4;
    for (size_t i = 0; i < n; i++) labels->values[i] = class_of(x + i * D);
}

static struct problem make_problem(void)
{
    struct problem p = {.train = make_points(TRAIN, 0), .test = make_points(TEST, TRAIN)};
    make_labels(&p.labels, p.train, TRAIN);
    make_labels(&p.truth, p.test, TEST);
    return p;
}

static void release_problem(struct problem *p)
{
    free(p->train), free(p->test);
    ecc_labels_release(&p->labels);
    ecc_labels_release(&p->truth);
}

/* ---- Nearest neighbours --------------------------------------------------------------------- */

static void test_knn_is_as_sklearn(void **state)
{
    (void)state;
    static const struct {
        size_t k, wrong, sum;
    } expected[] = {{1, 143, 768413}, {4, 133, 718914}, {15, 91, 757371}};
    struct problem p = make_problem();
    const struct ecc_labelled train = {p.train, TRAIN, D, &p.labels};
    int32_t predicted[TEST];
    for (size_t e = 0; e < 3; e++) {
        check_ok(ecc_knn_predict(predicted, &train, p.test, TEST, expected[e].k, &testing_error));
        size_t sum = 0;
        for (size_t i = 0; i < TEST; i++) sum += i * (size_t)predicted[i];
        assert_int_equal(sum, expected[e].sum);
        check_absolute(ecc_labels_error(&p.truth, 0, predicted), (double)expected[e].wrong / TEST,
                       1e-12, "error");
    }
    check_fails(ecc_knn_predict(predicted, &train, p.test, TEST, TRAIN + 1, &testing_error),
                ECC_BAD_ARGUMENT, "3001 neighbours were asked for among 3000 items");
    release_problem(&p);
}

static void test_votes(void **state)
{
    (void)state;
    int32_t values[] = {2, 1, 2, 1, 0, 3}, predicted[4];
    size_t classes = 4;
    const char *name = NULL;
    const struct ecc_labels labels = {
        .n = 6, .targets = 1, .values = values, .classes = &classes, .names = &name};
    const size_t index[] = {0, 1, 2, 3, /* 2 1 2 1: the lower of two */
                            0, 2, 1, 4, /* 2 2 1 0 */
                            5, 4, 0, 1, /* all different: the lowest */
                            5, 5, 4, 4};
    check_ok(ecc_knn_vote(predicted, &labels, index, 4, 4, &testing_error));
    assert_int_equal(predicted[0], 1);
    assert_int_equal(predicted[1], 2);
    assert_int_equal(predicted[2], 0);
    assert_int_equal(predicted[3], 0);
}

/* ---- Trees ---------------------------------------------------------------------------------- */

static void test_stumps_are_as_sklearn(void **state)
{
    (void)state;
    static const struct {
        size_t feature;
        double threshold, gain;
    } expected[] = {{1, 0.44978785514831543, 0.9932488708862248},
                    {0, 0.5108805596828461, 0.20965352076105537},
                    {5, 0.4161091595888138, 0.212279901768752},
                    {2, 0.5002095103263855, 0.21104316306869797}};
    struct problem p = make_problem();
    struct ecc_tree_order order;
    check_ok(ecc_tree_order_init(&order, p.train, TRAIN, D, &testing_error));
    int32_t *const values = need(TRAIN, sizeof *values);
    for (size_t t = 0; t < 4; t++) {
        for (size_t i = 0; i < TRAIN; i++) {
            const float *const x = p.train + i * D;
            values[i] = t == 0 ? class_of(x) : x[t - 1] + x[5] > (float)(1 + 0.1 * (double)(t - 1));
        }
        struct ecc_tree tree;
        check_ok(ecc_tree_grow(&tree, &order, values, t ? 2 : 4, 1, &testing_error));
        assert_int_equal(tree.node_count, 3);
        assert_int_equal(tree.depth, 1);
        assert_int_equal(tree.nodes[0].feature, expected[t].feature);
        check_absolute(tree.nodes[0].threshold, expected[t].threshold, 0, "threshold");
        check_relative(tree.nodes[0].gain, expected[t].gain, 1e-11, "gain");
        assert_int_equal(tree.nodes[1].count + tree.nodes[2].count, TRAIN);
        ecc_tree_release(&tree);
    }
    free(values);
    ecc_tree_order_release(&order);
    release_problem(&p);
}

static void test_trees_are_as_sklearn(void **state)
{
    (void)state;
    static const struct {
        size_t depth, wrong, train_wrong, nodes;
    } expected[] = {{1, 497, 1456, 3},
                    {2, 276, 744, 7},
                    {3, 118, 279, 15},
                    {8, 23, 16, 95},
                    {SIZE_MAX, 18, 0, 105}};
    struct problem p = make_problem();
    struct ecc_tree_order order;
    check_ok(ecc_tree_order_init(&order, p.train, TRAIN, D, &testing_error));
    int32_t *const predicted = need(TRAIN, sizeof *predicted);
    for (size_t e = 0; e < 5; e++) {
        struct ecc_tree tree;
        check_ok(ecc_trees_grow(&tree, &order, &p.labels, expected[e].depth, &testing_error));
        ecc_tree_predict(&tree, predicted, p.train, TRAIN);
        check_absolute(ecc_labels_error(&p.labels, 0, predicted),
                       (double)expected[e].train_wrong / TRAIN, 1e-12, "error of training items");
        ecc_tree_predict(&tree, predicted, p.test, TEST);
        /* deep in the tree, equally good splits may be chosen differently */
        const double tolerance = expected[e].depth > 3 ? 0.006 : 1e-12;
        check_absolute(ecc_labels_error(&p.truth, 0, predicted), (double)expected[e].wrong / TEST,
                       tolerance, "error of test items");
        check_relative((double)tree.node_count, (double)expected[e].nodes, 0.1, "nodes");
        ecc_tree_release(&tree);
    }
    free(predicted);
    ecc_tree_order_release(&order);
    release_problem(&p);
}

/* The gain of a split, by definition, of two classes. */
static double entropy_of(double a, double b)
{
    const double n = a + b;
    return (a > 0 ? -a / n * log2(a / n) : 0) + (b > 0 ? -b / n * log2(b / n) : 0);
}

static double plain_gain(const float *x, const int32_t *values, size_t n, float threshold)
{
    double count[2][2] = {{0}};
    for (size_t i = 0; i < n; i++) count[x[i] > threshold][values[i]]++;
    const double left = count[0][0] + count[0][1], right = count[1][0] + count[1][1];
    return entropy_of(count[0][0] + count[1][0], count[0][1] + count[1][1]) -
           (left * entropy_of(count[0][0], count[0][1]) +
            right * entropy_of(count[1][0], count[1][1])) /
               (left + right);
}

static void test_no_split_is_better(void **state)
{
    (void)state;
    enum { N = 120 };
    float x[N];
    int32_t values[N];
    for (uint64_t trial = 0; trial < 30; trial++) {
        ecc_rng_normal_f32(x, 4, trial, 0, N);
        for (size_t i = 0; i < N; i++) {
            values[i] = ecc_rng_below(5, trial, i, 3) == 0;
            if (trial % 2) x[i] = rintf(2 * x[i]); /* with ties */
        }
        struct ecc_tree_order order;
        struct ecc_tree tree;
        check_ok(ecc_tree_order_init(&order, x, N, 1, &testing_error));
        check_ok(ecc_tree_grow(&tree, &order, values, 2, 1, &testing_error));
        double best = 0;
        for (size_t i = 0; i < N; i++) best = fmax(best, plain_gain(x, values, N, x[i]));
        check_absolute(tree.nodes[0].gain, best, 1e-12, "gain");
        check_absolute(plain_gain(x, values, N, (float)tree.nodes[0].threshold), best, 1e-12,
                       "gain at the threshold");
        ecc_tree_release(&tree);
        ecc_tree_order_release(&order);
    }
}

static void test_leaves(void **state)
{
    (void)state;
    float x[] = {1, 1, 1, 1};
    int32_t mixed[] = {1, 0, 1, 0}, predicted[4];
    struct ecc_tree_order order;
    struct ecc_tree tree;
    check_ok(ecc_tree_order_init(&order, x, 4, 1, &testing_error));
    /* no feature separates them: one leaf, the lower of two classes */
    check_ok(ecc_tree_grow(&tree, &order, mixed, 2, SIZE_MAX, &testing_error));
    assert_int_equal(tree.node_count, 1);
    assert_int_equal(tree.depth, 0);
    ecc_tree_predict(&tree, predicted, x, 4);
    assert_int_equal(predicted[0], 0);
    ecc_tree_release(&tree);
    ecc_tree_order_release(&order);
    x[2] = NAN;
    check_fails(ecc_tree_order_init(&order, x, 4, 1, &testing_error), ECC_BAD_DATA, "row 2");
    check_fails(ecc_tree_order_init(&order, x, 0, 1, &testing_error), ECC_BAD_ARGUMENT, "0 items");
}

/* With plain arrays, as users of the library have them: the same as with the structs inside. */
static void test_plain_arrays(void **state)
{
    (void)state;
    struct problem p = make_problem();
    const struct ecc_labelled train = {p.train, TRAIN, D, &p.labels};
    int32_t expected[TEST], predicted[TEST];
    check_ok(ecc_knn_predict(expected, &train, p.test, TEST, 4, &testing_error));
    check_ok(ecc_knn_classify(predicted, p.test, TEST, p.train, p.labels.values, TRAIN, D, 4, 4,
                              &testing_error));
    assert_memory_equal(predicted, expected, sizeof predicted);
    check_fails(ecc_knn_classify(predicted, p.test, TEST, p.train, p.labels.values, TRAIN, D, 4,
                                 SIZE_MAX, &testing_error),
                ECC_BAD_ARGUMENT, "neighbours were asked for among 3000 items");
    struct ecc_tree tree;
    check_ok(ecc_tree_fit(&tree, p.train, p.labels.values, TRAIN, D, 4, 1, &testing_error));
    assert_true(tree.depth == 1 && tree.node_count == 3 && tree.d == D);
    assert_int_equal(tree.nodes[0].feature, 1);
    ecc_tree_release(&tree);
    check_ok(ecc_tree_fit(&tree, p.train, p.labels.values, TRAIN, D, 4, 0, &testing_error));
    int32_t *const own = need(TRAIN, sizeof *own);
    ecc_tree_predict(&tree, own, p.train, TRAIN);
    assert_memory_equal(own, p.labels.values, TRAIN * sizeof *own);
    ecc_tree_release(&tree);
    p.labels.values[7] = 4;
    check_fails(ecc_tree_fit(&tree, p.train, p.labels.values, TRAIN, D, 4, 1, &testing_error),
                ECC_BAD_DATA, "item 7 is of class 4, expected 0 to 3");
    p.labels.values[7] = -1;
    check_fails(ecc_knn_classify(predicted, p.test, TEST, p.train, p.labels.values, TRAIN, D, 4, 1,
                                 &testing_error),
                ECC_BAD_DATA, "item 7 is of class -1");
    check_fails(ecc_tree_fit(&tree, p.train, p.labels.values, TRAIN, D, 0, 1, &testing_error),
                ECC_BAD_ARGUMENT, "0 classes");
    free(own);
    release_problem(&p);
}

/* ---- Subsets -------------------------------------------------------------------------------- */

static void count_classes(size_t count[4], const struct ecc_labels *labels, const uint32_t *rows,
                          size_t n)
{
    memset(count, 0, 4 * sizeof *count);
    for (size_t i = 0; i < n; i++) {
        if (i > 0) assert_true(rows[i] > rows[i - 1]);
        assert_true(rows[i] < labels->n);
        count[labels->values[rows[i]]]++;
    }
}

static void test_balanced_subsets(void **state)
{
    (void)state;
    struct problem p = make_problem();
    uint32_t rows[TRAIN], again[TRAIN];
    size_t count[4], seen[4] = {0};
    for (size_t n = 1; n <= 40; n++) {
        check_ok(ecc_labels_draw(rows, n, &p.labels, ECC_SUBSET_BALANCED, 1, n, &testing_error));
        check_ok(ecc_labels_draw(again, n, &p.labels, ECC_SUBSET_BALANCED, 1, n, &testing_error));
        assert_memory_equal(rows, again, n * sizeof *rows);
        count_classes(count, &p.labels, rows, n);
        for (size_t c = 0; c < 4; c++) {
            assert_true(count[c] == n / 4 || count[c] == n / 4 + 1);
            if (n == 1) seen[c] += count[c];
        }
    }
    /* the class of a single one is drawn */
    for (size_t trial = 0; trial < 50; trial++) {
        check_ok(
            ecc_labels_draw(rows, 1, &p.labels, ECC_SUBSET_BALANCED, 2, trial, &testing_error));
        seen[p.labels.values[rows[0]]]++;
    }
    for (size_t c = 0; c < 4; c++) assert_true(seen[c] > 0);
    /* where a class is exhausted the others fill up */
    check_ok(ecc_labels_draw(rows, TRAIN, &p.labels, ECC_SUBSET_BALANCED, 1, 9, &testing_error));
    for (size_t i = 0; i < TRAIN; i++) assert_int_equal(rows[i], i);
    check_ok(ecc_labels_draw(rows, 2700, &p.labels, ECC_SUBSET_BALANCED, 1, 9, &testing_error));
    count_classes(count, &p.labels, rows, 2700);
    assert_true(count[2] == 647 && count[0] >= 683);
    check_ok(ecc_labels_draw(rows, 500, &p.labels, ECC_SUBSET_UNIFORM, 1, 9, &testing_error));
    count_classes(count, &p.labels, rows, 500);
    check_fails(
        ecc_labels_draw(rows, TRAIN + 1, &p.labels, ECC_SUBSET_UNIFORM, 1, 9, &testing_error),
        ECC_BAD_ARGUMENT, "3001 of 3000");
    release_problem(&p);
}

static void test_copies_and_majority(void **state)
{
    (void)state;
    struct problem p = make_problem();
    const struct ecc_labelled train = {p.train, TRAIN, D, &p.labels};
    const uint32_t rows[] = {5, 17, 2999};
    float *x;
    struct ecc_labels labels;
    check_ok(ecc_labelled_copy(&x, &labels, &train, rows, 3, &testing_error));
    for (size_t i = 0; i < 3; i++) {
        assert_memory_equal(x + i * D, p.train + rows[i] * D, D * sizeof *x);
        assert_int_equal(labels.values[i], p.labels.values[rows[i]]);
    }
    free(x);
    ecc_labels_release(&labels);
    int32_t majority;
    check_ok(ecc_labels_majority(&majority, &p.labels, &testing_error));
    assert_int_equal(majority, 1); /* 836 of 3000, says the script */
    release_problem(&p);
}

static void test_labels_of_data(void **state)
{
    (void)state;
    struct ecc_dataset *data;
    const struct ecc_data_options options = {.items = 50, .seed = 1};
    check_ok(ecc_dataset_open(&data, "glyphs", &options, &testing_error));
    struct ecc_labels labels, other;
    const uint32_t items[] = {3, 1, 40};
    check_ok(ecc_labels_take(&labels, data, items, 3, &testing_error));
    for (size_t i = 0; i < 3; i++) assert_int_equal(labels.values[i], data->labels[items[i]]);
    assert_int_equal(labels.classes[0], data->class_count);
    /* attributes take over where there are no classes */
    int32_t *const kept = data->labels;
    uint8_t attributes[100];
    char first[] = "Smiling", second[] = "Male";
    char *names[] = {first, second};
    data->labels = NULL;
    check_fails(ecc_labels_take(&other, data, NULL, 50, &testing_error), ECC_BAD_DATA,
                "'glyphs' has no labels");
    for (size_t i = 0; i < 100; i++) attributes[i] = i % 3 == 0;
    data->attributes = attributes;
    data->attribute_count = 2;
    data->attribute_names = names;
    check_ok(ecc_labels_take(&other, data, items, 3, &testing_error));
    assert_true(other.attributes && other.targets == 2);
    assert_int_equal(other.values[0], attributes[6]);
    assert_int_equal(other.values[3 + 2], attributes[81]);
    check_fails(ecc_labels_match(&labels, &other, &testing_error), ECC_BAD_DATA,
                "1 label, the test items 2 attributes");
    ecc_labels_release(&other);
    memset(attributes, 1, sizeof attributes);
    check_ok(ecc_labels_check(&labels, data, &testing_error));
    check_ok(ecc_labels_take(&other, data, NULL, 50, &testing_error));
    check_fails(ecc_labels_check(&other, data, &testing_error), ECC_BAD_DATA,
                "all 50 items of 'glyphs' have the same label");
    ecc_labels_release(&other);
    data->attributes = NULL;
    data->attribute_count = 0;
    data->attribute_names = NULL;
    data->labels = kept;
    ecc_labels_release(&labels);
    ecc_dataset_close(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_knn_is_as_sklearn),     cmocka_unit_test(test_votes),
        cmocka_unit_test(test_stumps_are_as_sklearn), cmocka_unit_test(test_trees_are_as_sklearn),
        cmocka_unit_test(test_no_split_is_better),    cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_balanced_subsets),      cmocka_unit_test(test_copies_and_majority),
        cmocka_unit_test(test_labels_of_data),        cmocka_unit_test(test_plain_arrays),
    };
    return cmocka_run_group_tests_name("classify", tests, NULL, NULL);
}
