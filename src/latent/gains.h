/* gains.h: how much each component alone tells about each class or attribute: information gain. */
#ifndef ECC_LATENT_GAINS_H
#define ECC_LATENT_GAINS_H

#include "latent/tree.h"

/* Targets of 0 and 1: attributes as they are, or each class against the rest; names: [classes] of
 * the classes, borrowed (attributes keep their own). */
enum ecc_status ecc_labels_binary(struct ecc_labels *binary, const struct ecc_labels *labels,
                                  const char *const *names, struct ecc_error *error);

/* gains: [targets, d]: bits gained by the best split along one component, with the sign of its
 * effect: positive if the target is more frequent above the threshold.  labels: of 0 and 1. */
enum ecc_status ecc_component_gains(double *gains, const struct ecc_tree_order *order,
                                    const struct ecc_labels *labels, struct ecc_error *error);

#endif
