/* labelled.c: labels compared, copied and drawn from. */
#include "latent/labelled.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

enum ecc_status ecc_labels_init(struct ecc_labels *l, struct ecc_error *error)
{
    l->values = calloc(l->targets * l->n + 1, sizeof *l->values);
    l->classes = calloc(l->targets + 1, sizeof *l->classes);
    l->names = calloc(l->targets + 1, sizeof *l->names);
    if (l->values && l->classes && l->names) return ECC_OK;
    ecc_labels_release(l);
    return ecc_fail_memory(error, "the labels");
}

void ecc_labels_release(struct ecc_labels *l)
{
    free(l->values);
    free(l->classes);
    free(l->names);
    *l = (struct ecc_labels){0};
}

enum ecc_status ecc_labels_match(struct ecc_labels *train, struct ecc_labels *test,
                                 struct ecc_error *error)
{
    if (train->targets != test->targets || train->attributes != test->attributes) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "the training items have %zu %s, the test items %zu %s", train->targets,
                        train->attributes ? "attributes" : "label", test->targets,
                        test->attributes ? "attributes" : "label");
    }
    for (size_t t = 0; t < train->targets; t++) {
        if (train->names[t] && test->names[t] && strcmp(train->names[t], test->names[t]) != 0) {
            return ecc_fail(error, ECC_BAD_DATA,
                            "attribute %zu is %s of the training items but %s of the test items",
                            t + 1, train->names[t], test->names[t]);
        }
        if (train->classes[t] < test->classes[t]) train->classes[t] = test->classes[t];
        test->classes[t] = train->classes[t];
    }
    return ECC_OK;
}

/* ---- Some of them ---------------------------------------------------------------------------- */

enum ecc_status ecc_labelled_copy(float **x, struct ecc_labels *labels,
                                  const struct ecc_labelled *from, const uint32_t *rows,
                                  size_t count, struct ecc_error *error)
{
    const size_t d = from->d, n = from->labels->n;
    *labels = (struct ecc_labels){
        .n = count, .targets = from->labels->targets, .attributes = from->labels->attributes};
    *x = malloc((count * d + 1) * sizeof **x);
    if (!*x) return ecc_fail_memory(error, "a subset of the items");
    const enum ecc_status status = ecc_labels_init(labels, error);
    if (status != ECC_OK) {
        free(*x);
        *x = NULL;
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        if (d > 0) memcpy(*x + i * d, from->x + rows[i] * d, d * sizeof **x);
        for (size_t t = 0; t < labels->targets; t++) {
            labels->values[t * count + i] = from->labels->values[t * n + rows[i]];
        }
    }
    for (size_t t = 0; t < labels->targets; t++) {
        labels->classes[t] = from->labels->classes[t];
        labels->names[t] = from->labels->names[t];
    }
    return ECC_OK;
}

static int compare_rows(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* quota: [classes] how many of each class, as even as possible.  Which classes get one item less is
 * drawn, too. */
static void share_out(size_t *quota, const size_t *there, size_t classes, size_t count,
                      const uint32_t *turn)
{
    while (count > 0) {
        for (size_t i = 0; i < classes && count > 0; i++) {
            const size_t c = turn[i];
            if (quota[c] >= there[c]) continue;
            quota[c]++;
            count--;
        }
    }
}

static size_t pick(uint32_t *rows, const uint32_t *order, size_t *quota,
                   const struct ecc_labels *labels)
{
    size_t picked = 0;
    for (size_t i = 0; i < labels->n; i++) {
        size_t *const left = &quota[labels->values[order[i]]];
        if (*left == 0) continue;
        --*left;
        rows[picked++] = order[i];
    }
    return picked;
}

enum ecc_status ecc_labels_draw(uint32_t *rows, size_t count, const struct ecc_labels *labels,
                                enum ecc_subset kind, uint64_t seed, uint64_t stream,
                                struct ecc_error *error)
{
    if (count > labels->n) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "cannot draw %zu of %zu items", count, labels->n);
    }
    const size_t classes = labels->classes[0];
    uint32_t *const order = malloc((labels->n + classes + 1) * sizeof *order);
    size_t *const quota = calloc(2 * classes + 1, sizeof *quota);
    enum ecc_status status = order && quota ? ECC_OK : ecc_fail_memory(error, "a subset");
    if (status == ECC_OK) {
        ecc_rng_permutation(order, labels->n, seed, 2 * stream);
        if (kind == ECC_SUBSET_UNIFORM || labels->targets != 1) {
            memcpy(rows, order, count * sizeof *rows);
        } else {
            size_t *const there = quota + classes;
            for (size_t i = 0; i < labels->n; i++) there[labels->values[i]]++;
            ecc_rng_permutation(order + labels->n, classes, seed, 2 * stream + 1);
            share_out(quota, there, classes, count, order + labels->n);
            pick(rows, order, quota, labels);
        }
        qsort(rows, count, sizeof *rows, compare_rows);
    }
    free(order);
    free(quota);
    return status;
}

/* ---- Baseline and errors -------------------------------------------------------------------- */

enum ecc_status ecc_labels_majority(int32_t *majority, const struct ecc_labels *labels,
                                    struct ecc_error *error)
{
    for (size_t t = 0; t < labels->targets; t++) {
        const size_t classes = labels->classes[t];
        size_t *const count = calloc(classes + 1, sizeof *count);
        if (!count) return ecc_fail_memory(error, "the majority");
        for (size_t i = 0; i < labels->n; i++) count[labels->values[t * labels->n + i]]++;
        majority[t] = 0;
        for (size_t c = 1; c < classes; c++) {
            if (count[c] > count[majority[t]]) majority[t] = (int32_t)c;
        }
        free(count);
    }
    return ECC_OK;
}

double ecc_labels_error(const struct ecc_labels *labels, size_t target, const int32_t *predicted)
{
    size_t wrong = 0;
    const int32_t *const truth = labels->values + target * labels->n;
    for (size_t i = 0; i < labels->n; i++) wrong += predicted[i] != truth[i];
    return (double)wrong / (double)labels->n;
}

enum ecc_status ecc_labels_in_range(const int32_t *values, size_t n, size_t classes,
                                    struct ecc_error *error)
{
    if (classes == 0 || classes > INT32_MAX) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%zu classes, expected 1 to %d", classes,
                        INT32_MAX);
    }
    for (size_t i = 0; i < n; i++) {
        if (values[i] >= 0 && (size_t)values[i] < classes) continue;
        return ecc_fail(error, ECC_BAD_DATA, "item %zu is of class %d, expected 0 to %zu", i,
                        (int)values[i], classes - 1);
    }
    return ECC_OK;
}
