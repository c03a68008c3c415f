/* metrics.c: what training measures, appended row by row to metrics.jsonl and metrics.csv. */
#include "run/metrics.h"
#include "base/activity.h"
#include "base/file.h"
#include "base/text.h"
#include "run/metrics_table.h"
#include "run/number.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ecc_metrics {
    char *directory, *json_path, *csv_path;
    FILE *json, *csv;
    char **columns; /* [column_count] of the CSV, without the step */
    size_t column_count;
    uint64_t last_step;
};

/* ---- Opening -------------------------------------------------------------------------------- */

static void forget_columns(struct ecc_metrics *metrics)
{
    ecc_free_texts(metrics->columns, metrics->column_count);
    metrics->columns = NULL;
    metrics->column_count = 0;
}

void ecc_metrics_close(struct ecc_metrics *metrics)
{
    if (!metrics) return;
    if (metrics->json) fclose(metrics->json);
    if (metrics->csv) fclose(metrics->csv);
    forget_columns(metrics);
    free(metrics->directory);
    free(metrics->json_path);
    free(metrics->csv_path);
    free(metrics);
}

static enum ecc_status prepare(struct ecc_metrics **result, const char *directory,
                               struct ecc_error *error)
{
    *result = calloc(1, sizeof **result);
    if (!*result) return ecc_fail_memory(error, "metrics");
    struct ecc_metrics *const metrics = *result;
    metrics->directory = strdup(directory);
    metrics->json_path = ecc_path_join(directory, ECC_METRICS_JSON);
    metrics->csv_path = ecc_path_join(directory, ECC_METRICS_CSV);
    if (metrics->directory && metrics->json_path && metrics->csv_path) return ECC_OK;
    return ecc_fail_memory(error, "metrics");
}

static enum ecc_status open_stream(FILE **stream, const char *path, const char *mode,
                                   struct ecc_error *error)
{
    if (*stream) fclose(*stream);
    *stream = fopen(path, mode);
    return *stream ? ECC_OK : ecc_fail_errno(error, "write", path);
}

static enum ecc_status open_both(struct ecc_metrics *metrics, const char *mode,
                                 struct ecc_error *error)
{
    ECC_TRY(open_stream(&metrics->json, metrics->json_path, mode, error));
    return open_stream(&metrics->csv, metrics->csv_path, mode, error);
}

enum ecc_status ecc_metrics_create(struct ecc_metrics **metrics, const char *directory,
                                   struct ecc_error *error)
{
    enum ecc_status status = prepare(metrics, directory, error);
    if (status == ECC_OK) status = open_both(*metrics, "wb", error);
    if (status == ECC_OK) return ECC_OK;
    ecc_metrics_close(*metrics);
    *metrics = NULL;
    return status;
}

/* Rewrites the CSV from the JSON lines and adopts its columns. */
static enum ecc_status rewrite_csv(struct ecc_metrics *metrics, struct ecc_error *error)
{
    struct ecc_metrics_table table;
    ECC_TRY(ecc_metrics_read(&table, metrics->directory, error));
    enum ecc_status status = ecc_metrics_table_write(&table, metrics->csv_path, error);
    if (status == ECC_OK) {
        forget_columns(metrics);
        if (table.rows)
            metrics->last_step = (uint64_t)table.values[(table.rows - 1) * table.columns];
        free(table.names[0]); /* "step" */
        metrics->column_count = table.columns - 1;
        memmove(table.names, table.names + 1, metrics->column_count * sizeof *table.names);
        metrics->columns = table.names;
        table.names = NULL;
        status = open_stream(&metrics->csv, metrics->csv_path, "ab", error);
    }
    ecc_metrics_table_release(&table);
    return status;
}

static enum ecc_status cut_and_continue(struct ecc_metrics *metrics, uint64_t step,
                                        struct ecc_error *error)
{
    if (access(metrics->json_path, F_OK) != 0) return open_both(metrics, "wb", error);
    unsigned char *bytes;
    size_t size;
    ECC_TRY(ecc_file_read(&bytes, &size, metrics->json_path, error));
    const size_t kept = ecc_metrics_lines_until((const char *)bytes, size, step);
    free(bytes);
    if (kept < size && truncate(metrics->json_path, (off_t)kept) != 0) {
        return ecc_fail_errno(error, "write", metrics->json_path);
    }
    ECC_TRY(open_stream(&metrics->json, metrics->json_path, "ab", error));
    return rewrite_csv(metrics, error);
}

enum ecc_status ecc_metrics_resume(struct ecc_metrics **metrics, const char *directory,
                                   uint64_t step, struct ecc_error *error)
{
    enum ecc_status status = prepare(metrics, directory, error);
    if (status == ECC_OK) status = cut_and_continue(*metrics, step, error);
    if (status == ECC_OK) return ECC_OK;
    ecc_metrics_close(*metrics);
    *metrics = NULL;
    return status;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

static bool is_name(const char *name)
{
    const char *c = name;
    while (isalnum((unsigned char)*c) || (*c && strchr("_./-", *c))) c++;
    return c != name && *c == '\0' && strcmp(name, "step") != 0;
}

static enum ecc_status check_row(const struct ecc_metrics *metrics, uint64_t step,
                                 const struct ecc_metric *row, size_t count,
                                 struct ecc_error *error)
{
    char quoted[ECC_QUOTE_SIZE];
    if (step < metrics->last_step) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "metrics of step %llu after those of step %llu",
                        (unsigned long long)step, (unsigned long long)metrics->last_step);
    }
    for (size_t i = 0; i < count; i++) {
        bool good = is_name(row[i].name);
        for (size_t j = 0; j < i; j++) good = good && strcmp(row[i].name, row[j].name) != 0;
        if (good) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%s is not a valid name for a metric, or is there twice",
                        ecc_quote(quoted, row[i].name, strlen(row[i].name)));
    }
    return ECC_OK;
}

static void write_json_row(FILE *stream, uint64_t step, const struct ecc_metric *row, size_t count)
{
    char number[ECC_NUMBER_SIZE];
    fprintf(stream, "{\"step\": %llu", (unsigned long long)step);
    for (size_t i = 0; i < count; i++) {
        ecc_format_number(number, row[i].value);
        fprintf(stream, ", \"%s\": %s", row[i].name, number[0] ? number : "null");
    }
    fputs("}\n", stream);
}

static bool has_column(const struct ecc_metrics *metrics, const char *name)
{
    for (size_t i = 0; i < metrics->column_count; i++) {
        if (strcmp(metrics->columns[i], name) == 0) return true;
    }
    return false;
}

static void write_csv_row(const struct ecc_metrics *metrics, uint64_t step,
                          const struct ecc_metric *row, size_t count)
{
    char number[ECC_NUMBER_SIZE];
    fprintf(metrics->csv, "%llu", (unsigned long long)step);
    for (size_t c = 0; c < metrics->column_count; c++) {
        size_t i = 0;
        while (i < count && strcmp(row[i].name, metrics->columns[c]) != 0) i++;
        fprintf(metrics->csv, ",%s", i < count ? ecc_format_number(number, row[i].value) : "");
    }
    putc('\n', metrics->csv);
}

static enum ecc_status flush(FILE *stream, const char *path, struct ecc_error *error)
{
    if (fflush(stream) == 0 && !ferror(stream)) return ECC_OK;
    return ecc_fail_errno(error, "write", path);
}

enum ecc_status ecc_metrics_append(struct ecc_metrics *metrics, uint64_t step,
                                   const struct ecc_metric *row, size_t count,
                                   struct ecc_error *error)
{
    ECC_TRY(check_row(metrics, step, row, count, error));
    write_json_row(metrics->json, step, row, count);
    ECC_TRY(flush(metrics->json, metrics->json_path, error));
    metrics->last_step = step;
    bool known = metrics->columns != NULL;
    for (size_t i = 0; i < count; i++) known = known && has_column(metrics, row[i].name);
    if (!known) return rewrite_csv(metrics, error);
    write_csv_row(metrics, step, row, count);
    return flush(metrics->csv, metrics->csv_path, error);
}

enum ecc_status ecc_metrics_sync(struct ecc_metrics *metrics, struct ecc_error *error)
{
    ecc_activity_write(true);
    const bool synced = fsync(fileno(metrics->json)) == 0;
    ecc_activity_write(false);
    if (!synced) return ecc_fail_errno(error, "write", metrics->json_path);
    return ECC_OK; /* the CSV can be rebuilt from the JSON lines */
}
