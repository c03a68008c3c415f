/* product.h: regularizers whose latents are a linear map of the encoder's outputs (irmae): the map
 * as one matrix. */
#ifndef ECC_MODEL_PRODUCT_H
#define ECC_MODEL_PRODUCT_H

#include "model/model.h"

/* After the weights changed: sets model->product, or leaves it NULL where there is no such map, or
 * no memory for it. */
void ecc_model_fold(struct ecc_model *model);

/* z: [n, d] = product x for outputs: [n, d], item by item: the same for any number of items. */
void ecc_model_apply_product(const struct ecc_model *model, float *z, const float *outputs,
                             size_t n);

/* Its singular values, falling; *values: [d] is the caller's to free, or NULL where there is no
 * such map. */
enum ecc_status ecc_model_singular_values(const struct ecc_model *model, double **values,
                                          struct ecc_error *error);

#endif
