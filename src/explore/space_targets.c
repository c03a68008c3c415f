/* space_targets.c: which components carry which labels, by information gain and class means, and
 * how the components of two runs match. */
#include "explore/space.h"

#include "latent/gains.h"
#include "model/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAIN_ITEMS = 20000, /* enough to rank components, in about a second */
    TARGETS_MOST = 256, /* a list that a person can look through */
};

/* ---- Targets -------------------------------------------------------------------------------- */

static enum ecc_status name_classes(struct ecc_space *s, size_t classes, struct ecc_error *error)
{
    s->class_names = calloc(classes + 1, sizeof *s->class_names);
    if (!s->class_names) return ecc_fail_memory(error, "the names of the classes");
    for (size_t c = 0; c < classes; c++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", c);
        const bool named = s->data->class_names && c < s->data->class_count;
        s->class_names[c] = strdup(named ? s->data->class_names[c] : number);
        if (!s->class_names[c]) return ecc_fail_memory(error, "the names of the classes");
    }
    return ECC_OK;
}

static enum ecc_status take_targets(struct ecc_space *s, struct ecc_error *error)
{
    struct ecc_labels labels;
    ECC_TRY(ecc_labels_take(&labels, s->data, NULL, s->count, error));
    enum ecc_status status = ECC_OK;
    if (!labels.attributes) status = name_classes(s, labels.classes[0], error);
    if (status == ECC_OK) {
        status =
            ecc_labels_binary(&s->targets, &labels, (const char *const *)s->class_names, error);
    }
    ecc_labels_release(&labels);
    return status;
}

/* Gains of the first items.  Targets hold their values in one block of n, so this copies them. */
static enum ecc_status find_gains(const struct ecc_space *s, struct ecc_space_run *run,
                                  struct ecc_error *error)
{
    const size_t n = s->count < GAIN_ITEMS ? s->count : GAIN_ITEMS;
    struct ecc_labels some = s->targets;
    struct ecc_tree_order order;
    some.n = n;
    some.values = malloc((some.targets * n + 1) * sizeof *some.values);
    if (!some.values) return ecc_fail_memory(error, "the labels");
    for (size_t t = 0; t < some.targets; t++) {
        memcpy(some.values + t * n, s->targets.values + t * s->count, n * sizeof *some.values);
    }
    enum ecc_status status = ecc_tree_order_init(&order, run->amounts, n, s->d, error);
    if (status == ECC_OK) {
        status = ecc_component_gains(run->gains, &order, &some, error);
        ecc_tree_order_release(&order);
    }
    free(some.values);
    return status;
}

static void find_means(const struct ecc_space *s, struct ecc_space_run *run)
{
    const size_t d = s->d;
    for (size_t t = 0; t < s->targets.targets; t++) {
        double counts[2] = {0};
        double *const sums[2] = {run->beside + t * d, run->inside + t * d};
        for (size_t i = 0; i < s->count; i++) {
            const size_t side = s->targets.values[t * s->count + i] != 0;
            counts[side]++;
            for (size_t k = 0; k < d; k++) sums[side][k] += (double)run->amounts[i * d + k];
        }
        for (size_t k = 0; k < d; k++) {
            for (size_t side = 0; side < 2; side++) {
                sums[side][k] = counts[side] > 0 ? sums[side][k] / counts[side] : 0;
            }
        }
    }
}

static enum ecc_status judge_run(struct ecc_space *s, struct ecc_space_run *run,
                                 struct ecc_error *error)
{
    const size_t size = s->targets.targets * s->d + 1;
    run->gains = calloc(size, sizeof *run->gains);
    run->inside = calloc(size, sizeof *run->inside);
    run->beside = calloc(size, sizeof *run->beside);
    if (!run->gains || !run->inside || !run->beside) {
        return ecc_fail_memory(error, "the attributes");
    }
    find_means(s, run);
    return find_gains(s, run, error);
}

/* ---- Two runs ------------------------------------------------------------------------------- */

/* Rows first, first + 2, ... of the items' coordinates along components, not whitened. */
static float *every_other(const struct ecc_space *s, size_t r, size_t first, size_t *n)
{
    const struct ecc_space_run *const run = &s->runs[r];
    *n = (s->count - first + 1) / 2;
    float *const p = malloc((*n * s->d + 1) * sizeof *p);
    for (size_t i = 0; p && i < *n; i++) {
        for (size_t k = 0; k < s->d; k++) {
            p[i * s->d + k] = (float)((double)run->amounts[(first + 2 * i) * s->d + k] *
                                      run->components.deviations[k]);
        }
    }
    return p;
}

/* Matches on every other item and measures on the rest. */
static enum ecc_status align(struct ecc_space *s, struct ecc_error *error)
{
    float *parts[4];
    size_t n = 0, m = 0;
    for (size_t r = 0; r < 2; r++) {
        parts[r] = every_other(s, r, 0, &n);
        parts[2 + r] = every_other(s, r, 1, &m);
    }
    enum ecc_status status = parts[0] && parts[1] && parts[2] && parts[3]
                                 ? ECC_OK
                                 : ecc_fail_memory(error, "two runs' components");
    if (status == ECC_OK) {
        status =
            ecc_align(&s->alignment, parts[0], parts[1], n, parts[2], parts[3], m, s->d, error);
    }
    s->aligned = status == ECC_OK;
    for (size_t i = 0; i < 4; i++) free(parts[i]);
    return status;
}

enum ecc_status ecc_space_finish(struct ecc_space *s, struct ecc_error *error)
{
    if (!s->data) return ECC_OK;
    const size_t targets = s->data->labels ? s->data->class_count : s->data->attribute_count;
    if (s->count >= 2 && targets > 0 && targets <= TARGETS_MOST) {
        const enum ecc_status status = take_targets(s, error);
        if (status != ECC_OK && status != ECC_BAD_DATA) return status;
        /* items without labels have no targets */
        for (size_t r = 0; status == ECC_OK && r < s->run_count; r++) {
            ECC_TRY(judge_run(s, &s->runs[r], error));
        }
    }
    return s->run_count == 2 && s->count >= 4 ? align(s, error) : ECC_OK;
}
