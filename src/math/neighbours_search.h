/*
 * neighbours_search.h: what the two ways to search for neighbours share (neighbours.c by products,
 * neighbours_tree.c by a tree of boxes): the task, exact distances, and the k best of a query.
 */
#ifndef ECC_MATH_NEIGHBOURS_SEARCH_H
#define ECC_MATH_NEIGHBOURS_SEARCH_H

#include "base/compiler.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct ecc_search {
    const float *queries; /* [m, d] */
    const float *items;   /* [n, d] */
    size_t m, n, d, k;
    bool skip_own;      /* query i is item i, which is not its own neighbour */
    bool always_tree;   /* also where it does not pay: for tests */
    float largest;      /* size of any number */
    float scale;        /* a power of two that scales all numbers into [-1, 1] */
    float *centre;      /* [d]: about the mean of the items, times scale */
    double slack;       /* the share of |x|^2 + |y|^2 by which rounding may change the bound */
    float *reach;       /* [n]: (1 - slack) |y|^2 of the items */
    float *query_reach; /* [m]: the same of the queries */
    double *best;       /* [m, k]: heaps of the nearest so far, the farthest of them on top */
    size_t *index;      /* [m, k]: and their numbers */
};

/* By the definition; the difference of two floats is almost exact in double.  Never from a function
 * that is ECC_MULTIVERSION: all ways to search must round alike. */
ECC_INLINE double ecc_search_distance(const float *x, const float *y, size_t d)
{
    double sum = 0;
    for (size_t k = 0; k < d; k++) {
        double difference = (double)x[k] - (double)y[k];
        sum += difference * difference;
    }
    return sum;
}

/* Whether entry a comes after entry b: farther, or as far and later. */
ECC_INLINE bool ecc_search_behind(const double *best, const size_t *index, size_t a, size_t b)
{
    return best[a] > best[b] || (best[a] == best[b] && index[a] > index[b]);
}

/* Moves the entry on top to its place among the first `count`. */
static inline void ecc_search_sink(double *best, size_t *index, size_t count)
{
    for (size_t parent = 0;;) {
        size_t child = 2 * parent + 1;
        if (child >= count) return;
        if (child + 1 < count && ecc_search_behind(best, index, child + 1, child)) child++;
        if (!ecc_search_behind(best, index, child, parent)) return;
        const double distance = best[parent];
        const size_t number = index[parent];
        best[parent] = best[child];
        index[parent] = index[child];
        best[child] = distance;
        index[child] = number;
        parent = child;
    }
}

/* Empties the heap of query i, and turns it into a list, nearest first. */
void ecc_search_start(struct ecc_search *search, size_t i);
void ecc_search_finish(struct ecc_search *search, size_t i);

#endif
