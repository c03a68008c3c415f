/* descend.h: free points moved by a regularizer other than the eccentric loss (for that one,
 * ecc_simulate needs no search for the length of its steps). */
#ifndef ECC_REGULARIZER_DESCEND_H
#define ECC_REGULARIZER_DESCEND_H

#include "regularizer/choice.h"

/* Whether points alone have this loss: no map from outputs to latents, nothing that is trained. */
enum ecc_status ecc_descend_check(const struct ecc_regularizer *entry, struct ecc_error *error);

/*
 * Minimises the value for z: [n, d] in place; points of a loss of directions stay at length 1.  As
 * ecc_simulate; of the options, `loss.threads` counts and the rest of `loss` does not.  Draws of
 * the regularizer are those of step 0 throughout.
 */
enum ecc_status ecc_descend(float *z, size_t *taken, size_t n, size_t d,
                            const struct ecc_regularizer_choice *choice,
                            const struct ecc_simulate_options *options, struct ecc_error *error);

/* Its value, with the same draws. */
enum ecc_status ecc_descend_value(double *value, const float *z, size_t n, size_t d,
                                  const struct ecc_regularizer_choice *choice, int threads,
                                  struct ecc_error *error);

#endif
