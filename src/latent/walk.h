/*
 * walk.h: latents that show what components mean: the mean plus some deviations along some of them.
 * Each function fills z: [..., d], to be decoded.
 */
#ifndef ECC_LATENT_WALK_H
#define ECC_LATENT_WALK_H

#include "latent/principal.h"

/* The mean with `amounts`: [count] deviations along the listed components. */
void ecc_walk_point(const struct ecc_components *components, float *z, const size_t *list,
                    const double *amounts, size_t count);

/* z: [steps, d] from -deviations to +deviations along component k, evenly; steps >= 2. */
void ecc_walk_strip(const struct ecc_components *components, float *z, size_t k, size_t steps,
                    double deviations);

/* A grid of all combinations of signs: 2^y_count rows, 2^x_count columns, z: [rows, columns, d].
 * The first component of each list changes slowest; minus comes first, on the left and at the top.
 */
struct ecc_walk_grid {
    const size_t *x, *y; /* components along columns and rows */
    size_t x_count, y_count;
    double deviations;
};
enum { ECC_WALK_MOST = 12 }; /* components along one side */

void ecc_walk_grid(const struct ecc_components *components, float *z,
                   const struct ecc_walk_grid *grid);
/* Whether component number `which` of `count` is positive in row or column `at`. */
bool ecc_walk_sign(size_t at, size_t which, size_t count);

#endif
