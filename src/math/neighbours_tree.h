/*
 * neighbours_tree.h: nearest neighbours by a tree of boxes, for few dimensions.
 *
 * The items are halved again and again at the median of the coordinate that varies most, until at
 * most ECC_TREE_LEAF remain.  Three halvings make one level: a box has eight boxes inside, whose
 * distances from a query are computed together.
 */
#ifndef ECC_MATH_NEIGHBOURS_TREE_H
#define ECC_MATH_NEIGHBOURS_TREE_H

#include "math/neighbours_search.h"

#include <stdint.h>

enum {
    ECC_TREE_LEAF = 16,   /* items of a leaf */
    ECC_TREE_WAYS = 8,    /* boxes in a box */
    ECC_TREE_LEVELS = 12, /* at most, for 2^32 items */
    ECC_TREE_D = 8,       /* dimensions, at most */
};

struct ecc_search_tree {
    const float *items; /* [n, d] */
    size_t n, d;
    float scale;                      /* of all numbers here: a power of two */
    size_t levels;                    /* the last one holds the leaves */
    unsigned bits[ECC_TREE_LEVELS];   /* level l has 2^bits[l] boxes */
    float *box[ECC_TREE_LEVELS];      /* [boxes / 8, low and high, d, 8] */
    uint32_t *first[ECC_TREE_LEVELS]; /* [boxes]: lowest number of an item inside */
    float *points;                    /* [leaves, d, ECC_TREE_LEAF], filled up with NaN */
    uint32_t *number;                 /* [n]: of the items, leaf by leaf */
    uint64_t *key;                    /* [n]: for sorting */
};

/* Where the items of leaf j begin in `number`; it ends where the next one begins. */
ECC_INLINE size_t ecc_search_tree_start(const struct ecc_search_tree *tree, size_t j)
{
    return (size_t)(((uint64_t)tree->n * j) >> tree->bits[tree->levels - 1]);
}

/* The number of boxes side by side that `box` has room for, also on a top level with fewer. */
ECC_INLINE size_t ecc_search_tree_width(const struct ecc_search_tree *tree, size_t level)
{
    const size_t count = (size_t)1 << tree->bits[level];
    return count < ECC_TREE_WAYS ? ECC_TREE_WAYS : count;
}

/* scale: a power of two.  Fails with ECC_NO_MEMORY. */
enum ecc_status ecc_search_tree_create(struct ecc_search_tree *tree, const float *items, size_t n,
                                       size_t d, float scale, struct ecc_error *error);
void ecc_search_tree_release(struct ecc_search_tree *tree);

/*
 * Fills search->best and search->index, as the search by products would, to the last bit, if a tree
 * is likely to be faster; *done says whether it was.  All numbers are finite.
 */
enum ecc_status ecc_search_by_tree(struct ecc_search *search, bool *done, struct ecc_error *error);

#endif
