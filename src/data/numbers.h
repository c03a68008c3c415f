/*
 * numbers.h: numbers as spreadsheets and programs write them: with a decimal point or comma, with
 * or without separators of thousands, a percent sign or a currency.
 */
#ifndef ECC_DATA_NUMBERS_H
#define ECC_DATA_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

/* What a cell of a table looks like, before anything is known of its column. */
enum ecc_cell_shape {
    ECC_CELL_MISSING = 0,
    ECC_CELL_WHOLE,       /* 12, 1e5: the same with a decimal point and comma */
    ECC_CELL_POINT,       /* 1.5, 1,234.50: only with a decimal point */
    ECC_CELL_COMMA,       /* 1,5, 1.234,50: only with a decimal comma */
    ECC_CELL_POINT_GROUP, /* 1.234: a fraction, or with a decimal comma 1234 */
    ECC_CELL_COMMA_GROUP, /* 1,234: a fraction, or with a decimal point 1234 */
    ECC_CELL_INFINITE,    /* inf, 1e999 */
    ECC_CELL_WORD,        /* anything else, dates included */
    ECC_CELL_SHAPES,
};

/* *decimals: digits after the decimal sign, of numbers. */
enum ecc_cell_shape ecc_cell_shape(const char *text, int *decimals);

/* Whether a cell means a missing value: empty, "NA", "null", "?", ... */
bool ecc_cell_is_missing(const char *text);

/* The whole cell as a finite number, with '.' or ',' as its decimal sign. */
bool ecc_number_read(const char *text, char decimal, double *value);

#endif
