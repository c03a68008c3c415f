/*
 * classify_numbers.c: numbers known of items, such as an age or a price, predicted in each view by
 * the mean of the nearest neighbours and by regression trees.
 *
 * Items of which a number is not known neither teach it nor test it.
 */
#include "base/watch.h"
#include "evaluate/classify.h"
#include "latent/knn.h"
#include "latent/tree.h"
#include "math/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 2 }; /* known labelled items and test items */

/* ---- Items whose number is known ------------------------------------------------------------ */

/* One number in one view.  What the points alone decide is kept for the next number, if the same
 * items are known. */
struct sight {
    const struct ecc_classify_work *work;
    size_t view, number;
    const double *train, *test; /* all values of the number in this view */
    const float *x, *y;         /* [n, d], [m, d] points of the known */
    size_t n, m, d;
    float *own[2];                     /* copies of points, or NULL */
    double *known, *truth, *predicted; /* [n], [m], [m] */
    size_t *index, neighbours;         /* [m, neighbours], or NULL */
    struct ecc_tree_order order;       /* rows is NULL: not sorted yet */
};

static void forget_points(struct sight *s)
{
    free(s->own[0]);
    free(s->own[1]);
    free(s->index);
    if (s->order.rows) ecc_tree_order_release(&s->order);
    s->own[0] = s->own[1] = NULL;
    s->index = NULL;
}

static void forget_values(struct sight *s)
{
    free(s->known);
    free(s->truth);
    free(s->predicted);
    s->known = s->truth = s->predicted = NULL;
}

static enum ecc_status find_points(struct sight *s, struct ecc_error *error)
{
    const struct ecc_classify_points *const p = &s->work->points[s->view];
    const struct ecc_classify_view *const v = &s->work->result->views[s->view];
    forget_points(s);
    s->d = v->d;
    s->n = ecc_quantities_count(s->train, v->items);
    s->m = ecc_quantities_count(s->test, v->test_items);
    ECC_TRY(ecc_quantities_points(&s->x, &s->own[0], p->train, s->train, v->items, v->d, error));
    return ecc_quantities_points(&s->y, &s->own[1], p->test, s->test, v->test_items, v->d, error);
}

/* The known of values: [n], without gaps. */
static void close_up(double *to, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isnan(values[i])) *to++ = values[i];
    }
}

static enum ecc_status look_at(struct sight *s, size_t number, struct ecc_error *error)
{
    const struct ecc_classify_points *const p = &s->work->points[s->view];
    const struct ecc_classify_view *const v = &s->work->result->views[s->view];
    const double *const train = p->train_numbers->values + number * v->items;
    const double *const test = p->test_numbers->values + number * v->test_items;
    const bool alike = s->train && ecc_quantities_alike(train, s->train, v->items) &&
                       ecc_quantities_alike(test, s->test, v->test_items);
    s->number = number;
    s->train = train;
    s->test = test;
    if (!alike) ECC_TRY(find_points(s, error));
    forget_values(s);
    s->known = malloc((s->n + 1) * sizeof *s->known);
    s->truth = malloc((s->m + 1) * sizeof *s->truth);
    s->predicted = malloc((s->m + 1) * sizeof *s->predicted);
    if (!s->known || !s->truth || !s->predicted) return ecc_fail_memory(error, "the predictions");
    close_up(s->known, train, v->items);
    close_up(s->truth, test, v->test_items);
    return ECC_OK;
}

/* ---- Predictions ---------------------------------------------------------------------------- */

/* The items to predict are shared by the processes: slices of them, one each. */
static size_t slice_of(const struct sight *s)
{
    const struct ecc_share *const share = s->work->model->share;
    return share ? (s->m + share->size - 1) / share->size : s->m;
}

static size_t items_of(const struct sight *s, size_t piece)
{
    const size_t slice = slice_of(s), first = piece * slice;
    return first >= s->m ? 0 : s->m - first < slice ? s->m - first : slice;
}

static enum ecc_status find_slice(void *context, void *index, size_t piece, struct ecc_error *error)
{
    const struct sight *const s = context;
    const size_t n = items_of(s, piece);
    if (n == 0) return ECC_OK;
    return ecc_neighbours(NULL, index, s->y + piece * slice_of(s) * s->d, n, s->x, s->n, s->d,
                          s->neighbours, error);
}

static enum ecc_status take_slice(void *context, const void *index, size_t piece,
                                  struct ecc_error *error)
{
    const struct sight *const s = context;
    const size_t k = s->neighbours, n = items_of(s, piece);
    (void)error;
    if (n > 0) memcpy(s->index + piece * slice_of(s) * k, index, n * k * sizeof *s->index);
    return ECC_OK;
}

static enum ecc_status find_neighbours(struct sight *s, struct ecc_error *error)
{
    const struct ecc_share *const share = s->work->model->share;
    const struct ecc_pieces pieces = {.count = share ? share->size : 1,
                                      .bytes = slice_of(s) * s->neighbours * sizeof *s->index,
                                      .most = 1,
                                      .context = s,
                                      .compute = find_slice,
                                      .take = take_slice};
    return ecc_share_pieces(share, &pieces, error);
}

static enum ecc_status predict_by_neighbours(struct sight *s, size_t wanted,
                                             struct ecc_error *error)
{
    const size_t k = wanted < s->n ? wanted : s->n;
    if (!s->index || s->neighbours != k) {
        free(s->index);
        s->neighbours = k;
        s->index = malloc((s->m * k + 1) * sizeof *s->index);
        if (!s->index) return ecc_fail_memory(error, "the neighbours");
        ECC_TRY(find_neighbours(s, error));
    }
    ecc_knn_mean(s->predicted, s->known, s->index, s->m, k);
    return ECC_OK;
}

static enum ecc_status predict_by_tree(struct sight *s, size_t depth, struct ecc_error *error)
{
    struct ecc_tree tree;
    if (!s->order.rows) ECC_TRY(ecc_tree_order_init(&s->order, s->x, s->n, s->d, error));
    ECC_TRY(ecc_tree_grow_numbers(&tree, &s->order, s->known, depth, error));
    ecc_tree_predict_numbers(&tree, s->predicted, s->y, s->m);
    ecc_tree_release(&tree);
    return ECC_OK;
}

/* Into the rows of the number that are of this method, as far as the view has enough items. */
static enum ecc_status predict(struct sight *s, struct ecc_number_result *number,
                               enum ecc_classify_method method, struct ecc_error *error)
{
    for (size_t r = 0; r < number->row_count; r++) {
        struct ecc_number_row *const row = &number->rows[r];
        if (row->method != method || s->n < LEAST || s->m < LEAST) continue;
        ECC_TRY(method == ECC_CLASSIFY_KNN ? predict_by_neighbours(s, row->parameter, error)
                                           : predict_by_tree(s, row->parameter, error));
        row->fit[s->view] = ecc_fit_of(s->truth, s->predicted, s->m);
        row->items[s->view] = s->n;
    }
    return ECC_OK;
}

/* Keeps what the latents' neighbours predict, at the places of the items. */
static void keep(const struct sight *s, struct ecc_number_result *number)
{
    const size_t all = s->work->result->test_items;
    for (size_t i = 0, at = 0; i < all; i++) {
        number->truth[i] = s->test[i];
        number->predicted[i] = isnan(s->test[i]) ? (double)NAN : s->predicted[at++];
    }
}

static enum ecc_status predict_in_view(struct ecc_classify_work *w, struct sight *s,
                                       enum ecc_classify_method method, struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    for (size_t j = 0; j < r->number_count; j++) {
        if (r->numbers[j].row_count == 0) continue; /* hardly known */
        ECC_TRY(look_at(s, j, error));
        ECC_TRY(predict(s, &r->numbers[j], method, error));
        if (s->view == ECC_VIEW_LATENTS && method == ECC_CLASSIFY_KNN) keep(s, &r->numbers[j]);
        const struct ecc_work work = {"numbers", "predictions", ++w->done, w->total, NULL};
        ECC_TRY(ecc_watch_work(w->watch, &work, error));
    }
    return ECC_OK;
}

static enum ecc_status predict_all(struct ecc_classify_work *w, enum ecc_classify_method method,
                                   struct ecc_error *error)
{
    for (size_t v = 0; v < w->result->view_count; v++) {
        struct sight sight = {.work = w, .view = v};
        const enum ecc_status status = predict_in_view(w, &sight, method, error);
        forget_points(&sight);
        forget_values(&sight);
        ECC_TRY(status);
    }
    return ECC_OK;
}

/* ---- What is asked for ---------------------------------------------------------------------- */

static size_t depth_of(const struct ecc_classify_options *o, size_t i)
{
    static const size_t usual[] = {3, 8};
    return o->depths ? o->depths[i] : usual[i];
}

static enum ecc_status plan_rows(const struct ecc_classify_work *w, struct ecc_number_result *r,
                                 struct ecc_error *error)
{
    const struct ecc_classify_options *const o = w->options;
    const size_t depths = ecc_classify_depth_counts(o), all = w->result->test_items;
    r->truth = malloc(all * sizeof *r->truth);
    r->predicted = malloc(all * sizeof *r->predicted);
    r->rows = calloc(1 + depths, sizeof *r->rows);
    if (!r->truth || !r->predicted || !r->rows) return ecc_fail_memory(error, "the predictions");
    for (r->row_count = 0; r->row_count < 1 + depths; r->row_count++) {
        struct ecc_number_row *const row = &r->rows[r->row_count];
        const bool knn = r->row_count == 0;
        row->method = knn ? ECC_CLASSIFY_KNN : ECC_CLASSIFY_TREE;
        row->parameter = !knn            ? depth_of(o, r->row_count - 1)
                         : o->neighbours ? o->neighbours
                                         : ecc_knn_choose_mean(r->items);
        for (size_t v = 0; v < ECC_VIEWS; v++) row->fit[v] = ecc_fit_of(NULL, NULL, 0);
    }
    return ECC_OK;
}

/* The mean of the labelled items, and how well it predicts the test items. */
static enum ecc_status measure_mean(const struct ecc_classify_work *w, struct ecc_number_result *r,
                                    size_t number, struct ecc_error *error)
{
    const size_t n = w->train_numbers.n, m = w->test_numbers.n;
    double *const values = malloc((r->items + 2 * r->test_items + 1) * sizeof *values);
    if (!values) return ecc_fail_memory(error, "the numbers to predict");
    double *const truth = values + r->items, *const mean = truth + r->test_items;
    close_up(values, w->train_numbers.values + number * n, n);
    close_up(truth, w->test_numbers.values + number * m, m);
    ecc_mean_deviation(&r->mean, &r->deviation, values, r->items);
    for (size_t i = 0; i < r->test_items; i++) mean[i] = r->mean;
    r->baseline = ecc_fit_of(truth, mean, r->test_items);
    free(values);
    return ECC_OK;
}

static enum ecc_status start_number(struct ecc_classify_work *w, size_t number,
                                    struct ecc_error *error)
{
    const size_t n = w->train_numbers.n, m = w->test_numbers.n;
    struct ecc_number_result *const r = &w->result->numbers[number];
    r->name = strdup(w->train_numbers.names[number]);
    if (!r->name) return ecc_fail_memory(error, "the name of a number");
    r->items = ecc_quantities_count(w->train_numbers.values + number * n, n);
    r->test_items = ecc_quantities_count(w->test_numbers.values + number * m, m);
    ECC_TRY(measure_mean(w, r, number, error));
    if (r->items >= LEAST && r->test_items >= LEAST) {
        w->total += 2 * w->result->view_count;
        return plan_rows(w, r, error);
    }
    if (w->has_classes || w->train_numbers.count > 1) {
        ecc_watch_remark(w->watch,
                         "'%.80s' is known of only %zu labelled and %zu test items: not predicted",
                         r->name, r->items, r->test_items);
        return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_DATA,
                    "'%.80s' is known of only %zu labelled and %zu test items, expected %d of each "
                    "or more",
                    r->name, r->items, r->test_items, LEAST);
}

enum ecc_status ecc_classify_start_numbers(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    const size_t count = w->train_numbers.count;
    if (count == 0) return ECC_OK;
    if (!w->has_classes && w->options->labels) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "few labels are drawn for classes only: numbers such as '%.80s' are always "
                        "learnt from all items",
                        w->train_numbers.names[0]);
    }
    w->done = w->total = 0;
    r->numbers = calloc(count, sizeof *r->numbers);
    if (!r->numbers) return ecc_fail_memory(error, "the numbers");
    for (r->number_count = 0; r->number_count < count;) {
        r->number_count++;
        ECC_TRY(start_number(w, r->number_count - 1, error));
    }
    return predict_all(w, ECC_CLASSIFY_KNN, error);
}

enum ecc_status ecc_classify_by_trees(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_classify_view *const pixels = &w->result->views[ECC_VIEW_PIXELS];
    const size_t items = pixels->items; /* that the classes were learnt from */
    if (w->result->number_count == 0) return ECC_OK;
    if (w->result->view_count > 1) ECC_TRY(ecc_classify_thin_out(w, error));
    const enum ecc_status status = predict_all(w, ECC_CLASSIFY_TREE, error);
    pixels->items = items;
    return status;
}
