/* outcome.h: what the files that put the results of a comparison together share. */
#ifndef ECC_COMPARE_OUTCOME_H
#define ECC_COMPARE_OUTCOME_H

#include "compare/trials.h"

/* The rows of a classification, of the first training that has one, or NULL. */
const json_t *ecc_outcome_label_rows(const struct ecc_entrant *e);
/* "knn_1000", the key of such a row.  Returns out. */
const char *ecc_outcome_label_key(char out[40], const json_t *row);

/* outcome_columns.c: adds the columns of a section whose rows are there, says what is left out, and
 * marks the best of each. */
void ecc_outcome_columns(json_t *section, const struct ecc_comparison *c,
                         const struct ecc_entrant *const *entrants, size_t count);

#endif
