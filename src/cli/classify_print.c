/* classify_print.c: the results of `eccentric classify` in words and as JSON. */
#include "cli/print.h"
#include "model/seen.h"

#include <math.h>
#include <string.h>

static bool is_knn(const struct ecc_classification *c)
{
    return c->method == ECC_CLASSIFY_KNN;
}

/* ---- Words ---------------------------------------------------------------------------------- */

/* What is said about a row: a mean over repeats and its deviation, for each view. */
struct measure {
    const char *name;
    const double *mean, *deviation; /* [ECC_VIEWS] */
    double majority;
    bool percent;
};

static void print_cell(const struct measure *m, double mean, double deviation, size_t repeats)
{
    const double times = m->percent ? 100 : 1;
    const int digits = m->percent ? 2 : 3;
    char text[40];
    if (repeats > 1) {
        snprintf(text, sizeof text, "%6.*f ± %.*f%s", digits, times * mean, digits,
                 times * deviation, m->percent ? " %" : "");
        printf("  %-17s", text); /* ± has two bytes */
    } else {
        snprintf(text, sizeof text, "%6.*f%s", digits, times * mean, m->percent ? " %" : "");
        printf("  %-16s", text);
    }
}

static void print_heading(const struct ecc_classification *c)
{
    printf("%8s  %10s  %-14s    %-14s", "labels", is_knn(c) ? "neighbours" : "depth", "",
           "latents");
    if (c->view_count > 1) {
        char pca[24];
        snprintf(pca, sizeof pca, "PCA (%zu)", c->views[ECC_VIEW_PCA].d);
        printf("    %-14s    %-14s", pca, c->views[ECC_VIEW_PIXELS].name);
    }
    printf("    majority\n");
}

static void print_row(const struct ecc_classification *c, const struct ecc_classify_row *row)
{
    const struct measure measures[] = {
        {"error", row->error, row->deviation, row->majority, true},
        {"balanced error", row->balanced, row->balanced_deviation, row->majority_balanced, true},
        {"macro F1", row->f1, row->f1_deviation, row->majority_f1, false},
    };
    printf("%8zu  ", row->labels);
    if (row->parameter == SIZE_MAX) {
        printf("%10s", "full");
    } else {
        printf("%10zu", row->parameter);
    }
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        const struct measure *const m = &measures[i];
        printf("%*s  %-14s", i > 0 ? 20 : 0, "", m->name);
        for (size_t v = 0; v < c->view_count; v++) {
            print_cell(m, m->mean[v], m->deviation[v], row->repeats);
        }
        printf(m->percent ? "  %6.2f %%\n" : "  %6.3f\n",
               m->percent ? 100 * m->majority : m->majority);
    }
}

static void print_rows(const struct ecc_classification *c)
{
    print_heading(c);
    for (size_t r = 0; r < c->row_count; r++) print_row(c, &c->rows[r]);
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

enum { MATRIX_CLASSES = 12, MATRIX_WIDTH = 100, NAME_WIDTH = 12, WORST = 10 };

/* Wide enough for the counts and names of all classes; names are cut. */
static int column_width(const struct ecc_classification *c)
{
    int width = 5;
    for (size_t k = 0; k < c->name_count; k++) {
        const int length = (int)strlen(c->names[k]);
        if (length > width) width = length < NAME_WIDTH ? length : NAME_WIDTH;
    }
    return width;
}

static void print_matrix(const struct ecc_classification *c, int width)
{
    const size_t n = c->name_count;
    printf("\nconfusions: rows are the classes, columns what their test items were taken for\n");
    printf("%*s", width, "");
    for (size_t k = 0; k < n; k++) printf("  %*.*s", width, width, c->names[k]);
    for (size_t r = 0; r < n; r++) {
        printf("\n%-*.*s", width, width, c->names[r]);
        for (size_t k = 0; k < n; k++) printf("  %*zu", width, c->confusion[r * n + k]);
    }
    printf("\n");
}

static void print_pairs(const struct ecc_classification *c)
{
    if (c->pair_count == 0) return;
    printf("\nmost frequent mistakes\n");
    for (size_t i = 0; i < c->pair_count && i < WORST; i++) {
        const struct ecc_confused_pair *const p = &c->pairs[i];
        printf("%s taken for %s: %zu time%s, of %zu\n", c->names[p->truth], c->names[p->taken_for],
               p->items, p->items == 1 ? "" : "s", p->of);
    }
}

static void print_confusions(const struct ecc_classification *c)
{
    const int width = column_width(c);
    const bool fits =
        c->name_count <= MATRIX_CLASSES && (int)(c->name_count + 1) * (width + 2) <= MATRIX_WIDTH;
    if (fits) {
        print_matrix(c, width);
    } else {
        print_pairs(c);
    }
}

/* "66.7 % -> 93.3 %", or why that says nothing. */
static void print_verdict(const struct ecc_stump *s)
{
    if (s->verdict == ECC_STUMP_TELLS) {
        printf("%5.1f %% -> %5.1f %%\n", 100 * s->majority, 100 * s->accuracy);
    } else if (s->verdict == ECC_STUMP_SAME_ANSWER) {
        printf("same answer on both sides\n");
    } else {
        const bool rare = s->having < s->lacking;
        printf("only %zu labelled and %zu test items %s it\n", rare ? s->having : s->lacking,
               rare ? s->test_having : s->test_lacking, rare ? "have" : "lack");
    }
}

static void print_stumps(const struct ecc_classification *c)
{
    printf("\nsingle components, split where they say most about %s, on all %zu training items\n",
           c->attributes ? "an attribute" : "a class", c->items);
    printf("%-24s  %9s  %9s  %-18s  %s\n", c->attributes ? "attribute" : "class", "component",
           "gain", "share below, above", "right without it -> with it");
    for (size_t i = 0; i < c->name_count; i++) {
        const struct ecc_stump *const stump = &c->stumps[c->ranking[i]];
        char component[24];
        snprintf(component, sizeof component, "p%zu", stump->component + 1);
        printf("%-24.24s  %9s  %.3f bit  %5.1f %%, %5.1f %%    ", c->names[c->ranking[i]],
               component, stump->gain, 100 * stump->below, 100 * stump->above);
        print_verdict(stump);
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
    if (!c->attributes) print_confusions(c);
    if (c->stumps) print_stumps(c);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

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
        ecc_json_count(json, is_knn(c) ? "neighbours" : "depth", row->parameter);
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
    if (!c->attributes) put_confusion(json, c);
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
