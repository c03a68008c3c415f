/* impute.c: a table with its missing cells filled by the decoder. */
#include "base/text.h"
#include "data/source.h"
#include "data/table_copy.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct imputing {
    struct ecc_model *model;
    const struct ecc_dataset *data;
    struct ecc_table_copy *copy;
    float *z; /* [batch, d] */
    size_t filled;
};

/* Fills what is missing in one row; again: [size], what the decoder says of it, NaN of the rest. */
static enum ecc_status fill_row(struct imputing *g, const float *again, size_t row,
                                struct ecc_error *error)
{
    const struct ecc_schema *const schema = ecc_model_schema(g->model);
    for (size_t c = 0; c < schema->count; c++) {
        const struct ecc_column *const column = &schema->columns[c];
        if (column->features == 0 || isnan(again[column->first])) continue;
        ECC_TRY(ecc_table_copy_fill(g->copy, row, c, again, error));
        g->filled++;
    }
    return ECC_OK;
}

static enum ecc_status decode_missing(void *context, void *results, const float *x, size_t n,
                                      struct ecc_error *error)
{
    struct imputing *const g = context;
    float *const again = results;
    ECC_TRY(ecc_model_encode(g->model, g->z, x, n, error));
    ECC_TRY(ecc_model_decode(g->model, again, g->z, n, error));
    for (size_t i = 0; i < n * g->model->size; i++) {
        if (!isnan(x[i])) again[i] = NAN;
    }
    return ECC_OK;
}

static enum ecc_status fill_batch(void *context, const void *results, size_t first, size_t n,
                                  struct ecc_error *error)
{
    struct imputing *const g = context;
    const float *const again = results;
    for (size_t i = 0; i < n; i++) {
        const size_t row = g->data->rows[first + i];
        ECC_TRY(fill_row(g, again + i * g->model->size, row, error));
    }
    return ECC_OK;
}

static enum ecc_status check(const struct ecc_model *m, const struct ecc_dataset *data,
                             struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    if (!ecc_model_schema(m)) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "only cells of a text table can be filled, and the run %s was not trained "
                        "on one",
                        ecc_quote_path(shown, m->run->directory));
    }
    if (strcmp(data->source->name, "csv") == 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%s is not a text table: it has no cells to fill",
                    ecc_quote_path(shown, data->name));
}

/* The file of a data set, without the part that is named after it; the caller frees it. */
static char *path_of(const struct ecc_dataset *data)
{
    enum ecc_split unused;
    const char *const colon = strrchr(data->name, ':');
    const bool part = colon && ecc_split_parse(&unused, colon + 1);
    return part ? strndup(data->name, (size_t)(colon - data->name)) : strdup(data->name);
}

/* The table itself is never overwritten. */
static enum ecc_status check_apart(const char *path, const char *file, struct ecc_error *error)
{
    struct stat a, b;
    char shown[ECC_PATH_SIZE];
    if (stat(path, &a) != 0 || stat(file, &b) != 0) return ECC_OK;
    if (a.st_dev != b.st_dev || a.st_ino != b.st_ino) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "%s is the table itself: choose another name",
                    ecc_quote_path(shown, path));
}

static enum ecc_status fill_all(struct imputing *g, struct ecc_dataset *data,
                                const struct ecc_watch *watch, struct ecc_error *error)
{
    const struct ecc_model *const m = g->model;
    const struct ecc_item_map map = {"impute", m->batch * m->size * sizeof(float), g,
                                     decode_missing, fill_batch};
    g->z = malloc(m->batch * m->d * sizeof *g->z);
    if (!g->z) return ecc_fail_memory(error, "a batch of rows");
    const enum ecc_status status =
        ecc_model_map(g->model, data, NULL, data->count, &map, watch, error);
    free(g->z);
    return status;
}

enum ecc_status ecc_model_impute_data(struct ecc_model *m, size_t *filled, struct ecc_dataset *data,
                                      const char *path, const struct ecc_watch *watch,
                                      struct ecc_error *error)
{
    struct imputing g = {.model = m, .data = data};
    ECC_TRY(check(m, data, error));
    char *const file = path_of(data);
    if (!file) return ecc_fail_memory(error, "a path");
    enum ecc_status status = check_apart(path, file, error);
    if (status == ECC_OK) status = ecc_table_copy_open(&g.copy, file, ecc_model_schema(m), error);
    if (status == ECC_OK) status = fill_all(&g, data, watch, error);
    if (status == ECC_OK && ecc_share_is_first(m->share)) {
        status = ecc_table_copy_write(g.copy, path, error);
    }
    if (status == ECC_OK) *filled = g.filled;
    ecc_table_copy_close(g.copy);
    free(file);
    return status;
}

enum ecc_status ecc_model_impute(struct ecc_model *m, size_t *filled, const char *data,
                                 const char *path, const struct ecc_watch *watch,
                                 struct ecc_error *error)
{
    struct ecc_dataset *opened;
    ECC_TRY(ecc_model_open_data(m, &opened, data, 0, error));
    const enum ecc_status status = ecc_model_impute_data(m, filled, opened, path, watch, error);
    ecc_dataset_close(opened);
    return status;
}
