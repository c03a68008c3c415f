/* kl.h: the plain reference of the VAE's regularizer that the tests hold the planned one against.
 */
#ifndef ECC_REGULARIZER_KL_H
#define ECC_REGULARIZER_KL_H

#include "base/status.h"

/* Log variances above this go on along the tangent of exp, and draw as if they were at it: nobody
 * means a deviation of 22,000, and a step of Adam must not end in infinity. */
#define ECC_KL_MAX_LOG_VARIANCE 20.0

/* KL from N(mean, exp(logvar)) to N(0, 1), summed over the d dimensions, averaged over n items.
 * outputs: [n, 2d]; doutputs of the same shape, or NULL. */
double ecc_kl_reference(double *doutputs, const float *outputs, size_t n, size_t d);

#endif
