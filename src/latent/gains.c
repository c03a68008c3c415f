/* gains.c: how much each component alone tells about each class or attribute: information gain. */
#include "latent/gains.h"

#include <stdlib.h>

enum ecc_status ecc_labels_binary(struct ecc_labels *to, const struct ecc_labels *from,
                                  const char *const *names, struct ecc_error *error)
{
    const size_t n = from->n, targets = from->attributes ? from->targets : from->classes[0];
    *to = (struct ecc_labels){.n = n, .targets = targets, .attributes = true};
    to->values = malloc((targets * n + 1) * sizeof *to->values);
    to->classes = malloc((targets + 1) * sizeof *to->classes);
    to->names = malloc((targets + 1) * sizeof *to->names);
    if (!to->values || !to->classes || !to->names) {
        ecc_labels_release(to);
        return ecc_fail_memory(error, "the labels");
    }
    for (size_t t = 0; t < targets; t++) {
        to->classes[t] = 2;
        to->names[t] = from->attributes ? from->names[t] : names[t];
        for (size_t i = 0; i < n; i++) {
            to->values[t * n + i] =
                from->attributes ? from->values[t * n + i] : from->values[i] == (int32_t)t;
        }
    }
    return ECC_OK;
}

/* 1, or -1 if the target is rarer above the threshold than overall. */
static double effect(const float *column, const int32_t *values, size_t n, double threshold)
{
    double above[2] = {0}, ones = 0;
    for (size_t i = 0; i < n; i++) {
        if ((double)column[i] > threshold) above[values[i]]++;
        ones += values[i];
    }
    return above[1] * (double)n < (above[0] + above[1]) * ones ? -1 : 1;
}

static enum ecc_status gains_of_component(double *gains, const struct ecc_tree_order *order,
                                          size_t k, const struct ecc_labels *labels,
                                          struct ecc_error *error)
{
    const size_t n = order->n, d = order->d;
    float *const column = malloc((n + 1) * sizeof *column);
    struct ecc_tree *const trees = calloc(labels->targets + 1, sizeof *trees);
    enum ecc_status status = column && trees ? ECC_OK : ecc_fail_memory(error, "a component");
    if (status == ECC_OK) {
        for (size_t i = 0; i < n; i++) column[i] = order->x[i * d + k];
        const struct ecc_tree_order alone = {
            .x = column, .n = n, .d = 1, .rows = order->rows + k * n};
        status = ecc_trees_grow(trees, &alone, labels, 1, error);
    }
    for (size_t t = 0; status == ECC_OK && t < labels->targets; t++) {
        const struct ecc_tree_node *const root = trees[t].nodes;
        gains[t * d + k] = root->gain * effect(column, labels->values + t * n, n, root->threshold);
    }
    for (size_t t = 0; trees && t < labels->targets; t++) ecc_tree_release(&trees[t]);
    free(trees);
    free(column);
    return status;
}

enum ecc_status ecc_component_gains(double *gains, const struct ecc_tree_order *order,
                                    const struct ecc_labels *labels, struct ecc_error *error)
{
    for (size_t k = 0; k < order->d; k++) {
        ECC_TRY(gains_of_component(gains, order, k, labels, error));
    }
    return ECC_OK;
}
