/* table.c: makes a data set from rows of numbers: scales the features and keeps the scaling. */
#include "data/table.h"

#include "base/text.h"
#include "data/memory.h"
#include "data/table_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fitting -------------------------------------------------------------------------------- */

/* A constant feature becomes 0 everywhere: its deviation, which is only rounding, is set to 1. */
static enum ecc_status check_fit(double *deviation, const double *mean, size_t columns,
                                 struct ecc_dataset *data, const char *path,
                                 struct ecc_error *error)
{
    size_t constant = 0;
    for (size_t j = 0; j < columns; j++) {
        if (!isfinite(mean[j]) || !isfinite(deviation[j])) {
            char shown[ECC_PATH_SIZE];
            return ecc_fail(error, ECC_BAD_DATA,
                            "%s: the values of column %zu are too large to standardise",
                            ecc_quote_path(shown, path), j + 1);
        }
        if (deviation[j] > 1e-12 * fabs(mean[j])) continue;
        deviation[j] = 1;
        constant++;
    }
    if (constant == columns) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has no columns to learn from: in the rows to train on, all %zu are "
                        "constant or empty",
                        ecc_quote_path(shown, path), columns);
    }
    if (constant) {
        ecc_data_remark(data, "%zu of %zu column%s %s constant in the rows used for scaling",
                        constant, columns, ecc_s(columns), ecc_is_are(constant));
    }
    return ECC_OK;
}

/* The scaling of a run must be for the same columns. */
static enum ecc_status use_given(struct ecc_scaling *scaling, const struct ecc_scaling *given,
                                 const char *path, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], ours[ECC_QUOTE_SIZE], theirs[ECC_QUOTE_SIZE];
    if (given->columns != scaling->columns) {
        return ecc_fail(error, ECC_BAD_DATA, "%s has %zu columns, expected %zu",
                        ecc_quote_path(shown, path), scaling->columns, given->columns);
    }
    for (size_t j = 0; j < given->columns && given->names && scaling->names; j++) {
        const char *const a = scaling->names[j], *const b = given->names[j];
        if (strcmp(a, b) == 0) continue;
        return ecc_fail(error, ECC_BAD_DATA, "%s: column %zu is named %s, expected %s",
                        ecc_quote_path(shown, path), j + 1, ecc_quote_name(ours, a),
                        ecc_quote_name(theirs, b));
    }
    memcpy(scaling->mean, given->mean, given->columns * sizeof *given->mean);
    memcpy(scaling->deviation, given->deviation, given->columns * sizeof *given->deviation);
    scaling->clip = given->clip;
    return ECC_OK;
}

static enum ecc_status make_robust(struct ecc_scaling *scaling,
                                   const struct ecc_number_table *table, struct ecc_error *error)
{
    double *const scratch = malloc((table->rows + 1) * sizeof *scratch);
    if (!scratch) return ecc_fail_memory(error, "the scaling of a table");
    for (size_t j = 0; j < scaling->columns; j++) {
        ecc_table_fit_robust(&scaling->mean[j], &scaling->deviation[j], table, j, scratch);
    }
    scaling->clip = ECC_ROBUST_CLIP;
    free(scratch);
    return ECC_OK;
}

static enum ecc_status find_scaling(struct ecc_dataset *data, const double *values,
                                    struct ecc_data_request *request, struct ecc_error *error)
{
    struct ecc_scaling *const scaling = &data->scaling;
    const size_t columns = scaling->columns;
    scaling->mean = calloc(columns + 1, sizeof *scaling->mean);
    scaling->deviation = calloc(columns + 1, sizeof *scaling->deviation);
    if (!request->test) request->test = ecc_data_draw_test(data->count);
    if (!scaling->mean || !scaling->deviation || !request->test) {
        return ecc_fail_memory(error, "the scaling of a table");
    }
    if (request->options->scaling) {
        return use_given(scaling, request->options->scaling, request->path, error);
    }
    const struct ecc_number_table table = {values, data->count, columns, request};
    ECC_TRY(ecc_table_fit(scaling->mean, scaling->deviation, &table, error));
    if (request->options->scaler == ECC_SCALER_ROBUST) {
        ECC_TRY(make_robust(scaling, &table, error));
    }
    return check_fit(scaling->deviation, scaling->mean, columns, data, request->path, error);
}

/* ---- Scaling -------------------------------------------------------------------------------- */

/* In place: floats are shorter, so writes never overtake reads.  clip: [columns] or NULL. */
static float *standardise(double *values, const struct ecc_scaling *scaling, const double *clip,
                          size_t rows)
{
    unsigned char *const out = (unsigned char *)values;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < scaling->columns; j++) {
            const size_t at = i * scaling->columns + j;
            double value = (values[at] - scaling->mean[j]) / scaling->deviation[j];
            const double most = clip ? clip[j] : scaling->clip;
            if (most > 0 && fabs(value) > most) value = value > 0 ? most : -most;
            const float x = (float)value;
            memcpy(out + at * sizeof x, &x, sizeof x);
        }
    }
    const size_t bytes = rows * scaling->columns * sizeof(float);
    void *const smaller = realloc(values, bytes ? bytes : 1);
    return smaller ? smaller : (void *)out;
}

/* Takes over the values. */
static enum ecc_status keep(struct ecc_dataset *data, double *values, const double *clip,
                            struct ecc_error *error)
{
    const size_t columns = data->scaling.columns;
    data->is_table = true;
    data->shape = (struct ecc_item_shape){columns, 1, 1};
    float *const items = standardise(values, &data->scaling, clip, data->count);
    const struct ecc_memory memory = {.block = items, .item_size = columns, .floats = items};
    return ecc_memory_keep(data, memory, error);
}

static void remark_on_gaps(struct ecc_dataset *data, const double *values, size_t columns)
{
    size_t cells = 0, rows = 0;
    for (size_t i = 0; i < data->count; i++) {
        const size_t before = cells;
        for (size_t j = 0; j < columns; j++) cells += isnan(values[i * columns + j]);
        rows += cells > before;
    }
    if (cells == 0) return;
    ecc_data_remark(data, "missing cells: %zu (%.2g%%), in %zu of %zu rows", cells,
                    100 * (double)cells / ((double)data->count * (double)columns), rows,
                    data->count);
}

enum ecc_status ecc_table_finish(struct ecc_dataset *data, double *values, char **names,
                                 size_t columns, struct ecc_data_request *request,
                                 struct ecc_error *error)
{
    data->scaling.columns = columns;
    data->scaling.names = names;
    const enum ecc_status status = find_scaling(data, values, request, error);
    if (status != ECC_OK) {
        free(values);
        return status;
    }
    remark_on_gaps(data, values, columns);
    return keep(data, values, NULL, error);
}

/* ---- With a schema -------------------------------------------------------------------------- */

/* As they were written; of more than three, only those that say something: five digits of the
 * deviation. */
static int useful_decimals(const struct ecc_column *column)
{
    const int told = 5 - (int)floor(log10(column->deviation)), most = told > 3 ? told : 3;
    return column->decimals < most ? column->decimals : most;
}

/* What is fitted of a table, before its columns take it. */
struct fit {
    struct ecc_number_table table;
    double *mean, *deviation; /* [features] */
    double *scratch;          /* [rows], for the robust scaling; NULL: not asked for */
    size_t constant;
};

static void take_category(struct ecc_column *column, const struct fit *fit)
{
    double variance = 0;
    for (size_t i = 0; i < column->features; i++) {
        const double share = column->shares[i] = fit->mean[column->first + i];
        variance += share * (1 - share);
    }
    column->deviation = variance > 1e-12 ? sqrt(variance) : 1;
}

static enum ecc_status take_number(struct ecc_column *column, struct fit *fit, const char *path,
                                   struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    double mean = fit->mean[column->first], deviation = fit->deviation[column->first];
    if (fit->scratch) {
        ecc_table_fit_robust(&mean, &deviation, &fit->table, column->first, fit->scratch);
        column->clip = ECC_ROBUST_CLIP;
    }
    if (!isfinite(mean) || !isfinite(deviation)) {
        return ecc_fail(
            error, ECC_BAD_DATA,
            "%s: the values of column %s are too large to standardise; correct them, or "
            "leave the column out (--drop)",
            ecc_quote_path(shown, path), ecc_quote_name(quoted, column->name));
    }
    const bool constant = !(deviation > 1e-12 * fabs(mean));
    fit->constant += constant;
    column->mean = mean;
    column->deviation = constant ? 1 : deviation;
    const struct ecc_column_range range = ecc_table_range(&fit->table, column->first);
    column->low = range.low;
    column->high = range.high;
    column->gaps = range.gaps;
    column->distinct = range.distinct;
    if (column->kind == ECC_COLUMN_NUMBER) column->decimals = useful_decimals(column);
    return ECC_OK;
}

static enum ecc_status take_all(struct ecc_schema *schema, struct fit *fit, const char *path,
                                struct ecc_error *error)
{
    if (!fit->mean || (fit->table.request->options->scaler == ECC_SCALER_ROBUST && !fit->scratch)) {
        return ecc_fail_memory(error, "the scaling of a table");
    }
    fit->deviation = fit->mean + schema->features;
    ECC_TRY(ecc_table_fit(fit->mean, fit->deviation, &fit->table, error));
    for (size_t i = 0; i < schema->count; i++) {
        struct ecc_column *const column = &schema->columns[i];
        if (column->kind == ECC_COLUMN_CATEGORY) {
            take_category(column, fit);
        } else if (column->features > 0) {
            ECC_TRY(take_number(column, fit, path, error));
        }
    }
    return ECC_OK;
}

static enum ecc_status fit_schema(struct ecc_dataset *data, const double *values,
                                  const struct ecc_data_request *request, struct ecc_error *error)
{
    const size_t features = data->schema->features;
    const bool robust = request->options->scaler == ECC_SCALER_ROBUST;
    struct fit fit = {.table = {values, data->count, features, request},
                      .mean = malloc(2 * (features + 1) * sizeof *fit.mean),
                      .scratch = robust ? malloc((data->count + 1) * sizeof *fit.scratch) : NULL};
    const enum ecc_status status = take_all(data->schema, &fit, request->path, error);
    free(fit.mean);
    free(fit.scratch);
    if (status == ECC_OK && fit.constant > 0) {
        ecc_data_remark(data, "%zu column%s %s constant in the rows used for scaling", fit.constant,
                        ecc_s(fit.constant), ecc_is_are(fit.constant));
    }
    return status;
}

enum ecc_status ecc_table_finish_schema(struct ecc_dataset *data, double *values, bool fitted,
                                        struct ecc_data_request *request, struct ecc_error *error)
{
    const struct ecc_schema *const schema = data->schema;
    double *const clip = calloc(schema->features + 1, sizeof *clip);
    enum ecc_status status = clip ? ECC_OK : ecc_fail_memory(error, "the scaling of a table");
    if (status == ECC_OK && !fitted) status = fit_schema(data, values, request, error);
    if (status == ECC_OK) status = ecc_schema_scaling(&data->scaling, schema, error);
    for (size_t i = 0; status == ECC_OK && i < schema->count; i++) {
        const struct ecc_column *const column = &schema->columns[i];
        const bool number = column->kind <= ECC_COLUMN_DATE;
        if (number) clip[column->first] = column->clip;
    }
    if (status == ECC_OK) {
        status = keep(data, values, clip, error);
    } else {
        free(values);
    }
    free(clip);
    return status;
}
