/* eccentric.h: the eccentric loss by several processes, and the plain reference that the tests
 * compare the fast one with. */
#ifndef ECC_METHOD_ECCENTRIC_H
#define ECC_METHOD_ECCENTRIC_H

#include "regularizer/pair_sums.h"

/*
 * The loss as the paper writes it, every pair in long double, for items `z` in [n, d].  dz: [n, d]
 * in long double, and the repulsive part of the value, may be NULL.  m is the value of M.  O(n^2
 * d), one thread.
 */
long double ecc_loss_reference(long double *dz, long double *repulsion, const float *z, size_t n,
                               size_t d, double mu, double m, enum ecc_pairs pairs);

/* The gradient of item i alone, O(n d): for spot checks where all pairs would take too long. */
void ecc_loss_reference_item(long double *dz_i, const float *z, size_t i, size_t n, size_t d,
                             double mu, double m, enum ecc_pairs pairs);

/* From now on, several processes evaluate the same batches together. */
void ecc_loss_plan_share(struct ecc_loss_plan *plan, const struct ecc_pair_share *share);

#endif
