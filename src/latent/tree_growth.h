/*
 * tree_growth.h: how a decision tree grows, whatever it predicts.
 *
 * The points are sorted along each feature once.  To split all nodes of a level, each feature's
 * order is visited once: each item moves from right to left in its node, and wherever the next
 * value of that node differs, the split between the two is evaluated.  What a good split is, is up
 * to a rule: of classes (tree_classes.c) or of numbers (tree_numbers.c).
 */
#ifndef ECC_LATENT_TREE_GROWTH_H
#define ECC_LATENT_TREE_GROWTH_H

#include "latent/tree.h"

#define ECC_TREE_NOWHERE SIZE_MAX

/* A node that may be split at this level. */
struct ecc_tree_front {
    size_t node;  /* in the tree */
    size_t moved; /* items before the current place in the order */
    float last;   /* value of the item that moved last */
    double score; /* of the best split so far; infinite: nothing to gain */
    size_t feature;
    double threshold;
};

struct ecc_tree_growth {
    const struct ecc_tree_order *order;
    const struct ecc_tree_rule *rule;
    void *state; /* of the rule */
    struct ecc_tree *tree;
    size_t capacity;               /* of the tree's nodes */
    size_t *node_of;               /* [n] place in the front, or ECC_TREE_NOWHERE */
    struct ecc_tree_front *fronts; /* [front_count] */
    size_t front_count;
};

struct ecc_tree_rule {
    /* Describes the nodes of the front, and gives each a score: -infinity, so that every split is
     * better, or infinity where all items are alike. */
    enum ecc_status (*level)(struct ecc_tree_growth *growth, struct ecc_error *error);
    /* Offers the splits along a feature to ecc_tree_offer. */
    void (*try_feature)(struct ecc_tree_growth *growth, size_t feature);
    /* What the chosen split of a node of the front gains. */
    double (*gain)(const struct ecc_tree_growth *growth, size_t at);
};

/* Whether an item with this value may be parted from the one that moved last. */
bool ecc_tree_differs(const struct ecc_tree_front *front, float value);
/* Keeps the split between the last value and this one if its score is better. */
void ecc_tree_offer(struct ecc_tree_front *front, double score, size_t feature, float value);

/* Grows growth->tree level by level; the rule's state is the caller's.  On failure the tree is
 * empty. */
enum ecc_status ecc_tree_grow_levels(struct ecc_tree_growth *growth, size_t depth,
                                     struct ecc_error *error);

#endif
