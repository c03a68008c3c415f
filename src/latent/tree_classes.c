/*
 * tree_classes.c: decision trees of classes, by information gain.
 *
 * Entropies come from a table of c log2 c, again for each split, so that rounding does not
 * accumulate.
 */
#include "latent/tree_growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct counting {
    const int32_t *values; /* [n] */
    size_t classes;
    const double *table; /* [n + 1] c log2 c */
    size_t *counts;      /* [front_count, classes] of all items; then of those moved left */
};

static double side_score(const double *table, const size_t *count, const size_t *less, size_t n,
                         size_t classes)
{
    double sum = -table[n];
    for (size_t c = 0; c < classes; c++) sum += table[count[c] - (less ? less[c] : 0)];
    return sum;
}

/* The score of a split is the sum of c log2 c - n log2 n over both sides. */
static void weigh(const struct ecc_tree_growth *g, size_t at, size_t feature, float value)
{
    const struct counting *const s = g->state;
    struct ecc_tree_front *const f = &g->fronts[at];
    const size_t n = g->tree->nodes[f->node].count;
    const size_t *const all = s->counts + at * s->classes, *const moved =
                                                               all + g->front_count * s->classes;
    const double score = side_score(s->table, moved, NULL, f->moved, s->classes) +
                         side_score(s->table, all, moved, n - f->moved, s->classes);
    ecc_tree_offer(f, score, feature, value);
}

static void try_feature(struct ecc_tree_growth *g, size_t feature)
{
    struct counting *const s = g->state;
    const size_t n = g->order->n, d = g->order->d, classes = s->classes;
    const uint32_t *const rows = g->order->rows + feature * n;
    size_t *const moved = s->counts + g->front_count * classes;
    memset(moved, 0, g->front_count * classes * sizeof *moved);
    for (size_t i = 0; i < g->front_count; i++) g->fronts[i].moved = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t row = rows[i], at = g->node_of[row];
        if (at == ECC_TREE_NOWHERE) continue;
        struct ecc_tree_front *const f = &g->fronts[at];
        const float value = g->order->x[row * d + feature];
        if (ecc_tree_differs(f, value)) weigh(g, at, feature, value);
        moved[at * classes + (size_t)s->values[row]]++;
        f->moved++;
        f->last = value;
    }
}

/* The most frequent class, the lowest of several; a pure node has nothing to gain. */
static void describe(struct ecc_tree_front *f, struct ecc_tree_node *node, const size_t *count,
                     size_t classes)
{
    for (size_t c = 0; c < classes; c++) {
        node->count += count[c];
        if (count[c] > count[node->label]) node->label = (int32_t)c;
    }
    f->score = count[node->label] == node->count ? (double)INFINITY : -(double)INFINITY;
}

static enum ecc_status count_level(struct ecc_tree_growth *g, struct ecc_error *error)
{
    struct counting *const s = g->state;
    const size_t classes = s->classes;
    free(s->counts);
    s->counts = calloc(2 * g->front_count * classes + 1, sizeof *s->counts);
    if (!s->counts) return ecc_fail_memory(error, "the counts of a decision tree");
    for (size_t i = 0; i < g->order->n; i++) {
        const size_t at = g->node_of[i];
        if (at != ECC_TREE_NOWHERE) s->counts[at * classes + (size_t)s->values[i]]++;
    }
    for (size_t i = 0; i < g->front_count; i++) {
        describe(&g->fronts[i], &g->tree->nodes[g->fronts[i].node], s->counts + i * classes,
                 classes);
    }
    return ECC_OK;
}

/* Bits for each item. */
static double gain(const struct ecc_tree_growth *g, size_t at)
{
    const struct counting *const s = g->state;
    const size_t n = g->tree->nodes[g->fronts[at].node].count;
    const double before = side_score(s->table, s->counts + at * s->classes, NULL, n, s->classes);
    return fmax(0, (g->fronts[at].score - before) / (double)n);
}

static const struct ecc_tree_rule by_information = {count_level, try_feature, gain};

/* ---- Trees ----------------------------------------------------------------------------------- */

static double *make_table(size_t n)
{
    double *const table = malloc((n + 1) * sizeof *table);
    for (size_t c = 0; table && c <= n; c++) table[c] = c > 1 ? (double)c * log2((double)c) : 0;
    return table;
}

static enum ecc_status grow(struct ecc_tree *tree, const struct ecc_tree_order *order,
                            struct counting counting, size_t depth, struct ecc_error *error)
{
    struct ecc_tree_growth g = {
        .order = order, .rule = &by_information, .state = &counting, .tree = tree};
    const enum ecc_status status = ecc_tree_grow_levels(&g, depth, error);
    free(counting.counts);
    return status;
}

enum ecc_status ecc_tree_grow(struct ecc_tree *tree, const struct ecc_tree_order *order,
                              const int32_t *values, size_t classes, size_t depth,
                              struct ecc_error *error)
{
    double *const table = make_table(order->n);
    if (!table) return ecc_fail_memory(error, "a table of logarithms");
    const struct counting counting = {values, classes, table, NULL};
    const enum ecc_status status = grow(tree, order, counting, depth, error);
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
        const struct counting counting = {labels->values + t * labels->n, labels->classes[t], table,
                                          NULL};
        if (grow(&trees[t], order, counting, depth, NULL) != ECC_OK) {
#pragma omp atomic write
            failed = true;
        }
    }
    free(table);
    if (!failed) return ECC_OK;
    for (size_t t = 0; t < labels->targets; t++) ecc_tree_release(&trees[t]);
    return ecc_fail_memory(error, "the decision trees");
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
