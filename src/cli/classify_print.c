/* classify_print.c: the results of `eccentric classify` in words. */
#include "base/text.h"
#include "cli/print.h"
#include "model/seen.h"
#include "show/classification.h"

#include <math.h>
#include <string.h>

/* In the order of enum ecc_classify_method. */
static const char *const parameters[] = {"neighbours", "depth", "epochs"};

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
        ecc_print("  %-17s", text); /* ± has two bytes */
    } else {
        snprintf(text, sizeof text, "%6.*f%s", digits, times * mean, m->percent ? " %" : "");
        ecc_print("  %-16s", text);
    }
}

static void print_heading(const struct ecc_classification *c)
{
    ecc_print("%8s  %10s  %-14s    %-14s", "labels", parameters[c->method], "", "latents");
    if (c->view_count > 1) {
        char pca[24];
        snprintf(pca, sizeof pca, "PCA (%zu)", c->views[ECC_VIEW_PCA].d);
        ecc_print("    %-14s    %-14s", pca, c->views[ECC_VIEW_PIXELS].name);
    }
    ecc_print("    majority\n");
}

static void print_row(const struct ecc_classification *c, const struct ecc_classify_row *row)
{
    const struct measure measures[] = {
        {"error", row->error, row->deviation, row->majority, true},
        {"balanced error", row->balanced, row->balanced_deviation, row->majority_balanced, true},
        {"macro F1", row->f1, row->f1_deviation, row->majority_f1, false},
    };
    ecc_print("%8zu  ", row->labels);
    if (row->parameter == SIZE_MAX) {
        ecc_print("%10s", "full");
    } else {
        ecc_print("%10zu", row->parameter);
    }
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        const struct measure *const m = &measures[i];
        ecc_print("%*s  %-14s", i > 0 ? 20 : 0, "", m->name);
        for (size_t v = 0; v < c->view_count; v++) {
            print_cell(m, m->mean[v], m->deviation[v], row->repeats);
        }
        ecc_print(m->percent ? "  %6.2f %%\n" : "  %6.3f\n",
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
    ecc_print("%s: not all items fit in memory: used %zu training items and %zu test items\n",
              pixels->name, pixels->items, pixels->test_items);
}

static void print_targets(const struct ecc_classification *c)
{
    ecc_print("\n%-24s  %8s  %8s\n", "attribute", "majority", "error");
    for (size_t t = 0; t < c->target_count; t++) {
        char name[ECC_FIT_SIZE];
        ecc_print("%s  %6.2f %%  %6.2f %%\n", ecc_cell_fit(name, c->names[t], 24),
                  100 * c->target_majority[t], 100 * c->views[ECC_VIEW_LATENTS].target_errors[t]);
    }
}

enum { MATRIX_CLASSES = 12, MATRIX_WIDTH = 100, NAME_WIDTH = 12, WORST = 10 };

/* Wide enough for the counts and names of all classes; names are cut. */
static int column_width(const struct ecc_classification *c)
{
    int width = 5;
    for (size_t k = 0; k < c->name_count; k++) {
        const int length = ecc_cell_width(c->names[k]);
        if (length > width) width = length < NAME_WIDTH ? length : NAME_WIDTH;
    }
    return width;
}

static void print_matrix(const struct ecc_classification *c, int width)
{
    const size_t n = c->name_count;
    char name[ECC_FIT_SIZE];
    ecc_print("\nconfusions: rows are the classes, columns what their test items were taken for\n");
    ecc_print("%*s", width, "");
    for (size_t k = 0; k < n; k++) ecc_print("  %s", ecc_cell_fit(name, c->names[k], -width));
    for (size_t r = 0; r < n; r++) {
        ecc_print("\n%s", ecc_cell_fit(name, c->names[r], width));
        for (size_t k = 0; k < n; k++) ecc_print("  %*zu", width, c->confusion[r * n + k]);
    }
    ecc_print("\n");
}

static const char *whole_name(char out[ECC_FIT_SIZE], const char *name)
{
    return ecc_cell_fit(out, name, ecc_cell_width(name));
}

static void print_pairs(const struct ecc_classification *c)
{
    if (c->pair_count == 0) return;
    ecc_print("\nmost frequent mistakes\n");
    for (size_t i = 0; i < c->pair_count && i < WORST; i++) {
        const struct ecc_confused_pair *const p = &c->pairs[i];
        char truth[ECC_FIT_SIZE], other[ECC_FIT_SIZE];
        ecc_print("%s taken for %s: %zu time%s, of %zu\n", whole_name(truth, c->names[p->truth]),
                  whole_name(other, c->names[p->taken_for]), p->items, p->items == 1 ? "" : "s",
                  p->of);
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
        ecc_print("%5.1f %% -> %5.1f %%\n", 100 * s->majority, 100 * s->accuracy);
    } else if (s->verdict == ECC_STUMP_SAME_ANSWER) {
        ecc_print("same answer on both sides\n");
    } else {
        const bool rare = s->having < s->lacking;
        ecc_print("only %zu labelled and %zu test items %s it\n", rare ? s->having : s->lacking,
                  rare ? s->test_having : s->test_lacking, rare ? "have" : "lack");
    }
}

static void print_stumps(const struct ecc_classification *c)
{
    ecc_print(
        "\nsingle components, split where they say most about %s, on all %zu training items\n",
        c->attributes ? "an attribute" : "a class", c->items);
    ecc_print("%-24s  %9s  %9s  %-18s  %s\n", c->attributes ? "attribute" : "class", "component",
              "gain", "share below, above", "right without it -> with it");
    for (size_t i = 0; i < c->name_count; i++) {
        const struct ecc_stump *const stump = &c->stumps[c->ranking[i]];
        char component[24], name[ECC_FIT_SIZE];
        snprintf(component, sizeof component, "p%zu", stump->component + 1);
        ecc_print("%s  %9s  %.3f bit  %5.1f %%, %5.1f %%    ",
                  ecc_cell_fit(name, c->names[c->ranking[i]], 24), component, stump->gain,
                  100 * stump->below, 100 * stump->above);
        print_verdict(stump);
    }
}

static void print_words(const struct ecc_classification *c, const char *run)
{
    char words[ECC_SEEN_WORDS];
    ecc_seen_words(words, &c->seen);
    if (c->row_count == 0) { /* only numbers */
        ecc_print("%s: numbers of %zu %s, predicted from latents of %zu dimension%s\n", run,
                  c->test_items, words, c->latent, ecc_s(c->latent));
        ecc_print_numbers(c);
        return;
    }
    ecc_print("%s: error of %s on %zu %s, latents of %zu dimension%s\n", run,
              ecc_classify_method_words[c->method], c->test_items, words, c->latent,
              ecc_s(c->latent));
    if (c->attributes)
        ecc_print("mean over %zu attribute%s\n", c->target_count, ecc_s(c->target_count));
    print_rows(c);
    print_limits(c);
    if (c->attributes && c->method != ECC_CLASSIFY_TREE) print_targets(c);
    if (!c->attributes) print_confusions(c);
    if (c->stumps) print_stumps(c);
    ecc_print_numbers(c);
}

enum ecc_status ecc_print_classification(const struct ecc_classification *c, const char *run,
                                         bool json, struct ecc_error *error)
{
    if (json) return ecc_json_print(ecc_classification_json(c, run), error);
    print_words(c, run);
    return ECC_OK;
}
