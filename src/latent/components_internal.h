/* components_internal.h: what the files of the components share among themselves. */
#ifndef ECC_LATENT_COMPONENTS_INTERNAL_H
#define ECC_LATENT_COMPONENTS_INTERNAL_H

#include "latent/components.h"

/* Room for all arrays, zeroed. */
enum ecc_status ecc_components_init(struct ecc_components *components, size_t d,
                                    struct ecc_error *error);
/* What follows from the eigenvalues. */
void ecc_components_describe(struct ecc_components *components);

#endif
