/* tree.h: several decision trees (eccentric.h) grown from the same points, sorted once. */
#ifndef ECC_LATENT_TREE_H
#define ECC_LATENT_TREE_H

#include "latent/labelled.h"

/* Points sorted along each feature once, for all trees grown from them. */
struct ecc_tree_order {
    const float *x; /* [n, d], borrowed */
    size_t n, d;
    uint32_t *rows; /* [d, n] */
};

/* n < 2^32.  Fails with ECC_BAD_DATA when a number is not finite. */
enum ecc_status ecc_tree_order_init(struct ecc_tree_order *order, const float *x, size_t n,
                                    size_t d, struct ecc_error *error);
void ecc_tree_order_release(struct ecc_tree_order *order);

/* values: [n] classes from 0 to classes - 1; depth >= 1, SIZE_MAX: until all leaves are pure. */
enum ecc_status ecc_tree_grow(struct ecc_tree *tree, const struct ecc_tree_order *order,
                              const int32_t *values, size_t classes, size_t depth,
                              struct ecc_error *error);

/* A tree for each target of the labels, trees: [targets], grown side by side. */
enum ecc_status ecc_trees_grow(struct ecc_tree *trees, const struct ecc_tree_order *order,
                               const struct ecc_labels *labels, size_t depth,
                               struct ecc_error *error);

/* Of numbers: each split lowers the squared error most; values: [n], finite. */
enum ecc_status ecc_tree_grow_numbers(struct ecc_tree *tree, const struct ecc_tree_order *order,
                                      const double *values, size_t depth, struct ecc_error *error);
/* predicted: [n] of x: [n, d] */
void ecc_tree_predict_numbers(const struct ecc_tree *tree, double *predicted, const float *x,
                              size_t n);

/* Where a row x: [d] ends. */
const struct ecc_tree_node *ecc_tree_leaf(const struct ecc_tree *tree, const float *x);

#endif
