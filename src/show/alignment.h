/* alignment.h: runs that were aligned (eccentric_evaluate.h) as a picture. */
#ifndef ECC_SHOW_ALIGNMENT_H
#define ECC_SHOW_ALIGNMENT_H

#include "eccentric_evaluate.h"

/* To a .png, .svg or .pdf: correlations before and after, of the first few pairs. */
enum ecc_status ecc_draw_runs_alignment(const struct ecc_runs_alignment *result, const char *path,
                                        struct ecc_error *error);

#endif
