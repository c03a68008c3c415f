/* theory_figures.h: the paper's Figures 1 and 2, each to a .png, .svg or .pdf. */
#ifndef ECC_SHOW_THEORY_FIGURES_H
#define ECC_SHOW_THEORY_FIGURES_H

#include "theory/curves.h"

enum ecc_status ecc_draw_accuracy(const struct ecc_accuracy_curve *curve, const char *path,
                                  struct ecc_error *error);
enum ecc_status ecc_draw_force(const struct ecc_force_curves *curves, const char *path,
                               struct ecc_error *error);

#endif
