/*
 * pictures.h: the paper's pictures of a latent space, each to a .png, .svg or .pdf: besides those
 * of eccentric_show.h (spectrum, Figure 5; paired eigen-images, 6 and 7; strips), grids of sign
 * combinations (8).
 */
#ifndef ECC_SHOW_PICTURES_H
#define ECC_SHOW_PICTURES_H

#include "eccentric_show.h"

#include "latent/walk.h"
#include "model/model.h"

enum ecc_status ecc_draw_grid(struct ecc_model *model, const struct ecc_components *components,
                              const struct ecc_walk_grid *grid, const char *path,
                              struct ecc_error *error);

#endif
