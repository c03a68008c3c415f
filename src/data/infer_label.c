/* infer_label.c: finds the column of a table that holds the labels, and columns of ids. */
#include "base/text.h"
#include "data/columns.h"
#include "data/infer.h"
#include "data/tally.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Counting ------------------------------------------------------------------------------- */

enum ecc_status ecc_infer_count(struct ecc_tally *tally, const struct ecc_table_view *v,
                                size_t column, bool fitted_only, struct ecc_error *error)
{
    *tally = (struct ecc_tally){0};
    for (size_t row = 0; row < v->csv->rows; row++) {
        const char *const cell = ecc_csv_cell(v->csv, row, column);
        if (fitted_only && !ecc_row_is_fitted(v->request, row)) continue;
        if (ecc_cell_is_missing(cell)) continue;
        if (ecc_tally_add(tally, cell)) continue;
        ecc_tally_release(tally);
        return ecc_fail_memory(error, "the values of a column");
    }
    return ECC_OK;
}

/* ---- Ids ------------------------------------------------------------------------------------ */

static bool named_id(const char *name)
{
    static const char *const names[] = {"id",  "index", "idx",   "row",        "rownames", "no",
                                        "nr",  "key",   "uuid",  "row.names",  "guid",     "number",
                                        "no.", "#",     "rowid", "unnamed: 0", "nr."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcasecmp(name, names[i]) == 0) return true;
    }
    return ecc_ends_in_any_case(name, "_id") || ecc_ends_in_any_case(name, " id") ||
           ecc_ends_in_any_case(name, ".id") || ecc_ends_in(name, "Id") || ecc_ends_in(name, "ID");
}

/* Whole numbers from `low` on, each once, in any order; memory is a bit for each row. */
static enum ecc_status count_once(bool *once, const struct ecc_table_view *v, size_t column,
                                  double low, struct ecc_error *error)
{
    const size_t rows = v->csv->rows;
    unsigned char *const seen = calloc(rows / 8 + 1, 1);
    if (!seen) return ecc_fail_memory(error, "the values of a column");
    *once = true;
    for (size_t row = 0; row < rows && *once; row++) {
        double value = -1;
        ecc_number_read(ecc_csv_cell(v->csv, row, column), '.', &value);
        const double place = value - low;
        if (!(place >= 0 && place < (double)rows)) {
            *once = false;
            break;
        }
        const size_t at = (size_t)place;
        if (seen[at / 8] >> (at % 8) & 1) *once = false;
        seen[at / 8] |= (unsigned char)(1 << (at % 8));
    }
    free(seen);
    return ECC_OK;
}

enum ecc_status ecc_infer_id(bool *is_id, const struct ecc_table_view *v, size_t column,
                             struct ecc_error *error)
{
    enum { FEW_ROWS = 8 }; /* where a run of numbers may be chance */
    const struct ecc_column_survey *const s = &v->survey->columns[column];
    *is_id = false;
    if (v->csv->rows < FEW_ROWS || s->shapes[ECC_CELL_WHOLE] != v->csv->rows) return ECC_OK;
    const char *const name = v->csv->names[column];
    const bool nameless = strncmp(name, "column ", 7) == 0 && column == 0 && v->csv->has_header;
    if (named_id(name) || nameless) { /* nameless: the row names of R and pandas */
        struct ecc_tally tally;
        ECC_TRY(ecc_infer_count(&tally, v, column, false, error));
        *is_id = tally.distinct == v->csv->rows;
        ecc_tally_release(&tally);
        return ECC_OK;
    }
    ECC_TRY(count_once(is_id, v, column, 0, error));
    return *is_id ? ECC_OK : count_once(is_id, v, column, 1, error);
}

/* ---- Labels --------------------------------------------------------------------------------- */

/* What a column would be as labels. */
struct labels_seen {
    size_t distinct, present;
    bool words, whole; /* not all are numbers; all are whole numbers */
    bool from_one;     /* whole, and just 0, 1, ... or 1, 2, ... */
};

static enum ecc_status see_labels(struct labels_seen *seen, const struct ecc_table_view *v,
                                  size_t column, struct ecc_error *error)
{
    const struct ecc_column_survey *const s = &v->survey->columns[column];
    const char decimal = ecc_survey_decimal(v->survey, column, v->request->options);
    struct ecc_tally tally;
    ECC_TRY(ecc_infer_count(&tally, v, column, false, error));
    *seen = (struct labels_seen){.distinct = tally.distinct,
                                 .present = v->csv->rows - s->shapes[ECC_CELL_MISSING]};
    seen->words = ecc_survey_numbers(s, decimal) < seen->present;
    seen->whole = s->shapes[ECC_CELL_WHOLE] == seen->present;
    double low = 1e300, high = -1e300;
    for (size_t i = 0; i < tally.capacity && seen->whole; i++) {
        double value;
        if (!tally.entries[i].text || !ecc_number_read(tally.entries[i].text, '.', &value))
            continue;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    seen->from_one =
        seen->whole && (low == 0 || low == 1) && high - low + 1 == (double)seen->distinct;
    ecc_tally_release(&tally);
    return ECC_OK;
}

static bool few(const struct labels_seen *seen)
{
    return seen->distinct <= ECC_CLASSES_GUESSED && 2 * seen->distinct <= seen->present;
}

/* A column that the caller or its name calls labels may still hold a number to predict. */
static bool is_target(const struct labels_seen *seen)
{
    if (seen->words || seen->distinct <= ECC_CLASSES_OF_NUMBERS) return false;
    return !seen->whole || !few(seen);
}

static enum ecc_status given_label(struct ecc_label_choice *choice, const struct ecc_table_view *v,
                                   const char *label, struct ecc_error *error)
{
    const struct ecc_csv *const csv = v->csv;
    for (size_t i = 0; i < csv->columns && choice->column == SIZE_MAX; i++) {
        if (strcasecmp(csv->names[i], label) == 0) choice->column = i;
    }
    if (choice->column == SIZE_MAX) {
        if (strcasecmp(label, "none") == 0) return ECC_OK;
        if (strcasecmp(label, "first") == 0) choice->column = 0;
        if (strcasecmp(label, "last") == 0) choice->column = csv->columns - 1;
    }
    if (choice->column == SIZE_MAX) {
        choice->column = ecc_columns_find(csv->names, csv->columns, label);
    }
    if (choice->column != SIZE_MAX) return ECC_OK;
    return ecc_columns_unknown(csv, label, "label", v->request->path, error);
}

/* "y" beside "x" is a coordinate. */
static bool coordinate(const struct ecc_csv *csv, size_t column)
{
    if (strcasecmp(csv->names[column], "y") != 0) return false;
    for (size_t i = 0; i < csv->columns; i++) {
        if (strcasecmp(csv->names[i], "x") == 0) return true;
    }
    return false;
}

/* By its name; one with too many different words is something else. */
static enum ecc_status named_label(struct ecc_label_choice *choice, const struct ecc_table_view *v,
                                   struct ecc_error *error)
{
    const struct ecc_csv *const csv = v->csv;
    for (size_t i = 0; csv->has_header && i < csv->columns; i++) {
        if (!ecc_csv_names_labels(csv->names[i]) || coordinate(csv, i)) continue;
        struct labels_seen seen;
        ECC_TRY(see_labels(&seen, v, i, error));
        if (seen.distinct < 1 || (seen.words && seen.distinct > ECC_CLASSES_GUESSED && !few(&seen)))
            continue;
        choice->column = i;
        return ECC_OK;
    }
    return ECC_OK;
}

/* The last column, or the first, if it looks like labels. */
static enum ecc_status guess_label(struct ecc_label_choice *choice, const struct ecc_table_view *v,
                                   struct ecc_error *error)
{
    const size_t last = v->csv->columns - 1;
    struct labels_seen seen;
    choice->guessed = true;
    if (last == 0) return ECC_OK;
    ECC_TRY(see_labels(&seen, v, last, error));
    const bool dates = v->survey->columns[last].dates == seen.present;
    if (few(&seen) && !dates && seen.distinct > 1 && (seen.words || seen.whole)) {
        choice->column = last;
        return ECC_OK;
    }
    ECC_TRY(see_labels(&seen, v, 0, error));
    const bool numbered =
        seen.from_one && seen.distinct <= 10 && seen.present >= 10 * seen.distinct;
    const bool words = seen.words && seen.distinct <= ECC_LEVELS_MAX && few(&seen) &&
                       v->survey->columns[0].dates == 0;
    if (seen.distinct > 1 && (numbered || words)) choice->column = 0;
    return ECC_OK;
}

enum ecc_status ecc_infer_label(struct ecc_label_choice *choice, const struct ecc_table_view *v,
                                struct ecc_error *error)
{
    const char *const label = v->request->options->label;
    *choice = (struct ecc_label_choice){.column = SIZE_MAX, .kind = ECC_COLUMN_LABEL};
    if (label) {
        ECC_TRY(given_label(choice, v, label, error));
    } else {
        ECC_TRY(named_label(choice, v, error));
        if (choice->column == SIZE_MAX) ECC_TRY(guess_label(choice, v, error));
    }
    if (choice->column == SIZE_MAX) return ECC_OK;
    struct labels_seen seen;
    ECC_TRY(see_labels(&seen, v, choice->column, error));
    if (is_target(&seen)) choice->kind = ECC_COLUMN_TARGET;
    return ECC_OK;
}
