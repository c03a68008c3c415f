/*
 * tree.h: binary decision trees by information gain.
 *
 * Each split is the best there is: the feature and threshold with the greatest gain in entropy,
 * thresholds halfway between neighbouring values, as scikit-learn's DecisionTreeClassifier with
 * criterion "entropy"; of equally good splits the first feature and the lowest threshold are taken.
 * A tree of depth 1 is a stump.
 */
#ifndef ECC_LATENT_TREE_H
#define ECC_LATENT_TREE_H

#include "latent/labels.h"

struct ecc_tree_node {
    size_t left, right; /* nodes; 0 in a leaf */
    size_t feature;     /* x[feature] <= threshold goes left */
    double threshold;
    double gain;   /* of the split, in bits; 0 in a leaf */
    int32_t class; /* the most frequent one, the lowest of several */
    size_t count;  /* training items */
};

struct ecc_tree {
    struct ecc_tree_node *nodes; /* [node_count], the root first */
    size_t node_count, depth;    /* depth reached */
};

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
void ecc_tree_release(struct ecc_tree *tree);

/* predicted: [n] of x: [n, d] */
void ecc_tree_predict(const struct ecc_tree *tree, int32_t *predicted, const float *x, size_t n,
                      size_t d);

/* A tree for each target of the labels, trees: [targets], grown side by side. */
enum ecc_status ecc_trees_grow(struct ecc_tree *trees, const struct ecc_tree_order *order,
                               const struct ecc_labels *labels, size_t depth,
                               struct ecc_error *error);

#endif
