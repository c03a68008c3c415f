/* metrics_table.c: the rows of metrics.jsonl as a table, and the table as CSV. */
#include "run/metrics_table.h"
#include "base/file.h"
#include "base/text.h"
#include "run/number.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines ---------------------------------------------------------------------------------- */

enum { LONGEST_LINE = 1 << 20 };

/* The row that starts at `bytes`; *length is its size including the end of the line.  NULL if the
 * line is incomplete or is not a row, which is an object of numbers and nulls with a step. */
static json_t *parse_line(size_t *length, const char *bytes, size_t size)
{
    const char *const end = size ? memchr(bytes, '\n', size) : NULL;
    if (!end) return NULL;
    *length = (size_t)(end - bytes) + 1;
    json_t *const row =
        *length <= LONGEST_LINE ? json_loadb(bytes, *length, JSON_REJECT_DUPLICATES, NULL) : NULL;
    const json_t *const step = json_object_get(row, "step");
    bool good = json_is_integer(step) && json_integer_value(step) >= 0;
    const char *key;
    json_t *value;
    json_object_foreach(row, key, value) good =
        good && (json_is_number(value) || json_is_null(value));
    if (good) return row;
    json_decref(row);
    return NULL;
}

size_t ecc_metrics_lines_until(const char *bytes, size_t size, uint64_t step)
{
    size_t kept = 0, length;
    for (json_t *row; (row = parse_line(&length, bytes + kept, size - kept)); kept += length) {
        const uint64_t found = (uint64_t)json_integer_value(json_object_get(row, "step"));
        json_decref(row);
        if (found > step) break;
    }
    return kept;
}

/* ---- The table ------------------------------------------------------------------------------ */

void ecc_metrics_table_release(struct ecc_metrics_table *table)
{
    ecc_free_texts(table->names, table->columns);
    free(table->values);
    *table = (struct ecc_metrics_table){0};
}

static size_t find_column(const struct ecc_metrics_table *table, const char *name)
{
    size_t i = 0;
    while (i < table->columns && strcmp(table->names[i], name) != 0) i++;
    return i;
}

size_t ecc_metrics_curve(double *x, double *y, const struct ecc_metrics_table *table,
                         const char *name)
{
    const size_t epoch = find_column(table, "epoch"), column = find_column(table, name);
    size_t n = 0;
    if (epoch == table->columns || column == table->columns) return 0;
    for (size_t r = 0; r < table->rows; r++) {
        const double value = table->values[r * table->columns + column];
        if (!isfinite(value)) continue;
        x[n] = table->values[r * table->columns + epoch];
        y[n++] = value;
    }
    return n;
}

size_t ecc_metrics_curve_of(double *x, double *y, const struct ecc_metrics_table *table,
                            const char *name, bool refit)
{
    const size_t mark = find_column(table, ECC_METRICS_REFIT);
    if (mark == table->columns) return refit ? 0 : ecc_metrics_curve(x, y, table, name);
    size_t first = 0; /* row of the second training */
    while (first < table->rows && !(table->values[first * table->columns + mark] > 0)) first++;
    struct ecc_metrics_table part = *table;
    part.rows = refit ? table->rows - first : first;
    if (refit) part.values += first * table->columns;
    return ecc_metrics_curve(x, y, &part, name);
}

static enum ecc_status add_column(struct ecc_metrics_table *table, const char *name,
                                  struct ecc_error *error)
{
    char **const names = realloc(table->names, (table->columns + 1) * sizeof *names);
    if (!names) return ecc_fail_memory(error, "metrics");
    table->names = names;
    names[table->columns] = strdup(name);
    if (!names[table->columns]) return ecc_fail_memory(error, "metrics");
    table->columns++;
    return ECC_OK;
}

static enum ecc_status find_columns(struct ecc_metrics_table *table, json_t *rows,
                                    struct ecc_error *error)
{
    ECC_TRY(add_column(table, "step", error));
    size_t i;
    json_t *row, *value;
    const char *key;
    json_array_foreach(rows, i, row)
    {
        json_object_foreach(row, key, value)
        {
            if (find_column(table, key) == table->columns) ECC_TRY(add_column(table, key, error));
        }
    }
    return ECC_OK;
}

static enum ecc_status fill(struct ecc_metrics_table *table, json_t *rows, struct ecc_error *error)
{
    ECC_TRY(find_columns(table, rows, error));
    table->rows = json_array_size(rows);
    table->values = malloc((table->rows * table->columns + 1) * sizeof *table->values);
    if (!table->values) return ecc_fail_memory(error, "metrics");
    size_t i;
    json_t *row, *value;
    const char *key;
    for (i = 0; i < table->rows * table->columns; i++) table->values[i] = (double)NAN;
    json_array_foreach(rows, i, row)
    {
        double *const values = table->values + i * table->columns;
        json_object_foreach(row, key, value)
        {
            if (json_is_number(value)) values[find_column(table, key)] = json_number_value(value);
        }
    }
    return ECC_OK;
}

enum ecc_status ecc_metrics_decode(struct ecc_metrics_table *table, const char *bytes, size_t size,
                                   const char *name, struct ecc_error *error)
{
    *table = (struct ecc_metrics_table){0};
    json_t *const rows = json_array();
    size_t at = 0, length;
    for (json_t *row; (row = parse_line(&length, bytes + at, size - at)); at += length) {
        if (json_array_append_new(rows, row) != 0) break;
    }
    enum ecc_status status = rows ? fill(table, rows, error) : ecc_fail_memory(error, "metrics");
    /* a last line without an end is still being written */
    if (status == ECC_OK && at < size && memchr(bytes + at, '\n', size - at)) {
        char shown[ECC_PATH_SIZE];
        status = ecc_fail(error, ECC_BAD_DATA, "%s, line %zu: expected {\"step\": ..., numbers}",
                          ecc_quote_path(shown, name), json_array_size(rows) + 1);
    }
    json_decref(rows);
    if (status != ECC_OK) ecc_metrics_table_release(table);
    return status;
}

enum ecc_status ecc_metrics_read(struct ecc_metrics_table *table, const char *directory,
                                 struct ecc_error *error)
{
    *table = (struct ecc_metrics_table){0};
    char *const path = ecc_path_join(directory, ECC_METRICS_JSON);
    if (!path) return ecc_fail_memory(error, "a path");
    unsigned char *bytes = NULL;
    size_t size = 0;
    enum ecc_status status = ecc_file_read(&bytes, &size, path, error);
    if (status == ECC_OK) {
        status = ecc_metrics_decode(table, (const char *)bytes, size, path, error);
        free(bytes);
    }
    free(path);
    return status;
}

enum ecc_status ecc_metrics_table_write(const struct ecc_metrics_table *table, const char *path,
                                        struct ecc_error *error)
{
    struct ecc_output output;
    char number[ECC_NUMBER_SIZE];
    ECC_TRY(ecc_output_open(&output, path, error));
    for (size_t c = 0; table->rows && c < table->columns; c++) {
        fprintf(output.stream, "%s%s", c ? "," : "", table->names[c]);
    }
    for (size_t i = 0; i < table->rows * table->columns; i++) {
        fprintf(output.stream, "%s%s", i % table->columns ? "," : "\n",
                ecc_format_number(number, table->values[i]));
    }
    if (table->rows) putc('\n', output.stream);
    return ecc_output_commit(&output, error);
}
