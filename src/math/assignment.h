/* assignment.h: the best one-to-one assignment of rows to columns: the Hungarian problem, exactly.
 */
#ifndef ECC_MATH_ASSIGNMENT_H
#define ECC_MATH_ASSIGNMENT_H

#include "base/status.h"

/*
 * Gives each row of value: [rows, columns] a column of its own, column: [rows], such that the sum
 * of the chosen entries, *total (may be NULL), is as small as possible, or as large when `maximise`
 * is set.  rows <= columns.  Takes at most of the order of rows^2 columns steps and memory for a
 * few rows.  Among equally good assignments it always picks the same one.
 * Fails with ECC_BAD_ARGUMENT (no rows, more rows than columns), ECC_BAD_DATA (an entry that is not
 * finite, or beyond 1e290; the sentence says where) or ECC_NO_MEMORY.
 */
enum ecc_status ecc_assignment(size_t *column, double *total, const double *value, size_t rows,
                               size_t columns, bool maximise, struct ecc_error *error);

#endif
