/* tree_growth.c: grows a decision tree level by level, by any rule. */
#include "latent/tree_growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float SAME = 1e-7F; /* values this close count as the same, as in scikit-learn */

bool ecc_tree_differs(const struct ecc_tree_front *front, float value)
{
    return front->moved > 0 && value > front->last + SAME;
}

void ecc_tree_offer(struct ecc_tree_front *f, double score, size_t feature, float value)
{
    if (!(score > f->score)) return;
    double threshold = (double)f->last / 2 + (double)value / 2;
    if (threshold == (double)value) threshold = (double)f->last;
    f->score = score;
    f->feature = feature;
    f->threshold = threshold;
}

static enum ecc_status add_nodes(struct ecc_tree_growth *g, size_t count, struct ecc_error *error)
{
    struct ecc_tree *const tree = g->tree;
    if (!tree->nodes || tree->node_count + count > g->capacity) {
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

/* Two children for each node that found a split: next: [2 * splits], child: [front_count] the first
 * of the two there, or ECC_TREE_NOWHERE. */
static void make_children(struct ecc_tree_growth *g, struct ecc_tree_front *next, size_t *child,
                          size_t first)
{
    for (size_t i = 0, made = 0; i < g->front_count; i++) {
        const struct ecc_tree_front *const f = &g->fronts[i];
        child[i] = ECC_TREE_NOWHERE;
        if (f->feature == ECC_TREE_NOWHERE) continue;
        struct ecc_tree_node *const node = &g->tree->nodes[f->node];
        node->gain = g->rule->gain(g, i);
        node->feature = f->feature;
        node->threshold = f->threshold;
        node->left = next[made].node = first + made;
        node->right = next[made + 1].node = first + made + 1;
        child[i] = made;
        made += 2;
    }
}

static void send_items(struct ecc_tree_growth *g, const size_t *child)
{
    for (size_t i = 0; i < g->order->n; i++) {
        const size_t at = g->node_of[i];
        if (at == ECC_TREE_NOWHERE) continue;
        const struct ecc_tree_front *const f = &g->fronts[at];
        if (child[at] == ECC_TREE_NOWHERE) {
            g->node_of[i] = ECC_TREE_NOWHERE;
        } else {
            const bool right = (double)g->order->x[i * g->order->d + f->feature] > f->threshold;
            g->node_of[i] = child[at] + right;
        }
    }
}

/* The children of all nodes that found a split become the next front. */
static enum ecc_status divide(struct ecc_tree_growth *g, struct ecc_error *error)
{
    size_t splits = 0;
    for (size_t i = 0; i < g->front_count; i++) {
        splits += g->fronts[i].feature != ECC_TREE_NOWHERE;
    }
    struct ecc_tree_front *const next = calloc(2 * splits + 1, sizeof *next);
    size_t *const child = malloc((g->front_count + 1) * sizeof *child);
    const size_t first = g->tree->node_count;
    const enum ecc_status status =
        next && child ? add_nodes(g, 2 * splits, error) : ecc_fail_memory(error, "a level");
    if (status == ECC_OK) {
        make_children(g, next, child, first);
        send_items(g, child);
    }
    free(child);
    if (status != ECC_OK) {
        free(next);
        return status;
    }
    free(g->fronts);
    g->fronts = next;
    g->front_count = 2 * splits;
    return ECC_OK;
}

static enum ecc_status grow(struct ecc_tree_growth *g, size_t depth, struct ecc_error *error)
{
    g->fronts = calloc(1, sizeof *g->fronts);
    g->node_of = calloc(g->order->n, sizeof *g->node_of);
    if (!g->fronts || !g->node_of) return ecc_fail_memory(error, "a decision tree");
    g->front_count = 1;
    ECC_TRY(add_nodes(g, 1, error));
    for (size_t level = 0; g->front_count > 0; level++) {
        for (size_t i = 0; i < g->front_count; i++) g->fronts[i].feature = ECC_TREE_NOWHERE;
        ECC_TRY(g->rule->level(g, error));
        if (level == depth) break;
        for (size_t k = 0; k < g->order->d; k++) g->rule->try_feature(g, k);
        ECC_TRY(divide(g, error));
        if (g->front_count > 0) g->tree->depth = level + 1;
    }
    return ECC_OK;
}

enum ecc_status ecc_tree_grow_levels(struct ecc_tree_growth *g, size_t depth,
                                     struct ecc_error *error)
{
    *g->tree = (struct ecc_tree){.d = g->order->d};
    const enum ecc_status status = grow(g, depth, error);
    free(g->fronts);
    free(g->node_of);
    if (status != ECC_OK) ecc_tree_release(g->tree);
    return status;
}
