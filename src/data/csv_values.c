/* csv_values.c: the cells of a text table as numbers, by a schema. */
#include "data/csv_values.h"

#include "base/text.h"
#include "data/columns.h"
#include "data/dates.h"
#include "data/table_fit.h"
#include "data/tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A column that is read. */
struct reading {
    const struct ecc_column *column;
    size_t from; /* in the table */
    char decimal;
    char order;     /* of dates: 'D' or 'M' if either could be first */
    size_t unknown; /* cells of opened rows whose level the schema does not have */
    size_t wrong;   /* cells that do not fit */
};

struct filling {
    const struct ecc_table_view *view;
    struct reading *readings; /* [count] */
    size_t count;
    size_t infinite; /* cells */
    struct ecc_problems problems;
};

/* ---- Features ------------------------------------------------------------------------------- */

/* Dates that could start with the day or the month do as the others of this table, or else as those
 * of the run. */
static char order_of_dates(const struct ecc_column *column, const struct ecc_column_survey *s)
{
    if ((s->days > 0) != (s->months > 0)) return s->days > 0 ? 'D' : 'M';
    return column->date_order;
}

static bool read_date(const struct reading *r, const char *cell, double *value)
{
    struct ecc_date date;
    if (!ecc_date_parse(&date, cell)) return false;
    if ((date.order == 'h') != (r->column->date_order == 'h')) return false;
    *value = date.order == '?' && r->order == 'D' ? date.swapped : date.days;
    return date.order != '?' || r->order == 'D' || r->order == 'M';
}

/* A cell that is not a value of its column: missing, infinite or wrong. */
static void odd_cell(struct filling *f, struct reading *r, size_t row, const char *cell)
{
    int unused;
    char quoted[ECC_QUOTE_SIZE], name[ECC_QUOTE_SIZE];
    if (ecc_cell_is_missing(cell)) return;
    if (ecc_cell_shape(cell, &unused) == ECC_CELL_INFINITE) {
        f->infinite++;
        return;
    }
    r->wrong++;
    ecc_problems_add(&f->problems, "line %zu, column %s: %s is not a %s",
                     f->view->csv->places[row].line, ecc_quote_name(name, r->column->name),
                     ecc_quote_name(quoted, cell),
                     r->column->kind == ECC_COLUMN_DATE ? "date" : "number");
}

static bool is_opened(const struct ecc_data_request *request, size_t row)
{
    return request->split == ECC_SPLIT_ALL ||
           request->test[row] == (request->split == ECC_SPLIT_TEST);
}

static void put_category(const struct filling *f, struct reading *r, double *x, size_t row,
                         const char *cell)
{
    const bool missing = ecc_cell_is_missing(cell);
    const size_t level = missing ? SIZE_MAX : ecc_schema_level(r->column, cell);
    for (size_t i = 0; i < r->column->features; i++) {
        x[i] = missing ? (double)NAN : i == level ? 1 : 0;
    }
    r->unknown += !missing && level == SIZE_MAX && is_opened(f->view->request, row);
}

static void put_row(struct filling *f, double *x, size_t row)
{
    for (size_t i = 0; i < f->count; i++) {
        struct reading *const r = &f->readings[i];
        const char *const cell = ecc_csv_cell(f->view->csv, row, r->from);
        double *const at = x + r->column->first;
        if (r->column->kind == ECC_COLUMN_CATEGORY) {
            put_category(f, r, at, row, cell);
        } else if (r->column->kind == ECC_COLUMN_NUMBER ? !ecc_number_read(cell, r->decimal, at)
                                                        : !read_date(r, cell, at)) {
            *at = NAN;
            odd_cell(f, r, row, cell);
        }
    }
}

/* ---- Labels and targets --------------------------------------------------------------------- */

/* The classes: those of the schema, if it has any, then others in their order. */
static enum ecc_status make_classes(struct ecc_column *column, struct ecc_tally *tally,
                                    const struct ecc_table_view *v, struct ecc_error *error)
{
    const size_t known = column->level_count;
    const char **const sorted = ecc_tally_sorted(tally);
    char **const levels =
        sorted ? realloc(column->levels, (known + tally->distinct + 1) * sizeof *levels) : NULL;
    if (levels) column->levels = levels;
    bool whole = levels != NULL;
    for (size_t i = 0; whole && i < known; i++) {
        struct ecc_tally_entry *const entry = ecc_tally_find(tally, levels[i]);
        if (entry) entry->number = i + 1;
    }
    for (size_t i = 0; whole && i < tally->distinct; i++) {
        struct ecc_tally_entry *const entry = ecc_tally_find(tally, sorted[i]);
        if (entry->number) continue;
        levels[column->level_count] = strdup(sorted[i]);
        whole = levels[column->level_count] != NULL;
        if (whole) entry->number = ++column->level_count;
    }
    free(sorted);
    if (!whole) return ecc_fail_memory(error, "the labels");
    if (known > 0 && column->level_count > known) {
        char quoted[ECC_QUOTE_SIZE];
        ecc_data_remark(v->data, "classes that the run does not know: %zu, %s%s",
                        column->level_count - known, ecc_quote_name(quoted, levels[known]),
                        column->level_count > known + 1 ? ", ..." : "");
    }
    return ECC_OK;
}

static enum ecc_status copy_classes(struct ecc_dataset *data, const struct ecc_column *column,
                                    struct ecc_error *error)
{
    data->class_names = calloc(column->level_count + 1, sizeof *data->class_names);
    data->class_count = data->class_names ? column->level_count : 0;
    for (size_t i = 0; i < data->class_count; i++) {
        data->class_names[i] = strdup(column->levels[i]);
        if (!data->class_names[i]) return ecc_fail_memory(error, "the names of classes");
    }
    return data->class_names ? ECC_OK : ecc_fail_memory(error, "the names of classes");
}

static enum ecc_status read_labels(struct ecc_column *column, size_t from,
                                   const struct ecc_table_view *v, struct ecc_error *error)
{
    struct ecc_tally tally;
    size_t missing = 0;
    const size_t rows = v->csv->rows;
    ECC_TRY(ecc_infer_count(&tally, v, from, false, error));
    enum ecc_status status = make_classes(column, &tally, v, error);
    v->data->labels = malloc((rows + 1) * sizeof *v->data->labels);
    if (status == ECC_OK && !v->data->labels) status = ecc_fail_memory(error, "the labels");
    for (size_t row = 0; status == ECC_OK && row < rows; row++) {
        const char *const cell = ecc_csv_cell(v->csv, row, from);
        const bool gone = ecc_cell_is_missing(cell);
        v->data->labels[row] = gone ? -1 : (int32_t)ecc_tally_find(&tally, cell)->number - 1;
        missing += gone && is_opened(v->request, row);
    }
    column->distinct = tally.distinct;
    ecc_tally_release(&tally);
    if (status == ECC_OK && missing > 0) {
        ecc_data_remark(v->data, "rows without a label: %zu", missing);
    }
    return status == ECC_OK ? copy_classes(v->data, column, error) : status;
}

static enum ecc_status read_target(struct filling *f, struct ecc_column *column, size_t from,
                                   struct ecc_error *error)
{
    struct ecc_dataset *const data = f->view->data;
    const size_t rows = f->view->csv->rows;
    struct reading reading = {
        .column = column,
        .from = from,
        .decimal = ecc_survey_decimal(f->view->survey, from, f->view->request->options)};
    data->numbers = malloc((rows + 1) * sizeof *data->numbers);
    data->number_names = calloc(1, sizeof *data->number_names);
    if (!data->numbers || !data->number_names) return ecc_fail_memory(error, "the target");
    data->number_count = 1;
    data->number_names[0] = strdup(column->name);
    if (!data->number_names[0]) return ecc_fail_memory(error, "the target");
    for (size_t row = 0; row < rows; row++) {
        const char *const cell = ecc_csv_cell(f->view->csv, row, from);
        if (ecc_number_read(cell, reading.decimal, &data->numbers[row])) continue;
        data->numbers[row] = NAN;
        odd_cell(f, &reading, row, cell);
    }
    const struct ecc_number_table table = {data->numbers, rows, 1, f->view->request};
    const struct ecc_column_range range = ecc_table_range(&table, 0);
    column->low = range.low;
    column->high = range.high;
    column->gaps = range.gaps;
    column->distinct = range.distinct;
    return ECC_OK;
}

/* ---- All ------------------------------------------------------------------------------------ */

static enum ecc_status read_others(struct filling *f, struct ecc_schema *schema,
                                   const struct ecc_csv_match *match, struct ecc_error *error)
{
    for (size_t i = 0; i < schema->count; i++) {
        struct ecc_column *const column = &schema->columns[i];
        const size_t from = match->columns[i];
        if (from == SIZE_MAX) continue;
        if (column->kind == ECC_COLUMN_LABEL) {
            ECC_TRY(read_labels(column, from, f->view, error));
        } else if (column->kind == ECC_COLUMN_TARGET) {
            ECC_TRY(read_target(f, column, from, error));
        }
    }
    return ECC_OK;
}

static void remark(const struct filling *f)
{
    struct ecc_dataset *const data = f->view->data;
    struct ecc_name_list list = {0};
    for (size_t i = 0; i < f->count; i++) {
        const struct reading *const r = &f->readings[i];
        if (r->unknown > 0) ecc_name_list_count(&list, r->column->name, r->unknown);
    }
    if (list.count > 0) {
        ecc_data_remark(data,
                        "cells with a rare or new level, which count as none of the known: %s",
                        ecc_name_list_text(&list));
    }
    if (f->infinite > 0) {
        ecc_data_remark(data, "infinite cells, which count as missing: %zu", f->infinite);
    }
}

/* All at once, with what to do about them. */
static enum ecc_status report(const struct filling *f, struct ecc_error *error)
{
    const bool ragged = f->view->csv->ragged.count > 0;
    struct ecc_name_list list = {0};
    char remedy[500] = "";
    for (size_t i = 0; i < f->count; i++) {
        if (f->readings[i].wrong > 0) ecc_name_list_add(&list, f->readings[i].column->name);
    }
    if (ragged) strcpy(remedy, "correct the lines: a cell that holds the delimiter needs quotes");
    const size_t used = strlen(remedy);
    if (list.count > 0) {
        snprintf(remedy + used, sizeof remedy - used,
                 f->view->request->options->schema
                     ? "%scorrect or empty the cells"
                     : "%scorrect or empty the cells, or leave columns out: --drop '%s'",
                 ragged ? "; " : "", ecc_name_list_text(&list));
    }
    return ecc_problems_report(&f->problems, f->view->request->path, remedy, error);
}

static enum ecc_status fill(struct filling *f, double *values, struct ecc_schema *schema,
                            const struct ecc_csv_match *match, struct ecc_error *error)
{
    const size_t rows = f->view->csv->rows;
    for (size_t i = 0; i < schema->count; i++) {
        if (schema->columns[i].features == 0) continue;
        const size_t from = match->columns[i];
        f->readings[f->count++] = (struct reading){
            .column = &schema->columns[i],
            .from = from,
            .decimal = ecc_survey_decimal(f->view->survey, from, f->view->request->options),
            .order = order_of_dates(&schema->columns[i], &f->view->survey->columns[from])};
    }
    for (size_t row = 0; row < rows; row++) put_row(f, values + row * schema->features, row);
    ECC_TRY(read_others(f, schema, match, error));
    ECC_TRY(report(f, error));
    remark(f);
    return ECC_OK;
}

enum ecc_status ecc_csv_values(double **values, struct ecc_schema *schema,
                               const struct ecc_csv_match *match, const struct ecc_table_view *view,
                               struct ecc_error *error)
{
    struct filling f = {.view = view, .problems = view->csv->ragged};
    size_t bytes;
    *values = NULL;
    f.readings = calloc(schema->count + 1, sizeof *f.readings);
    if (!__builtin_mul_overflow(view->csv->rows + 1, schema->features * sizeof **values, &bytes)) {
        *values = malloc(bytes ? bytes : 1);
    }
    enum ecc_status status = ECC_OK;
    if (!*values || !f.readings) status = ecc_fail_memory(error, "a table");
    if (status == ECC_OK) status = fill(&f, *values, schema, match, error);
    free(f.readings);
    if (status == ECC_OK) return ECC_OK;
    free(*values);
    *values = NULL;
    return status;
}
