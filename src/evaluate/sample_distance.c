/* sample_distance.c: how far samples of a model are from items it was not trained on. */
#include "evaluate/sample_distance.h"
#include "base/watch.h"
#include "model/seen.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 2000, MOST_AXES = 64, SAMPLES = 5000, DRAWN = 250 };

/* ---- Items ---------------------------------------------------------------------------------- */

/* The run's validation items, as ecc_model_test_items gives test items. */
static enum ecc_status find_validation(const struct ecc_model *model, struct ecc_test_items *found,
                                       struct ecc_error *error)
{
    ECC_TRY(ecc_model_open_data(model, &found->data, NULL, 0, error));
    const size_t all = found->data->count;
    uint8_t *const marks = malloc(all + 1);
    found->items = malloc((all + 1) * sizeof *found->items);
    enum ecc_status status =
        marks && found->items ? ECC_OK : ecc_fail_memory(error, "the validation items");
    if (status == ECC_OK) {
        status = ecc_model_mark_seen(model, marks, &found->seen, found->data, false, error);
    }
    for (size_t i = 0; status == ECC_OK && i < all; i++) {
        if (marks[i] == ECC_ITEM_VALIDATION) found->items[found->count++] = (uint32_t)i;
    }
    free(marks);
    return status;
}

struct rows {
    float *x;
    size_t size;
};

static enum ecc_status take(void *context, const float *x, size_t first, size_t n,
                            struct ecc_error *error)
{
    const struct rows *const rows = context;
    (void)error;
    memcpy(rows->x + first * rows->size, x, n * rows->size * sizeof *x);
    return ECC_OK;
}

/* *x: [*n, size], the caller's to free. */
static enum ecc_status read_items(float **x, size_t *n, struct ecc_model *model, bool validation,
                                  const struct ecc_watch *watch, struct ecc_error *error)
{
    const struct ecc_test_request request = {.most = MOST_ITEMS};
    struct ecc_test_items found = {0};
    enum ecc_status status = validation
                                 ? find_validation(model, &found, error)
                                 : ecc_model_test_items(model, &found, &request, watch, error);
    *n = found.count < MOST_ITEMS ? found.count : MOST_ITEMS;
    *x = malloc((*n + 1) * model->size * sizeof **x);
    struct rows rows = {*x, model->size};
    const struct ecc_visit visit = {"items", take, &rows};
    if (status == ECC_OK && !*x) status = ecc_fail_memory(error, "the items");
    if (status == ECC_OK && *n < 4) {
        status = ecc_fail(error, ECC_BAD_DATA, "there are %zu %s items, expected 4 or more", *n,
                          validation ? "validation" : "test");
    }
    if (status == ECC_OK) {
        status = ecc_model_visit(model, found.data, found.items, *n, &visit, watch, error);
    }
    if (status == ECC_OK) ecc_fill_missing(*x, *n * model->size);
    ecc_test_items_release(&found);
    return status;
}

/* ---- Samples -------------------------------------------------------------------------------- */

/* f: [SAMPLES, axes] */
static enum ecc_status draw(float *f, struct ecc_model *model, const struct ecc_pca *pca,
                            const struct ecc_components *components, float *memory,
                            const struct ecc_watch *watch, struct ecc_error *error)
{
    const struct ecc_sampler sampler = ecc_model_sampler(model, components, 1);
    float *const z = memory, *const x = memory + DRAWN * model->d;
    for (size_t i = 0; i < SAMPLES; i += DRAWN) {
        const struct ecc_work work = {"samples", "samples", i, SAMPLES, NULL};
        ECC_TRY(ecc_watch_work(watch, &work, error));
        ECC_TRY(ecc_sampler_draw(&sampler, z, i, DRAWN, error));
        ECC_TRY(ecc_model_decode(model, x, z, DRAWN, error));
        ecc_pca_project(pca, f + i * pca->d, x, DRAWN);
    }
    return ECC_OK;
}

/* f: [SAMPLES + n, axes]; first those of the samples, then those of the items. */
static enum ecc_status compare(struct ecc_sample_distance *result, const float *f, size_t n,
                               size_t axes, struct ecc_error *error)
{
    const struct ecc_feature_rows rows[] = {{f, SAMPLES, axes}, {f + SAMPLES * axes, n, axes}};
    struct ecc_statistics a = {0}, b = {0};
    enum ecc_status status = ecc_statistics_fit(&a, &rows[0], "components", error);
    if (status == ECC_OK) status = ecc_statistics_fit(&b, &rows[1], "components", error);
    if (status == ECC_OK) status = ecc_frechet_distance(&result->frechet, &a, &b, error);
    ecc_statistics_release(&a);
    ecc_statistics_release(&b);
    result->items = n;
    result->samples = SAMPLES;
    result->axes = axes;
    return status;
}

static enum ecc_status measure(struct ecc_sample_distance *result, struct ecc_model *model,
                               const float *x, size_t n, const struct ecc_watch *watch,
                               struct ecc_error *error)
{
    struct ecc_pca pca;
    struct ecc_components components = {0};
    const size_t axes = n / 4 < MOST_AXES ? n / 4 : MOST_AXES;
    ECC_TRY(ecc_pca_fit(&pca, x, n, model->size, axes, error));
    float *const f = malloc((SAMPLES + n) * pca.d * sizeof *f);
    float *const memory = malloc(DRAWN * (model->d + model->size) * sizeof *memory);
    enum ecc_status status =
        f && memory ? ECC_OK : ecc_fail_memory(error, "the features of the samples");
    if (status == ECC_OK) status = ecc_model_components(model, &components, NULL, watch, error);
    if (status == ECC_OK) status = draw(f, model, &pca, &components, memory, watch, error);
    if (status == ECC_OK) {
        ecc_pca_project(&pca, f + SAMPLES * pca.d, x, n);
        status = compare(result, f, n, pca.d, error);
    }
    ecc_components_release(&components);
    ecc_pca_release(&pca);
    free(f);
    free(memory);
    return status;
}

enum ecc_status ecc_sample_distance_measure(struct ecc_sample_distance *result,
                                            struct ecc_model *model, bool validation,
                                            const struct ecc_watch *watch, struct ecc_error *error)
{
    float *x = NULL;
    size_t n;
    *result = (struct ecc_sample_distance){.items = 0};
    enum ecc_status status = read_items(&x, &n, model, validation, watch, error);
    if (status == ECC_OK) status = measure(result, model, x, n, watch, error);
    free(x);
    return status;
}
