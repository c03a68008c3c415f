/*
 * table_copy.h: a text table written again with some of its cells filled.
 *
 * Every other byte stays as it is in the file: header, order, quotes, blanks, line ends, and the
 * cells that are there.  (Text that is not UTF-8, or gzipped, becomes plain UTF-8.)
 */
#ifndef ECC_DATA_TABLE_COPY_H
#define ECC_DATA_TABLE_COPY_H

#include "data/dataset.h"

struct ecc_table_copy;

/* Reads the file; schema: of the run whose items fill it, by whose names its columns are found. */
enum ecc_status ecc_table_copy_open(struct ecc_table_copy **copy, const char *path,
                                    const struct ecc_schema *schema, struct ecc_error *error);
void ecc_table_copy_close(struct ecc_table_copy *copy);

size_t ecc_table_copy_rows(const struct ecc_table_copy *copy);

/* Fills the cell of a row and a column of the schema from an item x: [schema->features], as the
 * column writes its cells: with its decimals and decimal sign, its form of dates, its words. */
enum ecc_status ecc_table_copy_fill(struct ecc_table_copy *copy, size_t row, size_t column,
                                    const float *x, struct ecc_error *error);

enum ecc_status ecc_table_copy_write(struct ecc_table_copy *copy, const char *path,
                                     struct ecc_error *error);

#endif
