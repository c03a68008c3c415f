/* classify_views.c: the same items as latents and, for comparison, as pixels and as ordinary
 * principal components. */
#include "evaluate/classify.h"
#include "model/components.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIXELS = 1 << 26,      /* numbers to hold, of training items or of test items */
    TREE_PIXELS = 1 << 24, /* of training items to grow trees from */
    BLOCK = 256,
};

/* Items of a list, or all of them. */
struct part {
    struct ecc_dataset *data;
    const uint32_t *items; /* [n], or NULL */
    size_t n;
};

static struct part train_part(const struct ecc_classify_work *w)
{
    return (struct part){w->train, w->train_items, w->result->items};
}

static struct part test_part(const struct ecc_classify_work *w)
{
    return (struct part){w->test, w->test_items, w->result->test_items};
}

/* A view of all items. */
static void start_view(struct ecc_classify_work *w, size_t view, const char *name, size_t d)
{
    w->result->views[view] = (struct ecc_classify_view){
        .name = name, .d = d, .items = w->result->items, .test_items = w->result->test_items};
    w->points[view].train_labels = &w->train_labels;
    w->points[view].test_labels = &w->test_labels;
    w->points[view].train_numbers = &w->train_numbers;
    w->points[view].test_numbers = &w->test_numbers;
}

/* ---- Latents -------------------------------------------------------------------------------- */

static enum ecc_status encode(const struct ecc_classify_work *w, float **z, struct part part,
                              struct ecc_error *error)
{
    *z = malloc(part.n * w->model->d * sizeof **z);
    if (!*z) return ecc_fail_memory(error, "the latents");
    return ecc_model_encode_data(w->model, *z, part.data, part.items, part.n, w->watch, error);
}

enum ecc_status ecc_classify_turn(struct ecc_classify_work *w, struct ecc_error *error)
{
    const size_t n = w->result->items, m = w->result->test_items;
    float *const train = w->points[ECC_VIEW_LATENTS].train;
    float *const test = w->points[ECC_VIEW_LATENTS].test;
    const struct ecc_stand_in items = {w->options->train, train, n};
    struct ecc_components components;
    ECC_TRY(ecc_model_components_or_fit(w->model, &components, &items, w->watch, error));
    enum ecc_status status = ecc_components_project(&components, train, train, n, error);
    if (status == ECC_OK) status = ecc_components_project(&components, test, test, m, error);
    ecc_components_release(&components);
    return status;
}

static enum ecc_status view_latents(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_classify_points *const p = &w->points[ECC_VIEW_LATENTS];
    start_view(w, ECC_VIEW_LATENTS, "latents", w->model->d);
    ECC_TRY(encode(w, &p->train, train_part(w), error));
    ECC_TRY(encode(w, &p->test, test_part(w), error));
    return w->options->method == ECC_CLASSIFY_TREE ? ecc_classify_turn(w, error) : ECC_OK;
}

/* ---- Pixels --------------------------------------------------------------------------------- */

/* Evenly spread rows: the row of n that row i of `kept` comes from. */
static size_t spread(size_t i, size_t kept, size_t n)
{
    return (size_t)((double)i * (double)n / (double)kept);
}

/* How many of n items of this size to keep, to hold at most `numbers` numbers. */
static size_t limit(size_t n, size_t size, size_t numbers)
{
    const size_t most = numbers / size > 1 ? numbers / size : 1;
    return n < most ? n : most;
}

/* *x: [kept, size] of evenly spread items. */
static enum ecc_status read_pixels(float **x, struct part part, size_t kept,
                                   struct ecc_error *error)
{
    const size_t size = ecc_shape_size(part.data->shape);
    uint32_t numbers[BLOCK];
    *x = malloc((kept * size + 1) * sizeof **x);
    if (!*x) return ecc_fail_memory(error, "the pixels");
    for (size_t first = 0; first < kept; first += BLOCK) {
        const size_t count = kept - first < BLOCK ? kept - first : BLOCK;
        for (size_t i = 0; i < count; i++) {
            const size_t row = spread(first + i, kept, part.n);
            numbers[i] = part.items ? part.items[row] : (uint32_t)row;
        }
        ECC_TRY(ecc_dataset_read(part.data, *x + first * size, numbers, count, error));
        ecc_fill_missing(*x + first * size, count * size);
    }
    return ECC_OK;
}

/* What is to be learnt about some items, or predicted. */
struct answers_of {
    struct ecc_labels *labels;
    struct ecc_quantities *numbers;
};

/* Labels (if there are classes) and numbers of evenly spread rows of n. */
static enum ecc_status spread_answers(struct answers_of to, const struct ecc_labels *labels,
                                      const struct ecc_quantities *numbers, size_t kept, size_t n,
                                      struct ecc_error *error)
{
    const struct ecc_labelled empty = {.labels = labels, .n = n};
    uint32_t *const rows = malloc((kept + 1) * sizeof *rows);
    float *x = NULL;
    enum ecc_status status = rows ? ECC_OK : ecc_fail_memory(error, "the labels");
    for (size_t i = 0; rows && i < kept; i++) rows[i] = (uint32_t)spread(i, kept, n);
    if (status == ECC_OK && labels->targets > 0) {
        status = ecc_labelled_copy(&x, to.labels, &empty, rows, kept, error);
    }
    if (status == ECC_OK) status = ecc_quantities_copy(to.numbers, numbers, rows, kept, error);
    free(x);
    free(rows);
    return status;
}

static enum ecc_status view_pixels(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_classify_view *const view = &w->result->views[ECC_VIEW_PIXELS];
    struct ecc_classify_points *const p = &w->points[ECC_VIEW_PIXELS];
    start_view(w, ECC_VIEW_PIXELS, w->train->is_table ? "columns" : "pixels", w->model->size);
    view->items = limit(view->items, view->d, PIXELS);
    view->test_items = limit(view->test_items, view->d, PIXELS);
    p->train_labels = &p->own[0];
    p->test_labels = &p->own[1];
    p->train_numbers = &p->own_numbers[0];
    p->test_numbers = &p->own_numbers[1];
    ECC_TRY(read_pixels(&p->train, train_part(w), view->items, error));
    ECC_TRY(read_pixels(&p->test, test_part(w), view->test_items, error));
    ECC_TRY(spread_answers((struct answers_of){&p->own[0], &p->own_numbers[0]}, &w->train_labels,
                           &w->train_numbers, view->items, w->result->items, error));
    return spread_answers((struct answers_of){&p->own[1], &p->own_numbers[1]}, &w->test_labels,
                          &w->test_numbers, view->test_items, w->result->test_items, error);
}

enum ecc_status ecc_classify_thin_out(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_classify_view *const view = &w->result->views[ECC_VIEW_PIXELS];
    struct ecc_classify_points *const p = &w->points[ECC_VIEW_PIXELS];
    const size_t n = view->items, d = view->d, kept = limit(n, d, TREE_PIXELS);
    if (kept == n) return ECC_OK;
    for (size_t i = 0; i < kept; i++) {
        memmove(p->train + i * d, p->train + spread(i, kept, n) * d, d * sizeof *p->train);
    }
    struct ecc_labels fewer = {0};
    struct ecc_quantities less = {0};
    const struct answers_of both = {&fewer, &less};
    const enum ecc_status status =
        spread_answers(both, &p->own[0], &p->own_numbers[0], kept, n, error);
    ecc_labels_release(&p->own[0]);
    ecc_quantities_release(&p->own_numbers[0]);
    p->own[0] = fewer;
    p->own_numbers[0] = less;
    ECC_TRY(status);
    view->items = kept;
    return ECC_OK;
}

/* ---- Ordinary components -------------------------------------------------------------------- */

/* *z: [n, d] of all items, which are read again in blocks. */
static enum ecc_status project_all(const struct ecc_pca *pca, float **z, struct part part,
                                   struct ecc_error *error)
{
    float *const x = malloc(BLOCK * pca->size * sizeof *x);
    uint32_t numbers[BLOCK];
    *z = malloc(part.n * pca->d * sizeof **z);
    enum ecc_status status = x && *z ? ECC_OK : ecc_fail_memory(error, "principal components");
    for (size_t first = 0; status == ECC_OK && first < part.n; first += BLOCK) {
        const size_t count = part.n - first < BLOCK ? part.n - first : BLOCK;
        for (size_t i = 0; i < count; i++) {
            numbers[i] = part.items ? part.items[first + i] : (uint32_t)(first + i);
        }
        status = ecc_dataset_read(part.data, x, numbers, count, error);
        if (status == ECC_OK) {
            ecc_fill_missing(x, count * pca->size);
            ecc_pca_project(pca, *z + first * pca->d, x, count);
        }
    }
    free(x);
    return status;
}

/* As many of them as there are latent dimensions. */
static enum ecc_status view_pca(struct ecc_classify_work *w, struct ecc_error *error)
{
    const float *const pixels = w->points[ECC_VIEW_PIXELS].train;
    struct ecc_classify_points *const p = &w->points[ECC_VIEW_PCA];
    struct ecc_pca pca;
    ECC_TRY(ecc_pca_fit(&pca, pixels, w->result->views[ECC_VIEW_PIXELS].items, w->model->size,
                        w->model->d, error));
    start_view(w, ECC_VIEW_PCA, "PCA", pca.d);
    enum ecc_status status = project_all(&pca, &p->train, train_part(w), error);
    if (status == ECC_OK) status = project_all(&pca, &p->test, test_part(w), error);
    ecc_pca_release(&pca);
    return status;
}

enum ecc_status ecc_classify_make_views(struct ecc_classify_work *w, struct ecc_error *error)
{
    w->result->view_count = w->options->baselines ? ECC_VIEWS : 1;
    ECC_TRY(view_latents(w, error));
    if (!w->options->baselines) return ECC_OK;
    ECC_TRY(view_pixels(w, error));
    ECC_TRY(view_pca(w, error));
    return w->options->method == ECC_CLASSIFY_TREE ? ecc_classify_thin_out(w, error) : ECC_OK;
}
