/* table3.c: Table 3: forty attributes of faces by trees and neighbours. */
#include "reproduce/items.h"

#include <math.h>

enum { COLUMNS = 3 };
static const char *const columns[COLUMNS] = {"DT(1)", "DT(8)", "KNN(20)"};

static enum ecc_status measure(const struct ecc_repro *r, const struct ecc_task *task, json_t *out,
                               struct ecc_error *error)
{
    struct ecc_classify_options options = ecc_classify_defaults();
    options.neighbours = 20;
    options.baselines = false;
    return ecc_measure_classes(r, task, out, &options, error);
}

struct row {
    double errors[COLUMNS][ECC_GROUP]; /* percent */
    size_t count;
    double majority;
};

static void take_run(struct row *row, struct ecc_section *s, int run)
{
    const struct ecc_step step = {.measure = measure,
                                  .runs = ecc_group_of(run),
                                  .command = "classify",
                                  .words = "--method knn --neighbours 20 --baselines no",
                                  .guess = 20};
    const json_t *const trees = json_object_get(ecc_ask_trees(s, run), "rows"),
                        *const knn = ecc_ask_of(s, "knn", &step),
                        *const votes = json_array_get(json_object_get(knn, "rows"), 0);
    if (json_array_size(trees) < 2 || !votes) return;
    const size_t k = row->count++;
    row->errors[0][k] = 100 * ecc_get_number(json_array_get(trees, 0), "error");
    row->errors[1][k] = 100 * ecc_get_number(json_array_get(trees, 1), "error");
    row->errors[2][k] = 100 * ecc_get_number(votes, "error");
    row->majority = 100 * ecc_get_number(votes, "majority");
}

static void report_row(struct ecc_section *s, json_t *table, const struct ecc_paper_row3 *paper,
                       const struct row *row)
{
    const struct ecc_paper_number theirs[COLUMNS] = {paper->stump, paper->tree, paper->knn};
    double means[COLUMNS];
    json_t *const cells = ecc_table_row(table, "%g\t%g\t%zu", paper->lambda, paper->mu, row->count);
    for (size_t c = 0; c < COLUMNS; c++) {
        const struct ecc_measured m = ecc_measure(row->errors[c], row->count);
        means[c] = m.mean;
        ecc_row_cells(cells, "%s (%s)", ECC_OURS(m, 2), ECC_THEIRS(theirs[c], 2));
        ecc_section_claim(s,
                          ecc_fair(&s->fairness, ecc_judge(theirs[c], m, 2, ECC_LOWER_IS_BETTER)),
                          NULL, "%s error, λ = %g, μ = %g\t%s\t%s", columns[c], paper->lambda,
                          paper->mu, ECC_THEIRS(theirs[c], 2), ECC_OURS(m, 2));
    }
    ecc_row_cells(cells, "%.2f (%.1f)", row->majority, ecc_paper_majority);
    if (row->count == 0) return;
    const bool falls = row->majority > means[0] && means[0] > means[1] && means[1] > means[2];
    ecc_section_claim(s, ecc_holds(falls), NULL,
                      "Majority, stump, tree, KNN: each better (λ = %g, μ = %g)\tin every row\t"
                      "%.2f, %.2f, %.2f, %.2f",
                      paper->lambda, paper->mu, row->majority, means[0], means[1], means[2]);
}

static void make(struct ecc_section *s)
{
    struct ecc_repro *const r = s->r;
    ecc_section_lacks(s, ECC_FACES);
    json_t *const table =
        ecc_section_table(s, "Mean error over the attributes in percent; in brackets the paper's",
                          "λ\tμ\truns\tDT(1)\tDT(8)\tKNN(20)\tmajority");
    for (size_t i = 0; i < ECC_PAPER_ROWS3; i++) {
        const struct ecc_paper_row3 *const paper = &ecc_paper_table3[i];
        struct row row = {.majority = NAN};
        if (r->planning && paper->mu != 1 && !ecc_plan_all_rows(r)) continue;
        const struct ecc_group group = ecc_ask_runs(
            s, ecc_eae(ECC_FACES, ecc_plan_latent(ECC_FACES), paper->lambda, paper->mu, 1),
            ecc_plan_seeds(r, ECC_GROUP));
        for (size_t k = 0; k < group.count; k++) take_run(&row, s, group.runs[k]);
        ecc_section_fresh(s);
        ecc_section_runs(s, &group, ECC_FACES);
        /* the paper has deviations in this table, but does not say of how many runs */
        if (row.count > 0 && row.count < ECC_GROUP) {
            ecc_fairness_remark(&s->fairness, "%zu %s, the paper's unknown", row.count,
                                row.count == 1 ? "run" : "runs");
        }
        if (group.count > 0 || !r->data[ECC_FACES].what) {
            report_row(s, table, paper, &row);
        }
    }
}

const struct ecc_item ecc_item_table3 = {
    .name = "table3",
    .title = "Table 3: attributes of faces",
    .about = "Error averaged over forty attributes: one split on one component, trees of depth 8, "
             "and 20 nearest neighbours, beside always saying the more frequent.",
    .faces = true,
    .make = make,
};
