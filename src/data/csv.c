/* csv.c: a text table, plain or gzipped, as a data set. */
#include "data/csv.h"

#include "base/text.h"
#include "data/columns.h"
#include "data/csv_values.h"
#include "data/encoding.h"
#include "data/fingerprint.h"
#include "data/formats.h"
#include "data/inflate.h"
#include "data/memory.h"
#include "data/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Any file that no other source accepts. */
static bool csv_accepts(const char *path, bool is_directory)
{
    (void)path;
    return !is_directory;
}

/* ---- Remarks -------------------------------------------------------------------------------- */

static void remark_on_text(struct ecc_dataset *data, const struct ecc_csv *csv,
                           const char *encoding)
{
    if (encoding) {
        ecc_data_remark(data, "the text is %s%s", encoding,
                        encoding[0] == 'W' ? " (or Latin-1), as it is not UTF-8" : "");
    }
    if (csv->odd_header) {
        ecc_data_remark(data,
                        "the first line has %zu entries, unlike all other lines, and was ignored",
                        csv->odd_header);
    }
    if (csv->numbered) {
        ecc_data_remark(data, "the first line is taken for a header, as it only counts columns");
    }
    if (csv->renamed) {
        ecc_data_remark(data, "names that come twice got a number, as in a and a.1: %zu",
                        csv->renamed);
    }
}

/* One line for all columns that are left out for the same reason; numbers in it may differ. */
static void remark_on_left_out(struct ecc_dataset *data)
{
    const struct ecc_schema *const schema = data->schema;
    for (size_t i = 0; i < schema->count; i++) {
        const struct ecc_column *const first = &schema->columns[i];
        if (!first->reason || strncmp(first->reason, "--", 2) == 0 ||
            strcmp(first->reason, "not in --columns") == 0) {
            continue;
        }
        struct ecc_name_list list = {0};
        bool before = false;
        for (size_t k = 0; k < schema->count && !before; k++) {
            const char *const reason = schema->columns[k].reason;
            if (!reason || strcmp(reason, first->reason) != 0) continue;
            before = k < i;
            ecc_name_list_add(&list, schema->columns[k].name);
        }
        if (before) continue;
        ecc_data_remark(data, "left out (%s): %s", first->reason, ecc_name_list_text(&list));
    }
}

static void remark_on_kinds(struct ecc_dataset *data, const struct ecc_survey *survey)
{
    struct ecc_name_list dates = {0}, mixed = {0}, gaps = {0};
    size_t missing = 0;
    for (size_t i = 0; i < data->schema->count; i++) {
        const struct ecc_column *const c = &data->schema->columns[i];
        const size_t numbers = ecc_survey_numbers(&survey->columns[i], survey->decimal);
        if (c->kind == ECC_COLUMN_DATE) ecc_name_list_add(&dates, c->name);
        if (c->kind == ECC_COLUMN_CATEGORY && numbers > 0) ecc_name_list_add(&mixed, c->name);
        if (c->features > 0 && c->gaps > 0) {
            missing += c->gaps;
            ecc_name_list_count(&gaps, c->name, c->gaps);
        }
    }
    if (dates.count)
        ecc_data_remark(data, "dates are read as days: %s", ecc_name_list_text(&dates));
    if (mixed.count) {
        ecc_data_remark(data, "words among numbers make categories: %s",
                        ecc_name_list_text(&mixed));
    }
    if (missing) {
        ecc_data_remark(data, "missing cells in the training rows: %zu, in %s", missing,
                        ecc_name_list_text(&gaps));
    }
}

/* ---- From cells to items -------------------------------------------------------------------- */

enum { FEWEST_ROWS = 3 }; /* in one or two to train on, all columns are constant */

static enum ecc_status no_features(const struct ecc_table_view *v, struct ecc_error *error)
{
    const struct ecc_dataset *const data = v->data;
    const char *const path = v->request->path;
    const size_t rows = v->csv->rows;
    char shown[ECC_PATH_SIZE];
    struct ecc_name_list list = {0};
    bool constant = false;
    for (size_t i = 0; i < data->schema->count; i++) {
        char entry[80];
        const struct ecc_column *const c = &data->schema->columns[i];
        snprintf(entry, sizeof entry, "%.30s (%.40s)", c->name,
                 c->reason ? c->reason : ecc_column_kind_names[c->kind]);
        ecc_name_list_add(&list, entry);
        constant = constant || (c->reason && strcmp(c->reason, "constant") == 0);
    }
    if (constant && rows < FEWEST_ROWS) {
        return ecc_fail(error, ECC_BAD_DATA, "%s has %zu row%s, expected at least %d to learn from",
                        ecc_quote_path(shown, path), rows, ecc_s(rows), FEWEST_ROWS);
    }
    return ecc_fail(error, ECC_BAD_DATA, "%s has no columns to learn from: %s",
                    ecc_quote_path(shown, path), ecc_name_list_text(&list));
}

/* The schema and where its columns are: that of the run, or one found for this table. */
static enum ecc_status find_schema(struct ecc_csv_match *match, const struct ecc_table_view *v,
                                   struct ecc_error *error)
{
    const struct ecc_data_options *const o = v->request->options;
    struct ecc_schema **const schema = &v->data->schema;
    if (o->schema) {
        *schema = ecc_schema_copy(o->schema);
        if (!*schema) return ecc_fail_memory(error, "the columns of a table");
        return ecc_csv_match_schema(match, *schema, v, error);
    }
    ECC_TRY(o->scaling ? ecc_infer_numbers(schema, v, o->scaling, error)
                       : ecc_infer_schema(schema, v, error));
    match->columns = malloc((v->csv->columns + 1) * sizeof *match->columns);
    if (!match->columns) return ecc_fail_memory(error, "the columns of a table");
    for (size_t i = 0; i < v->csv->columns; i++) match->columns[i] = i;
    return ECC_OK;
}

/* As runs of version 0.1 keep it: without a schema. */
static enum ecc_status finish_old(struct ecc_dataset *data, double *values, bool named,
                                  struct ecc_data_request *request, struct ecc_error *error)
{
    struct ecc_scaling names;
    const size_t features = data->schema->features;
    const enum ecc_status status = ecc_schema_scaling(&names, data->schema, error);
    ecc_schema_free(data->schema);
    data->schema = NULL;
    if (status != ECC_OK) {
        free(values);
        return status;
    }
    char **const kept = named ? names.names : NULL;
    if (named) names.names = NULL;
    ecc_scaling_release(&names);
    return ecc_table_finish(data, values, kept, features, request, error);
}

static enum ecc_status finish(const struct ecc_table_view *v, struct ecc_data_request *request,
                              double *values, struct ecc_error *error)
{
    const struct ecc_data_options *const o = request->options;
    struct ecc_dataset *const data = v->data;
    if (o->scaling && !o->schema) {
        return finish_old(data, values, v->csv->has_header, request, error);
    }
    ECC_TRY(ecc_table_finish_schema(data, values, o->schema != NULL, request, error));
    if (!o->schema) {
        remark_on_left_out(data);
        remark_on_kinds(data, v->survey);
    }
    return ECC_OK;
}

static enum ecc_status make_items(const struct ecc_table_view *v, struct ecc_data_request *request,
                                  struct ecc_error *error)
{
    struct ecc_csv_match match = {0};
    double *values = NULL;
    enum ecc_status status = find_schema(&match, v, error);
    if (status == ECC_OK && v->data->schema->features == 0 && v->csv->ragged.count == 0) {
        status = no_features(v, error);
    }
    if (status == ECC_OK) status = ecc_csv_values(&values, v->data->schema, &match, v, error);
    free(match.columns);
    return status == ECC_OK ? finish(v, request, values, error) : status;
}

static enum ecc_status open_table(struct ecc_dataset *data, const struct ecc_csv *csv,
                                  struct ecc_data_request *request, struct ecc_error *error)
{
    struct ecc_survey survey;
    data->count = csv->rows;
    if (!request->test) request->test = ecc_data_draw_test(csv->rows);
    if (!request->test) return ecc_fail_memory(error, "the list of items");
    ECC_TRY(ecc_survey_init(&survey, data, csv, request, error));
    const struct ecc_table_view view = {csv, &survey, request, data};
    const enum ecc_status status = make_items(&view, request, error);
    ecc_survey_release(&survey);
    return status;
}

enum ecc_status ecc_csv_open_bytes(struct ecc_dataset *data, unsigned char *bytes, size_t size,
                                   struct ecc_data_request *request, struct ecc_error *error)
{
    struct ecc_plain_text plain;
    struct ecc_csv csv;
    enum ecc_status status = ecc_formats_refuse(bytes, size, request->path, error);
    if (status != ECC_OK) {
        free(bytes);
        return status;
    }
    ECC_TRY(ecc_plain_text_init(&plain, bytes, size, error));
    ECC_TRY(
        ecc_csv_init(&csv, plain.text, plain.size, request->options->label, request->path, error));
    remark_on_text(data, &csv, plain.encoding);
    status = open_table(data, &csv, request, error);
    ecc_csv_release(&csv);
    return status;
}

static enum ecc_status csv_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    ECC_TRY(ecc_inflate_file(&bytes, &size, request->path, error));
    return ecc_csv_open_bytes(data, bytes, size, request, error);
}

const struct ecc_data_source ecc_source_csv = {
    .name = "csv",
    .has_columns = true,
    .summary = "a text table",
    .accepts = csv_accepts,
    .open = csv_open,
    .read = ecc_memory_read,
    .close = ecc_memory_close,
    .fingerprint = ecc_fingerprint_file,
};
