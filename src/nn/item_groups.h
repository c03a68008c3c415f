/*
 * item_groups.h: gradients of weights that are computed item by item, by the threads together.
 *
 * Items are added up in groups that do not depend on the number of threads, and the groups in
 * double: the same bytes for any number of threads.
 */
#ifndef ECC_NN_ITEM_GROUPS_H
#define ECC_NN_ITEM_GROUPS_H

#include "nn/plan.h"

/* Groups of a batch. */
size_t ecc_item_groups(size_t batch);

/* Adds the gradient of item i of the batch to sums: [weight_size], and makes its dx. */
typedef void ecc_item_gradient(const struct ecc_net *net, const struct ecc_stage *stage,
                               float *sums, float *dx, const float *du, size_t i);

/* Sets stage->dweight.  sums: [ecc_item_groups(net->batch), weight_size], for its use. */
void ecc_item_groups_sum(const struct ecc_net *net, struct ecc_stage *stage, float *sums, float *dx,
                         const float *du, ecc_item_gradient *add);

#endif
