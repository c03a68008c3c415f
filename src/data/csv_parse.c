/* csv_parse.c: parses a text table into numbers and labels. */
#include "base/text.h"
#include "data/csv_labels.h"
#include "data/csv_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NO_LABEL = -1 };

struct parser {
    struct ecc_csv_reader reader;
    struct ecc_csv_row first, second,
        third; /* used to find the header; then rows like the others */
    bool has_header;
    size_t columns; /* in the file, label included */
    long label;     /* column, or NO_LABEL */
    bool guessed;
    double *values; /* [rows, columns]; in the label column, the line of the row */
    char **texts;   /* [rows] of the label column */
    size_t rows, capacity;
};

static bool is_number(const char *text)
{
    double value;
    return ecc_parse_double(text, &value);
}

/* ---- The header ----------------------------------------------------------------------------- */

static const char *const usual_labels[] = {"label", "class", "target", NULL};

/* Whether a cell can only be the name of the label column. */
static bool names_labels(const char *cell, const char *label)
{
    if (label) return !is_number(label) && strcasecmp(cell, label) == 0;
    for (const char *const *usual = usual_labels; *usual; usual++) {
        if (strcasecmp(cell, *usual) == 0) return true;
    }
    return false;
}

/* A first line is a header if it has a name above numbers, or the name of the labels.  If its
 * length differs from that of all other lines it is a broken header, which real files have. */
static void find_header(struct parser *parser, struct ecc_csv *csv, const char *label)
{
    const struct ecc_csv_row *const first = &parser->first, *const second = &parser->second;
    parser->columns = first->count;
    if (second->count == 0) {
        parser->has_header = true;
        for (size_t i = 0; i < first->count; i++) {
            if (is_number(first->cells[i])) parser->has_header = false;
        }
        return;
    }
    if (first->count != second->count && second->count == parser->third.count) {
        csv->odd_header = first->count;
        parser->has_header = true;
        parser->columns = second->count;
        return;
    }
    for (size_t i = 0; i < first->count && i < second->count; i++) {
        const char *const above = first->cells[i], *const below = second->cells[i];
        if (!is_number(above) && is_number(below)) parser->has_header = true;
        if (names_labels(above, label)) parser->has_header = true;
    }
}

static char *const *header_names(const struct parser *parser, const struct ecc_csv *csv)
{
    return parser->has_header && !csv->odd_header ? parser->first.cells : NULL;
}

/* ---- The label column ----------------------------------------------------------------------- */

static long find_named(const struct parser *parser, const struct ecc_csv *csv, const char *label)
{
    char *const *const names = header_names(parser, csv);
    for (size_t i = 0; names && i < parser->columns; i++) {
        if (strcasecmp(names[i], label) == 0) return (long)i;
    }
    size_t number;
    const bool counted = !names && ecc_parse_size(label, &number) && number >= 1;
    return counted && number <= parser->columns ? (long)number - 1 : NO_LABEL;
}

static enum ecc_status find_label(struct parser *parser, const struct ecc_csv *csv,
                                  const char *label, struct ecc_error *error)
{
    parser->label = NO_LABEL;
    if (label && strcasecmp(label, "none") == 0) return ECC_OK;
    if (label) {
        parser->label = find_named(parser, csv, label);
        if (parser->label != NO_LABEL) return ECC_OK;
        char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
        return ecc_fail(
            error, ECC_BAD_DATA, "%s has no column %s%s",
            ecc_quote_path(shown, parser->reader.path), ecc_quote(quoted, label, strlen(label)),
            header_names(parser, csv) ? ""
                                      : ": the table has no header, so give the column's number");
    }
    const char *const *usual = header_names(parser, csv) ? usual_labels : usual_labels + 3;
    for (; *usual && parser->label == NO_LABEL; usual++) {
        parser->label = find_named(parser, csv, *usual);
    }
    if (parser->label == NO_LABEL && parser->columns > 1) {
        parser->label = (long)parser->columns - 1;
        parser->guessed = true;
    }
    return ECC_OK;
}

/* ---- The rows ------------------------------------------------------------------------------- */

/* "'t.csv', line 5, column 3 ('age')" */
enum { PLACE_SIZE = ECC_PATH_SIZE + ECC_QUOTE_SIZE + 60 };

static const char *place(char out[PLACE_SIZE], const struct parser *parser,
                         const struct ecc_csv *csv, size_t line, size_t column)
{
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE] = "";
    char *const *const names = header_names(parser, csv);
    if (names) ecc_quote(quoted, names[column], strlen(names[column]));
    snprintf(out, PLACE_SIZE, "%s, line %zu, column %zu%s%s%s",
             ecc_quote_path(shown, parser->reader.path), line, column + 1, names ? " (" : "",
             quoted, names ? ")" : "");
    return out;
}

static bool make_room(struct parser *parser)
{
    if (parser->rows < parser->capacity) return true;
    const size_t capacity = parser->capacity ? parser->capacity * 2 : 64;
    size_t bytes;
    if (__builtin_mul_overflow(capacity, parser->columns * sizeof *parser->values, &bytes)) {
        return false;
    }
    double *const values = realloc(parser->values, bytes);
    if (values) parser->values = values;
    char **const texts = realloc(parser->texts, capacity * sizeof *texts);
    if (texts) parser->texts = texts;
    if (!values || !texts) return false;
    parser->capacity = capacity;
    return true;
}

static enum ecc_status not_a_number(const struct parser *parser, const struct ecc_csv *csv,
                                    const char *text, size_t line, size_t column,
                                    struct ecc_error *error)
{
    char where[PLACE_SIZE], quoted[ECC_QUOTE_SIZE];
    place(where, parser, csv, line, column);
    ecc_quote(quoted, text, strlen(text));
    if (ecc_csv_is_missing(text)) {
        return ecc_fail(error, ECC_BAD_DATA, "%s: the value is missing (%s)", where, quoted);
    }
    return ecc_fail(error, ECC_BAD_DATA, "%s: %s is not a finite number", where, quoted);
}

static enum ecc_status add_row(struct parser *parser, const struct ecc_csv *csv,
                               const struct ecc_csv_row *row, struct ecc_error *error)
{
    if (row->count != parser->columns) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s, line %zu has %zu columns, expected %zu",
                        ecc_quote_path(shown, parser->reader.path), row->line, row->count,
                        parser->columns);
    }
    if (!make_room(parser)) return ecc_fail_memory(error, "a table");
    double *const values = parser->values + parser->rows * parser->columns;
    for (size_t i = 0; i < row->count; i++) {
        if ((long)i == parser->label) {
            parser->texts[parser->rows] = row->cells[i];
            values[i] = (double)row->line;
            if (!parser->guessed && ecc_csv_is_missing(row->cells[i])) {
                return not_a_number(parser, csv, row->cells[i], row->line, i, error);
            }
        } else if (!ecc_parse_double(row->cells[i], &values[i])) {
            return not_a_number(parser, csv, row->cells[i], row->line, i, error);
        }
    }
    parser->rows++;
    return ECC_OK;
}

static enum ecc_status read_rows(struct parser *parser, const struct ecc_csv *csv,
                                 struct ecc_error *error)
{
    if (!parser->has_header) ECC_TRY(add_row(parser, csv, &parser->first, error));
    if (parser->second.count) ECC_TRY(add_row(parser, csv, &parser->second, error));
    struct ecc_csv_row *const row = &parser->third; /* reused for all following rows */
    while (row->count) {
        ECC_TRY(add_row(parser, csv, row, error));
        ECC_TRY(ecc_csv_next(&parser->reader, row, error));
    }
    if (parser->rows > 0) return ECC_OK;
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA, "%s has a header but no rows",
                    ecc_quote_path(shown, parser->reader.path));
}

/* ---- What is handed out --------------------------------------------------------------------- */

/* Turns the last column, which was tried as labels and does not look like it, back into numbers. */
static enum ecc_status label_to_numbers(struct parser *parser, const struct ecc_csv *csv,
                                        struct ecc_error *error)
{
    const size_t column = (size_t)parser->label;
    for (size_t i = 0; i < parser->rows; i++) {
        double *const value = &parser->values[i * parser->columns + column];
        const size_t line = (size_t)*value;
        if (ecc_parse_double(parser->texts[i], value)) continue;
        return not_a_number(parser, csv, parser->texts[i], line, column, error);
    }
    parser->label = NO_LABEL;
    return ECC_OK;
}

static enum ecc_status no_missing_label(const struct parser *parser, const struct ecc_csv *csv,
                                        struct ecc_error *error)
{
    const size_t column = (size_t)parser->label;
    for (size_t i = 0; i < parser->rows; i++) {
        if (!ecc_csv_is_missing(parser->texts[i])) continue;
        const size_t line = (size_t)parser->values[i * parser->columns + column];
        return not_a_number(parser, csv, parser->texts[i], line, column, error);
    }
    return ECC_OK;
}

/* Closes the gap that the label column leaves in the rows. */
static void drop_label_column(struct parser *parser, struct ecc_csv *csv)
{
    csv->columns = parser->columns - (parser->label != NO_LABEL);
    double *to = parser->values;
    for (size_t i = 0; i < parser->rows; i++) {
        for (size_t j = 0; j < parser->columns; j++) {
            if ((long)j != parser->label) *to++ = parser->values[i * parser->columns + j];
        }
    }
    csv->rows = parser->rows;
    csv->values = parser->values;
    parser->values = NULL;
}

static enum ecc_status keep_header(struct parser *parser, struct ecc_csv *csv,
                                   struct ecc_error *error)
{
    char *const *const names = header_names(parser, csv);
    if (!names) return ECC_OK;
    csv->names = calloc(csv->columns ? csv->columns : 1, sizeof *csv->names);
    bool complete = csv->names != NULL;
    size_t used = 0;
    for (size_t i = 0; complete && i < parser->columns; i++) {
        char *const name = strdup(names[i]);
        complete = name != NULL;
        if ((long)i == parser->label)
            csv->label_name = name;
        else
            csv->names[used++] = name;
    }
    return complete ? ECC_OK : ecc_fail_memory(error, "the names of columns");
}

static enum ecc_status finish(struct parser *parser, struct ecc_csv *csv, struct ecc_error *error)
{
    if (parser->guessed && !ecc_csv_looks_like_labels(parser->texts, parser->rows)) {
        ECC_TRY(label_to_numbers(parser, csv, error));
    }
    const bool labelled = parser->label != NO_LABEL;
    if (labelled && parser->guessed) ECC_TRY(no_missing_label(parser, csv, error));
    csv->label_guessed = labelled && parser->guessed;
    drop_label_column(parser, csv);
    if (csv->columns == 0) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s has no columns of numbers",
                        ecc_quote_path(shown, parser->reader.path));
    }
    ECC_TRY(keep_header(parser, csv, error));
    return labelled ? ecc_csv_make_classes(csv, parser->texts, error) : ECC_OK;
}

static enum ecc_status parse(struct parser *parser, struct ecc_csv *csv, const char *label,
                             struct ecc_error *error)
{
    ECC_TRY(ecc_csv_next(&parser->reader, &parser->first, error));
    ECC_TRY(ecc_csv_next(&parser->reader, &parser->second, error));
    ECC_TRY(ecc_csv_next(&parser->reader, &parser->third, error));
    if (parser->first.count == 0) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s is empty, expected a table of numbers",
                        ecc_quote_path(shown, parser->reader.path));
    }
    find_header(parser, csv, label);
    ECC_TRY(find_label(parser, csv, label, error));
    ECC_TRY(read_rows(parser, csv, error));
    return finish(parser, csv, error);
}

enum ecc_status ecc_csv_parse(struct ecc_csv *csv, char *text, size_t size, const char *label,
                              const char *path, struct ecc_error *error)
{
    struct parser parser = {0};
    *csv = (struct ecc_csv){0};
    ECC_TRY(ecc_csv_reader_init(&parser.reader, text, size, path, error));
    const enum ecc_status status = parse(&parser, csv, label, error);
    ecc_csv_row_release(&parser.first);
    ecc_csv_row_release(&parser.second);
    ecc_csv_row_release(&parser.third);
    free(parser.values);
    free(parser.texts);
    if (status != ECC_OK) ecc_csv_release(csv);
    return status;
}

void ecc_csv_release(struct ecc_csv *csv)
{
    free(csv->values);
    ecc_free_texts(csv->names, csv->columns);
    free(csv->labels);
    ecc_free_texts(csv->class_names, csv->class_count);
    free(csv->label_name);
    *csv = (struct ecc_csv){0};
}
