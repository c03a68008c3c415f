/* table_fit.h: centre and spread of the columns of a table, with gaps. */
#ifndef ECC_DATA_TABLE_FIT_H
#define ECC_DATA_TABLE_FIT_H

#include "data/source.h"

/* Rows of numbers; NaN is a missing cell. */
struct ecc_number_table {
    const double *values; /* [rows, columns] */
    size_t rows, columns;
    const struct ecc_data_request *request; /* which rows count */
};

/* mean, deviation: [columns] of the rows that count; 0 and 0 where all cells are missing. */
enum ecc_status ecc_table_fit(double *mean, double *deviation, const struct ecc_number_table *table,
                              struct ecc_error *error);

/* Replaces mean and deviation of one column by its median and interquartile range / 1.349, unless
 * that is 0. scratch: [rows] */
void ecc_table_fit_robust(double *mean, double *deviation, const struct ecc_number_table *table,
                          size_t column, double *scratch);

/* Range, gaps and different values (at most ECC_DISTINCT_MAX + 1) of one column. */
struct ecc_column_range {
    double low, high; /* 0 where all cells are missing */
    size_t gaps, distinct;
};
struct ecc_column_range ecc_table_range(const struct ecc_number_table *table, size_t column);

#endif
