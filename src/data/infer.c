/* infer.c: what each column of a text table is. */
#include "data/infer.h"

#include "base/text.h"
#include "data/columns.h"
#include "data/tally.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- One column ----------------------------------------------------------------------------- */

/* A column under way. */
struct looked {
    const struct ecc_table_view *view;
    const struct ecc_column_survey *survey;
    struct ecc_column *column;
    size_t index;
    size_t present;        /* cells that are there, in all rows */
    size_t numbers, words; /* of these; words are neither numbers nor dates */
};

static enum ecc_status leave_out(struct ecc_column *column, struct ecc_error *error,
                                 const char *format, ...) __attribute__((format(printf, 3, 4)));

static enum ecc_status leave_out(struct ecc_column *column, struct ecc_error *error,
                                 const char *format, ...)
{
    char reason[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    column->kind = ECC_COLUMN_LEFT_OUT;
    column->reason = strdup(reason);
    return column->reason ? ECC_OK : ecc_fail_memory(error, "the columns of a table");
}

/* The levels: all in their order, or of many the most frequent ones. */
static enum ecc_status keep_levels(struct ecc_column *column, struct ecc_tally *tally,
                                   struct ecc_error *error)
{
    struct ecc_tally kept = {0};
    const char **const frequent = ecc_tally_frequent(tally), **sorted = NULL;
    const size_t count = tally->distinct < ECC_LEVELS_MAX ? tally->distinct : ECC_LEVELS_MAX;
    bool whole = frequent != NULL;
    for (size_t i = 0; whole && i < count; i++) whole = ecc_tally_add(&kept, frequent[i]) != NULL;
    if (whole) sorted = ecc_tally_sorted(&kept);
    column->levels = calloc(count + 1, sizeof *column->levels);
    column->shares = calloc(count + 1, sizeof *column->shares);
    column->level_count = column->levels ? count : 0;
    whole = sorted && column->levels && column->shares;
    for (size_t i = 0; whole && i < count; i++) {
        column->levels[i] = strdup(sorted[i]);
        whole = column->levels[i] != NULL;
    }
    column->kind = ECC_COLUMN_CATEGORY;
    column->distinct = tally->distinct;
    ecc_tally_release(&kept);
    free(sorted);
    free(frequent);
    return whole ? ECC_OK : ecc_fail_memory(error, "the levels of a column");
}

/* Cells of the most frequent levels. */
static size_t frequent_cells(const struct ecc_tally *tally)
{
    const char **const frequent = ecc_tally_frequent(tally);
    size_t cells = 0;
    for (size_t i = 0; frequent && i < tally->distinct && i < ECC_LEVELS_MAX; i++) {
        cells += ecc_tally_find(tally, frequent[i])->count;
    }
    free(frequent);
    return cells;
}

static enum ecc_status words_by_count(const struct looked *l, struct ecc_tally *tally,
                                      struct ecc_error *error)
{
    size_t present = 0;
    for (size_t i = 0; i < tally->capacity; i++) {
        if (tally->entries[i].text) present += tally->entries[i].count;
    }
    const size_t distinct = tally->distinct;
    l->column->distinct = distinct;
    if (2 * distinct <= present &&
        (distinct <= ECC_LEVELS_MAX || 2 * frequent_cells(tally) >= present)) {
        return keep_levels(l->column, tally, error);
    }
    if (2 * l->numbers > l->present) { /* some cells are wrong: said when they are read */
        l->column->kind = ECC_COLUMN_NUMBER;
        return ECC_OK;
    }
    if (2 * l->survey->dates > l->present) {
        l->column->kind = ECC_COLUMN_DATE;
        return ECC_OK;
    }
    if (distinct == present) return leave_out(l->column, error, "a different word in every row");
    return leave_out(l->column, error, "%zu different words in %zu rows", distinct, present);
}

static enum ecc_status decide_words(const struct looked *l, struct ecc_error *error)
{
    struct ecc_tally tally;
    ECC_TRY(ecc_infer_count(&tally, l->view, l->index, true, error));
    const enum ecc_status status = words_by_count(l, &tally, error);
    ecc_tally_release(&tally);
    return status;
}

/* Dates that could start with the day as well as with the month are of no use. */
static enum ecc_status decide_date(const struct looked *l, struct ecc_error *error)
{
    const struct ecc_column_survey *const s = l->survey;
    l->column->kind = ECC_COLUMN_DATE;
    l->column->decimals = s->timed && !s->times;
    l->column->date_order = s->times ? 'h' : s->days ? 'D' : s->months ? 'M' : s->years ? 'Y' : '?';
    if (s->times > 0 && s->times < s->dates) {
        return leave_out(l->column, error, "some are dates, some are times");
    }
    if (s->either > 0 && (s->days > 0) == (s->months > 0)) {
        return leave_out(l->column, error, "dates with the day or the month first: both fit");
    }
    return ECC_OK;
}

static size_t count_fitted(const struct ecc_table_view *v)
{
    size_t count = 0;
    for (size_t row = 0; row < v->csv->rows; row++) count += ecc_row_is_fitted(v->request, row);
    return count;
}

static enum ecc_status decide(const struct looked *l, bool chosen, struct ecc_error *error)
{
    const size_t rows = l->view->csv->rows;
    const size_t gaps = rows - l->present;
    if (l->present == 0) return leave_out(l->column, error, "empty");
    if (10 * gaps > 9 * rows) {
        return leave_out(l->column, error, "%.0f%% of its cells are missing",
                         100 * (double)gaps / (double)rows);
    }
    if (!l->survey->seen || !l->survey->varies) {
        l->column->distinct = 1;
        return leave_out(l->column, error, "constant");
    }
    if (l->words == 0 && l->survey->dates == 0) {
        bool is_id;
        ECC_TRY(ecc_infer_id(&is_id, l->view, l->index, error));
        l->column->distinct = is_id ? count_fitted(l->view) : 0;
        if (is_id && !chosen) return leave_out(l->column, error, "an id: different in every row");
        l->column->kind = ECC_COLUMN_NUMBER;
        return ECC_OK;
    }
    if (l->survey->dates == l->present) return decide_date(l, error);
    ECC_TRY(decide_words(l, error));
    return l->column->kind == ECC_COLUMN_DATE ? decide_date(l, error) : ECC_OK;
}

/* ---- All columns ---------------------------------------------------------------------------- */

static int decimals_of(const struct ecc_column_survey *s, char decimal)
{
    const enum ecc_cell_shape fraction =
        decimal == '.' ? ECC_CELL_POINT_GROUP : ECC_CELL_COMMA_GROUP;
    const int least = s->shapes[fraction] > 0 ? 3 : 0;
    const int decimals = s->decimals > least ? s->decimals : least;
    return decimals < 17 ? decimals : 17;
}

static struct looked look_at(const struct ecc_table_view *v, struct ecc_schema *schema, size_t i)
{
    const struct ecc_column_survey *const s = &v->survey->columns[i];
    const char decimal = ecc_survey_decimal(v->survey, i, v->request->options);
    struct looked l = {.view = v, .survey = s, .column = &schema->columns[i], .index = i};
    l.present = v->csv->rows - s->shapes[ECC_CELL_MISSING] - s->shapes[ECC_CELL_INFINITE];
    l.numbers = ecc_survey_numbers(s, decimal);
    l.words = l.present - l.numbers - s->dates;
    l.column->decimals = decimals_of(s, decimal);
    l.column->gaps = s->gaps;
    return l;
}

/* Which columns --columns and --drop name. */
struct wish {
    bool *columns, *drop; /* [columns]; columns NULL: all */
};

static enum ecc_status read_wish(struct wish *wish, const struct ecc_table_view *v,
                                 struct ecc_error *error)
{
    const struct ecc_data_options *const o = v->request->options;
    const char *const path = v->request->path;
    wish->drop = calloc(v->csv->columns + 1, sizeof *wish->drop);
    wish->columns = o->columns ? calloc(v->csv->columns + 1, sizeof *wish->columns) : NULL;
    if (!wish->drop || (o->columns && !wish->columns)) {
        return ecc_fail_memory(error, "a list of columns");
    }
    if (o->columns) {
        ECC_TRY(ecc_columns_mark(wish->columns, v->csv, o->columns, "columns", path, error));
    }
    return o->drop ? ecc_columns_mark(wish->drop, v->csv, o->drop, "drop", path, error) : ECC_OK;
}

static enum ecc_status decide_all(struct ecc_schema *schema, const struct ecc_table_view *v,
                                  const struct wish *wish, struct ecc_error *error)
{
    struct ecc_label_choice label;
    ECC_TRY(ecc_infer_label(&label, v, error));
    if (label.column != SIZE_MAX && label.guessed &&
        (wish->drop[label.column] || (wish->columns && wish->columns[label.column]))) {
        label.column = SIZE_MAX;
    }
    for (size_t i = 0; i < schema->count; i++) {
        const struct looked l = look_at(v, schema, i);
        if (i == label.column) {
            l.column->kind = label.kind;
        } else if (wish->drop[i]) {
            ECC_TRY(leave_out(l.column, error, "--drop"));
        } else if (wish->columns && !wish->columns[i]) {
            ECC_TRY(leave_out(l.column, error, "not in --columns"));
        } else {
            ECC_TRY(decide(&l, wish->columns != NULL, error));
        }
    }
    if (label.column == SIZE_MAX || !label.guessed) return ECC_OK;
    char quoted[ECC_QUOTE_SIZE];
    ecc_data_remark(v->data, "the %s column, %s, is used as labels (--label none: it is not)",
                    label.column == 0 ? "first" : "last",
                    ecc_quote_name(quoted, v->csv->names[label.column]));
    return ECC_OK;
}

static enum ecc_status make_schema(struct ecc_schema **schema, const struct ecc_table_view *v,
                                   struct ecc_error *error)
{
    *schema = ecc_schema_create(v->csv->columns);
    if (!*schema) return ecc_fail_memory(error, "the columns of a table");
    for (size_t i = 0; i < v->csv->columns; i++) {
        (*schema)->columns[i].name = strdup(v->csv->names[i]);
        (*schema)->columns[i].deviation = 1;
        if (!(*schema)->columns[i].name) return ecc_fail_memory(error, "the columns of a table");
    }
    return ECC_OK;
}

enum ecc_status ecc_infer_schema(struct ecc_schema **schema, const struct ecc_table_view *v,
                                 struct ecc_error *error)
{
    struct wish wish = {0};
    ECC_TRY(make_schema(schema, v, error));
    enum ecc_status status = read_wish(&wish, v, error);
    if (status == ECC_OK) status = decide_all(*schema, v, &wish, error);
    free(wish.columns);
    free(wish.drop);
    ecc_schema_number(*schema);
    return status;
}

/* The column that the run did not use as a number; SIZE_MAX: none. */
static size_t leftover(const struct ecc_csv *csv, const struct ecc_scaling *scaling)
{
    if (csv->columns != scaling->columns + 1) return SIZE_MAX;
    size_t i = 0, k;
    while (scaling->names && i < scaling->columns &&
           strcmp(csv->names[i], scaling->names[i]) == 0) {
        i++;
    }
    for (k = i; scaling->names && k < scaling->columns; k++) {
        if (strcmp(csv->names[k + 1], scaling->names[k]) != 0) break;
    }
    return k == scaling->columns ? i : scaling->columns;
}

enum ecc_status ecc_infer_numbers(struct ecc_schema **schema, const struct ecc_table_view *v,
                                  const struct ecc_scaling *scaling, struct ecc_error *error)
{
    struct ecc_label_choice label = {.column = leftover(v->csv, scaling), .kind = ECC_COLUMN_LABEL};
    ECC_TRY(make_schema(schema, v, error));
    if (v->request->options->label) ECC_TRY(ecc_infer_label(&label, v, error));
    for (size_t i = 0; i < v->csv->columns; i++) {
        const struct looked l = look_at(v, *schema, i);
        l.column->kind = i == label.column ? label.kind : ECC_COLUMN_NUMBER;
    }
    ecc_schema_number(*schema);
    return ECC_OK;
}
