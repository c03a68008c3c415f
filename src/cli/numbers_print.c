/* numbers_print.c: numbers that `eccentric classify` predicted, in words and as JSON. */
#include "base/text.h"
#include "cli/print.h"

#include <math.h>

/* ---- Words ---------------------------------------------------------------------------------- */

static const char *way_words(char out[40], const struct ecc_number_row *row)
{
    if (row->method == ECC_CLASSIFY_KNN) {
        snprintf(out, 40, "%zu neighbour%s", row->parameter, row->parameter == 1 ? "" : "s");
    } else if (row->parameter == SIZE_MAX) {
        snprintf(out, 40, "full tree");
    } else {
        snprintf(out, 40, "tree of depth %zu", row->parameter);
    }
    return out;
}

static void print_cell(double value)
{
    if (isnan(value)) {
        ecc_print("  %12s", "-");
    } else {
        char text[ECC_PLAIN_SIZE];
        ecc_print("  %12s", ecc_plain_number(text, value, 4));
    }
}

static double measure_of(const struct ecc_fit *fit, size_t measure)
{
    const double values[] = {fit->r2, fit->mae, fit->rmse};
    return values[measure];
}

static void print_way(const struct ecc_classification *c, const struct ecc_number_result *number,
                      const struct ecc_number_row *row)
{
    static const char *const names[] = {"R2", "MAE", "RMSE"};
    char words[40];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ecc_print("%-20s  %-4s", i == 0 ? way_words(words, row) : "", names[i]);
        for (size_t v = 0; v < c->view_count; v++) print_cell(measure_of(&row->fit[v], i));
        print_cell(measure_of(&number->baseline, i));
        ecc_print("\n");
    }
}

static void print_number(const struct ecc_classification *c, const struct ecc_number_result *number)
{
    char mean[ECC_PLAIN_SIZE], deviation[ECC_PLAIN_SIZE];
    ecc_print("\n%s: known of %zu labelled items (mean %s, deviation %s) and %zu test items\n",
              number->name, number->items, ecc_plain_number(mean, number->mean, 4),
              ecc_plain_number(deviation, number->deviation, 4), number->test_items);
    if (number->row_count == 0) {
        ecc_print("too few to predict it\n");
        return;
    }
    ecc_print("%-20s  %-4s  %12s", "", "", "latents");
    if (c->view_count > 1) {
        char pca[24];
        snprintf(pca, sizeof pca, "PCA (%zu)", c->views[ECC_VIEW_PCA].d);
        ecc_print("  %12s  %12s", pca, c->views[ECC_VIEW_PIXELS].name);
    }
    ecc_print("  %12s\n", "mean");
    for (size_t r = 0; r < number->row_count; r++) {
        const struct ecc_number_row *const row = &number->rows[r];
        print_way(c, number, row);
        if (c->view_count > 1 && row->items[ECC_VIEW_PIXELS] < number->items) {
            ecc_print("%s: not all items fit in memory: used %zu training items\n",
                      c->views[ECC_VIEW_PIXELS].name, row->items[ECC_VIEW_PIXELS]);
        }
    }
}

void ecc_print_numbers(const struct ecc_classification *c)
{
    for (size_t j = 0; j < c->number_count; j++) print_number(c, &c->numbers[j]);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void put_fit(json_t *json, const struct ecc_fit *fit)
{
    ecc_json_number(json, "r2", fit->r2);
    ecc_json_number(json, "mae", fit->mae);
    ecc_json_number(json, "rmse", fit->rmse);
}

static json_t *fit_json(const struct ecc_fit *fit)
{
    json_t *const json = json_object();
    put_fit(json, fit);
    return json;
}

static json_t *row_json(const struct ecc_number_row *row, size_t views)
{
    const bool knn = row->method == ECC_CLASSIFY_KNN;
    json_t *const json = json_object();
    ecc_json_text(json, "method", knn ? "knn" : "tree");
    if (row->parameter == SIZE_MAX) {
        ecc_json_text(json, "depth", "full");
    } else {
        ecc_json_count(json, knn ? "neighbours" : "depth", row->parameter);
    }
    put_fit(json, &row->fit[ECC_VIEW_LATENTS]);
    if (views == 1) return json;
    json_object_set_new(json, "pca", fit_json(&row->fit[ECC_VIEW_PCA]));
    json_object_set_new(json, "pixels", fit_json(&row->fit[ECC_VIEW_PIXELS]));
    return json;
}

json_t *ecc_numbers_json(const struct ecc_classification *c)
{
    json_t *const array = json_array();
    for (size_t j = 0; j < c->number_count; j++) {
        const struct ecc_number_result *const number = &c->numbers[j];
        json_t *const json = json_object(), *const results = json_array();
        ecc_json_text(json, "name", number->name);
        ecc_json_count(json, "items", number->items);
        ecc_json_count(json, "test_items", number->test_items);
        ecc_json_number(json, "mean", number->mean);
        ecc_json_number(json, "deviation", number->deviation);
        json_object_set_new(json, "baseline", fit_json(&number->baseline));
        for (size_t r = 0; r < number->row_count; r++) {
            json_array_append_new(results, row_json(&number->rows[r], c->view_count));
        }
        json_object_set_new(json, "results", results);
        json_array_append_new(array, json);
    }
    return array;
}
