/* neighbours_product.h: products of queries with a panel of items, and which pairs may be near. */
#ifndef ECC_MATH_NEIGHBOURS_PRODUCT_H
#define ECC_MATH_NEIGHBOURS_PRODUCT_H

#include <stddef.h>

enum {
    ECC_PANEL = 32,      /* items of a panel */
    ECC_PANEL_GROUP = 6, /* queries whose products are summed together, in registers */
};

/* Missing queries and items are filled up: with zeros; their limits are -INFINITY. */
struct ecc_search_panel {
    float *product;     /* [6, 32], of the group that was found */
    const float *left;  /* [groups, 6, d]: queries */
    const float *right; /* [d, 32]: items */
    const float *reach; /* [32] */
    const float *limit; /* [groups, 6] */
    size_t groups, d;
};

/* The first group from the given one on in which reach - 2 product < limit for some pair, perhaps
 * for none if that was close; or the number of groups. */
typedef size_t ecc_panel_find(const struct ecc_search_panel *panel, size_t group);

enum { ECC_PANEL_WAYS = 3 }; /* plain C, AVX2, AVX-512 */

/* Those that this processor has, the fastest last.  Returns their number. */
size_t ecc_panel_ways(ecc_panel_find *ways[ECC_PANEL_WAYS]);

#endif
