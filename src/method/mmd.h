/* mmd.h: the plain reference of the MMD regularizer, and the sample of the prior that a step uses.
 */
#ifndef ECC_METHOD_MMD_H
#define ECC_METHOD_MMD_H

#include "base/status.h"

enum { ECC_MMD_SCALES = 7 };
extern const double ecc_mmd_scales[ECC_MMD_SCALES];

/* MMD^2 between the items of z and of prior, [n, d] each, every pair in double.  dz: [n, d], or
 * NULL. */
double ecc_mmd_reference(double *dz, const float *z, const float *prior, size_t n, size_t d);

/* prior: [n, d], what the regularizer draws at this step. */
void ecc_mmd_prior(float *prior, size_t n, size_t d, uint64_t seed, uint64_t step);

#endif
