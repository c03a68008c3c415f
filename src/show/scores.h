/* scores.h: a table of scores as a picture. */
#ifndef ECC_SHOW_SCORES_H
#define ECC_SHOW_SCORES_H

#include "eccentric_evaluate.h"

/* The FID of the runs in the table against their eccentricity, as in Figure 10 of the paper, and
 * against lambda, one line per regularizer.  Needs a run whose eccentricity is known. */
enum ecc_status ecc_draw_scores(const struct ecc_score_table *table, const char *path,
                                struct ecc_error *error);

#endif
