/* test_evaluate_classify.c: the classification of a small run beside plain computations: every
 * distance and every split tried. */
#include "eccentric_evaluate.h"
#include "eccentric_train.h"

#include "model/model.h"
#include "testing.h"

enum { ITEMS = 300, D = 3, CLASSES = 10, USUAL = 3 };

static struct ecc_train_result trained;

/* The training and the test part, encoded. */
struct side {
    float *z; /* [n, D] */
    int32_t *labels;
    size_t n;
};
static struct side train, test;

static struct side encode(const char *data)
{
    struct side s;
    check_ok(
        ecc_model_latents(trained.model, &s.z, &s.labels, &s.n, data, ITEMS, NULL, &testing_error));
    assert_int_equal(s.n, ITEMS);
    return s;
}

static int set_up(void **state)
{
    (void)state;
    struct ecc_train_options options = ecc_train_defaults();
    const struct ecc_train_job job = {0};
    options.data = "glyphs";
    options.items = ITEMS;
    options.latent = D;
    options.batch = 50;
    options.epochs = 3;
    options.validation = 40;
    check_ok(ecc_train(&trained, &options, &job, &testing_error));
    train = encode("glyphs:train");
    test = encode("glyphs:test");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ecc_train_result_release(&trained);
    free(train.z);
    free(train.labels);
    free(test.z);
    free(test.labels);
    return 0;
}

static struct ecc_classify_options usual(void)
{
    struct ecc_classify_options options = ecc_classify_defaults();
    options.items = ITEMS;
    return options;
}

static struct ecc_classification classify(const struct ecc_classify_options *options)
{
    struct ecc_classification result;
    check_ok(ecc_classify(&result, trained.model, options, NULL, &testing_error));
    return result;
}

/* ---- Neighbours ----------------------------------------------------------------------------- */

static double squared(const float *a, const float *b, size_t d)
{
    double sum = 0;
    for (size_t k = 0; k < d; k++) sum += pow((double)a[k] - (double)b[k], 2);
    return sum;
}

/* The vote of the k nearest, every distance computed. */
static int32_t vote(const float *query, const float *items, size_t d, size_t k)
{
    bool used[ITEMS] = {false};
    size_t votes[CLASSES] = {0};
    for (size_t j = 0; j < k; j++) {
        size_t best = ITEMS;
        for (size_t i = 0; i < ITEMS; i++) {
            if (used[i]) continue;
            if (best == ITEMS ||
                squared(query, items + i * d, d) < squared(query, items + best * d, d)) {
                best = i;
            }
        }
        used[best] = true;
        votes[train.labels[best]]++;
    }
    int32_t most = 0;
    for (int32_t c = 1; c < CLASSES; c++) {
        if (votes[c] > votes[most]) most = c;
    }
    return most;
}

static double plain_error(const float *items, const float *queries, size_t d, size_t k)
{
    size_t wrong = 0;
    for (size_t i = 0; i < ITEMS; i++)
        wrong += vote(queries + i * d, items, d, k) != test.labels[i];
    return (double)wrong / ITEMS;
}

/* Balanced error and macro F1 of the latents, from the confusions. */
static void check_measures(const struct ecc_classification *c, size_t confusion[CLASSES][CLASSES])
{
    double recall = 0, f1 = 0;
    for (size_t r = 0; r < CLASSES; r++) {
        double truth = 0, taken = 0;
        for (size_t k = 0; k < CLASSES; k++) {
            truth += (double)confusion[r][k];
            taken += (double)confusion[k][r];
        }
        recall += (double)confusion[r][r] / truth / CLASSES;
        f1 += 2 * (double)confusion[r][r] / (truth + taken) / CLASSES;
    }
    check_absolute(c->rows[0].balanced[ECC_VIEW_LATENTS], 1 - recall, 1e-12, "balanced error");
    check_absolute(c->rows[0].f1[ECC_VIEW_LATENTS], f1, 1e-12, "macro F1");
    check_absolute(c->rows[0].majority_balanced, 0.9, 1e-12, "balanced error of the majority");
    assert_true(c->rows[0].majority_f1 < 0.05);
    assert_true(isnan(c->rows[0].balanced[ECC_VIEW_PCA]));
}

/* The most frequent mistakes, none more frequent left out. */
static void check_pairs(const struct ecc_classification *c, size_t confusion[CLASSES][CLASSES])
{
    assert_true(c->pair_count > 0 && c->pair_count <= 20);
    size_t more = 0;
    for (size_t p = 0; p < c->pair_count; p++) {
        const struct ecc_confused_pair *const pair = &c->pairs[p];
        size_t of = 0;
        assert_true(pair->truth != pair->taken_for);
        assert_int_equal(pair->items, confusion[pair->truth][pair->taken_for]);
        for (size_t k = 0; k < CLASSES; k++) of += confusion[pair->truth][k];
        assert_int_equal(pair->of, of);
        if (p > 0) assert_true(pair->items <= c->pairs[p - 1].items);
    }
    for (size_t i = 0; i < CLASSES * CLASSES; i++) {
        if (i / CLASSES == i % CLASSES) continue;
        more += confusion[i / CLASSES][i % CLASSES] > c->pairs[c->pair_count - 1].items;
    }
    assert_true(more < c->pair_count);
}

static void neighbours_vote(void **state)
{
    (void)state;
    struct ecc_classify_options options = usual();
    options.baselines = false;
    struct ecc_classification c = classify(&options);
    assert_int_equal(c.row_count, 1);
    assert_int_equal(c.rows[0].parameter, USUAL); /* by the size of the classes */
    assert_int_equal(c.rows[0].labels, ITEMS);
    assert_int_equal(c.view_count, 1);
    assert_int_equal(c.name_count, CLASSES);
    assert_string_equal(c.names[7], "7");
    size_t confusion[CLASSES][CLASSES] = {{0}}, wrong = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        assert_int_equal(c.predicted[i], vote(test.z + i * D, train.z, D, USUAL));
        confusion[test.labels[i]][c.predicted[i]]++;
        wrong += c.predicted[i] != test.labels[i];
    }
    assert_memory_equal(c.confusion, confusion, sizeof confusion);
    check_measures(&c, confusion);
    check_pairs(&c, confusion);
    assert_true(c.rows[0].error[ECC_VIEW_LATENTS] == (double)wrong / ITEMS);
    assert_true(c.views[ECC_VIEW_LATENTS].target_errors[0] == (double)wrong / ITEMS);
    assert_true(isnan(c.rows[0].error[ECC_VIEW_PIXELS]));
    assert_true(c.rows[0].error[ECC_VIEW_LATENTS] < c.rows[0].majority);
    assert_null(c.stumps);
    ecc_classification_release(&c);
}

/* [ITEMS, size] of a part */
static float *pixels_of(const char *part, size_t *size)
{
    struct ecc_dataset *data;
    uint32_t all[ITEMS];
    check_ok(ecc_model_open_data(trained.model, &data, part, ITEMS, &testing_error));
    *size = ecc_shape_size(data->shape);
    float *const x = malloc(ITEMS * *size * sizeof *x);
    for (uint32_t i = 0; i < ITEMS; i++) all[i] = i;
    check_ok(ecc_dataset_read(data, x, all, ITEMS, &testing_error));
    ecc_dataset_close(data);
    return x;
}

static void baselines_are_pixels_and_pca(void **state)
{
    (void)state;
    struct ecc_classify_options options = usual();
    options.neighbours = 4;
    struct ecc_classification c = classify(&options);
    size_t size;
    float *const x = pixels_of("glyphs:train", &size), *const y = pixels_of("glyphs:test", &size);
    assert_int_equal(c.views[ECC_VIEW_PIXELS].d, size);
    assert_int_equal(c.views[ECC_VIEW_PIXELS].items, ITEMS);
    assert_true(c.rows[0].error[ECC_VIEW_PIXELS] == plain_error(x, y, size, 4));
    struct ecc_pca pca;
    float *const p = malloc(ITEMS * D * sizeof *p), *const q = malloc(ITEMS * D * sizeof *q);
    check_ok(ecc_pca_fit(&pca, x, ITEMS, size, D, &testing_error));
    ecc_pca_project(&pca, p, x, ITEMS);
    ecc_pca_project(&pca, q, y, ITEMS);
    assert_int_equal(c.views[ECC_VIEW_PCA].d, D);
    assert_true(c.rows[0].error[ECC_VIEW_PCA] == plain_error(p, q, D, 4));
    ecc_pca_release(&pca);
    ecc_classification_release(&c);
    free(x);
    free(y);
    free(p);
    free(q);
}

/* The error of always saying the class that is most frequent among the training items. */
static void majority_is_counted(void **state)
{
    (void)state;
    struct ecc_classify_options options = usual();
    options.baselines = false;
    struct ecc_classification c = classify(&options);
    size_t counts[CLASSES] = {0}, right = 0;
    int32_t most = 0;
    for (size_t i = 0; i < ITEMS; i++) counts[train.labels[i]]++;
    for (int32_t k = 1; k < CLASSES; k++) {
        if (counts[k] > counts[most]) most = k;
    }
    for (size_t i = 0; i < ITEMS; i++) right += test.labels[i] == most;
    check_absolute(c.rows[0].majority, 1 - (double)right / ITEMS, 1e-15, "majority");
    check_absolute(c.target_majority[0], 1 - (double)right / ITEMS, 1e-15, "majority of a target");
    ecc_classification_release(&c);
}

/* ---- Few labels ----------------------------------------------------------------------------- */

static void few_labels_are_drawn(void **state)
{
    (void)state;
    const size_t labels[] = {20, 100, 0};
    struct ecc_classify_options options = usual();
    options.labels = labels;
    options.label_count = 3;
    options.repeats = 4;
    options.baselines = false;
    struct ecc_classification c = classify(&options), again = classify(&options);
    options.seed = 2;
    struct ecc_classification other = classify(&options);
    assert_int_equal(c.row_count, 3);
    assert_int_equal(c.rows[0].repeats, 4);
    assert_int_equal(c.rows[2].repeats, 1);
    assert_int_equal(c.rows[2].labels, ITEMS);
    assert_int_equal(c.rows[0].parameter, 1); /* two of each class */
    assert_int_equal(c.rows[1].parameter, 1); /* as the paper */
    assert_int_equal(c.rows[2].parameter, USUAL);
    const double *const errors = c.rows[0].errors[ECC_VIEW_LATENTS];
    double mean = 0, square = 0;
    for (size_t q = 0; q < 4; q++) mean += errors[q] / 4;
    for (size_t q = 0; q < 4; q++) square += pow(errors[q] - mean, 2) / 4;
    check_absolute(c.rows[0].error[0], mean, 1e-15, "mean over repeats");
    check_absolute(c.rows[0].deviation[0], sqrt(square), 1e-15, "deviation over repeats");
    assert_true(square > 0);
    assert_memory_equal(errors, again.rows[0].errors[0], 4 * sizeof *errors);
    assert_memory_not_equal(errors, other.rows[0].errors[0], 4 * sizeof *errors);
    assert_true(c.rows[2].error[0] == plain_error(train.z, test.z, D, USUAL));
    ecc_classification_release(&c);
    ecc_classification_release(&again);
    ecc_classification_release(&other);
}

/* ---- Stumps --------------------------------------------------------------------------------- */

static double entropy(double ones, double n)
{
    const double p = n > 0 ? ones / n : 0;
    return p > 0 && p < 1 ? -p * log2(p) - (1 - p) * log2(1 - p) : 0;
}

/* The best gain of a class against the rest by one component of p: [ITEMS, D], every threshold
 * tried. */
static double best_gain(const float *p, size_t component, int32_t class)
{
    double total = 0, best = 0;
    for (size_t i = 0; i < ITEMS; i++) total += train.labels[i] == class;
    for (size_t j = 0; j < ITEMS; j++) {
        const float threshold = p[j * D + component];
        double n = 0, ones = 0;
        for (size_t i = 0; i < ITEMS; i++) {
            if (p[i * D + component] > threshold) continue;
            n++;
            ones += train.labels[i] == class;
        }
        const double gain = entropy(total, ITEMS) - n / ITEMS * entropy(ones, n) -
                            (ITEMS - n) / ITEMS * entropy(total - ones, ITEMS - n);
        best = fmax(best, gain);
    }
    return best;
}

/* The shares on both sides, and whether the answers differ. */
static void check_sides(const struct ecc_stump *s, const float *p, int32_t class)
{
    double n[2] = {0}, ones[2] = {0};
    for (size_t i = 0; i < ITEMS; i++) {
        const bool above = (double)p[i * D + s->component] > s->threshold;
        n[above]++;
        ones[above] += train.labels[i] == class;
    }
    check_absolute(s->below, ones[0] / n[0], 1e-12, "share below");
    check_absolute(s->above, ones[1] / n[1], 1e-12, "share above");
    assert_true((double)s->having == ones[0] + ones[1]);
    assert_int_equal(s->having + s->lacking, ITEMS);
    assert_int_equal(s->test_having + s->test_lacking, ITEMS);
    const bool differ = (s->below > 0.5) != (s->above > 0.5);
    assert_int_equal(s->verdict, differ ? ECC_STUMP_TELLS : ECC_STUMP_SAME_ANSWER);
    if (!differ) check_absolute(s->accuracy, s->majority, 1e-12, "the same answers");
}

static void check_stumps(const struct ecc_classification *c, const float *p)
{
    for (size_t t = 0; t < CLASSES; t++) {
        double most = 0;
        for (size_t k = 0; k < D; k++) {
            const double gain = best_gain(p, k, (int32_t)t);
            check_absolute(fabs(c->gains[t * D + k]), gain, 1e-9, "gain of a component");
            most = fmax(most, gain);
        }
        check_absolute(c->stumps[t].gain, most, 1e-9, "gain of a stump");
        check_absolute(fabs(c->gains[t * D + c->stumps[t].component]), most, 1e-9, "component");
        assert_true(c->stumps[t].accuracy >= 0.5);
        check_sides(&c->stumps[t], p, (int32_t)t);
        if (t > 0) {
            assert_true(c->stumps[c->ranking[t]].gain <= c->stumps[c->ranking[t - 1]].gain);
        }
    }
}

static void stumps_are_the_best_splits(void **state)
{
    (void)state;
    struct ecc_classify_options options = usual();
    options.baselines = false;
    options.stumps = true;
    struct ecc_classification knn = classify(&options);
    options.method = ECC_CLASSIFY_TREE;
    struct ecc_classification tree = classify(&options);
    struct ecc_components components;
    float *const p = malloc(ITEMS * D * sizeof *p);
    check_ok(ecc_model_components(trained.model, &components, NULL, NULL, &testing_error));
    check_ok(ecc_components_project(&components, p, train.z, ITEMS, &testing_error));
    check_stumps(&tree, p);
    assert_memory_equal(knn.gains, tree.gains, CLASSES * D * sizeof *knn.gains);
    assert_memory_equal(knn.stumps, tree.stumps, CLASSES * sizeof *knn.stumps);
    assert_int_equal(tree.row_count, 2); /* depths 1 and 8 */
    assert_int_equal(tree.rows[0].parameter, 1);
    assert_int_equal(tree.rows[1].parameter, 8);
    assert_true(tree.rows[1].error[0] < tree.rows[0].error[0]);
    ecc_components_release(&components);
    ecc_classification_release(&knn);
    ecc_classification_release(&tree);
    free(p);
}

/* ---- Items ---------------------------------------------------------------------------------- */

static void validation_items_are_apart(void **state)
{
    (void)state;
    struct ecc_classify_options options = ecc_classify_defaults();
    options.validation = true;
    options.baselines = false;
    struct ecc_classification c = classify(&options);
    assert_true(c.validation);
    assert_int_equal(c.items, trained.items);
    assert_int_equal(c.test_items, trained.validation_items);
    assert_int_equal(c.items + c.test_items, ITEMS);
    ecc_classification_release(&c);
    options.items = 10;
    check_fails(ecc_classify(&c, trained.model, &options, NULL, &testing_error), ECC_BAD_ARGUMENT,
                "validation");
    ecc_classification_release(&c);
}

static void refuses(struct ecc_classify_options options, enum ecc_status status, const char *words)
{
    struct ecc_classification c;
    check_fails(ecc_classify(&c, trained.model, &options, NULL, &testing_error), status, words);
    ecc_classification_release(&c);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    const size_t many = 301, zero = 0;
    struct ecc_classify_options options = usual();
    options.neighbours = many;
    refuses(options, ECC_BAD_DATA, "301 neighbours");
    options = usual();
    options.labels = &many;
    options.label_count = 1;
    refuses(options, ECC_BAD_DATA, "301 labelled items");
    options.label_count = 0;
    refuses(options, ECC_BAD_ARGUMENT, "numbers of labelled items");
    options = usual();
    options.depths = &zero;
    refuses(options, ECC_BAD_ARGUMENT, "depths");
    options.depth_count = 1;
    refuses(options, ECC_BAD_ARGUMENT, "depth 0");
    options = usual();
    options.repeats = 0;
    refuses(options, ECC_BAD_ARGUMENT, "repeats");
    options = usual();
    options.train = "nowhere.npy";
    refuses(options, ECC_IO, "nowhere.npy");
}

static bool stop_classifying(void *context, const struct ecc_work *work)
{
    size_t *const most = context;
    if (strcmp(work->name, "classify") != 0) return true;
    assert_int_equal(work->total, 3);
    *most = work->done;
    return work->done < 2;
}

static void can_be_stopped(void **state)
{
    (void)state;
    size_t done = 0;
    const struct ecc_watch watch = {.on_work = stop_classifying, .context = &done};
    struct ecc_classification c;
    const struct ecc_classify_options options = usual();
    check_fails(ecc_classify(&c, trained.model, &options, &watch, &testing_error), ECC_INTERRUPTED,
                "2 of 3 repeats");
    assert_int_equal(done, 2);
    ecc_classification_release(&c);
}

/* A class with a handful of items: too few to judge a stump by. */
static void rare_classes_are_not_judged(void **state)
{
    (void)state;
    enum { N = 400 };
    float x[N * 2];
    int32_t labels[N];
    for (size_t i = 0; i < N; i++) {
        x[2 * i] = (float)(i % 20);
        x[2 * i + 1] = (float)(i * i % 37);
        labels[i] = i < 4 ? 2 : i % 20 >= 10;
    }
    const struct ecc_array_data table = {
        .x = x, .n = N, .channels = 1, .height = 1, .width = 2, .is_table = true, .labels = labels};
    check_ok(ecc_data_lend("rare", &table, &testing_error));
    struct ecc_train_options how = ecc_train_defaults();
    how.data = "memory:rare";
    how.latent = 2;
    how.batch = 30;
    how.epochs = 2;
    struct ecc_train_result run;
    check_ok(ecc_train(&run, &how, NULL, &testing_error));
    struct ecc_classify_options options = ecc_classify_defaults();
    options.stumps = true;
    struct ecc_classification c;
    check_ok(ecc_classify(&c, run.model, &options, NULL, &testing_error));
    assert_int_equal(c.rows[0].parameter, 1); /* the smallest class counts */
    assert_int_equal(c.stumps[2].verdict, ECC_STUMP_TOO_FEW);
    assert_int_equal(c.stumps[2].having + c.stumps[2].test_having, 4);
    assert_int_not_equal(c.stumps[0].verdict, ECC_STUMP_TOO_FEW);
    ecc_classification_release(&c);
    ecc_train_result_release(&run);
    ecc_data_return("rare");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_vote),
        cmocka_unit_test(baselines_are_pixels_and_pca),
        cmocka_unit_test(majority_is_counted),
        cmocka_unit_test(few_labels_are_drawn),
        cmocka_unit_test(stumps_are_the_best_splits),
        cmocka_unit_test(rare_classes_are_not_judged),
        cmocka_unit_test(validation_items_are_apart),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(can_be_stopped),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
