/* code_use.c: how many of its codes a model uses, by the items given. */
#include "evaluate/code_use.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

bool ecc_has_codes(const struct ecc_model *model)
{
    return model->regularizer.entry->codes != NULL;
}

/* ---- Different rows ------------------------------------------------------------------------- */

/* FNV-1a, over the bytes of a row. */
static uint64_t hash_row(const void *row, size_t size)
{
    const unsigned char *const bytes = row;
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 1099511628211U;
    return hash ^ hash >> 32;
}

enum ecc_status ecc_count_different(size_t *count, float *x, size_t n, size_t dim,
                                    struct ecc_error *error)
{
    const size_t size = dim * sizeof *x;
    size_t slots = 16;
    while (slots < 2 * n) slots *= 2;
    size_t *const first = calloc(slots, sizeof *first); /* 1 + a row with this hash; 0: none */
    *count = 0;
    if (!first) return ecc_fail_memory(error, "the codes");
    for (size_t i = 0; i < n * dim; i++) x[i] += 0.0F; /* -0 becomes 0 */
    for (size_t i = 0; i < n; i++) {
        const float *const row = x + i * dim;
        size_t at = (size_t)hash_row(row, size) & (slots - 1);
        while (first[at] && memcmp(x + (first[at] - 1) * dim, row, size) != 0) {
            at = (at + 1) & (slots - 1);
        }
        if (first[at]) continue;
        first[at] = i + 1;
        ++*count;
    }
    free(first);
    return ECC_OK;
}

/* ---- Of a model ----------------------------------------------------------------------------- */

enum ecc_status ecc_code_use_measure(struct ecc_code_use *result, struct ecc_model *model,
                                     const struct ecc_test_items *items,
                                     const struct ecc_watch *watch, struct ecc_error *error)
{
    *result = (struct ecc_code_use){.codes = 0};
    if (!ecc_has_codes(model)) return ECC_OK;
    model->regularizer.entry->codes(&result->dim, &result->codes, model->d, model->regularizer.own);
    result->items = items->count;
    float *const z = malloc((items->count + 1) * model->d * sizeof *z);
    if (!z) return ecc_fail_memory(error, "the codes");
    enum ecc_status status =
        ecc_model_encode_data(model, z, items->data, items->items, items->count, watch, error);
    if (status == ECC_OK) {
        status = ecc_count_different(&result->used, z, items->count * (model->d / result->dim),
                                     result->dim, error);
    }
    free(z);
    return status;
}
