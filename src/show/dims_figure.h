/* dims_figure.h: error against latent size, beside PCA's. */
#ifndef ECC_SHOW_DIMS_FIGURE_H
#define ECC_SHOW_DIMS_FIGURE_H

#include "eccentric_evaluate.h"

enum ecc_status ecc_draw_dims(const struct ecc_dims *dims, const char *path,
                              struct ecc_error *error);

#endif
