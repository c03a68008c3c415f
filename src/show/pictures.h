/*
 * pictures.h: the paper's pictures of a latent space, each to a .png, .svg or .pdf: spectrum
 * (Figure 5), paired eigen-images (6, 7), strips, grids of sign combinations (8).
 */
#ifndef ECC_SHOW_PICTURES_H
#define ECC_SHOW_PICTURES_H

#include "latent/walk.h"
#include "model/model.h"

/* Eigenvalues by rank, one line per run; names: [count] for the legend. */
enum ecc_status ecc_draw_spectrum(const struct ecc_components *components, const char *const *names,
                                  size_t count, const char *path, struct ecc_error *error);

/* For each listed component, the mean plus and minus `deviations` deviations along it. */
enum ecc_status ecc_draw_pairs(struct ecc_model *model, const struct ecc_components *components,
                               const size_t *list, size_t count, double deviations,
                               const char *path, struct ecc_error *error);

/* For each listed component, a row of steps from minus to plus `deviations` deviations. */
enum ecc_status ecc_draw_strips(struct ecc_model *model, const struct ecc_components *components,
                                const size_t *list, size_t count, size_t steps, double deviations,
                                const char *path, struct ecc_error *error);

enum ecc_status ecc_draw_grid(struct ecc_model *model, const struct ecc_components *components,
                              const struct ecc_walk_grid *grid, const char *path,
                              struct ecc_error *error);

#endif
