/* meaning_output.h: what components do to the columns of a table (eccentric_evaluate.h), as a
 * table; the picture is in eccentric_show.h. */
#ifndef ECC_SHOW_MEANING_OUTPUT_H
#define ECC_SHOW_MEANING_OUTPUT_H

#include "eccentric_show.h"

/* A CSV file with all columns, in their order: name, unit, one deviation, and the change by each
 * component. */
enum ecc_status ecc_write_meaning(const struct ecc_meaning *meaning, const char *path,
                                  struct ecc_error *error);

#endif
