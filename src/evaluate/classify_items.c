/* classify_items.c: the items that a classifier learns from, and the items that test it. */
#include "base/text.h"
#include "evaluate/classify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The test part: the given one, or that of the data with the labelled items. */
static enum ecc_status open_test(struct ecc_classify_work *w, struct ecc_error *error)
{
    const struct ecc_classify_options *const o = w->options;
    if (o->test) return ecc_model_open_data(w->model, &w->test, o->test, o->items, error);
    char *const name = ecc_data_part_name(o->train ? o->train : w->model->options.data, "test");
    if (!name) return ecc_fail_memory(error, "a name");
    const enum ecc_status status = ecc_model_open_data(w->model, &w->test, name, o->items, error);
    free(name);
    return status;
}

/* Validation: learns from the items that the run was trained on and tests on the others. */
static enum ecc_status split_validation(struct ecc_classify_work *w, struct ecc_error *error)
{
    char name[ECC_PATH_SIZE];
    size_t train_n;
    ECC_TRY(ecc_model_training_items(w->model, &w->train_items, &train_n, w->train, error));
    const size_t count = w->train->count, test_n = count - train_n;
    w->test = w->train;
    w->result->items = train_n;
    w->result->test_items = test_n;
    if (test_n == 0) {
        return ecc_fail(
            error, ECC_BAD_DATA,
            "the run %s has no validation items: expected a run trained with --validation N",
            ecc_quote_path(name, w->model->run->directory));
    }
    w->test_items = malloc(test_n * sizeof *w->test_items);
    if (!w->test_items) return ecc_fail_memory(error, "the validation items");
    for (size_t i = 0, k = 0, at = 0; i < count; i++) {
        if (k < train_n && w->train_items[k] == i) {
            k++;
        } else {
            w->test_items[at++] = (uint32_t)i;
        }
    }
    return ECC_OK;
}

static enum ecc_status open_parts(struct ecc_classify_work *w, struct ecc_error *error)
{
    const struct ecc_classify_options *const o = w->options;
    ECC_TRY(ecc_model_open_data(w->model, &w->train, o->train, o->items, error));
    if (o->validation) return split_validation(w, error);
    ECC_TRY(open_test(w, error));
    w->result->items = w->train->count;
    w->result->test_items = w->test->count;
    return ECC_OK;
}

/* ---- Labels and names ----------------------------------------------------------------------- */

static const char *name_of(char number[24], const struct ecc_classify_work *w, size_t i)
{
    const struct ecc_dataset *const data = w->train;
    if (w->train_labels.attributes) return w->train_labels.names[i];
    if (data->class_names && i < data->class_count) return data->class_names[i];
    snprintf(number, 24, "%zu", i);
    return number;
}

static enum ecc_status copy_names(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    const struct ecc_labels *const labels = &w->train_labels;
    const size_t count = labels->attributes ? labels->targets : labels->classes[0];
    r->attributes = labels->attributes;
    r->target_count = labels->targets;
    r->names = calloc(count + 1, sizeof *r->names);
    if (!r->names) return ecc_fail_memory(error, "the names of the classes");
    for (r->name_count = 0; r->name_count < count; r->name_count++) {
        char number[24];
        char *const name = strdup(name_of(number, w, r->name_count));
        if (!name) return ecc_fail_memory(error, "the names of the classes");
        r->names[r->name_count] = name;
    }
    return ECC_OK;
}

enum ecc_status ecc_classify_open_items(struct ecc_classify_work *w, struct ecc_error *error)
{
    const struct ecc_classification *const r = w->result;
    ECC_TRY(open_parts(w, error));
    ECC_TRY(ecc_labels_take(&w->train_labels, w->train, w->train_items, r->items, error));
    ECC_TRY(ecc_labels_check(&w->train_labels, w->train, error));
    ECC_TRY(ecc_labels_take(&w->test_labels, w->test, w->test_items, r->test_items, error));
    ECC_TRY(ecc_labels_match(&w->train_labels, &w->test_labels, error));
    return copy_names(w, error);
}
