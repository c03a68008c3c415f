/* classify_report.c: the results of `eccentric classify` in words and as JSON. */
#include "cli/classify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_knn(const struct ecc_classify *c)
{
    return c->settings->method == ECC_CLASSIFY_KNN;
}

size_t *ecc_classify_rank(const struct ecc_classify *c)
{
    size_t *const rank = malloc((c->stump_count + 1) * sizeof *rank);
    for (size_t i = 0; rank && i < c->stump_count; i++) {
        size_t at = i;
        for (; at > 0 && c->stumps[rank[at - 1]].gain < c->stumps[i].gain; at--) {
            rank[at] = rank[at - 1];
        }
        rank[at] = i;
    }
    return rank;
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void print_cell(double error, double deviation, size_t repeats)
{
    if (isnan(error)) {
        printf("  %15s", "");
    } else if (repeats > 1) {
        printf("  %6.2f ± %4.2f %%", 100 * error, 100 * deviation);
    } else {
        printf("  %6.2f %%       ", 100 * error);
    }
}

static void print_heading(const struct ecc_classify *c)
{
    char pca[24];
    printf("%8s  %10s  %-15s", "labels", is_knn(c) ? "neighbours" : "depth", "  latents");
    if (c->view_count > 1) {
        snprintf(pca, sizeof pca, "  PCA (%zu)", c->views[ECC_VIEW_PCA].d);
        char raw[24];
        snprintf(raw, sizeof raw, "  %s", c->views[ECC_VIEW_PIXELS].name);
        printf("  %-15s  %-15s", pca, raw);
    }
    printf("    majority\n");
}

static void print_rows(const struct ecc_classify *c)
{
    print_heading(c);
    for (size_t r = 0; r < c->row_count; r++) {
        const struct ecc_cli_row *const row = &c->rows[r];
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

static void print_remarks(const struct ecc_classify *c)
{
    const struct ecc_view *const pixels = &c->views[ECC_VIEW_PIXELS];
    if (c->view_count > 1 && (pixels->train_n < c->train_n || pixels->test_n < c->test_n)) {
        printf("%s: all would not fit, so %zu of the training items and %zu of the test items\n",
               pixels->name, pixels->train_n, pixels->test_n);
    }
}

static void print_targets(const struct ecc_classify *c)
{
    const struct ecc_labels *const labels = &c->test_labels;
    printf("\n%-24s  %8s  %8s\n", "attribute", "majority", "error");
    for (size_t t = 0; t < labels->targets; t++) {
        printf("%-24.24s  %6.2f %%  %6.2f %%\n", labels->names[t], 100 * c->target_majority[t],
               100 * c->target_errors[ECC_VIEW_LATENTS][t]);
    }
}

static enum ecc_status print_stumps(const struct ecc_classify *c, struct ecc_error *error)
{
    size_t *const rank = ecc_classify_rank(c);
    if (!rank) return ecc_fail_memory(error, "the stumps");
    printf("\none component alone, on all %zu training items\n", c->train_n);
    printf("%-24s  %9s  %8s  %s\n", c->test_labels.attributes ? "attribute" : "class", "component",
           "gain", "accuracy: majority -> stump");
    for (size_t i = 0; i < c->stump_count; i++) {
        const struct ecc_cli_stump *const stump = &c->stumps[rank[i]];
        char component[24];
        snprintf(component, sizeof component, "p%zu", stump->component + 1);
        printf("%-24.24s  %9s  %.3f bit  %5.1f %% -> %5.1f %%\n", stump->name, component,
               stump->gain, 100 * stump->majority, 100 * stump->accuracy);
    }
    free(rank);
    return ECC_OK;
}

static enum ecc_status print_words(const struct ecc_classify *c, struct ecc_error *error)
{
    printf("%s: error of %s on %zu %s items, latents of %zu dimensions\n", c->model->run->directory,
           is_knn(c) ? "nearest neighbours" : "decision trees", c->test_n,
           c->settings->validation ? "validation" : "test", c->model->d);
    if (c->test_labels.attributes) {
        printf("mean over %zu attributes\n", c->test_labels.targets);
    }
    print_rows(c);
    print_remarks(c);
    if (c->test_labels.attributes && is_knn(c)) print_targets(c);
    return c->stumps ? print_stumps(c, error) : ECC_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_row(json_t *json, const struct ecc_classify *c, const struct ecc_cli_row *row)
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
        ecc_json_count(baselines, "pixels_items", c->views[ECC_VIEW_PIXELS].train_n);
        ecc_json_count(baselines, "pixels_test_items", c->views[ECC_VIEW_PIXELS].test_n);
    }
    json_object_set_new(json, "baselines", baselines);
}

static json_t *targets_json(const struct ecc_classify *c)
{
    json_t *const array = json_array();
    for (size_t t = 0; t < c->test_labels.targets; t++) {
        json_t *const json = json_object();
        ecc_json_text(json, "name", c->test_labels.names[t]);
        ecc_json_number(json, "error", c->target_errors[ECC_VIEW_LATENTS][t]);
        ecc_json_number(json, "majority", c->target_majority[t]);
        if (c->view_count > 1) {
            ecc_json_number(json, "pixels", c->target_errors[ECC_VIEW_PIXELS][t]);
            ecc_json_number(json, "pca", c->target_errors[ECC_VIEW_PCA][t]);
        }
        json_array_append_new(array, json);
    }
    return array;
}

static json_t *stumps_json(const struct ecc_classify *c)
{
    json_t *const array = json_array();
    for (size_t t = 0; t < c->stump_count; t++) {
        const struct ecc_cli_stump *const stump = &c->stumps[t];
        json_t *const json = json_object();
        ecc_json_text(json, "name", stump->name);
        ecc_json_count(json, "component", stump->component + 1);
        ecc_json_number(json, "threshold", stump->threshold);
        ecc_json_number(json, "gain", stump->gain);
        ecc_json_number(json, "majority_accuracy", stump->majority);
        ecc_json_number(json, "accuracy", stump->accuracy);
        json_array_append_new(array, json);
    }
    return array;
}

static json_t *make_json(const struct ecc_classify *c)
{
    json_t *const json = json_object();
    ecc_json_text(json, "run", c->model->run->directory);
    ecc_json_text(json, "method", is_knn(c) ? "knn" : "tree");
    put_row(json, c, &c->rows[c->row_count - 1]);
    ecc_json_count(json, "items", c->train_n);
    ecc_json_count(json, "test_items", c->test_n);
    ecc_json_flag(json, "validation", c->settings->validation);
    ecc_json_count(json, "latent", c->model->d);
    json_t *const results = json_array();
    for (size_t r = 0; r < c->row_count; r++) {
        json_t *const row = json_object();
        put_row(row, c, &c->rows[r]);
        json_array_append_new(results, row);
    }
    json_object_set_new(json, "results", results);
    if (c->test_labels.attributes) json_object_set_new(json, "targets", targets_json(c));
    if (c->stumps) json_object_set_new(json, "stumps", stumps_json(c));
    ecc_json_number(json, "seconds", c->seconds);
    return json;
}

enum ecc_status ecc_classify_report(const struct ecc_classify *c, struct ecc_error *error)
{
    return c->settings->common.json ? ecc_json_print(make_json(c), error) : print_words(c, error);
}
