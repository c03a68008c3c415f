/* classify_stumps.c: which single component says most about each attribute (the paper's Table 4),
 * or about each class against the rest. */
#include "evaluate/classify.h"
#include "latent/gains.h"

#include <stdlib.h>

/* Each attribute, or each class against the rest, as 0 and 1. */
struct answers {
    struct ecc_labels train, test;
};

enum { ENOUGH = 5 }; /* items on each side of the question */

static size_t count_ones(const struct ecc_labels *labels, size_t target)
{
    size_t ones = 0;
    for (size_t i = 0; i < labels->n; i++) ones += labels->values[target * labels->n + i] == 1;
    return ones;
}

static void count(struct ecc_stump *stump, const struct answers *answers, size_t target)
{
    stump->having = count_ones(&answers->train, target);
    stump->lacking = answers->train.n - stump->having;
    stump->test_having = count_ones(&answers->test, target);
    stump->test_lacking = answers->test.n - stump->test_having;
}

/* What share of the labelled items on either side have it. */
static void compare_sides(struct ecc_stump *stump, const float *x, size_t d,
                          const struct ecc_labels *train, size_t target)
{
    size_t n[2] = {0}, ones[2] = {0};
    for (size_t i = 0; i < train->n; i++) {
        const bool above = (double)x[i * d + stump->component] > stump->threshold;
        n[above]++;
        ones[above] += train->values[target * train->n + i] == 1;
    }
    stump->below = n[0] > 0 ? (double)ones[0] / (double)n[0] : 0;
    stump->above = n[1] > 0 ? (double)ones[1] / (double)n[1] : 0;
}

static enum ecc_stump_verdict judge(const struct ecc_stump *s, const struct ecc_tree *tree)
{
    const struct ecc_tree_node *const root = tree->nodes;
    if (s->having < ENOUGH || s->lacking < ENOUGH || s->test_having < ENOUGH ||
        s->test_lacking < ENOUGH) {
        return ECC_STUMP_TOO_FEW;
    }
    const bool same =
        root->left == 0 || tree->nodes[root->left].label == tree->nodes[root->right].label;
    return same ? ECC_STUMP_SAME_ANSWER : ECC_STUMP_TELLS;
}

static void describe(struct ecc_stump *stump, const struct ecc_tree *tree,
                     const struct answers *answers, size_t target, const int32_t *predicted)
{
    const struct ecc_tree_node *const root = tree->nodes;
    stump->component = root->feature;
    stump->threshold = root->threshold;
    stump->gain = root->gain;
    count(stump, answers, target);
    const size_t same = root->label == 1 ? stump->test_having : stump->test_lacking;
    stump->majority = (double)same / (double)answers->test.n;
    stump->accuracy = 1 - ecc_labels_error(&answers->test, target, predicted);
    stump->verdict = judge(stump, tree);
}

static enum ecc_status grow(struct ecc_classify_work *w, const struct ecc_tree_order *order,
                            const struct answers *answers, struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    const float *const test = w->points[ECC_VIEW_LATENTS].test;
    struct ecc_tree *const trees = calloc(r->name_count, sizeof *trees);
    int32_t *const predicted = malloc(r->test_items * sizeof *predicted);
    enum ecc_status status = trees && predicted
                                 ? ecc_trees_grow(trees, order, &answers->train, 1, error)
                                 : ecc_fail_memory(error, "the stumps");
    for (size_t t = 0; status == ECC_OK && t < r->name_count; t++) {
        ecc_tree_predict(&trees[t], predicted, test, r->test_items);
        describe(&r->stumps[t], &trees[t], answers, t, predicted);
        compare_sides(&r->stumps[t], order->x, order->d, &answers->train, t);
    }
    for (size_t t = 0; trees && t < r->name_count; t++) ecc_tree_release(&trees[t]);
    free(trees);
    free(predicted);
    return status;
}

/* By falling gain; ties in order of their index. */
static void rank(size_t *ranking, const struct ecc_stump *stumps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && stumps[ranking[at - 1]].gain < stumps[i].gain; at--) {
            ranking[at] = ranking[at - 1];
        }
        ranking[at] = i;
    }
}

static enum ecc_status find(struct ecc_classify_work *w, const struct answers *answers,
                            struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    struct ecc_tree_order order;
    ECC_TRY(
        ecc_tree_order_init(&order, w->points[ECC_VIEW_LATENTS].train, r->items, r->latent, error));
    enum ecc_status status = grow(w, &order, answers, error);
    if (status == ECC_OK) status = ecc_component_gains(r->gains, &order, &answers->train, error);
    ecc_tree_order_release(&order);
    if (status == ECC_OK) rank(r->ranking, r->stumps, r->name_count);
    return status;
}

enum ecc_status ecc_classify_find_stumps(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    const char *const *const names = (const char *const *)r->names;
    struct answers answers = {0};
    r->stumps = calloc(r->name_count, sizeof *r->stumps);
    r->ranking = calloc(r->name_count, sizeof *r->ranking);
    r->gains = calloc(r->name_count * r->latent, sizeof *r->gains);
    enum ecc_status status = r->stumps && r->ranking && r->gains
                                 ? ecc_labels_binary(&answers.train, &w->train_labels, names, error)
                                 : ecc_fail_memory(error, "the stumps");
    if (status == ECC_OK) {
        status = ecc_labels_binary(&answers.test, &w->test_labels, names, error);
    }
    if (status == ECC_OK) status = find(w, &answers, error);
    ecc_labels_release(&answers.train);
    ecc_labels_release(&answers.test);
    return status;
}
