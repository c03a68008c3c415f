/* winograd_product.h: what the two versions of the tiles' products share. */
#ifndef ECC_NN_WINOGRAD_PRODUCT_H
#define ECC_NN_WINOGRAD_PRODUCT_H

#include "nn/wide_vectors.h"
#include "nn/winograd_kernels.h"

/* Those of winograd_kernels.h, for processors that are wide (processor.h). */
void ecc_winograd_multiply_512(float *m, const float *v, const float *u,
                               const struct ecc_winograd_product *product);
void ecc_winograd_accumulate_512(float *u, const float *v, const float *m,
                                 const struct ecc_winograd_product *product);

#endif
