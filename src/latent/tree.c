/*
 * tree.c: binary decision trees by information gain, grown level by level.
 *
 * The points are sorted along each feature once.  To split all nodes of a level, each feature's
 * order is visited once: each item moves from right to left in its node, and wherever the next
 * value of that node differs, the split between the two is evaluated.  Entropies come from a table
 * of c log2 c, again for each split, so that rounding does not accumulate.
 */
#include "latent/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE SIZE_MAX
static const float SAME = 1e-7F; /* values this close count as the same, as in scikit-learn */

/* ---- Order ----------------------------------------------------------------------------------- */

struct entry {
    float value;
    uint32_t row;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *const x = a, *const y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static enum ecc_status sort_feature(struct ecc_tree_order *order, size_t k, struct ecc_error *error)
{
    struct entry *const entries = malloc(order->n * sizeof *entries);
    if (!entries) return ecc_fail_memory(error, "the order of a feature");
    for (size_t i = 0; i < order->n; i++) {
        entries[i] = (struct entry){order->x[i * order->d + k], (uint32_t)i};
    }
    qsort(entries, order->n, sizeof *entries, compare_entries);
    for (size_t i = 0; i < order->n; i++) order->rows[k * order->n + i] = entries[i].row;
    free(entries);
    return ECC_OK;
}

enum ecc_status ecc_tree_order_init(struct ecc_tree_order *order, const float *x, size_t n,
                                    size_t d, struct ecc_error *error)
{
    *order = (struct ecc_tree_order){.x = x, .n = n, .d = d};
    if (n == 0 || d == 0 || n > UINT32_MAX || n > SIZE_MAX / sizeof *order->rows / d) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "cannot grow a tree from %zu items of %zu features", n, d);
    }
    for (size_t i = 0; i < n * d; i++) {
        if (!isfinite(x[i])) {
            return ecc_fail(error, ECC_BAD_DATA, "row %zu, column %zu is %g", i / d, i % d,
                            (double)x[i]);
        }
    }
    order->rows = malloc(n * d * sizeof *order->rows);
    if (!order->rows) return ecc_fail_memory(error, "the order of the features");
    bool failed = false;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < d; k++) {
        if (sort_feature(order, k, NULL) != ECC_OK) {
#pragma omp atomic write
            failed = true;
        }
    }
    if (!failed) return ECC_OK;
    ecc_tree_order_release(order);
    return ecc_fail_memory(error, "the order of the features");
}

void ecc_tree_order_release(struct ecc_tree_order *order)
{
    free(order->rows);
    order->rows = NULL;
}

/* ---- One level ------------------------------------------------------------------------------- */

/* A node that may be split at this level. */
struct front {
    size_t node;  /* in the tree */
    size_t moved; /* items before the current place in the order */
    float last;   /* value of the item that moved last */
    double score; /* of the best split: the sum of c log2 c - n log2 n over both sides */
    size_t feature;
    double threshold;
};

struct growth {
    const struct ecc_tree_order *order;
    const int32_t *values;
    size_t classes;
    struct ecc_tree *tree;
    size_t capacity;      /* of the tree's nodes */
    const double *table;  /* [n + 1] c log2 c */
    size_t *node_of;      /* [n] place in the front, or NOWHERE */
    struct front *fronts; /* [front_count] */
    size_t front_count;
    size_t *counts; /* [front_count, classes] of all items; then of those moved left */
};

static double side_score(const double *table, const size_t *count, const size_t *less, size_t n,
                         size_t classes)
{
    double sum = -table[n];
    for (size_t c = 0; c < classes; c++) sum += table[count[c] - (less ? less[c] : 0)];
    return sum;
}

/* Evaluates the split between the items that have moved and the next value. */
static void weigh(const struct growth *g, struct front *f, const size_t *all, const size_t *moved,
                  size_t feature, float value)
{
    const size_t n = g->tree->nodes[f->node].count;
    const double score = side_score(g->table, moved, NULL, f->moved, g->classes) +
                         side_score(g->table, all, moved, n - f->moved, g->classes);
    if (!(score > f->score)) return;
    double threshold = (double)f->last / 2 + (double)value / 2;
    if (threshold == (double)value) threshold = (double)f->last;
    f->score = score;
    f->feature = feature;
    f->threshold = threshold;
}

static void try_feature(struct growth *g, size_t feature)
{
    const size_t n = g->order->n, d = g->order->d, classes = g->classes;
    const uint32_t *const rows = g->order->rows + feature * n;
    size_t *const moved = g->counts + g->front_count * classes;
    memset(moved, 0, g->front_count * classes * sizeof *moved);
    for (size_t i = 0; i < g->front_count; i++) g->fronts[i].moved = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t row = rows[i], at = g->node_of[row];
        if (at == NOWHERE) continue;
        struct front *const f = &g->fronts[at];
        const float value = g->order->x[row * d + feature];
        if (f->moved > 0 && value > f->last + SAME) {
            weigh(g, f, g->counts + at * classes, moved + at * classes, feature, value);
        }
        moved[at * classes + (size_t)g->values[row]]++;
        f->moved++;
        f->last = value;
    }
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static enum ecc_status add_nodes(struct growth *g, size_t count, struct ecc_error *error)
{
    struct ecc_tree *const tree = g->tree;
    if (tree->node_count + count > g->capacity) {
        const size_t capacity = 2 * (tree->node_count + count);
        struct ecc_tree_node *const nodes = realloc(tree->nodes, capacity * sizeof *nodes);
        if (!nodes) return ecc_fail_memory(error, "a decision tree");
        tree->nodes = nodes;
        g->capacity = capacity;
    }
    memset(tree->nodes + tree->node_count, 0, count * sizeof *tree->nodes);
    tree->node_count += count;
    return ECC_OK;
}

/* Counts the classes of all nodes in the front, and removes pure nodes from it. */
static enum ecc_status count_level(struct growth *g, struct ecc_error *error)
{
    const size_t classes = g->classes, n = g->order->n;
    free(g->counts);
    g->counts = calloc(2 * g->front_count * classes + 1, sizeof *g->counts);
    if (!g->counts) return ecc_fail_memory(error, "the counts of a decision tree");
    for (size_t i = 0; i < n; i++) {
        if (g->node_of[i] != NOWHERE) g->counts[g->node_of[i] * classes + (size_t)g->values[i]]++;
    }
    for (size_t i = 0; i < g->front_count; i++) {
        struct front *const f = &g->fronts[i];
        struct ecc_tree_node *const node = &g->tree->nodes[f->node];
        const size_t *const count = g->counts + i * classes;
        for (size_t c = 0; c < classes; c++) {
            node->count += count[c];
            if (count[c] > count[node->label]) node->label = (int32_t)c;
        }
        /* a split is never worse than none; a pure node has nothing to gain */
        f->feature = NOWHERE;
        f->score = count[node->label] == node->count ? (double)INFINITY : -(double)INFINITY;
    }
    return ECC_OK;
}

/* The children of all nodes that found a split become the next front. */
static enum ecc_status divide(struct growth *g, struct ecc_error *error)
{
    size_t split_count = 0;
    for (size_t i = 0; i < g->front_count; i++) split_count += g->fronts[i].feature != NOWHERE;
    struct front *const next = calloc(2 * split_count + 1, sizeof *next);
    size_t *const child = malloc((g->front_count + 1) * sizeof *child);
    const size_t first = g->tree->node_count;
    enum ecc_status status =
        next && child ? add_nodes(g, 2 * split_count, error) : ecc_fail_memory(error, "a level");
    for (size_t i = 0, made = 0; status == ECC_OK && i < g->front_count; i++) {
        const struct front *const f = &g->fronts[i];
        child[i] = NOWHERE;
        if (f->feature == NOWHERE) continue;
        struct ecc_tree_node *const node = &g->tree->nodes[f->node];
        const double before =
            side_score(g->table, g->counts + i * g->classes, NULL, node->count, g->classes);
        node->gain = fmax(0, (f->score - before) / (double)node->count);
        node->feature = f->feature;
        node->threshold = f->threshold;
        node->left = next[made].node = first + made;
        node->right = next[made + 1].node = first + made + 1;
        child[i] = made;
        made += 2;
    }
    for (size_t i = 0; status == ECC_OK && i < g->order->n; i++) {
        const size_t at = g->node_of[i];
        if (at == NOWHERE) continue;
        const struct front *const f = &g->fronts[at];
        if (child[at] == NOWHERE) {
            g->node_of[i] = NOWHERE;
        } else {
            const bool right = (double)g->order->x[i * g->order->d + f->feature] > f->threshold;
            g->node_of[i] = child[at] + right;
        }
    }
    free(child);
    if (status != ECC_OK) {
        free(next);
        return status;
    }
    free(g->fronts);
    g->fronts = next;
    g->front_count = 2 * split_count;
    return ECC_OK;
}

static enum ecc_status grow_levels(struct growth *g, size_t depth, struct ecc_error *error)
{
    g->fronts = calloc(1, sizeof *g->fronts);
    g->node_of = calloc(g->order->n, sizeof *g->node_of);
    if (!g->fronts || !g->node_of) return ecc_fail_memory(error, "a decision tree");
    g->front_count = 1;
    ECC_TRY(add_nodes(g, 1, error));
    for (size_t level = 0; g->front_count > 0; level++) {
        ECC_TRY(count_level(g, error));
        if (level == depth) break;
        for (size_t k = 0; k < g->order->d; k++) try_feature(g, k);
        ECC_TRY(divide(g, error));
        if (g->front_count > 0) g->tree->depth = level + 1;
    }
    return ECC_OK;
}

static double *make_table(size_t n)
{
    double *const table = malloc((n + 1) * sizeof *table);
    for (size_t c = 0; table && c <= n; c++) table[c] = c > 1 ? (double)c * log2((double)c) : 0;
    return table;
}

static enum ecc_status grow(struct ecc_tree *tree, const struct ecc_tree_order *order,
                            const double *table, const int32_t *values, size_t classes,
                            size_t depth, struct ecc_error *error)
{
    *tree = (struct ecc_tree){.d = order->d};
    struct growth g = {
        .order = order, .values = values, .classes = classes, .tree = tree, .table = table};
    const enum ecc_status status = grow_levels(&g, depth, error);
    free(g.fronts);
    free(g.node_of);
    free(g.counts);
    if (status != ECC_OK) ecc_tree_release(tree);
    return status;
}

enum ecc_status ecc_tree_grow(struct ecc_tree *tree, const struct ecc_tree_order *order,
                              const int32_t *values, size_t classes, size_t depth,
                              struct ecc_error *error)
{
    double *const table = make_table(order->n);
    if (!table) return ecc_fail_memory(error, "a table of logarithms");
    const enum ecc_status status = grow(tree, order, table, values, classes, depth, error);
    free(table);
    return status;
}

enum ecc_status ecc_trees_grow(struct ecc_tree *trees, const struct ecc_tree_order *order,
                               const struct ecc_labels *labels, size_t depth,
                               struct ecc_error *error)
{
    for (size_t t = 0; t < labels->targets; t++) trees[t] = (struct ecc_tree){0};
    double *const table = make_table(order->n);
    if (!table) return ecc_fail_memory(error, "a table of logarithms");
    bool failed = false;
#pragma omp parallel for schedule(dynamic)
    for (size_t t = 0; t < labels->targets; t++) {
        if (grow(&trees[t], order, table, labels->values + t * labels->n, labels->classes[t], depth,
                 NULL) != ECC_OK) {
#pragma omp atomic write
            failed = true;
        }
    }
    free(table);
    if (!failed) return ECC_OK;
    for (size_t t = 0; t < labels->targets; t++) ecc_tree_release(&trees[t]);
    return ecc_fail_memory(error, "the decision trees");
}

void ecc_tree_release(struct ecc_tree *tree)
{
    free(tree->nodes);
    *tree = (struct ecc_tree){0};
}

enum ecc_status ecc_tree_fit(struct ecc_tree *tree, const float *x, const int32_t *labels, size_t n,
                             size_t d, size_t classes, size_t depth, struct ecc_error *error)
{
    struct ecc_tree_order order;
    *tree = (struct ecc_tree){0};
    ECC_TRY(ecc_labels_in_range(labels, n, classes, error));
    ECC_TRY(ecc_tree_order_init(&order, x, n, d, error));
    const enum ecc_status status =
        ecc_tree_grow(tree, &order, labels, classes, depth ? depth : SIZE_MAX, error);
    ecc_tree_order_release(&order);
    return status;
}

void ecc_tree_predict(const struct ecc_tree *tree, int32_t *predicted, const float *x, size_t n)
{
    const size_t d = tree->d;
    for (size_t i = 0; i < n; i++) {
        const struct ecc_tree_node *node = tree->nodes;
        while (node->left != 0) {
            const bool right = (double)x[i * d + node->feature] > node->threshold;
            node = tree->nodes + (right ? node->right : node->left);
        }
        predicted[i] = node->label;
    }
}
