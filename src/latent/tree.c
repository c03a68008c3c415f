/* tree.c: points in the order of each feature, from which trees grow, and the use of a tree. */
#include "latent/tree.h"

#include <math.h>
#include <stdlib.h>

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

/* ---- Use ------------------------------------------------------------------------------------- */

void ecc_tree_release(struct ecc_tree *tree)
{
    free(tree->nodes);
    *tree = (struct ecc_tree){0};
}

const struct ecc_tree_node *ecc_tree_leaf(const struct ecc_tree *tree, const float *x)
{
    const struct ecc_tree_node *node = tree->nodes;
    while (node->left != 0) {
        const bool right = (double)x[node->feature] > node->threshold;
        node = tree->nodes + (right ? node->right : node->left);
    }
    return node;
}

void ecc_tree_predict(const struct ecc_tree *tree, int32_t *predicted, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) predicted[i] = ecc_tree_leaf(tree, x + i * tree->d)->label;
}
