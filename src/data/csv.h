/*
 * csv.h: text tables: numbers separated by commas, semicolons, tabs or blanks, with or without a
 * header, and perhaps a column of labels.
 */
#ifndef ECC_DATA_CSV_H
#define ECC_DATA_CSV_H

#include "base/status.h"

struct ecc_csv {
    size_t rows, columns; /* of the numbers; the label column is not counted */
    double *values;       /* [rows, columns], all finite */
    char **names;         /* [columns] from the header, or NULL */

    int32_t *labels; /* [rows], or NULL */
    size_t class_count;
    char **class_names; /* [class_count], in the order of the classes: numbers by value, words by
                         * name */
    char *label_name;   /* of the label column in the header, or NULL */
    bool label_guessed; /* the caller did not name the label column */
    size_t odd_header;  /* entries of the first line if it differs from all others and was ignored,
                           else 0 */
};

/* Parses text: [size + 1] in place; the last byte is free for the parser.  label: the label
 * column's name (its number from 1 where there is no header), "none", or NULL: a column named
 * label, class or target, else the last one if it holds words or few whole numbers. */
enum ecc_status ecc_csv_parse(struct ecc_csv *csv, char *text, size_t size, const char *label,
                              const char *path, struct ecc_error *error);
void ecc_csv_release(struct ecc_csv *csv);

#endif
