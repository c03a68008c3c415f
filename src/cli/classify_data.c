/* classify_data.c: the items that `eccentric classify` learns from and is tested on, as latents
 * and, for comparison, as pixels and as ordinary principal components. */
#include "base/text.h"
#include "cli/classify.h"
#include "cli/latent.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIXELS = 1 << 26,      /* numbers of all training items, or test items, that are held */
    TREE_PIXELS = 1 << 24, /* of training items that trees are grown from */
    BLOCK = 256,
};

/* ---- Items ----------------------------------------------------------------------------------- */

/* The test part: given, or of the run's own data. */
static enum ecc_status open_test(struct ecc_classify *c, struct ecc_error *error)
{
    const struct ecc_classify_settings *const s = c->settings;
    const char *const base = s->train ? s->train : c->model->options.data;
    char *const own = s->test ? NULL : ecc_data_part_name(base, "test");
    if (!s->test && !own) return ecc_fail_memory(error, "a name");
    const enum ecc_status status =
        ecc_model_open_data(c->model, &c->test, s->test ? s->test : own, s->items, error);
    free(own);
    return status;
}

/* Validation: the items that the run was not trained on are tested by those it was. */
static enum ecc_status split_validation(struct ecc_classify *c, struct ecc_error *error)
{
    char name[ECC_PATH_SIZE];
    ECC_TRY(ecc_model_training_items(c->model, &c->train_items, &c->train_n, c->train, error));
    c->test = c->train;
    c->test_n = c->train->count - c->train_n;
    if (c->test_n == 0) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "the run %s kept no items for validation, expected one trained with "
                        "--validation N",
                        ecc_quote_path(name, c->model->run->directory));
    }
    c->test_items = malloc(c->test_n * sizeof *c->test_items);
    if (!c->test_items) return ecc_fail_memory(error, "the validation items");
    for (size_t i = 0, k = 0, at = 0; i < c->train->count; i++) {
        if (k < c->train_n && c->train_items[k] == i) {
            k++;
        } else {
            c->test_items[at++] = (uint32_t)i;
        }
    }
    return ECC_OK;
}

static enum ecc_status open_items(struct ecc_classify *c, struct ecc_error *error)
{
    const struct ecc_classify_settings *const s = c->settings;
    ECC_TRY(ecc_model_open_data(c->model, &c->train, s->train, s->items, error));
    if (s->validation) {
        ECC_TRY(split_validation(c, error));
    } else {
        ECC_TRY(open_test(c, error));
        c->train_n = c->train->count;
        c->test_n = c->test->count;
    }
    ECC_TRY(ecc_labels_take(&c->train_labels, c->train, c->train_items, c->train_n, error));
    ECC_TRY(ecc_labels_check(&c->train_labels, c->train, error));
    ECC_TRY(ecc_labels_take(&c->test_labels, c->test, c->test_items, c->test_n, error));
    return ecc_labels_match(&c->train_labels, &c->test_labels, error);
}

/* ---- Latents --------------------------------------------------------------------------------- */

static enum ecc_status encode(struct ecc_classify *c, float **z, struct ecc_dataset *data,
                              const uint32_t *items, size_t n, struct ecc_error *error)
{
    struct ecc_cli_watch report;
    *z = malloc(n * c->model->d * sizeof **z);
    if (!*z) return ecc_fail_memory(error, "the latents");
    ecc_cli_watch_start(&report, &c->settings->common);
    const enum ecc_status status =
        ecc_model_encode_data(c->model, *z, data, items, n, &report.watch, error);
    ecc_cli_watch_end(&report);
    return status;
}

enum ecc_status ecc_classify_turn(struct ecc_classify *c, struct ecc_error *error)
{
    struct ecc_view *const v = &c->views[ECC_VIEW_LATENTS];
    const struct ecc_stand_in items = {c->settings->train, v->train, v->train_n};
    struct ecc_cli_watch cli;
    ecc_cli_watch_start(&cli, &c->settings->common);
    const enum ecc_status status =
        ecc_model_components_or_fit(c->model, &c->components, &items, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    ECC_TRY(status);
    ECC_TRY(ecc_components_project(&c->components, v->train, v->train, v->train_n, error));
    return ecc_components_project(&c->components, v->test, v->test, v->test_n, error);
}

static enum ecc_status view_latents(struct ecc_classify *c, struct ecc_error *error)
{
    struct ecc_view *const v = &c->views[ECC_VIEW_LATENTS];
    *v = (struct ecc_view){.name = "latents",
                           .d = c->model->d,
                           .train_n = c->train_n,
                           .test_n = c->test_n,
                           .train_labels = &c->train_labels,
                           .test_labels = &c->test_labels};
    c->view_count = 1;
    ECC_TRY(encode(c, &v->train, c->train, c->train_items, c->train_n, error));
    ECC_TRY(encode(c, &v->test, c->test, c->test_items, c->test_n, error));
    return c->settings->method == ECC_CLASSIFY_TREE ? ecc_classify_turn(c, error) : ECC_OK;
}

/* ---- Pixels and ordinary components ---------------------------------------------------------- */

/* Evenly spread rows: row i of `kept` is this one of n. */
static size_t spread(size_t i, size_t kept, size_t n)
{
    return (size_t)((double)i * (double)n / (double)kept);
}

/* x: [kept, size] of evenly spread items of the list (NULL: all n), the caller's to free. */
static enum ecc_status read_pixels(float **x, struct ecc_dataset *data, const uint32_t *items,
                                   size_t n, size_t kept, struct ecc_error *error)
{
    const size_t size = ecc_shape_size(data->shape);
    uint32_t numbers[BLOCK];
    *x = malloc((kept * size + 1) * sizeof **x);
    if (!*x) return ecc_fail_memory(error, "the pixels");
    for (size_t first = 0; first < kept; first += BLOCK) {
        const size_t count = kept - first < BLOCK ? kept - first : BLOCK;
        for (size_t i = 0; i < count; i++) {
            const size_t row = spread(first + i, kept, n);
            numbers[i] = items ? items[row] : (uint32_t)row;
        }
        ECC_TRY(ecc_dataset_read(data, *x + first * size, numbers, count, error));
    }
    return ECC_OK;
}

/* Labels of evenly spread rows. */
static enum ecc_status spread_labels(struct ecc_labels *labels, const struct ecc_labels *from,
                                     size_t kept, struct ecc_error *error)
{
    const struct ecc_labelled empty = {.labels = from, .n = from->n};
    uint32_t *const rows = malloc(kept * sizeof *rows);
    float *x = NULL;
    if (!rows) return ecc_fail_memory(error, "the labels");
    for (size_t i = 0; i < kept; i++) rows[i] = (uint32_t)spread(i, kept, from->n);
    const enum ecc_status status = ecc_labelled_copy(&x, labels, &empty, rows, kept, error);
    free(x);
    free(rows);
    return status;
}

static size_t limit(size_t n, size_t size, size_t numbers)
{
    const size_t most = numbers / size > 1 ? numbers / size : 1;
    return n < most ? n : most;
}

static enum ecc_status view_pixels(struct ecc_classify *c, struct ecc_error *error)
{
    struct ecc_view *const v = &c->views[ECC_VIEW_PIXELS];
    const size_t size = c->model->size;
    *v = (struct ecc_view){.name = c->train->is_table ? "columns" : "pixels",
                           .d = size,
                           .train_n = limit(c->train_n, size, PIXELS),
                           .test_n = limit(c->test_n, size, PIXELS),
                           .train_labels = &v->own[0],
                           .test_labels = &v->own[1]};
    c->view_count = ECC_VIEWS;
    ECC_TRY(read_pixels(&v->train, c->train, c->train_items, c->train_n, v->train_n, error));
    ECC_TRY(read_pixels(&v->test, c->test, c->test_items, c->test_n, v->test_n, error));
    ECC_TRY(spread_labels(&v->own[0], &c->train_labels, v->train_n, error));
    return spread_labels(&v->own[1], &c->test_labels, v->test_n, error);
}

/* z: [n, d] of all items of a list, read again in blocks. */
static enum ecc_status project_all(const struct ecc_pca *pca, float **z, struct ecc_dataset *data,
                                   const uint32_t *items, size_t n, struct ecc_error *error)
{
    float *const x = malloc(BLOCK * pca->size * sizeof *x);
    uint32_t numbers[BLOCK];
    *z = malloc(n * pca->d * sizeof **z);
    enum ecc_status status = x && *z ? ECC_OK : ecc_fail_memory(error, "principal components");
    for (size_t first = 0; status == ECC_OK && first < n; first += BLOCK) {
        const size_t count = n - first < BLOCK ? n - first : BLOCK;
        for (size_t i = 0; i < count; i++) {
            numbers[i] = items ? items[first + i] : (uint32_t)(first + i);
        }
        status = ecc_dataset_read(data, x, numbers, count, error);
        if (status == ECC_OK) ecc_pca_project(pca, *z + first * pca->d, x, count);
    }
    free(x);
    return status;
}

static enum ecc_status view_pca(struct ecc_classify *c, struct ecc_error *error)
{
    const struct ecc_view *const pixels = &c->views[ECC_VIEW_PIXELS];
    struct ecc_view *const v = &c->views[ECC_VIEW_PCA];
    struct ecc_pca pca;
    ECC_TRY(ecc_pca_fit(&pca, pixels->train, pixels->train_n, c->model->size, c->model->d, error));
    *v = (struct ecc_view){.name = "PCA",
                           .d = pca.d,
                           .train_n = c->train_n,
                           .test_n = c->test_n,
                           .train_labels = &c->train_labels,
                           .test_labels = &c->test_labels};
    enum ecc_status status =
        project_all(&pca, &v->train, c->train, c->train_items, c->train_n, error);
    if (status == ECC_OK) {
        status = project_all(&pca, &v->test, c->test, c->test_items, c->test_n, error);
    }
    ecc_pca_release(&pca);
    return status;
}

/* Trees cannot use as many pixels as neighbours can. */
static enum ecc_status thin_out(struct ecc_view *v, struct ecc_error *error)
{
    const size_t kept = limit(v->train_n, v->d, TREE_PIXELS), n = v->train_n;
    if (kept == n) return ECC_OK;
    for (size_t i = 0; i < kept; i++) {
        memmove(v->train + i * v->d, v->train + spread(i, kept, n) * v->d, v->d * sizeof *v->train);
    }
    struct ecc_labels fewer;
    ECC_TRY(spread_labels(&fewer, &v->own[0], kept, error));
    ecc_labels_release(&v->own[0]);
    v->own[0] = fewer;
    v->train_n = kept;
    return ECC_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static enum ecc_status check_counts(const struct ecc_classify *c, struct ecc_error *error)
{
    const struct ecc_classify_settings *const s = c->settings;
    for (size_t i = 0; i < s->label_count_count; i++) {
        const size_t labels = s->label_counts[i] ? s->label_counts[i] : c->train_n;
        if (labels > c->train_n) {
            return ecc_fail(error, ECC_BAD_DATA,
                            "--labels asks for %zu labelled items, but there are %zu training "
                            "items",
                            labels, c->train_n);
        }
        if (s->method == ECC_CLASSIFY_KNN && s->neighbours > labels) {
            return ecc_fail(error, ECC_BAD_DATA,
                            "%zu neighbours cannot be found among %zu labelled items, expected at "
                            "most as many as there are items",
                            s->neighbours, labels);
        }
    }
    return ECC_OK;
}

enum ecc_status ecc_classify_open(struct ecc_classify *c, const char *run, struct ecc_error *error)
{
    if (!c->model) ECC_TRY(ecc_cli_open(&c->model, run, &c->settings->common, error));
    ECC_TRY(open_items(c, error));
    ECC_TRY(check_counts(c, error));
    ECC_TRY(view_latents(c, error));
    if (c->settings->baselines != 0) return ECC_OK;
    ECC_TRY(view_pixels(c, error));
    ECC_TRY(view_pca(c, error));
    struct ecc_view *const pixels = &c->views[ECC_VIEW_PIXELS];
    return c->settings->method == ECC_CLASSIFY_TREE ? thin_out(pixels, error) : ECC_OK;
}

void ecc_classify_release(struct ecc_classify *c)
{
    for (size_t v = 0; v < ECC_VIEWS; v++) {
        free(c->views[v].train);
        free(c->views[v].test);
        ecc_labels_release(&c->views[v].own[0]);
        ecc_labels_release(&c->views[v].own[1]);
        free(c->target_errors[v]);
        for (size_t r = 0; c->rows && r < c->row_count; r++) free(c->rows[r].errors[v]);
    }
    free(c->rows);
    free(c->target_majority);
    free(c->predicted);
    for (size_t i = 0; c->binary_names && c->binary_names[i]; i++) free(c->binary_names[i]);
    free(c->binary_names);
    ecc_labels_release(&c->binary[0]);
    ecc_labels_release(&c->binary[1]);
    free(c->stumps);
    free(c->stump_gains);
    ecc_labels_release(&c->train_labels);
    ecc_labels_release(&c->test_labels);
    ecc_components_release(&c->components);
    if (c->test != c->train) ecc_dataset_close(c->test);
    ecc_dataset_close(c->train);
    free(c->train_items);
    free(c->test_items);
    ecc_model_close(c->model);
}
