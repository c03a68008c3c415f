/* classify_errors.c: the errors of a classification, for each number of labels, view and repeat. */
#include "base/streams.h"
#include "base/watch.h"
#include "evaluate/classify.h"
#include "latent/mlp_head.h"
#include "latent/knn.h"
#include "latent/tree.h"
#include "math/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- One repeat ----------------------------------------------------------------------------- */

/* The items to learn from: all items of a view, or a random subset. */
struct lesson {
    struct ecc_labelled train;
    float *x; /* of a random subset, else NULL ... */
    struct ecc_labels labels;
};

static void release_lesson(struct lesson *lesson)
{
    free(lesson->x);
    ecc_labels_release(&lesson->labels);
}

static enum ecc_status draw_rows(const struct ecc_classify_work *w, uint32_t *rows,
                                 const struct ecc_labels *labels, size_t count, size_t repeat,
                                 struct ecc_error *error)
{
    const enum ecc_subset subset = w->options->uniform ? ECC_SUBSET_UNIFORM : ECC_SUBSET_BALANCED;
    return ecc_labels_draw(rows, count, labels, subset, w->options->seed,
                           ECC_STREAM_CLASSIFY + (count << 16) + repeat, error);
}

/* count: number of labelled items. */
static enum ecc_status draw_lesson(const struct ecc_classify_work *w, struct lesson *lesson,
                                   size_t view, size_t count, size_t repeat,
                                   struct ecc_error *error)
{
    const struct ecc_classify_view *const v = &w->result->views[view];
    const struct ecc_classify_points *const p = &w->points[view];
    *lesson = (struct lesson){.train = {p->train, v->items, v->d, p->train_labels}};
    if (count >= v->items) return ECC_OK;
    uint32_t *const rows = malloc(count * sizeof *rows);
    if (!rows) return ecc_fail_memory(error, "a subset");
    enum ecc_status status = draw_rows(w, rows, p->train_labels, count, repeat, error);
    if (status == ECC_OK) {
        status = ecc_labelled_copy(&lesson->x, &lesson->labels, &lesson->train, rows, count, error);
    }
    free(rows);
    lesson->train = (struct ecc_labelled){lesson->x, count, v->d, &lesson->labels};
    return status;
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

static enum ecc_status predict_by_head(const struct ecc_classify_work *w, int32_t *predicted,
                                       size_t *epochs, const struct ecc_labelled *train,
                                       const float *test, size_t test_n, size_t repeat,
                                       struct ecc_error *error)
{
    struct ecc_head_options options = ecc_head_defaults();
    options.epochs = w->options->epochs;
    options.seed = w->options->seed + repeat;
    options.watch = w->watch;
    return ecc_head_predict(predicted, epochs, train, test, test_n, &options, error);
}

/* predicted: [targets, n] of test items first .. first + n - 1 of a view, with the settings of this
 * row of the result. */
struct question {
    const struct ecc_classify_work *work;
    struct ecc_classify_row *row;
    size_t view, first, n;
};

static enum ecc_status predict(const struct question *q, int32_t *predicted, size_t repeat,
                               struct ecc_error *error)
{
    const struct ecc_classify_work *const w = q->work;
    struct ecc_classify_row *const row = q->row;
    const float *const test = w->points[q->view].test + q->first * w->result->views[q->view].d;
    struct lesson lesson;
    enum ecc_status status = draw_lesson(w, &lesson, q->view, row->labels, repeat, error);
    const struct ecc_labelled *const train = &lesson.train;
    if (status == ECC_OK && w->options->method == ECC_CLASSIFY_KNN) {
        const size_t k = row->parameter < train->n ? row->parameter : train->n;
        status = ecc_knn_predict(predicted, train, test, q->n, k, error);
    } else if (status == ECC_OK && w->options->method == ECC_CLASSIFY_MLP) {
        status = predict_by_head(w, predicted, &row->parameter, train, test, q->n, repeat, error);
    } else if (status == ECC_OK) {
        status = predict_by_trees(predicted, train, test, q->n, row->parameter, error);
    }
    release_lesson(&lesson);
    return status;
}

/* ---- Repeats -------------------------------------------------------------------------------- */

/* Error, balanced error and macro F1 of each repeat. */
enum { ERROR = 0, BALANCED, F1, MEASURES };

/* scores: [MEASURES, repeats]; means over the targets. */
static enum ecc_status add_scores(struct ecc_classify_work *w, double *scores, size_t view,
                                  const int32_t *predicted, size_t repeat, size_t repeats,
                                  struct ecc_error *error)
{
    struct ecc_classify_view *const v = &w->result->views[view];
    const struct ecc_labels *const labels = w->points[view].test_labels;
    const size_t targets = w->result->target_count, n = v->test_items;
    for (size_t t = 0; t < targets; t++) {
        struct ecc_agreement a;
        ECC_TRY(ecc_agreement_of(&a, labels->values + t * n, predicted + t * n, n,
                                 labels->classes[t], error));
        scores[ERROR * repeats + repeat] += a.error / (double)targets;
        scores[BALANCED * repeats + repeat] += a.balanced / (double)targets;
        scores[F1 * repeats + repeat] += a.f1 / (double)targets;
        v->target_errors[t] += a.error / (double)repeats;
    }
    return ECC_OK;
}

/* Several processes share the repeats; where there is one, of neighbours, its test items. */
struct repeats {
    struct ecc_classify_work *work;
    struct ecc_classify_row *row;
    size_t view, count;
    bool sliced;        /* a piece is a slice of the test items, not a repeat */
    size_t slice;       /* test items of a piece */
    double *scores;     /* [MEASURES, count] */
    int32_t *predicted; /* [targets, test_items] */
};

/* What comes out of a piece. */
struct prediction {
    uint64_t parameter; /* of the row, which a network finds */
    int32_t predicted[];
};

static struct question question_of(const struct repeats *r, size_t piece)
{
    const size_t all = r->work->result->views[r->view].test_items;
    const size_t before = r->sliced ? piece * r->slice : 0, first = before < all ? before : all;
    const size_t left = all - first;
    return (struct question){.work = r->work,
                             .row = r->row,
                             .view = r->view,
                             .first = first,
                             .n = left < r->slice ? left : r->slice};
}

static enum ecc_status predict_piece(void *context, void *result, size_t piece,
                                     struct ecc_error *error)
{
    const struct repeats *const r = context;
    struct prediction *const to = result;
    const struct question q = question_of(r, piece);
    if (q.n > 0) ECC_TRY(predict(&q, to->predicted, r->sliced ? 0 : piece, error));
    to->parameter = r->row->parameter;
    return ECC_OK;
}

static enum ecc_status take_prediction(void *context, const void *result, size_t piece,
                                       struct ecc_error *error)
{
    const struct repeats *const r = context;
    struct ecc_classify_work *const w = r->work;
    const struct prediction *const from = result;
    const struct question q = question_of(r, piece);
    const size_t all = w->result->views[r->view].test_items;
    for (size_t t = 0; t < w->result->target_count; t++) {
        memcpy(r->predicted + t * all + q.first, from->predicted + t * q.n,
               q.n * sizeof *r->predicted);
    }
    if (q.first + q.n < all || q.n == 0) return ECC_OK; /* more of it comes, or it is complete */
    const size_t repeat = r->sliced ? 0 : piece;
    r->row->parameter = (size_t)from->parameter;
    ECC_TRY(add_scores(w, r->scores, r->view, r->predicted, repeat, r->count, error));
    const struct ecc_work work = {"classify", "repeats", ++w->done, w->total, NULL};
    return ecc_watch_work(w->watch, &work, error);
}

static enum ecc_status measure_repeats(struct ecc_classify_work *w, double *scores,
                                       struct ecc_classify_row *row, size_t view,
                                       int32_t *predicted, size_t repeats, struct ecc_error *error)
{
    const struct ecc_share *const share = w->model->share;
    const size_t all = w->result->views[view].test_items;
    const bool sliced = share && repeats == 1 && w->options->method == ECC_CLASSIFY_KNN;
    const size_t count = sliced ? share->size : repeats;
    struct repeats r = {.work = w,
                        .row = row,
                        .view = view,
                        .count = repeats,
                        .sliced = sliced,
                        .slice = sliced ? (all + count - 1) / count : all,
                        .scores = scores,
                        .predicted = predicted};
    const size_t bytes = w->result->target_count * r.slice * sizeof *predicted;
    const struct ecc_pieces pieces = {.count = count,
                                      .bytes = (sizeof(struct prediction) + bytes + 7) / 8 * 8,
                                      .most = 1,
                                      .context = &r,
                                      .compute = predict_piece,
                                      .take = take_prediction};
    return ecc_share_pieces(share, &pieces, error);
}

/* All repeats of a row for one view; predicted: from the last repeat. */
static enum ecc_status measure_view(struct ecc_classify_work *w, struct ecc_classify_row *row,
                                    size_t view, int32_t *predicted, struct ecc_error *error)
{
    struct ecc_classify_view *const v = &w->result->views[view];
    const size_t repeats = row->labels < v->items ? row->repeats : 1;
    double *const scores = calloc(MEASURES * repeats, sizeof *scores);
    if (!scores) return ecc_fail_memory(error, "the errors");
    memset(v->target_errors, 0, w->result->target_count * sizeof *v->target_errors);
    const enum ecc_status status = measure_repeats(w, scores, row, view, predicted, repeats, error);
    if (status == ECC_OK) {
        memcpy(row->errors[view], scores, repeats * sizeof *scores);
        ecc_mean_deviation(&row->error[view], &row->deviation[view], scores, repeats);
        ecc_mean_deviation(&row->balanced[view], &row->balanced_deviation[view],
                           scores + BALANCED * repeats, repeats);
        ecc_mean_deviation(&row->f1[view], &row->f1_deviation[view], scores + F1 * repeats,
                           repeats);
    }
    free(scores);
    return status;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

/* The paper's numbers of labels and neighbours; 0: not one of its numbers. */
static size_t paper_neighbours(size_t labels)
{
    static const size_t paper[][2] = {{10, 1}, {100, 1}, {1000, 5}, {10000, 10}};
    for (size_t i = 0; i < sizeof paper / sizeof paper[0]; i++) {
        if (labels == paper[i][0]) return paper[i][1];
    }
    return 0;
}

/* By the class sizes of the labelled items, those of the first repeat where they are drawn. */
static enum ecc_status choose_neighbours(const struct ecc_classify_work *w, size_t *k,
                                         size_t labels, struct ecc_error *error)
{
    const struct ecc_labelled all = {.labels = &w->train_labels, .n = w->train_labels.n};
    struct ecc_labels drawn = {0};
    float *none = NULL;
    if (labels >= all.n) return ecc_knn_choose(k, all.labels, error);
    uint32_t *const rows = malloc(labels * sizeof *rows);
    if (!rows) return ecc_fail_memory(error, "a subset");
    enum ecc_status status = draw_rows(w, rows, all.labels, labels, 0, error);
    if (status == ECC_OK) status = ecc_labelled_copy(&none, &drawn, &all, rows, labels, error);
    if (status == ECC_OK) status = ecc_knn_choose(k, &drawn, error);
    ecc_labels_release(&drawn);
    free(none);
    free(rows);
    return status;
}

static enum ecc_status find_neighbours(const struct ecc_classify_work *w, size_t *k, size_t labels,
                                       struct ecc_error *error)
{
    const struct ecc_classify_options *const o = w->options;
    *k = o->neighbours ? o->neighbours : o->labels ? paper_neighbours(labels) : 0;
    return *k ? ECC_OK : choose_neighbours(w, k, labels, error);
}

static enum ecc_status plan_rows(struct ecc_classify_work *w, struct ecc_error *error)
{
    const struct ecc_classify_options *const o = w->options;
    struct ecc_classification *const r = w->result;
    const bool knn = o->method == ECC_CLASSIFY_KNN;
    const bool trees = o->method == ECC_CLASSIFY_TREE;
    const size_t each = trees ? ecc_classify_depth_counts(o) : 1;
    const size_t count = ecc_classify_label_counts(o) * each;
    r->rows = calloc(count, sizeof *r->rows);
    if (!r->rows) return ecc_fail_memory(error, "the results");
    for (r->row_count = 0; r->row_count < count;) {
        struct ecc_classify_row *const row = &r->rows[r->row_count];
        row->labels = ecc_classify_labels(w, r->row_count / each);
        row->repeats = row->labels < r->items ? o->repeats : 1;
        row->parameter = trees ? ecc_classify_depth(o, r->row_count % each) : 0;
        r->row_count++;
        if (knn) ECC_TRY(find_neighbours(w, &row->parameter, row->labels, error));
        for (size_t v = 0; v < ECC_VIEWS; v++) {
            row->error[v] = row->deviation[v] = (double)NAN;
            row->balanced[v] = row->balanced_deviation[v] = (double)NAN;
            row->f1[v] = row->f1_deviation[v] = (double)NAN;
            row->errors[v] = calloc(row->repeats, sizeof *row->errors[v]);
            if (!row->errors[v]) return ecc_fail_memory(error, "the results");
        }
        w->total += row->repeats * r->view_count;
    }
    return ECC_OK;
}

/* What always predicting the most frequent class of the training items gives; mean: over the
 * targets, errors: [targets]. */
static enum ecc_status judge_majority(const struct ecc_classify_work *w, struct ecc_agreement *mean,
                                      double *errors, int32_t *majority, int32_t *predicted,
                                      struct ecc_error *error)
{
    const struct ecc_labels *const test = &w->test_labels;
    ECC_TRY(ecc_labels_majority(majority, &w->train_labels, error));
    for (size_t t = 0; t < test->targets; t++) {
        struct ecc_agreement a;
        for (size_t i = 0; i < test->n; i++) predicted[i] = majority[t];
        ECC_TRY(ecc_agreement_of(&a, test->values + t * test->n, predicted, test->n,
                                 test->classes[t], error));
        errors[t] = a.error;
        mean->error += a.error / (double)test->targets;
        mean->balanced += a.balanced / (double)test->targets;
        mean->f1 += a.f1 / (double)test->targets;
    }
    return ECC_OK;
}

static enum ecc_status measure_majority(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    struct ecc_agreement mean = {0};
    int32_t *const majority = calloc(r->target_count, sizeof *majority);
    int32_t *const predicted = malloc(r->test_items * sizeof *predicted);
    r->target_majority = calloc(r->target_count, sizeof *r->target_majority);
    const enum ecc_status status =
        majority && predicted && r->target_majority
            ? judge_majority(w, &mean, r->target_majority, majority, predicted, error)
            : ecc_fail_memory(error, "the majority");
    for (size_t i = 0; i < r->row_count; i++) {
        r->rows[i].majority = mean.error;
        r->rows[i].majority_balanced = mean.balanced;
        r->rows[i].majority_f1 = mean.f1;
    }
    free(majority);
    free(predicted);
    return status;
}

enum ecc_status ecc_classify_measure(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    ECC_TRY(plan_rows(w, error));
    ECC_TRY(measure_majority(w, error));
    for (size_t v = 0; v < r->view_count; v++) {
        r->views[v].target_errors = calloc(r->target_count, sizeof(double));
        if (!r->views[v].target_errors) return ecc_fail_memory(error, "the errors");
    }
    r->predicted = calloc(r->target_count * r->test_items, sizeof *r->predicted);
    if (!r->predicted) return ecc_fail_memory(error, "the predictions");
    for (size_t i = 0; i < r->row_count; i++) {
        /* the latents last: their predictions are kept */
        for (size_t v = r->view_count; v-- > 0;) {
            ECC_TRY(measure_view(w, &r->rows[i], v, r->predicted, error));
        }
    }
    return ecc_classify_confusion(w, error);
}
