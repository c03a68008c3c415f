/*
 * neighbours_tree.c: nearest neighbours by a tree of boxes, for few dimensions.
 *
 * A query opens the nearest boxes first and skips all that are farther than its k best so far.
 * Distances are computed in float32, eight at a time, and only those that rounding could have
 * brought below the k-th best are computed again, exactly.  So the result is that of the search by
 * products, to the last bit.  Where boxes do not help (a few queries tell), the tree gives up.
 */
#include "math/neighbours_tree.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
    FEWEST_ITEMS = 256,   /* for which a tree is worth while */
    FEWEST_QUERIES = 128, /* below, products take less time than building the tree */
    SAMPLED = 64,         /* queries that tell how many leaves are opened */
    STACK = ECC_TREE_WAYS * ECC_TREE_LEVELS,
    MANY_QUERIES = 1000, /* whose order is worth several threads */
    CHUNK = 32,          /* queries of one thread at a time */
};

/* A box that is still to be opened. */
struct open_box {
    float bound; /* its squared distance, nearly */
    uint32_t number, level;
};

/* One query under way.  All distances here are scaled. */
struct walk {
    const struct ecc_search_tree *tree;
    struct ecc_search *search;
    size_t query;
    double *best;          /* [k]: of the search */
    size_t *index;         /* [k] */
    float x[ECC_TREE_D];   /* the query */
    float limit, near_tie; /* above, boxes and points are skipped; below, there is no tie */
    size_t leaves;         /* opened so far */
    size_t depth;
    struct open_box stack[STACK];
};

/* ---- Distances in float32 -------------------------------------------------------------------- */

/* bound: [8], squared distances of x from the boxes, [low and high, d, 8]. */
ECC_MULTIVERSION
static void bound_boxes(float *restrict bound, const float *restrict box, const float *restrict x,
                        size_t d)
{
    float sum[ECC_TREE_WAYS] = {0};
    for (size_t k = 0; k < d; k++) {
        const float *const low = box + k * ECC_TREE_WAYS, *const high = low + d * ECC_TREE_WAYS;
        for (size_t j = 0; j < ECC_TREE_WAYS; j++) {
            const float below = low[j] - x[k], above = x[k] - high[j];
            const float outside = below > above ? below : above;
            const float gap = outside > 0 ? outside : 0;
            sum[j] += gap * gap;
        }
    }
    for (size_t j = 0; j < ECC_TREE_WAYS; j++) bound[j] = sum[j];
}

/* A bit for each of the points, [d, 16], that is at most `limit` from x. */
ECC_MULTIVERSION
static uint32_t points_within(const float *restrict point, const float *restrict x, size_t d,
                              float limit)
{
    static const uint32_t bit[ECC_TREE_LEAF] = {
        1U << 0, 1U << 1, 1U << 2,  1U << 3,  1U << 4,  1U << 5,  1U << 6,  1U << 7,
        1U << 8, 1U << 9, 1U << 10, 1U << 11, 1U << 12, 1U << 13, 1U << 14, 1U << 15};
    float sum[ECC_TREE_LEAF] = {0};
    for (size_t k = 0; k < d; k++) {
        for (size_t j = 0; j < ECC_TREE_LEAF; j++) {
            const float difference = point[k * ECC_TREE_LEAF + j] - x[k];
            sum[j] += difference * difference;
        }
    }
    uint32_t within = 0;
    for (size_t j = 0; j < ECC_TREE_LEAF; j++) within |= sum[j] <= limit ? bit[j] : 0;
    return within;
}

/* ---- One query ------------------------------------------------------------------------------- */

/* The k-th best has changed.  Rounding changes a float32 distance by at most a share of (d + 4)
 * half units, and by what underflows. */
static void tighten(struct walk *walk)
{
    const double scale = (double)walk->tree->scale, d = (double)walk->tree->d;
    const double scaled = walk->best[0] * scale * scale;
    const double slack = (d + 16) * (double)FLT_EPSILON / 2, underflow = 32 * d * (double)FLT_MIN;
    const double most = (double)FLT_MAX; /* from there on, all is looked at */
    const double high = fmin(scaled * (1 + slack) + underflow, most);
    walk->limit = nextafterf((float)high, INFINITY);
    walk->near_tie = nextafterf((float)fmin(scaled * (1 - slack) - underflow, most), -INFINITY);
}

/*
 * Whether nothing in a box can be among the best because what is as far has lower numbers: so
 * thousands of equal items do not have to be looked at one by one.  The bound is exact: computed as
 * the distances are, and rounding keeps the order of numbers.  (Numbers that were scaled down may
 * have lost digits.)
 */
static bool loses_ties(const struct walk *walk, const struct open_box *open)
{
    const struct ecc_search_tree *const tree = walk->tree;
    const size_t d = tree->d, j = open->number;
    const double scale = (double)tree->scale;
    if (scale < 1) return false;
    const float *const low =
        tree->box[open->level] + j / ECC_TREE_WAYS * ECC_TREE_WAYS * 2 * d + j % ECC_TREE_WAYS;
    double sum = 0;
    for (size_t k = 0; k < d; k++) {
        const double x = (double)walk->x[k], below = (double)low[k * ECC_TREE_WAYS] - x;
        const double above = x - (double)low[(d + k) * ECC_TREE_WAYS];
        const double gap = fmax(fmax(below, above), 0);
        sum += gap * gap;
    }
    const double scaled = walk->best[0] * scale * scale;
    return sum > scaled || (sum == scaled && tree->first[open->level][j] > walk->index[0]);
}

static void open_leaf(struct walk *walk, size_t leaf)
{
    struct ecc_search *const search = walk->search;
    const struct ecc_search_tree *const tree = walk->tree;
    const size_t d = tree->d;
    const uint32_t *const number = tree->number + ecc_search_tree_start(tree, leaf);
    const float *const x = search->queries + walk->query * d;
    uint32_t within =
        points_within(tree->points + leaf * d * ECC_TREE_LEAF, walk->x, d, walk->limit);
    walk->leaves++;
    if (!within) return;
    for (; within; within &= within - 1) {
        const size_t item = number[__builtin_ctz(within)];
        if (search->skip_own && item == walk->query) continue;
        const double exact = ecc_search_distance(x, tree->items + item * d, d);
        if (exact > walk->best[0] || (exact == walk->best[0] && item > walk->index[0])) continue;
        walk->best[0] = exact;
        walk->index[0] = item;
        ecc_search_sink(walk->best, walk->index, search->k);
    }
    tighten(walk);
}

/* Puts the boxes of a group that are near enough on the stack, the nearest on top; of equally near
 * ones the first. */
static void open_group(struct walk *walk, size_t level, size_t group)
{
    const struct ecc_search_tree *const tree = walk->tree;
    const size_t count = level ? ECC_TREE_WAYS : (size_t)1 << tree->bits[0], base = walk->depth;
    float bound[ECC_TREE_WAYS];
    bound_boxes(bound, tree->box[level] + group * ECC_TREE_WAYS * 2 * tree->d, walk->x, tree->d);
    for (size_t j = count; j-- > 0;) {
        if (!(bound[j] <= walk->limit)) continue;
        size_t at = walk->depth++;
        for (; at > base && walk->stack[at - 1].bound < bound[j]; at--) {
            walk->stack[at] = walk->stack[at - 1];
        }
        walk->stack[at] = (struct open_box){.bound = bound[j],
                                            .number = (uint32_t)(group * ECC_TREE_WAYS + j),
                                            .level = (uint32_t)level};
    }
}

static void walk_tree(struct walk *walk, size_t query)
{
    struct ecc_search *const search = walk->search;
    const size_t d = search->d;
    walk->query = query;
    walk->best = search->best + query * search->k;
    walk->index = search->index + query * search->k;
    walk->depth = 0;
    for (size_t k = 0; k < d; k++) walk->x[k] = search->queries[query * d + k] * walk->tree->scale;
    ecc_search_start(search, query);
    tighten(walk);
    open_group(walk, 0, 0);
    while (walk->depth > 0) {
        const struct open_box open = walk->stack[--walk->depth];
        if (open.bound > walk->limit) continue;
        if (open.bound >= walk->near_tie && loses_ties(walk, &open)) continue;
        if (open.level + 1 == walk->tree->levels) {
            open_leaf(walk, open.number);
        } else {
            open_group(walk, open.level + 1, open.number);
        }
    }
    ecc_search_finish(search, query);
}

/* ---- All queries ----------------------------------------------------------------------------- */

/* The leaf a query is nearest to, about. */
static uint32_t find_home(const struct ecc_search_tree *tree, const float *query)
{
    float x[ECC_TREE_D], bound[ECC_TREE_WAYS];
    const size_t d = tree->d;
    for (size_t k = 0; k < d; k++) x[k] = query[k] * tree->scale;
    size_t group = 0;
    for (size_t level = 0; level < tree->levels; level++) {
        bound_boxes(bound, tree->box[level] + group * ECC_TREE_WAYS * 2 * d, x, d);
        size_t nearest = 0;
        const size_t count = level ? ECC_TREE_WAYS : (size_t)1 << tree->bits[0];
        for (size_t j = 1; j < count; j++) nearest = bound[j] < bound[nearest] ? j : nearest;
        group = group * ECC_TREE_WAYS + nearest;
    }
    return (uint32_t)group;
}

/* order: [m], the queries leaf by leaf, so that what one needs is in the cache for the next. */
static enum ecc_status order_queries(uint32_t *order, const struct ecc_search_tree *tree,
                                     const struct ecc_search *search, struct ecc_error *error)
{
    const size_t m = search->m, leaves = (size_t)1 << tree->bits[tree->levels - 1];
    uint32_t *const home = malloc(m * sizeof *home);
    size_t *const start = calloc(leaves + 1, sizeof *start);
    if (home && start) {
#pragma omp parallel for if (m > MANY_QUERIES)
        for (size_t i = 0; i < m; i++) home[i] = find_home(tree, search->queries + i * search->d);
        for (size_t i = 0; i < m; i++) start[home[i] + 1]++;
        for (size_t j = 0; j < leaves; j++) start[j + 1] += start[j];
        for (size_t i = 0; i < m; i++) order[start[home[i]]++] = (uint32_t)i;
    }
    const bool enough = home && start;
    free(home);
    free(start);
    return enough ? ECC_OK : ecc_fail_memory(error, "the search for neighbours");
}

/* What products take for a query, in leaves that could be opened in that time: for each
 * item, and for each that is nearer than the best so far.  Measured with 2,000 and 60,000 items. */
static double price_of_products(const struct ecc_search *search)
{
    const double n = (double)search->n, k = (double)search->k, d = (double)search->d;
    return n * (0.0015 + 0.00008 * d) + 0.2 * k * log(1 + n / k);
}

/* Whether a few of the queries open so few leaves that products would take longer. */
static bool pays(const struct ecc_search_tree *tree, struct ecc_search *search,
                 const uint32_t *order)
{
    struct walk walk = {.tree = tree, .search = search};
    for (size_t i = 0; i < SAMPLED; i++) walk_tree(&walk, order[i * search->m / SAMPLED]);
    return (double)walk.leaves / SAMPLED < price_of_products(search);
}

static void search_all(const struct ecc_search_tree *tree, struct ecc_search *search,
                       const uint32_t *order)
{
#pragma omp parallel
    {
        struct walk walk = {.tree = tree, .search = search};
#pragma omp for schedule(dynamic, CHUNK)
        for (size_t i = 0; i < search->m; i++) walk_tree(&walk, order[i]);
    }
}

/* Numbers whose squares neither overflow nor vanish in float32 are taken as they are.  Squares of a
 * few that are far out may overflow: infinite is far enough.  A sample tells. */
static float choose_scale(const struct ecc_search *search)
{
    const size_t count = search->n * search->d, step = count / SAMPLED + 1;
    float usual = 0;
    for (size_t i = 0; i < count; i += step) usual = fmaxf(usual, fabsf(search->items[i]));
    return usual < 0x1p60F && search->largest > 0x1p-30F ? 1 : search->scale;
}

static bool suits(const struct ecc_search *search)
{
    return search->d <= ECC_TREE_D && search->n >= FEWEST_ITEMS && search->n < UINT32_MAX &&
           search->m >= FEWEST_QUERIES && search->m < UINT32_MAX && search->k <= search->n / 16;
}

enum ecc_status ecc_search_by_tree(struct ecc_search *search, bool *done, struct ecc_error *error)
{
    *done = false;
    if (!search->always_tree && !suits(search)) return ECC_OK;
    struct ecc_search_tree tree;
    uint32_t *const order = malloc(search->m * sizeof *order);
    if (!order) return ecc_fail_memory(error, "the search for neighbours");
    enum ecc_status status = ecc_search_tree_create(&tree, search->items, search->n, search->d,
                                                    choose_scale(search), error);
    if (status == ECC_OK) status = order_queries(order, &tree, search, error);
    if (status == ECC_OK && (search->always_tree || pays(&tree, search, order))) {
        search_all(&tree, search, order);
        *done = true;
    }
    ecc_search_tree_release(&tree);
    free(order);
    return status;
}
