/* table.c: makes a data set from rows of numbers: standardises the columns and keeps the scaling.
 */
#include "data/table.h"

#include "base/text.h"
#include "data/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether row i counts for mean and deviation, which must not know the test part. */
static bool fits(const struct ecc_data_request *request, size_t row)
{
    return request->split == ECC_SPLIT_ALL || !request->test[row];
}

/* Two passes, so that columns far from zero lose no digits. */
static void fit(struct ecc_scaling *scaling, const double *values, size_t rows,
                const struct ecc_data_request *request)
{
    const size_t columns = scaling->columns;
    double *const mean = scaling->mean, *const square = scaling->deviation;
    size_t n = 0;
    for (size_t i = 0; i < rows; i++) {
        n += fits(request, i);
        for (size_t j = 0; j < columns && fits(request, i); j++) {
            mean[j] += values[i * columns + j];
        }
    }
    for (size_t j = 0; j < columns; j++) {
        mean[j] /= (double)n;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns && fits(request, i); j++) {
            const double off = values[i * columns + j] - mean[j];
            square[j] += off * off;
        }
    }
    for (size_t j = 0; j < columns; j++) {
        square[j] = sqrt(square[j] / (double)n);
    }
}

/* A constant column becomes 0 everywhere: its deviation, which is only rounding, is set to 1. */
static enum ecc_status check_fit(struct ecc_dataset *data, const char *path,
                                 struct ecc_error *error)
{
    struct ecc_scaling *const scaling = &data->scaling;
    size_t constant = 0;
    for (size_t j = 0; j < scaling->columns; j++) {
        if (!isfinite(scaling->mean[j]) || !isfinite(scaling->deviation[j])) {
            char shown[ECC_PATH_SIZE];
            return ecc_fail(error, ECC_BAD_DATA,
                            "%s: the values of column %zu are too large to standardise",
                            ecc_quote_path(shown, path), j + 1);
        }
        if (scaling->deviation[j] > 1e-12 * fabs(scaling->mean[j])) continue;
        scaling->deviation[j] = 1;
        constant++;
    }
    if (constant) {
        ecc_data_remark(data, "%zu of %zu columns are constant in the rows used for scaling",
                        constant, scaling->columns);
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
                        ecc_quote_path(shown, path), j + 1, ecc_quote(ours, a, strlen(a)),
                        ecc_quote(theirs, b, strlen(b)));
    }
    memcpy(scaling->mean, given->mean, given->columns * sizeof *given->mean);
    memcpy(scaling->deviation, given->deviation, given->columns * sizeof *given->deviation);
    return ECC_OK;
}

static enum ecc_status find_scaling(struct ecc_dataset *data, const double *values,
                                    struct ecc_data_request *request, struct ecc_error *error)
{
    struct ecc_scaling *const scaling = &data->scaling;
    scaling->mean = calloc(scaling->columns, sizeof *scaling->mean);
    scaling->deviation = calloc(scaling->columns, sizeof *scaling->deviation);
    if (!request->test) request->test = ecc_data_draw_test(data->count);
    if (!scaling->mean || !scaling->deviation || !request->test) {
        return ecc_fail_memory(error, "the scaling of a table");
    }
    if (request->options->scaling) {
        return use_given(scaling, request->options->scaling, request->path, error);
    }
    fit(scaling, values, data->count, request);
    return check_fit(data, request->path, error);
}

/* In place: floats are shorter, so writes never overtake reads. */
static float *standardise(double *values, const struct ecc_scaling *scaling, size_t rows)
{
    unsigned char *const out = (unsigned char *)values;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < scaling->columns; j++) {
            const size_t at = i * scaling->columns + j;
            const float x = (float)((values[at] - scaling->mean[j]) / scaling->deviation[j]);
            memcpy(out + at * sizeof x, &x, sizeof x);
        }
    }
    const size_t bytes = rows * scaling->columns * sizeof(float);
    void *const smaller = realloc(values, bytes ? bytes : 1);
    return smaller ? smaller : (void *)out;
}

enum ecc_status ecc_table_finish(struct ecc_dataset *data, double *values, char **names,
                                 size_t columns, struct ecc_data_request *request,
                                 struct ecc_error *error)
{
    data->is_table = true;
    data->shape = (struct ecc_item_shape){columns, 1, 1};
    data->scaling.columns = columns;
    data->scaling.names = names;
    const enum ecc_status status = find_scaling(data, values, request, error);
    if (status != ECC_OK) {
        free(values);
        return status;
    }
    float *const items = standardise(values, &data->scaling, data->count);
    const struct ecc_memory memory = {.block = items, .item_size = columns, .floats = items};
    return ecc_memory_keep(data, memory, error);
}
