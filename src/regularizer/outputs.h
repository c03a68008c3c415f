/* outputs.h: the checks of an encoder's outputs that all regularizers share. */
#ifndef ECC_REGULARIZER_OUTPUTS_H
#define ECC_REGULARIZER_OUTPUTS_H

#include "base/status.h"

/* n is within n_min (1 or 2) and n_max. */
enum ecc_status ecc_check_batch(size_t n, size_t n_min, size_t n_max, struct ecc_error *error);

/* z: [n, columns] is finite; `name` is what messages call it. */
enum ecc_status ecc_check_finite(const float *z, size_t n, size_t columns, const char *name,
                                 struct ecc_error *error);

#endif
