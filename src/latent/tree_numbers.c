/*
 * tree_numbers.c: decision trees of numbers (regression trees): each split lowers the squared error
 * most, a leaf gives the mean of its items.  The splits of scikit-learn's DecisionTreeRegressor.
 */
#include "latent/tree_growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the items of a node. */
struct sum {
    double all, left; /* of the values; of those moved left */
    double squares;   /* of all */
    double lowest, highest;
};

struct summing {
    const double *values; /* [n] */
    double centre;        /* subtracted, so that large values lose no digits */
    struct sum *sums;     /* [front_count] */
};

/* The squared error falls by sum^2 / n of each side, less that of the whole.  Sums of the same
 * items in another order differ in the last digits: those are no reason to prefer a later feature.
 */
static void weigh(struct ecc_tree_growth *g, size_t at, size_t feature, float value)
{
    const struct summing *const s = g->state;
    const struct sum *const sum = &s->sums[at];
    struct ecc_tree_front *const f = &g->fronts[at];
    const double n = (double)g->tree->nodes[f->node].count, moved = (double)f->moved;
    const double right = sum->all - sum->left;
    const double score = sum->left * sum->left / moved + right * right / (n - moved);
    if (f->feature == ECC_TREE_NOWHERE || score > f->score + 1e-12 * sum->squares) {
        ecc_tree_offer(f, score, feature, value);
    }
}

static void try_feature(struct ecc_tree_growth *g, size_t feature)
{
    struct summing *const s = g->state;
    const size_t n = g->order->n, d = g->order->d;
    const uint32_t *const rows = g->order->rows + feature * n;
    for (size_t i = 0; i < g->front_count; i++) {
        g->fronts[i].moved = 0;
        s->sums[i].left = 0;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t row = rows[i], at = g->node_of[row];
        if (at == ECC_TREE_NOWHERE) continue;
        struct ecc_tree_front *const f = &g->fronts[at];
        const float value = g->order->x[row * d + feature];
        if (ecc_tree_differs(f, value)) weigh(g, at, feature, value);
        s->sums[at].left += s->values[row] - s->centre;
        f->moved++;
        f->last = value;
    }
}

static enum ecc_status sum_level(struct ecc_tree_growth *g, struct ecc_error *error)
{
    struct summing *const s = g->state;
    free(s->sums);
    s->sums = calloc(g->front_count + 1, sizeof *s->sums);
    if (!s->sums) return ecc_fail_memory(error, "the sums of a decision tree");
    for (size_t i = 0; i < g->front_count; i++) {
        s->sums[i].lowest = (double)INFINITY;
        s->sums[i].highest = -(double)INFINITY;
    }
    for (size_t i = 0; i < g->order->n; i++) {
        if (g->node_of[i] == ECC_TREE_NOWHERE) continue;
        struct sum *const sum = &s->sums[g->node_of[i]];
        const double value = s->values[i] - s->centre;
        sum->all += value;
        sum->squares += value * value;
        sum->lowest = fmin(sum->lowest, value);
        sum->highest = fmax(sum->highest, value);
        g->tree->nodes[g->fronts[g->node_of[i]].node].count++;
    }
    for (size_t i = 0; i < g->front_count; i++) {
        const struct sum *const sum = &s->sums[i];
        struct ecc_tree_node *const node = &g->tree->nodes[g->fronts[i].node];
        node->value = s->centre + sum->all / (double)node->count;
        g->fronts[i].score = sum->lowest < sum->highest ? -(double)INFINITY : (double)INFINITY;
    }
    return ECC_OK;
}

/* Variance explained, for each item. */
static double gain(const struct ecc_tree_growth *g, size_t at)
{
    const struct summing *const s = g->state;
    const double n = (double)g->tree->nodes[g->fronts[at].node].count, all = s->sums[at].all;
    return fmax(0, (g->fronts[at].score - all * all / n) / n);
}

static const struct ecc_tree_rule by_variance = {sum_level, try_feature, gain};

enum ecc_status ecc_tree_grow_numbers(struct ecc_tree *tree, const struct ecc_tree_order *order,
                                      const double *values, size_t depth, struct ecc_error *error)
{
    struct summing summing = {.values = values};
    for (size_t i = 0; i < order->n; i++) summing.centre += values[i] / (double)order->n;
    struct ecc_tree_growth g = {
        .order = order, .rule = &by_variance, .state = &summing, .tree = tree};
    const enum ecc_status status = ecc_tree_grow_levels(&g, depth, error);
    free(summing.sums);
    return status;
}

void ecc_tree_predict_numbers(const struct ecc_tree *tree, double *predicted, const float *x,
                              size_t n)
{
    for (size_t i = 0; i < n; i++) predicted[i] = ecc_tree_leaf(tree, x + i * tree->d)->value;
}
