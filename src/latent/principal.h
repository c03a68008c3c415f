/* principal.h: deep principal components of latents: the part that is not public (eccentric.h). */
#ifndef ECC_LATENT_PRINCIPAL_H
#define ECC_LATENT_PRINCIPAL_H

#include "base/status.h"

/* Allocates all arrays, zeroed. */
enum ecc_status ecc_components_init(struct ecc_components *components, size_t d,
                                    struct ecc_error *error);
enum ecc_status ecc_components_copy(struct ecc_components *copy, const struct ecc_components *of,
                                    struct ecc_error *error);
/* Fills the fields that follow from the eigenvalues. */
void ecc_components_describe(struct ecc_components *components);

/* Whether the latents differ by more than rounding; if not, eccentricity and axes mean nothing. */
bool ecc_components_vary(const struct ecc_components *components);

/* Whether component k varies by more than rounding, beside the first; if not, amounts along it mean
 * nothing and are 0. */
bool ecc_component_varies(const struct ecc_components *components, size_t k);

/* The share of the variance of the data that component k adds to those before it, as it is shown:
 * the first starts from the items' mean (0%), not from the decoded mean, so all shares add up to
 * what the reconstructions keep. */
double ecc_components_data_share(const struct ecc_components *components, size_t k);

/* "p1,p3,p5-p8" as numbers from 0; the caller frees *list.  d components exist. */
enum ecc_status ecc_components_parse(size_t **list, size_t *count, const char *text, size_t d,
                                     struct ecc_error *error);

#endif
