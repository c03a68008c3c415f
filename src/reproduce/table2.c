/* table2.c: Table 2: error of nearest neighbours on MNIST with few labels and many. */
#include "reproduce/items.h"

static const double lambda = 1e-3;

/* The paper's numbers of labels, as far as there are enough items; 0, the last: all.  Returns how
 * many. */
static size_t find_labels(size_t labels[ECC_PAPER_LABELS], size_t items)
{
    size_t count = 0;
    for (size_t i = 0; i + 1 < ECC_PAPER_LABELS; i++) {
        /* classes are not quite even */
        if (3 * ecc_paper_labels[i] <= 2 * items) labels[count++] = ecc_paper_labels[i];
    }
    labels[count++] = 0;
    return count;
}

static size_t repeats_of(const struct ecc_repro *r)
{
    return r->options->size == ECC_SIZE_QUICK ? 5 : (size_t)ECC_PAPER_SUBSETS;
}

static enum ecc_status measure(const struct ecc_repro *r, const struct ecc_task *task, json_t *out,
                               struct ecc_error *error)
{
    size_t labels[ECC_PAPER_LABELS];
    struct ecc_classify_options options = ecc_classify_defaults();
    options.label_count = find_labels(labels, ecc_size_items(r, ECC_DIGITS));
    options.labels = labels;
    options.repeats = repeats_of(r);
    options.baselines = task->step.number == 1;
    return ecc_measure_classes(r, task, out, &options, error);
}

/* Pixels and ordinary components beside it once: they do not depend on the run. */
static const json_t *ask(struct ecc_section *s, int run, bool baselines)
{
    size_t labels[ECC_PAPER_LABELS];
    const size_t count = find_labels(labels, ecc_size_items(s->r, ECC_DIGITS));
    char list[100] = "";
    for (size_t i = 0, used = 0; i + 1 < count; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%zu,", labels[i]);
    }
    const struct ecc_step step = {.measure = measure,
                                  .runs = ecc_group_of(run),
                                  .command = "classify",
                                  .words =
                                      ECC_SAY("--labels %sall --repeats %zu --baselines %s", list,
                                              repeats_of(s->r), baselines ? "yes" : "no"),
                                  .number = baselines,
                                  .guess = baselines ? 60 : 8};
    return json_object_get(ecc_ask_of(s, "knn", &step), "rows");
}

/* ---- Collecting ----------------------------------------------------------------------------- */

enum { MOST = ECC_PAPER_RUNS2 * ECC_PAPER_SUBSETS };

/* One cell: errors in percent of all runs and subsets. */
struct cell {
    double errors[MOST];
    size_t count, labels, neighbours;
    struct ecc_measured measured;
    const json_t *baselines; /* the row that has them, or NULL */
};

/* The column of a row: the paper's with as many labels; "all" is the last one. */
static size_t column_of(size_t labels, bool last)
{
    for (size_t i = 0; !last && i < ECC_PAPER_LABELS; i++) {
        if (ecc_paper_labels[i] == labels) return i;
    }
    return ECC_PAPER_LABELS - 1;
}

static void take(struct cell cells[ECC_PAPER_LABELS], const json_t *rows)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *const row = json_array_get(rows, i), *const errors =
                                                               json_object_get(row, "errors");
        const size_t labels = (size_t)json_number_value(json_object_get(row, "labels"));
        struct cell *const cell = &cells[column_of(labels, i + 1 == json_array_size(rows))];
        cell->labels = labels;
        cell->neighbours = (size_t)json_number_value(json_object_get(row, "neighbours"));
        for (size_t k = 0; k < json_array_size(errors) && cell->count < MOST; k++) {
            cell->errors[cell->count++] = 100 * ecc_get_item(errors, k);
        }
        if (json_is_number(json_object_get(row, "pca"))) cell->baselines = row;
    }
}

/* The row of one dimension; returns how many runs are in it. */
static size_t collect(struct cell cells[ECC_PAPER_LABELS], struct ecc_section *s, size_t d)
{
    size_t runs = 0;
    const struct ecc_group group = ecc_ask_runs(s, ecc_eae(ECC_DIGITS, d, lambda, 1, 1),
                                                ecc_plan_seeds(s->r, ECC_PAPER_RUNS2));
    for (size_t i = 0; i < group.count && i < ECC_PAPER_RUNS2; i++) {
        struct ecc_task *const run = &s->r->tasks[group.runs[i]];
        const struct ecc_group one = ecc_group_of(group.runs[i]);
        run->weight = d == 8 ? 3 : 1.5;
        const json_t *const rows = ask(s, group.runs[i], d == 8 && run->variant.seed == 1);
        if (!rows) continue;
        runs++;
        ecc_section_runs(s, &one, ECC_DIGITS);
        take(cells, rows);
    }
    for (size_t c = 0; c < ECC_PAPER_LABELS; c++) {
        cells[c].measured = ecc_measure(cells[c].errors, cells[c].count);
    }
    ecc_fairness_runs(&s->fairness, runs, ECC_PAPER_RUNS2);
    return runs;
}

/* ---- Reporting ------------------------------------------------------------------------------ */

static void put_numbers(struct ecc_section *s, size_t d, const struct cell *cell)
{
    if (cell->count == 0) return;
    json_t *const entry = ecc_section_numbers(s, ECC_SAY("d%zu_labels%zu", d, cell->labels));
    ecc_json_number(entry, "mean", cell->measured.mean);
    ecc_json_number(entry, "deviation", cell->measured.deviation);
    ecc_json_number(entry, "neighbours", (double)cell->neighbours);
    ecc_json_numbers(entry, "errors", cell->errors, cell->count);
}

/* One line of ours, one of the paper's, and a claim for each column. */
static void report_row(struct ecc_section *s, json_t *table, size_t dim,
                       const struct cell cells[ECC_PAPER_LABELS])
{
    json_t *const ours = ecc_table_row(table, "d = %zu\tours", ecc_paper_dims[dim]),
                  *const theirs = ecc_table_row(table, " \tpaper");
    for (size_t c = 0; c < ECC_PAPER_LABELS; c++) {
        const struct ecc_measured m = cells[c].measured;
        const struct ecc_paper_number paper = ecc_paper_table2[dim][c];
        const size_t labels = cells[c].count ? cells[c].labels : ecc_paper_labels[c];
        ecc_row_cells(ours, "%s", ECC_OURS(m, m.count > 1 && m.mean > 5 ? 1 : 2));
        ecc_row_cells(theirs, "%s", ECC_THEIRS(paper, 1));
        ecc_section_claim(s, ecc_fair(&s->fairness, ecc_judge(paper, m, 1, ECC_LOWER_IS_BETTER)),
                          NULL, "KNN error in percent, d = %zu, %zu labels\t%s\t%s",
                          ecc_paper_dims[dim], labels, ECC_THEIRS(paper, 1), ECC_OURS(m, 2));
        put_numbers(s, ecc_paper_dims[dim], &cells[c]);
    }
}

static void report_baselines(struct ecc_section *s, const struct cell cells[ECC_PAPER_LABELS])
{
    json_t *table = NULL;
    for (size_t c = 0; c < ECC_PAPER_LABELS; c++) {
        const json_t *const row = cells[c].baselines;
        if (!row) continue;
        if (!table) {
            table = ecc_section_table(s, "The same items without a network, in percent",
                                      "labels\tordinary PCA, 8 components\tpixels");
        }
        ecc_table_row(
            table, "%zu (%zu)\t%.1f ± %.1f\t%.1f ± %.1f", cells[c].labels, cells[c].neighbours,
            100 * ecc_get_number(row, "pca"), 100 * ecc_get_number(row, "pca_deviation"),
            100 * ecc_get_number(row, "pixels"), 100 * ecc_get_number(row, "pixels_deviation"));
    }
}

static void make(struct ecc_section *s)
{
    struct ecc_repro *const r = s->r;
    struct cell cells[ECC_PAPER_DIMS][ECC_PAPER_LABELS] = {0};
    const size_t items = ecc_size_items(r, ECC_DIGITS);
    ecc_section_lacks(s, ECC_DIGITS);
    json_t *const table =
        ecc_section_table(s, "KNN error in percent (neighbours)",
                          "\t\t10 (1)\t100 (1)\t1000 (5)\t10000 (10)\t60000 (15)");
    for (size_t i = 0; i < ECC_PAPER_DIMS; i++) {
        /* the largest is trained first: with little time it matters most */
        const size_t dim = r->planning ? ECC_PAPER_DIMS - 1 - i : i;
        ecc_section_fresh(s);
        const size_t runs = collect(cells[dim], s, ecc_paper_dims[dim]);
        report_row(s, table, dim, cells[dim]);
        if (runs == 0) ecc_section_missing(s, "d = %zu is not done", ecc_paper_dims[dim]);
    }
    report_baselines(s, cells[ECC_PAPER_DIMS - 1]);
    if (items < ECC_PAPER_MNIST_ITEMS) {
        ecc_section_text(s,
                         "There are %zu labelled items here: the last column uses all of them, "
                         "with a suitable number of neighbours; columns of more labels than there "
                         "are items cannot be done.",
                         items);
    }
}

const struct ecc_item ecc_item_table2 = {
    .name = "table2",
    .title = "Table 2: nearest neighbours on MNIST",
    .about = "Error of a vote of the nearest labelled items in latent space, on the test items, "
             "with λ = 0.001 and μ = 1; mean ± deviation over runs and random subsets.",
    .digits = true,
    .make = make,
};
