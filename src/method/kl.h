/* kl.h: the plain reference of the VAE's regularizer that the tests compare the planned one with.
 */
#ifndef ECC_METHOD_KL_H
#define ECC_METHOD_KL_H

#include "base/status.h"

/* Above this log variance, exp is continued by its tangent, and latents are drawn as if it were
 * reached: no one needs a deviation of 22,000, and a step of Adam must not end in infinity. */
#define ECC_KL_MAX_LOG_VARIANCE 20.0

/* KL from N(mean, exp(logvar)) to N(0, 1), summed over the d dimensions, averaged over n items.
 * outputs: [n, 2d]; doutputs of the same shape, or NULL. */
double ecc_kl_reference(double *doutputs, const float *outputs, size_t n, size_t d);

#endif
