/* csv_values.h: the cells of a text table as numbers, by a schema. */
#ifndef ECC_DATA_CSV_VALUES_H
#define ECC_DATA_CSV_VALUES_H

#include "data/infer.h"

/* Where the columns of a schema are in a table: [schema->count], SIZE_MAX: not there. */
struct ecc_csv_match {
    size_t *columns;
};

/* Finds the columns of a run's schema in another table by their names, or by their places where
 * one of the two has none.  Fails with all that are missing.  Remarks name columns that are not
 * used.  The caller frees match->columns. */
enum ecc_status ecc_csv_match_schema(struct ecc_csv_match *match, const struct ecc_schema *schema,
                                     const struct ecc_table_view *view, struct ecc_error *error);

/*
 * *values: [rows, schema->features], malloced: numbers and dates in their own unit, 1 or 0 for the
 * levels of categories, NaN for what is missing.  Labels and targets go to the dataset.  Fails with
 * all cells that do not fit their column, and rows that were too long or too short.
 */
enum ecc_status ecc_csv_values(double **values, struct ecc_schema *schema,
                               const struct ecc_csv_match *match, const struct ecc_table_view *view,
                               struct ecc_error *error);

/* Opens a table from the bytes of its file, malloced, which it takes over, also on failure; as the
 * source "csv" does. */
enum ecc_status ecc_csv_open_bytes(struct ecc_dataset *data, unsigned char *bytes, size_t size,
                                   struct ecc_data_request *request, struct ecc_error *error);

#endif
