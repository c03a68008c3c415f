/* meaning_output.h: what components do to the columns of a table (eccentric_evaluate.h), as a
 * picture and as a table. */
#ifndef ECC_SHOW_MEANING_OUTPUT_H
#define ECC_SHOW_MEANING_OUTPUT_H

#include "eccentric_evaluate.h"

/* A heat map to a .png, .svg or .pdf: columns by components, the columns that change most, with the
 * changes in the columns' own units where they fit. */
enum ecc_status ecc_draw_meaning(const struct ecc_meaning *meaning, const char *path,
                                 struct ecc_error *error);

/* A CSV file with all columns, in their order: name, unit, one deviation, and the change by each
 * component. */
enum ecc_status ecc_write_meaning(const struct ecc_meaning *meaning, const char *path,
                                  struct ecc_error *error);

#endif
