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

/* Whether there is such a grid, of at most 2^ECC_WALK_MOST images. */
enum ecc_status ecc_walk_check(const struct ecc_components *components,
                               const struct ecc_walk_grid *grid, struct ecc_error *error);
/* Whether component number `which` of `count` is positive in row or column `at`. */
bool ecc_walk_sign(size_t at, size_t which, size_t count);

#endif
