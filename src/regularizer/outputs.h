/* outputs.h: the checks of an encoder's outputs that all regularizers share. */
#ifndef ECC_REGULARIZER_OUTPUTS_H
#define ECC_REGULARIZER_OUTPUTS_H

#include "base/status.h"
#include "regularizer/regularizer.h"

/* n is within n_min (1 or 2) and n_max. */
enum ecc_status ecc_check_batch(size_t n, size_t n_min, size_t n_max, struct ecc_error *error);

/* z: [n, columns] is finite; `name` is what messages call it. */
enum ecc_status ecc_check_finite(const float *z, size_t n, size_t columns, const char *name,
                                 struct ecc_error *error);

/* Whether z: [n, d] is a batch of `n_min` to `n_max` finite latents, none beyond ECC_REACH, so that
 * fourth powers of their differences, which gradients hold, are numbers of float32. */
#define ECC_REACH 1e9F
enum ecc_status ecc_check_latents(const float *z, size_t n, size_t d, size_t n_min, size_t n_max,
                                  struct ecc_error *error);

/* The `evaluate` of those that add nothing to the loss; outputs, doutputs: [n, columns]. */
enum ecc_status ecc_evaluate_nothing(struct ecc_regularizer_value *value, float *doutputs,
                                     const float *outputs, size_t n, size_t n_max, size_t columns,
                                     struct ecc_error *error);

#endif
