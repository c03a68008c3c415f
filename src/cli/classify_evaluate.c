/* classify_evaluate.c: the errors of `eccentric classify`: each view, each number of labels, each
 * repeat. */
#include "base/streams.h"
#include "cli/classify.h"
#include "latent/knn.h"
#include "latent/tree.h"
#include "math/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The paper's: 10(1), 100(1), 1000(5), 10000(10), 60000(15). */
static size_t usual_neighbours(size_t labels)
{
    return labels < 1000 ? 1 : labels < 10000 ? 5 : labels < 50000 ? 10 : 15;
}

static enum ecc_status predict_by_trees(int32_t *predicted, const struct ecc_labelled *train,
                                        const float *test, size_t test_n, size_t depth,
                                        struct ecc_error *error)
{
    struct ecc_tree_order order;
    const size_t targets = train->labels->targets;
    struct ecc_tree *const trees = calloc(targets, sizeof *trees);
    if (!trees) return ecc_fail_memory(error, "the decision trees");
    enum ecc_status status = ecc_tree_order_init(&order, train->x, train->n, train->d, error);
    if (status == ECC_OK) {
        status = ecc_trees_grow(trees, &order, train->labels, depth, error);
        ecc_tree_order_release(&order);
    }
    for (size_t t = 0; status == ECC_OK && t < targets; t++) {
        ecc_tree_predict(&trees[t], predicted + t * test_n, test, test_n);
    }
    for (size_t t = 0; t < targets; t++) ecc_tree_release(&trees[t]);
    free(trees);
    return status;
}

/* One repeat.  errors: [targets], predicted: [targets, test_n] of this view. */
static enum ecc_status measure(const struct ecc_classify *c, const struct ecc_view *v,
                               const struct ecc_cli_row *row, double *errors, int32_t *predicted,
                               size_t repeat, struct ecc_error *error)
{
    const struct ecc_classify_settings *const s = c->settings;
    struct ecc_labelled train = {v->train, v->train_n, v->d, v->train_labels};
    float *x = NULL;
    struct ecc_labels labels = {0};
    if (row->labels < v->train_n) {
        uint32_t *const rows = malloc(row->labels * sizeof *rows);
        if (!rows) return ecc_fail_memory(error, "a subset");
        enum ecc_status drawn = ecc_labels_draw(
            rows, row->labels, v->train_labels, (enum ecc_subset)s->subset, s->common.seed,
            ECC_STREAM_CLASSIFY + (row->labels << 16) + repeat, error);
        if (drawn == ECC_OK) {
            drawn = ecc_labelled_copy(&x, &labels, &train, rows, row->labels, error);
        }
        free(rows);
        ECC_TRY(drawn);
        train = (struct ecc_labelled){x, row->labels, v->d, &labels};
    }
    const size_t k = row->parameter < train.n ? row->parameter : train.n;
    const enum ecc_status status =
        s->method == ECC_CLASSIFY_KNN
            ? ecc_knn_predict(predicted, &train, v->test, v->test_n, k, error)
            : predict_by_trees(predicted, &train, v->test, v->test_n, row->parameter, error);
    for (size_t t = 0; status == ECC_OK && t < v->test_labels->targets; t++) {
        errors[t] = ecc_labels_error(v->test_labels, t, predicted + t * v->test_n);
    }
    free(x);
    ecc_labels_release(&labels);
    return status;
}

/* All repeats of a row by one view; the targets' errors of it are summed in c. */
static enum ecc_status measure_repeats(struct ecc_classify *c, size_t view, struct ecc_cli_row *row,
                                       int32_t *predicted, struct ecc_progress *progress,
                                       struct ecc_error *error)
{
    const struct ecc_view *const v = &c->views[view];
    const size_t targets = v->test_labels->targets;
    const size_t repeats = row->labels < v->train_n ? row->repeats : 1;
    double *const errors = calloc(targets, sizeof *errors);
    if (!errors) return ecc_fail_memory(error, "the errors");
    enum ecc_status status = ECC_OK;
    memset(c->target_errors[view], 0, targets * sizeof *errors);
    for (size_t q = 0; status == ECC_OK && q < repeats; q++) {
        status = measure(c, v, row, errors, predicted, q, error);
        if (status == ECC_OK && ecc_interrupted()) {
            status = ecc_fail(error, ECC_INTERRUPTED, "interrupted");
        }
        for (size_t t = 0; t < targets; t++) {
            row->errors[view][q] += errors[t] / (double)targets;
            c->target_errors[view][t] += errors[t] / (double)repeats;
        }
        ecc_progress_update(progress, progress->done + 1, NULL);
    }
    free(errors);
    ecc_mean_deviation(&row->error[view], &row->deviation[view], row->errors[view], repeats);
    return status;
}

static enum ecc_status measure_row(struct ecc_classify *c, struct ecc_cli_row *row,
                                   struct ecc_progress *progress, struct ecc_error *error)
{
    int32_t *const predicted = calloc(c->test_labels.targets * c->test_n, sizeof *predicted);
    if (!predicted) return ecc_fail_memory(error, "the predictions");
    enum ecc_status status = ECC_OK;
    /* the latents last: their predictions are kept */
    for (size_t v = c->view_count; status == ECC_OK && v-- > 0;) {
        status = measure_repeats(c, v, row, predicted, progress, error);
    }
    free(c->predicted);
    c->predicted = predicted;
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static enum ecc_status plan_rows(struct ecc_classify *c, struct ecc_error *error)
{
    const struct ecc_classify_settings *const s = c->settings;
    const bool knn = s->method == ECC_CLASSIFY_KNN;
    const size_t each = knn ? 1 : s->depth_count;
    c->rows = calloc(s->label_count_count * each, sizeof *c->rows);
    if (!c->rows) return ecc_fail_memory(error, "the results");
    c->row_count = s->label_count_count * each;
    for (size_t r = 0; r < c->row_count; r++) {
        struct ecc_cli_row *const row = &c->rows[r];
        const size_t wanted = s->label_counts[r / each];
        row->labels = wanted ? wanted : c->train_n;
        row->repeats = row->labels < c->train_n ? s->repeats : 1;
        const size_t usual = s->labels || row->labels < 15 ? usual_neighbours(row->labels) : 15;
        row->parameter = !knn ? s->depths[r % each] : s->neighbours ? s->neighbours : usual;
        for (size_t v = 0; v < ECC_VIEWS; v++) {
            row->error[v] = row->deviation[v] = (double)NAN;
            /* the pixels may be fewer, and then drawn from where the others are not */
            row->errors[v] = calloc(s->repeats, sizeof *row->errors[v]);
            if (!row->errors[v]) return ecc_fail_memory(error, "the results");
        }
    }
    return ECC_OK;
}

/* What the most frequent class of the training items would get wrong. */
static enum ecc_status measure_majority(struct ecc_classify *c, struct ecc_error *error)
{
    const size_t targets = c->train_labels.targets, n = c->test_labels.n;
    int32_t *const majority = calloc(targets, sizeof *majority);
    c->target_majority = calloc(targets, sizeof *c->target_majority);
    enum ecc_status status = majority && c->target_majority
                                 ? ecc_labels_majority(majority, &c->train_labels, error)
                                 : ecc_fail_memory(error, "the majority");
    double mean = 0;
    for (size_t t = 0; status == ECC_OK && t < targets; t++) {
        size_t wrong = 0;
        for (size_t i = 0; i < n; i++) wrong += c->test_labels.values[t * n + i] != majority[t];
        c->target_majority[t] = (double)wrong / (double)n;
        mean += c->target_majority[t] / (double)targets;
    }
    for (size_t r = 0; r < c->row_count; r++) c->rows[r].majority = mean;
    free(majority);
    return status;
}

enum ecc_status ecc_classify_evaluate(struct ecc_classify *c, struct ecc_error *error)
{
    size_t total = 0;
    ECC_TRY(plan_rows(c, error));
    ECC_TRY(measure_majority(c, error));
    for (size_t v = 0; v < c->view_count; v++) {
        c->target_errors[v] = calloc(c->train_labels.targets, sizeof *c->target_errors[v]);
        if (!c->target_errors[v]) return ecc_fail_memory(error, "the errors");
    }
    for (size_t r = 0; r < c->row_count; r++) total += c->rows[r].repeats * c->view_count;
    struct ecc_progress progress;
    ecc_cli_progress(&progress, &c->settings->common, "classify", "repeats", total);
    enum ecc_status status = ECC_OK;
    for (size_t r = 0; status == ECC_OK && r < c->row_count; r++) {
        status = measure_row(c, &c->rows[r], &progress, error);
    }
    ecc_progress_end(&progress, NULL);
    return status;
}
