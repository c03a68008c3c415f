/*
 * csv.h: the cells of a text table: values separated by commas, semicolons, tabs, bars or blanks,
 * with or without a header.
 *
 * The text stays in memory once; a cell is a place in it.  What the columns mean is not known yet
 * (infer.h).
 */
#ifndef ECC_DATA_CSV_H
#define ECC_DATA_CSV_H

#include "data/problems.h"

struct ecc_csv_place {
    size_t start; /* of the row in the text */
    size_t line;  /* from 1 */
};

struct ecc_csv {
    char *text; /* cells end in a 0 */
    char delimiter;
    size_t rows, columns;
    struct ecc_csv_place *places; /* [rows] */
    uint32_t *at;                 /* [rows, columns] from the start of the row */
    char **names;                 /* [columns]; "column 3" without a header or name */
    bool has_header;
    bool numbered;     /* the header only counts: 0, 1, 2, or years */
    size_t odd_header; /* entries of a first line unlike all others, which was ignored; else 0 */
    size_t renamed;    /* names that were given twice and got a number */
    struct ecc_problems ragged; /* rows with too many or too few cells, which are left out */

    struct ecc_csv_place *place_block; /* what is allocated; the first row may be the header */
    uint32_t *at_block;
    size_t capacity;
};

static inline const char *ecc_csv_cell(const struct ecc_csv *csv, size_t row, size_t column)
{
    return csv->text + csv->places[row].start + csv->at[row * csv->columns + column];
}

/* Cuts text: [size + 1], malloced, in place, and takes it over, also on failure.  label: a name
 * that, found in the first line, makes it a header; may be NULL. */
enum ecc_status ecc_csv_init(struct ecc_csv *csv, char *text, size_t size, const char *label,
                             const char *path, struct ecc_error *error);
void ecc_csv_release(struct ecc_csv *csv);

/* Whether a column of this name usually holds the labels: "class", "species", ... */
bool ecc_csv_names_labels(const char *name);

#endif
