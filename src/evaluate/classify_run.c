/* classify_run.c: how well the latents of a run separate classes or attributes, compared with
 * baselines. */
#include "evaluate/classify.h"
#include "base/clock.h"

#include <stdlib.h>

struct ecc_classify_options ecc_classify_defaults(void)
{
    return (struct ecc_classify_options){
        .repeats = 20, .epochs = 500, .baselines = true, .seed = 1};
}

/* ---- Options -------------------------------------------------------------------------------- */

size_t ecc_classify_label_counts(const struct ecc_classify_options *o)
{
    return o->labels ? o->label_count : 1;
}

size_t ecc_classify_labels(const struct ecc_classify_work *w, size_t i)
{
    const size_t wanted = w->options->labels ? w->options->labels[i] : 0;
    return wanted ? wanted : w->result->items;
}

size_t ecc_classify_depth_counts(const struct ecc_classify_options *o)
{
    return o->depths ? o->depth_count : 2;
}

size_t ecc_classify_depth(const struct ecc_classify_options *o, size_t i)
{
    static const size_t usual[] = {1, 8};
    return o->depths ? o->depths[i] : usual[i];
}

static enum ecc_status check_options(const struct ecc_classify_options *o, struct ecc_error *error)
{
    if (o->repeats == 0)
        return ecc_fail(error, ECC_BAD_ARGUMENT, "repeats is 0, expected 1 or more");
    if (o->method == ECC_CLASSIFY_MLP && o->epochs == 0)
        return ecc_fail(error, ECC_BAD_ARGUMENT, "epochs is 0, expected 1 or more");
    const bool labels = ecc_classify_label_counts(o) > 0;
    if (!labels || ecc_classify_depth_counts(o) == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the list of %s is empty, expected one or more",
                        labels ? "depths" : "numbers of labelled items");
    }
    for (size_t i = 0; i < ecc_classify_depth_counts(o); i++) {
        if (ecc_classify_depth(o, i) == 0) {
            return ecc_fail(error, ECC_BAD_ARGUMENT, "a tree has depth 0, expected 1 or more");
        }
    }
    if (o->validation && (o->train || o->test || o->items)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "validation uses the run's own items: other data cannot be given with it");
    }
    return ECC_OK;
}

static enum ecc_status check_counts(const struct ecc_classify_work *w, struct ecc_error *error)
{
    const struct ecc_classify_options *const o = w->options;
    for (size_t i = 0; i < ecc_classify_label_counts(o); i++) {
        const size_t labels = ecc_classify_labels(w, i);
        if (labels > w->result->items) {
            return ecc_fail(
                error, ECC_BAD_DATA,
                "%zu labelled items were requested, but there are only %zu training items", labels,
                w->result->items);
        }
        if (o->method == ECC_CLASSIFY_KNN && o->neighbours > labels) {
            return ecc_fail(error, ECC_BAD_DATA,
                            "%zu neighbours were requested among %zu labelled items: expected at "
                            "most as many neighbours as items",
                            o->neighbours, labels);
        }
    }
    return ECC_OK;
}

/* ---- The whole classification --------------------------------------------------------------- */

static void release_work(struct ecc_classify_work *w)
{
    for (size_t v = 0; v < ECC_VIEWS; v++) {
        free(w->points[v].train);
        free(w->points[v].test);
        ecc_labels_release(&w->points[v].own[0]);
        ecc_labels_release(&w->points[v].own[1]);
        ecc_quantities_release(&w->points[v].own_numbers[0]);
        ecc_quantities_release(&w->points[v].own_numbers[1]);
    }
    ecc_labels_release(&w->train_labels);
    ecc_labels_release(&w->test_labels);
    ecc_quantities_release(&w->train_numbers);
    ecc_quantities_release(&w->test_numbers);
    if (w->test != w->train) ecc_dataset_close(w->test);
    ecc_dataset_close(w->train);
    free(w->train_items);
    free(w->test_items);
}

static enum ecc_status classify(struct ecc_classify_work *w, struct ecc_error *error)
{
    const bool trees = w->options->method == ECC_CLASSIFY_TREE;
    ECC_TRY(check_options(w->options, error));
    ECC_TRY(ecc_classify_open_items(w, error));
    ECC_TRY(check_counts(w, error));
    ECC_TRY(ecc_classify_make_views(w, error));
    if (w->has_classes) ECC_TRY(ecc_classify_measure(w, error));
    ECC_TRY(ecc_classify_start_numbers(w, error));
    const bool stumps = w->has_classes && (trees || w->options->stumps);
    if (!stumps && w->result->number_count == 0) return ECC_OK;
    if (!trees) ECC_TRY(ecc_classify_turn(w, error)); /* with trees this was done before */
    ECC_TRY(ecc_classify_by_trees(w, error));
    return stumps ? ecc_classify_find_stumps(w, error) : ECC_OK;
}

enum ecc_status ecc_classify(struct ecc_classification *result, struct ecc_model *model,
                             const struct ecc_classify_options *options,
                             const struct ecc_watch *watch, struct ecc_error *error)
{
    const double start = ecc_seconds();
    const struct ecc_classify_options defaults = ecc_classify_defaults();
    struct ecc_classify_work work = {
        .result = result, .model = model, .options = options ? options : &defaults, .watch = watch};
    *result = (struct ecc_classification){
        .method = work.options->method, .validation = work.options->validation, .latent = model->d};
    const enum ecc_status status = classify(&work, error);
    release_work(&work);
    result->seconds = ecc_seconds() - start;
    return status;
}

static void release_number(struct ecc_number_result *r)
{
    free(r->name);
    free(r->rows);
    free(r->truth);
    free(r->predicted);
}

void ecc_classification_release(struct ecc_classification *c)
{
    for (size_t j = 0; j < c->number_count; j++) release_number(&c->numbers[j]);
    free(c->numbers);
    for (size_t i = 0; c->names && i < c->name_count; i++) free(c->names[i]);
    for (size_t v = 0; v < ECC_VIEWS; v++) {
        free(c->views[v].target_errors);
        for (size_t r = 0; r < c->row_count; r++) free(c->rows[r].errors[v]);
    }
    free(c->names);
    free(c->rows);
    free(c->target_majority);
    free(c->predicted);
    free(c->confusion);
    free(c->pairs);
    free(c->stumps);
    free(c->ranking);
    free(c->gains);
    *c = (struct ecc_classification){0};
}
