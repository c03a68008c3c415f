/* classify_print.c: the results of `eccentric classify` in words and as JSON. */
#include "cli/print.h"
#include "model/seen.h"

#include <math.h>

static bool is_knn(const struct ecc_classification *c)
{
    return c->method == ECC_CLASSIFY_KNN;
}

/* ---- Words ---------------------------------------------------------------------------------- */

static void print_cell(double error, double deviation, size_t repeats)
{
    if (repeats > 1) {
        printf("  %6.2f ± %4.2f %%", 100 * error, 100 * deviation);
    } else {
        printf("  %6.2f %%       ", 100 * error);
    }
}

static void print_heading(const struct ecc_classification *c)
{
    printf("%8s  %10s  %-15s", "labels", is_knn(c) ? "neighbours" : "depth", "  latents");
    if (c->view_count > 1) {
        char pca[24], raw[24];
        snprintf(pca, sizeof pca, "  PCA (%zu)", c->views[ECC_VIEW_PCA].d);
        snprintf(raw, sizeof raw, "  %s", c->views[ECC_VIEW_PIXELS].name);
        printf("  %-15s  %-15s", pca, raw);
    }
    printf("    majority\n");
}

static void print_rows(const struct ecc_classification *c)
{
    print_heading(c);
    for (size_t r = 0; r < c->row_count; r++) {
        const struct ecc_classify_row *const row = &c->rows[r];
        printf("%8zu  ", row->labels);
        if (row->parameter == SIZE_MAX) {
            printf("%10s", "full");
        } else {
            printf("%10zu", row->parameter);
        }
        for (size_t v = 0; v < c->view_count; v++) {
            print_cell(row->error[v], row->deviation[v], row->repeats);
        }
        printf("  %6.2f %%\n", 100 * row->majority);
    }
}

static void print_limits(const struct ecc_classification *c)
{
    const struct ecc_classify_view *const pixels = &c->views[ECC_VIEW_PIXELS];
    if (c->view_count == 1) return;
    if (pixels->items == c->items && pixels->test_items == c->test_items) return;
    printf("%s: not all items fit in memory: used %zu training items and %zu test items\n",
           pixels->name, pixels->items, pixels->test_items);
}

static void print_targets(const struct ecc_classification *c)
{
    printf("\n%-24s  %8s  %8s\n", "attribute", "majority", "error");
    for (size_t t = 0; t < c->target_count; t++) {
        printf("%-24.24s  %6.2f %%  %6.2f %%\n", c->names[t], 100 * c->target_majority[t],
               100 * c->views[ECC_VIEW_LATENTS].target_errors[t]);
    }
}

static void print_stumps(const struct ecc_classification *c)
{
    printf("\nsingle components, on all %zu training items\n", c->items);
    printf("%-24s  %9s  %8s  %s\n", c->attributes ? "attribute" : "class", "component", "gain",
           "accuracy: majority -> stump");
    for (size_t i = 0; i < c->name_count; i++) {
        const struct ecc_stump *const stump = &c->stumps[c->ranking[i]];
        char component[24];
        snprintf(component, sizeof component, "p%zu", stump->component + 1);
        printf("%-24.24s  %9s  %.3f bit  %5.1f %% -> %5.1f %%\n", c->names[c->ranking[i]],
               component, stump->gain, 100 * stump->majority, 100 * stump->accuracy);
    }
}

static void print_words(const struct ecc_classification *c, const char *run)
{
    char words[ECC_SEEN_WORDS];
    printf("%s: error of %s on %zu %s, latents of %zu dimensions\n", run,
           is_knn(c) ? "nearest neighbours" : "decision trees", c->test_items,
           ecc_seen_words(words, &c->seen), c->latent);
    if (c->attributes) printf("mean over %zu attributes\n", c->target_count);
    print_rows(c);
    print_limits(c);
    if (c->attributes && is_knn(c)) print_targets(c);
    if (c->stumps) print_stumps(c);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void put_row(json_t *json, const struct ecc_classification *c,
                    const struct ecc_classify_row *row)
{
    ecc_json_number(json, "error", row->error[ECC_VIEW_LATENTS]);
    ecc_json_number(json, "deviation", row->deviation[ECC_VIEW_LATENTS]);
    ecc_json_numbers(json, "errors", row->errors[ECC_VIEW_LATENTS], row->repeats);
    ecc_json_count(json, "labels", row->labels);
    if (row->parameter == SIZE_MAX) {
        ecc_json_text(json, "depth", "full");
    } else {
        ecc_json_count(json, is_knn(c) ? "neighbours" : "depth", row->parameter);
    }
    json_t *const baselines = json_object();
    ecc_json_number(baselines, "majority", row->majority);
    ecc_json_number(baselines, "pixels", row->error[ECC_VIEW_PIXELS]);
    ecc_json_number(baselines, "pca", row->error[ECC_VIEW_PCA]);
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

static json_t *stumps_json(const struct ecc_classification *c)
{
    json_t *const array = json_array();
    for (size_t t = 0; t < c->name_count; t++) {
        const struct ecc_stump *const stump = &c->stumps[t];
        json_t *const json = json_object();
        ecc_json_text(json, "name", c->names[t]);
        ecc_json_count(json, "component", stump->component + 1);
        ecc_json_number(json, "threshold", stump->threshold);
        ecc_json_number(json, "gain", stump->gain);
        ecc_json_number(json, "majority_accuracy", stump->majority);
        ecc_json_number(json, "accuracy", stump->accuracy);
        json_array_append_new(array, json);
    }
    return array;
}

static json_t *make_json(const struct ecc_classification *c, const char *run)
{
    json_t *const json = json_object();
    ecc_json_text(json, "run", run);
    ecc_json_text(json, "method", is_knn(c) ? "knn" : "tree");
    put_row(json, c, &c->rows[c->row_count - 1]);
    ecc_json_count(json, "items", c->items);
    ecc_json_count(json, "test_items", c->test_items);
    ecc_json_count(json, "test_items_trained_on", c->seen.trained);
    ecc_json_flag(json, "validation", c->validation);
    ecc_json_count(json, "latent", c->latent);
    json_t *const results = json_array();
    for (size_t r = 0; r < c->row_count; r++) {
        json_t *const row = json_object();
        put_row(row, c, &c->rows[r]);
        json_array_append_new(results, row);
    }
    json_object_set_new(json, "results", results);
    if (c->attributes) json_object_set_new(json, "targets", targets_json(c));
    if (c->stumps) json_object_set_new(json, "stumps", stumps_json(c));
    ecc_json_number(json, "seconds", c->seconds);
    return json;
}

enum ecc_status ecc_print_classification(const struct ecc_classification *c, const char *run,
                                         bool json, struct ecc_error *error)
{
    if (json) return ecc_json_print(make_json(c, run), error);
    print_words(c, run);
    return ECC_OK;
}
