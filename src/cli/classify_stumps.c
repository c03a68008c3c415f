/* classify_stumps.c: which single component says most about each attribute (the paper's Table 4),
 * or about each class against the rest. */
#include "cli/classify.h"
#include "latent/gains.h"

#include <stdlib.h>
#include <string.h>

/* ---- Targets of 0 and 1 ---------------------------------------------------------------------- */

static enum ecc_status name_classes(struct ecc_classify *c, size_t classes, struct ecc_error *error)
{
    c->binary_names = calloc(classes + 1, sizeof *c->binary_names);
    if (!c->binary_names) return ecc_fail_memory(error, "the names of the classes");
    for (size_t k = 0; k < classes; k++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", k);
        const bool named = c->train->class_names && k < c->train->class_count;
        c->binary_names[k] = strdup(named ? c->train->class_names[k] : number);
        if (!c->binary_names[k]) return ecc_fail_memory(error, "the names of the classes");
    }
    return ECC_OK;
}

/* ---- Stumps ---------------------------------------------------------------------------------- */

static void judge_stump(struct ecc_cli_stump *stump, const struct ecc_tree *tree,
                        const struct ecc_labels *test, size_t t, const struct ecc_view *v,
                        int32_t *predicted)
{
    const struct ecc_tree_node *const root = tree->nodes;
    ecc_tree_predict(tree, predicted, v->test, v->test_n);
    *stump = (struct ecc_cli_stump){.name = test->names[t],
                                    .component = root->feature,
                                    .gain = root->gain,
                                    .threshold = root->threshold,
                                    .accuracy = 1 - ecc_labels_error(test, t, predicted)};
    size_t same = 0;
    for (size_t i = 0; i < test->n; i++) same += test->values[t * test->n + i] == root->label;
    stump->majority = (double)same / (double)test->n;
}

static enum ecc_status grow_stumps(struct ecc_classify *c, const struct ecc_tree_order *order,
                                   struct ecc_error *error)
{
    const struct ecc_labels *const labels = &c->binary[0];
    const struct ecc_view *const v = &c->views[ECC_VIEW_LATENTS];
    struct ecc_tree *const trees = calloc(labels->targets, sizeof *trees);
    int32_t *const predicted = malloc(v->test_n * sizeof *predicted);
    enum ecc_status status = trees && predicted ? ECC_OK : ecc_fail_memory(error, "the stumps");
    if (status == ECC_OK) status = ecc_trees_grow(trees, order, labels, 1, error);
    for (size_t t = 0; status == ECC_OK && t < labels->targets; t++) {
        judge_stump(&c->stumps[t], &trees[t], &c->binary[1], t, v, predicted);
    }
    for (size_t t = 0; trees && t < labels->targets; t++) ecc_tree_release(&trees[t]);
    free(trees);
    free(predicted);
    return status == ECC_OK ? ecc_component_gains(c->stump_gains, order, labels, error) : status;
}

enum ecc_status ecc_classify_stumps(struct ecc_classify *c, struct ecc_error *error)
{
    const struct ecc_view *const v = &c->views[ECC_VIEW_LATENTS];
    if (!c->train_labels.attributes) ECC_TRY(name_classes(c, c->train_labels.classes[0], error));
    const char *const *const names = (const char *const *)c->binary_names;
    ECC_TRY(ecc_labels_binary(&c->binary[0], &c->train_labels, names, error));
    ECC_TRY(ecc_labels_binary(&c->binary[1], &c->test_labels, names, error));
    c->stump_count = c->binary[0].targets;
    c->stumps = calloc(c->stump_count, sizeof *c->stumps);
    c->stump_gains = calloc(c->stump_count * v->d, sizeof *c->stump_gains);
    if (!c->stumps || !c->stump_gains) return ecc_fail_memory(error, "the stumps");
    struct ecc_tree_order order;
    ECC_TRY(ecc_tree_order_init(&order, v->train, v->train_n, v->d, error));
    const enum ecc_status status = grow_stumps(c, &order, error);
    ecc_tree_order_release(&order);
    return status;
}
