/* table2.c: Table 2: error of nearest neighbours on MNIST with few labels and many. */
#include "reproduce/items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double lambda = 1e-3;

static int plan_run(struct ecc_repro *r, size_t d, size_t seed)
{
    const struct ecc_setting setting = ecc_eae(ECC_DIGITS, d, lambda, 1, seed);
    return ecc_plan_run(r, &setting);
}

static void step_name(char out[ECC_TASK_NAME], const struct ecc_repro *r, int run)
{
    snprintf(out, ECC_TASK_NAME, "knn-%.90s", r->tasks[run].name);
}

/* "10,100,1000,10000,all", as far as there are so many items. */
static void write_labels(char out[100], size_t items)
{
    out[0] = '\0';
    for (size_t i = 0; i < ECC_PAPER_LABELS; i++) {
        const size_t used = strlen(out);
        if (i + 1 == ECC_PAPER_LABELS) {
            snprintf(out + used, 100 - used, "all");
        } else if (3 * ecc_paper_labels[i] <= 2 * items) { /* classes are not quite even */
            snprintf(out + used, 100 - used, "%zu,", ecc_paper_labels[i]);
        }
    }
}

static void plan(struct ecc_repro *r)
{
    char labels[100], name[ECC_TASK_NAME], repeats[24];
    write_labels(labels, ecc_plan_items(r, ECC_DIGITS));
    snprintf(repeats, sizeof repeats, "%d",
             r->options->size == ECC_SIZE_QUICK ? 5 : ECC_PAPER_SUBSETS);
    /* the largest first: with little time it matters most */
    for (size_t i = ECC_PAPER_DIMS; i-- > 0;) {
        for (size_t seed = 1; seed <= ecc_plan_seeds(r, ECC_PAPER_RUNS2); seed++) {
            const int run = plan_run(r, ecc_paper_dims[i], seed);
            if (run == ECC_NO_TASK) return;
            r->tasks[run].weight = ecc_paper_dims[i] == 8 ? 3 : 1.5;
            step_name(name, r, run);
            /* pixels and ordinary components beside it once: they do not depend on the run */
            const bool beside = ecc_paper_dims[i] == 8 && seed == 1;
            const int step =
                ecc_plan_step_on(r, name, "classify", &run, 1, "--labels", labels, "--repeats",
                                 repeats, "--baselines", beside ? "yes" : "no", "--json");
            if (step != ECC_NO_TASK) r->tasks[step].guess = beside ? 60 : 8;
        }
    }
}

/* ---- Collecting ----------------------------------------------------------------------------- */

enum { MOST = ECC_PAPER_RUNS2 * ECC_PAPER_SUBSETS };

/* One cell: errors in percent of all runs and subsets. */
struct cell {
    double errors[MOST];
    size_t count, labels, neighbours;
    bool beside; /* baselines are known */
    double pca, pixels, pca_deviation, pixels_deviation;
};

static void take(struct cell *cell, const json_t *entry)
{
    const json_t *const errors = json_object_get(entry, "errors");
    const json_t *const baselines = json_object_get(entry, "baselines");
    cell->labels = (size_t)json_integer_value(json_object_get(entry, "labels"));
    cell->neighbours = (size_t)json_integer_value(json_object_get(entry, "neighbours"));
    for (size_t i = 0; i < json_array_size(errors) && cell->count < MOST; i++) {
        cell->errors[cell->count++] = 100 * json_number_value(json_array_get(errors, i));
    }
    const json_t *const pca = json_object_get(baselines, "pca");
    if (!json_is_number(pca)) return;
    cell->beside = true;
    cell->pca = 100 * json_number_value(pca);
    cell->pixels = 100 * json_number_value(json_object_get(baselines, "pixels"));
    cell->pca_deviation = 100 * json_number_value(json_object_get(baselines, "pca_deviation"));
    cell->pixels_deviation =
        100 * json_number_value(json_object_get(baselines, "pixels_deviation"));
}

/* The column of a result: the paper's with as many labels; "all" is the last one. */
static size_t column_of(size_t labels, bool last)
{
    for (size_t i = 0; !last && i < ECC_PAPER_LABELS; i++) {
        if (ecc_paper_labels[i] == labels) return i;
    }
    return ECC_PAPER_LABELS - 1;
}

/* Row of one dimension; returns how many runs are in it. */
static size_t collect(const struct ecc_repro *r, struct cell cells[ECC_PAPER_LABELS], size_t d,
                      struct ecc_fairness *fairness, json_t *section)
{
    size_t runs = 0;
    for (size_t seed = 1; seed <= ECC_PAPER_RUNS2; seed++) {
        char name[ECC_TASK_NAME];
        const struct ecc_setting setting = ecc_eae(ECC_DIGITS, d, lambda, 1, seed);
        ecc_setting_name(name, r, &setting);
        const int run = ecc_plan_find(r, name);
        if (run == ECC_NO_TASK) continue;
        step_name(name, r, run);
        const int step = ecc_plan_find(r, name);
        ecc_section_task(section, r, step);
        const json_t *const results = json_object_get(ecc_plan_result(r, name), "results");
        if (!results) continue;
        runs++;
        ecc_fairness_run(fairness, r, run, ECC_DIGITS);
        for (size_t i = 0; i < json_array_size(results); i++) {
            const json_t *const entry = json_array_get(results, i);
            const size_t labels = (size_t)json_integer_value(json_object_get(entry, "labels"));
            take(&cells[column_of(labels, i + 1 == json_array_size(results))], entry);
        }
    }
    ecc_fairness_runs(fairness, runs, ECC_PAPER_RUNS2);
    return runs;
}

/* ---- Reporting ------------------------------------------------------------------------------ */

static void put_numbers(json_t *numbers, size_t d, const struct cell *cell)
{
    char key[64];
    const struct ecc_measured m = ecc_measure(cell->errors, cell->count);
    json_t *const entry = json_object(), *const errors = json_array();
    ecc_numbers_put(entry, "mean", m.mean);
    ecc_numbers_put(entry, "deviation", m.deviation);
    ecc_numbers_put(entry, "neighbours", (double)cell->neighbours);
    for (size_t i = 0; i < cell->count; i++) {
        json_array_append_new(errors, json_real(cell->errors[i]));
    }
    json_object_set_new(entry, "errors", errors);
    snprintf(key, sizeof key, "d%zu_labels%zu", d, cell->labels);
    json_object_set_new(numbers, key, entry);
}

/* One line of ours, one of the paper's. */
static void report_row(json_t *table, size_t dim, const struct cell cells[ECC_PAPER_LABELS])
{
    char text[ECC_NUMBER_TEXT];
    json_t *const ours = ecc_table_row(table), *const paper = ecc_table_row(table);
    ecc_row_cell(ours, "d = %zu", ecc_paper_dims[dim]);
    ecc_row_cell(ours, "ours");
    ecc_row_cell(paper, " ");
    ecc_row_cell(paper, "paper");
    for (size_t c = 0; c < ECC_PAPER_LABELS; c++) {
        const struct ecc_measured m = ecc_measure(cells[c].errors, cells[c].count);
        ecc_row_cell(ours, "%s", ecc_measured_text(text, m, m.count > 1 && m.mean > 5 ? 1 : 2));
        ecc_row_cell(paper, "%s", ecc_paper_text(text, ecc_paper_table2[dim][c], 1));
    }
}

static void claim_row(json_t *section, size_t dim, const struct cell cells[ECC_PAPER_LABELS],
                      const struct ecc_fairness *fairness)
{
    char claim[100], paper[ECC_NUMBER_TEXT], ours[ECC_NUMBER_TEXT], why[900];
    for (size_t c = 0; c < ECC_PAPER_LABELS; c++) {
        const struct ecc_measured m = ecc_measure(cells[c].errors, cells[c].count);
        const enum ecc_judgement judgement =
            ecc_judge(ecc_paper_table2[dim][c], m, 1, ECC_LOWER_IS_BETTER);
        const size_t labels = cells[c].count ? cells[c].labels : ecc_paper_labels[c];
        snprintf(claim, sizeof claim, "KNN error in percent, d = %zu, %zu labels",
                 ecc_paper_dims[dim], labels);
        ecc_paper_text(paper, ecc_paper_table2[dim][c], 1);
        ecc_measured_text(ours, m, 2);
        ecc_section_claim(section, claim, paper, ours, ecc_fair(fairness, judgement),
                          ecc_fairness_text(why, fairness));
    }
}

static void report_baselines(json_t *section, const struct cell cells[ECC_PAPER_LABELS])
{
    bool any = false;
    for (size_t c = 0; c < ECC_PAPER_LABELS; c++) any = any || cells[c].beside;
    if (!any) return;
    json_t *const table = ecc_section_table(section, "The same items without a network, in percent",
                                            "labels", "ordinary PCA, 8 components", "pixels");
    for (size_t c = 0; c < ECC_PAPER_LABELS; c++) {
        if (!cells[c].beside) continue;
        json_t *const row = ecc_table_row(table);
        ecc_row_cell(row, "%zu (%zu)", cells[c].labels, cells[c].neighbours);
        ecc_row_cell(row, "%.1f ± %.1f", cells[c].pca, cells[c].pca_deviation);
        ecc_row_cell(row, "%.1f ± %.1f", cells[c].pixels, cells[c].pixels_deviation);
    }
}

static enum ecc_status report(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    (void)error;
    ecc_section_lacks(section, r, ECC_DIGITS);
    json_t *const table =
        ecc_section_table(section, "KNN error in percent (neighbours)", "", "", "10 (1)", "100 (1)",
                          "1000 (5)", "10000 (10)", "60000 (15)");
    for (size_t dim = 0; dim < ECC_PAPER_DIMS; dim++) {
        struct cell cells[ECC_PAPER_LABELS] = {0};
        struct ecc_fairness fairness = {0};
        const size_t runs = collect(r, cells, ecc_paper_dims[dim], &fairness, section);
        report_row(table, dim, cells);
        claim_row(section, dim, cells, &fairness);
        for (size_t c = 0; c < ECC_PAPER_LABELS; c++) {
            if (cells[c].count) {
                put_numbers(ecc_section_numbers(section), ecc_paper_dims[dim], &cells[c]);
            }
        }
        if (ecc_paper_dims[dim] == 8) report_baselines(section, cells);
        if (runs == 0) ecc_section_missing(section, "d = %zu is not done", ecc_paper_dims[dim]);
    }
    if (ecc_plan_items(r, ECC_DIGITS) < ECC_PAPER_MNIST_ITEMS) {
        ecc_section_text(section,
                         "There are %zu labelled items here: in the last column all of them are "
                         "used, with as many neighbours as suit so many; columns of more labels "
                         "than there are items cannot be done.",
                         ecc_plan_items(r, ECC_DIGITS));
    }
    return ECC_OK;
}

const struct ecc_item ecc_item_table2 = {
    .name = "table2",
    .title = "Table 2: nearest neighbours on MNIST",
    .about = "Error of a vote of the nearest labelled items in latent space, on the test items, "
             "with λ = 0.001 and μ = 1; mean ± deviation over runs and random subsets.",
    .digits = true,
    .plan = plan,
    .report = report,
};
