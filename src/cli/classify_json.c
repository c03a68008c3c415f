/* classify_json.c: the results of `eccentric classify` as JSON. */
#include "cli/print.h"

/* In the order of enum ecc_classify_method. */
static const char *const methods[] = {"knn", "tree", "mlp"};
static const char *const parameters[] = {"neighbours", "depth", "epochs"};

static void put_row(json_t *json, const struct ecc_classification *c,
                    const struct ecc_classify_row *row)
{
    ecc_json_number(json, "error", row->error[ECC_VIEW_LATENTS]);
    ecc_json_number(json, "deviation", row->deviation[ECC_VIEW_LATENTS]);
    ecc_json_numbers(json, "errors", row->errors[ECC_VIEW_LATENTS], row->repeats);
    ecc_json_number(json, "balanced_error", row->balanced[ECC_VIEW_LATENTS]);
    ecc_json_number(json, "balanced_deviation", row->balanced_deviation[ECC_VIEW_LATENTS]);
    ecc_json_number(json, "macro_f1", row->f1[ECC_VIEW_LATENTS]);
    ecc_json_number(json, "macro_f1_deviation", row->f1_deviation[ECC_VIEW_LATENTS]);
    ecc_json_count(json, "labels", row->labels);
    if (row->parameter == SIZE_MAX) {
        ecc_json_text(json, "depth", "full");
    } else {
        ecc_json_count(json, parameters[c->method], row->parameter);
    }
    json_t *const baselines = json_object();
    ecc_json_number(baselines, "majority", row->majority);
    ecc_json_number(baselines, "pixels", row->error[ECC_VIEW_PIXELS]);
    ecc_json_number(baselines, "pca", row->error[ECC_VIEW_PCA]);
    ecc_json_number(baselines, "majority_balanced_error", row->majority_balanced);
    ecc_json_number(baselines, "pixels_balanced_error", row->balanced[ECC_VIEW_PIXELS]);
    ecc_json_number(baselines, "pca_balanced_error", row->balanced[ECC_VIEW_PCA]);
    ecc_json_number(baselines, "majority_macro_f1", row->majority_f1);
    ecc_json_number(baselines, "pixels_macro_f1", row->f1[ECC_VIEW_PIXELS]);
    ecc_json_number(baselines, "pca_macro_f1", row->f1[ECC_VIEW_PCA]);
    ecc_json_number(baselines, "pixels_deviation", row->deviation[ECC_VIEW_PIXELS]);
    ecc_json_number(baselines, "pca_deviation", row->deviation[ECC_VIEW_PCA]);
    if (c->view_count > 1) {
        ecc_json_count(baselines, "pixels_items", c->views[ECC_VIEW_PIXELS].items);
        ecc_json_count(baselines, "pixels_test_items", c->views[ECC_VIEW_PIXELS].test_items);
    }
    json_object_set_new(json, "baselines", baselines);
}

static json_t *targets_json(const struct ecc_classification *c)
{
    json_t *const array = json_array();
    for (size_t t = 0; t < c->target_count; t++) {
        json_t *const json = json_object();
        ecc_json_text(json, "name", c->names[t]);
        ecc_json_number(json, "error", c->views[ECC_VIEW_LATENTS].target_errors[t]);
        ecc_json_number(json, "majority", c->target_majority[t]);
        if (c->view_count > 1) {
            ecc_json_number(json, "pixels", c->views[ECC_VIEW_PIXELS].target_errors[t]);
            ecc_json_number(json, "pca", c->views[ECC_VIEW_PCA].target_errors[t]);
        }
        json_array_append_new(array, json);
    }
    return array;
}

/* The matrix of up to JSON_CLASSES classes; of more, the mistakes say what there is to say. */
static void put_confusion(json_t *json, const struct ecc_classification *c)
{
    enum { JSON_CLASSES = 256 };
    const size_t n = c->name_count;
    json_t *const names = json_array(), *const mistakes = json_array();
    for (size_t k = 0; k < n; k++) json_array_append_new(names, json_string(c->names[k]));
    for (size_t i = 0; i < c->pair_count; i++) {
        const struct ecc_confused_pair *const p = &c->pairs[i];
        json_t *const mistake = json_object();
        ecc_json_text(mistake, "class", c->names[p->truth]);
        ecc_json_text(mistake, "taken_for", c->names[p->taken_for]);
        ecc_json_count(mistake, "items", p->items);
        ecc_json_count(mistake, "of", p->of);
        json_array_append_new(mistakes, mistake);
    }
    json_object_set_new(json, "classes", names);
    json_object_set_new(json, "mistakes", mistakes);
    if (n > JSON_CLASSES) return;
    json_t *const rows = json_array();
    for (size_t r = 0; r < n; r++) {
        json_t *const row = json_array();
        for (size_t k = 0; k < n; k++) {
            json_array_append_new(row, json_integer((json_int_t)c->confusion[r * n + k]));
        }
        json_array_append_new(rows, row);
    }
    json_object_set_new(json, "confusion", rows);
}

static json_t *stumps_json(const struct ecc_classification *c)
{
    static const char *const verdicts[] = {"tells", "too few", "same answer"};
    json_t *const array = json_array();
    for (size_t t = 0; t < c->name_count; t++) {
        const struct ecc_stump *const stump = &c->stumps[t];
        json_t *const json = json_object();
        ecc_json_text(json, "name", c->names[t]);
        ecc_json_count(json, "component", stump->component + 1);
        ecc_json_number(json, "threshold", stump->threshold);
        ecc_json_number(json, "gain", stump->gain);
        ecc_json_number(json, "share_below", stump->below);
        ecc_json_number(json, "share_above", stump->above);
        ecc_json_count(json, "having", stump->having);
        ecc_json_count(json, "test_having", stump->test_having);
        ecc_json_number(json, "majority_accuracy", stump->majority);
        ecc_json_number(json, "accuracy", stump->accuracy);
        ecc_json_text(json, "verdict", verdicts[stump->verdict]);
        json_array_append_new(array, json);
    }
    return array;
}

static void put_results(json_t *json, const struct ecc_classification *c)
{
    json_t *const results = json_array();
    for (size_t r = 0; r < c->row_count; r++) {
        json_t *const row = json_object();
        put_row(row, c, &c->rows[r]);
        json_array_append_new(results, row);
    }
    json_object_set_new(json, "results", results);
    if (c->attributes) {
        json_object_set_new(json, "targets", targets_json(c));
    } else {
        put_confusion(json, c);
    }
}

json_t *ecc_classification_json(const struct ecc_classification *c, const char *run)
{
    json_t *const json = json_object();
    ecc_json_text(json, "run", run);
    if (c->row_count > 0) {
        ecc_json_text(json, "method", methods[c->method]);
        put_row(json, c, &c->rows[c->row_count - 1]);
    }
    ecc_json_count(json, "items", c->items);
    ecc_json_count(json, "test_items", c->test_items);
    ecc_json_count(json, "test_items_trained_on", c->seen.trained);
    ecc_json_flag(json, "validation", c->validation);
    ecc_json_count(json, "latent", c->latent);
    if (c->row_count > 0) put_results(json, c);
    if (c->number_count > 0) json_object_set_new(json, "numbers", ecc_numbers_json(c));
    if (c->stumps) json_object_set_new(json, "stumps", stumps_json(c));
    ecc_json_number(json, "seconds", c->seconds);
    return json;
}
