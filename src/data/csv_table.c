/* csv_table.c: all cells of a text table, and whether its first line is a header. */
#include "data/csv.h"

#include "base/text.h"
#include "data/csv_rows.h"
#include "data/dates.h"
#include "data/numbers.h"
#include "data/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Rows ----------------------------------------------------------------------------------- */

static bool make_room(struct ecc_csv *csv)
{
    if (csv->rows < csv->capacity) return true;
    const size_t capacity = csv->capacity ? csv->capacity * 2 : 64;
    size_t bytes;
    if (__builtin_mul_overflow(capacity, csv->columns * sizeof *csv->at, &bytes)) return false;
    uint32_t *const at = realloc(csv->at_block, bytes);
    if (at) csv->at_block = at;
    struct ecc_csv_place *const places =
        realloc(csv->place_block, capacity * sizeof *csv->place_block);
    if (places) csv->place_block = places;
    if (!at || !places) return false;
    csv->capacity = capacity;
    return true;
}

/* Whether cells beyond the last column are all empty, as after a delimiter at the end of a line. */
static bool only_empty_beyond(const struct ecc_csv_row *row, size_t columns)
{
    for (size_t i = columns; i < row->count; i++) {
        if (*row->cells[i]) return false;
    }
    return row->count >= columns;
}

static enum ecc_status add_row(struct ecc_csv *csv, const struct ecc_csv_row *row,
                               struct ecc_error *error)
{
    if (row->count != csv->columns && !only_empty_beyond(row, csv->columns)) {
        ecc_problems_add(&csv->ragged, "line %zu has %zu %s, expected %zu", row->line, row->count,
                         row->count == 1 ? "cell" : "cells", csv->columns);
        return ECC_OK;
    }
    if (!make_room(csv)) return ecc_fail_memory(error, "a table");
    uint32_t *const at = csv->at_block + csv->rows * csv->columns;
    for (size_t i = 0; i < csv->columns; i++) {
        const size_t offset = (size_t)(row->cells[i] - row->cells[0]);
        if (offset > UINT32_MAX) {
            return ecc_fail(error, ECC_BAD_DATA, "line %zu is longer than 4 GB", row->line);
        }
        at[i] = (uint32_t)offset;
    }
    csv->place_block[csv->rows++] =
        (struct ecc_csv_place){(size_t)(row->cells[0] - csv->text), row->line};
    return ECC_OK;
}

/* ---- The header ----------------------------------------------------------------------------- */

bool ecc_csv_names_labels(const char *name)
{
    static const char *const usual[] = {"label",   "labels",    "class",    "classes",
                                        "target",  "species",   "y",        "outcome",
                                        "variety", "diagnosis", "response", "category"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (strcasecmp(name, usual[i]) == 0) return true;
    }
    return false;
}

enum { ROWS_SEEN = 1000 };

/* A number or a date. */
static bool is_value(const char *cell)
{
    struct ecc_date date;
    int unused;
    const enum ecc_cell_shape shape = ecc_cell_shape(cell, &unused);
    return shape != ECC_CELL_MISSING && (shape != ECC_CELL_WORD || ecc_date_parse(&date, cell));
}

/* Whether nearly all cells below the first are numbers or dates. */
static bool values_below(const struct ecc_csv *csv, size_t column)
{
    size_t values = 0, words = 0;
    for (size_t row = 1; row < csv->rows && row < ROWS_SEEN; row++) {
        const char *const cell = ecc_csv_cell(csv, row, column);
        if (ecc_cell_is_missing(cell)) continue;
        if (is_value(cell))
            values++;
        else
            words++;
    }
    return values > 9 * words;
}

/* Whether the first cell is below, too; *repeats: so is the second. */
static bool found_below(const struct ecc_csv *csv, size_t column, bool *repeats)
{
    const char *const first = ecc_csv_cell(csv, 0, column);
    for (size_t row = 1; row < csv->rows && row < ROWS_SEEN; row++) {
        const char *const cell = ecc_csv_cell(csv, row, column);
        if (strcmp(cell, first) == 0) return true;
        if (row > 1 && strcmp(cell, ecc_csv_cell(csv, 1, column)) == 0) *repeats = true;
    }
    return false;
}

static bool names_given_label(const char *cell, const char *label)
{
    double unused;
    if (!label) return ecc_csv_names_labels(cell);
    return strcasecmp(cell, label) == 0 && !ecc_number_read(label, '.', &unused);
}

/* Whether most cells below the first are numbers with fractions. */
static bool fractions_below(const struct ecc_csv *csv, size_t column)
{
    size_t fractions = 0, others = 0;
    for (size_t row = 1; row < csv->rows && row < ROWS_SEEN; row++) {
        const char *const cell = ecc_csv_cell(csv, row, column);
        int unused;
        if (ecc_cell_is_missing(cell)) continue;
        if (is_value(cell) && ecc_cell_shape(cell, &unused) != ECC_CELL_WHOLE)
            fractions++;
        else
            others++;
    }
    return fractions > others;
}

/* Whether the numbers of a row are n, n + 1, ... from 0, 1 or a year on; how many, and how many of
 * them stand above fractions. */
static bool counts_up(const struct ecc_csv *csv, size_t row, size_t *numbers, size_t *fractions)
{
    double last = 0;
    *numbers = *fractions = 0;
    for (size_t i = 0; i < csv->columns; i++) {
        const char *const cell = ecc_csv_cell(csv, row, i);
        double value;
        if (ecc_cell_is_missing(cell) || !is_value(cell)) continue;
        if (!ecc_number_read(cell, '.', &value)) return false;
        const bool first = value == 0 || value == 1 || (value >= 1800 && value <= 2200);
        if (*numbers == 0 ? !first : value != last + 1) return false;
        *fractions += fractions_below(csv, i);
        last = value;
        ++*numbers;
    }
    return *numbers > 1;
}

/* pandas numbers columns without names, and statistics have years; data rarely starts like that. */
static bool is_numbered(const struct ecc_csv *csv)
{
    enum { BEYOND_CHANCE = 5 };
    size_t numbers, fractions, unused[2];
    if (csv->rows < 2 || !counts_up(csv, 0, &numbers, &fractions)) return false;
    if (2 * fractions > numbers) return true;
    for (size_t row = 1; row < csv->rows && row < ROWS_SEEN; row++) {
        if (counts_up(csv, row, &unused[0], &unused[1])) return false;
    }
    return numbers >= BEYOND_CHANCE;
}

/* A first line is a header if it has a name above numbers, or the name of the labels; in a table of
 * words, if none of its words occurs again in its column, and others do. */
static bool find_words(const struct ecc_csv *csv, const char *label)
{
    bool words = true, repeats = false;
    for (size_t i = 0; i < csv->columns; i++) {
        const char *const first = ecc_csv_cell(csv, 0, i);
        if (names_given_label(first, label)) return true;
        if (ecc_cell_is_missing(first)) continue;
        if (is_value(first)) {
            words = false;
            continue;
        }
        if (values_below(csv, i)) return true;
        if (words && found_below(csv, i, &repeats)) words = false;
    }
    return words && (repeats || csv->rows == 1);
}

/* ---- Names ---------------------------------------------------------------------------------- */

/* The same name again gets a number, as pandas does it. */
static char *unique_name(struct ecc_csv *csv, const struct ecc_tally *taken, const char *name)
{
    const size_t length = strlen(name), size = length + 24;
    char *const unique = malloc(size);
    if (!unique) return NULL;
    strcpy(unique, name);
    for (char *at = unique; *at; at++) { /* a line end within a name, as spreadsheets allow */
        if ((unsigned char)*at < 0x20 || *at == 0x7f) *at = ' ';
    }
    for (size_t number = 1; ecc_tally_find(taken, unique); number++) {
        if (number == 1) csv->renamed++;
        snprintf(unique + length, size - length, ".%zu", number);
    }
    return unique;
}

/* header: [columns - shift] or NULL; the names of R's write.table start at the second column. */
static enum ecc_status keep_names(struct ecc_csv *csv, char *const *header, size_t shift,
                                  struct ecc_error *error)
{
    struct ecc_tally taken = {0};
    csv->names = calloc(csv->columns + 1, sizeof *csv->names);
    bool whole = csv->names != NULL;
    for (size_t i = 0; whole && i < csv->columns; i++) {
        char number[40];
        snprintf(number, sizeof number, "column %zu", i + 1);
        const char *const name = header && i >= shift ? header[i - shift] : "";
        csv->names[i] = unique_name(csv, &taken, *name ? name : number);
        whole = csv->names[i] && ecc_tally_add(&taken, csv->names[i]);
    }
    ecc_tally_release(&taken);
    return whole ? ECC_OK : ecc_fail_memory(error, "the names of columns");
}

/* Takes row 0 off the cells. */
static void drop_first(struct ecc_csv *csv)
{
    csv->places = csv->place_block + 1;
    csv->at = csv->at_block + csv->columns;
    csv->rows--;
}

/* ---- All ------------------------------------------------------------------------------------ */

struct opening {
    struct ecc_csv_reader reader;
    struct ecc_csv_row first, row;
    bool odd;     /* the first line is unlike the others */
    size_t shift; /* it lacks a name for the first column, as R's write.table writes it */
};

static bool all_words(const struct ecc_csv_row *row)
{
    for (size_t i = 0; i < row->count; i++) {
        if (is_value(row->cells[i])) return false;
    }
    return true;
}

/* Reads the second and third line: three lines tell how many columns there are. */
static enum ecc_status read_start(struct ecc_csv *csv, struct opening *o, struct ecc_error *error)
{
    struct ecc_csv_row second = {0}, third = {0};
    csv->columns = o->first.count;
    enum ecc_status status = ecc_csv_next(&o->reader, &second, error);
    if (status == ECC_OK) status = ecc_csv_next(&o->reader, &third, error);
    if (status == ECC_OK && second.count > 0) {
        const bool longer = second.count == o->first.count + 1;
        o->odd = second.count != o->first.count && second.count == third.count &&
                 !only_empty_beyond(&second, o->first.count);
        if (o->odd) csv->columns = second.count;
        if (o->odd && longer && all_words(&o->first)) o->shift = 1;
    }
    if (status == ECC_OK && !o->odd) status = add_row(csv, &o->first, error);
    if (status == ECC_OK && second.count > 0) status = add_row(csv, &second, error);
    if (status == ECC_OK && third.count > 0) status = add_row(csv, &third, error);
    ecc_csv_row_release(&second);
    ecc_csv_row_release(&third);
    return status;
}

static enum ecc_status read_rows(struct ecc_csv *csv, struct opening *o, struct ecc_error *error)
{
    ECC_TRY(ecc_csv_next(&o->reader, &o->first, error));
    if (o->first.count > 0) ECC_TRY(read_start(csv, o, error));
    while (csv->place_block) {
        ECC_TRY(ecc_csv_next(&o->reader, &o->row, error));
        if (o->row.count == 0) break;
        ECC_TRY(add_row(csv, &o->row, error));
    }
    if (!csv->place_block) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s is empty, expected a table",
                        ecc_quote_path(shown, o->reader.path));
    }
    csv->places = csv->place_block;
    csv->at = csv->at_block;
    return ECC_OK;
}

static enum ecc_status read_all(struct ecc_csv *csv, struct opening *o, const char *label,
                                struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    ECC_TRY(read_rows(csv, o, error));
    if (o->odd) {
        csv->has_header = o->shift == 1;
        if (!csv->has_header) csv->odd_header = o->first.count;
        ECC_TRY(keep_names(csv, csv->has_header ? o->first.cells : NULL, o->shift, error));
    } else {
        csv->has_header = find_words(csv, label);
        csv->numbered = !csv->has_header && is_numbered(csv);
        csv->has_header |= csv->numbered;
        ECC_TRY(keep_names(csv, csv->has_header ? o->first.cells : NULL, 0, error));
        if (csv->has_header) drop_first(csv);
    }
    if (csv->rows > 0 || csv->ragged.count > 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%s has a header but no rows",
                    ecc_quote_path(shown, o->reader.path));
}

enum ecc_status ecc_csv_init(struct ecc_csv *csv, char *text, size_t size, const char *label,
                             const char *path, struct ecc_error *error)
{
    struct opening o = {0};
    *csv = (struct ecc_csv){.text = text};
    enum ecc_status status = ecc_csv_reader_init(&o.reader, text, size, path, error);
    csv->delimiter = o.reader.delimiter;
    if (status == ECC_OK) status = read_all(csv, &o, label, error);
    ecc_csv_row_release(&o.first);
    ecc_csv_row_release(&o.row);
    if (status != ECC_OK) ecc_csv_release(csv);
    return status;
}

void ecc_csv_release(struct ecc_csv *csv)
{
    free(csv->text);
    free(csv->place_block);
    free(csv->at_block);
    ecc_free_texts(csv->names, csv->columns);
    *csv = (struct ecc_csv){0};
}
