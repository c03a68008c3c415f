/* attributes.c: Tables 3 and 4: forty attributes of faces by trees, neighbours and stumps. */
#include "reproduce/items.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct ecc_setting setting_of(const struct ecc_paper_row3 *row)
{
    return ecc_eae(ECC_FACES, ecc_plan_latent(ECC_FACES), row->lambda, row->mu, 1);
}

static void step_name(char out[ECC_TASK_NAME], const char *method, const struct ecc_repro *r,
                      int run)
{
    snprintf(out, ECC_TASK_NAME, "%s-%.88s", method, r->tasks[run].name);
}

static void plan_trees(struct ecc_repro *r, int run)
{
    char name[ECC_TASK_NAME];
    step_name(name, "tree", r, run);
    const int step = ecc_plan_step_on(r, name, "classify", &run, 1, "--method", "tree", "--depth",
                                      "1,8", "--baselines", "no", "--json");
    if (step != ECC_NO_TASK) r->tasks[step].guess = 20;
}

static void plan3(struct ecc_repro *r)
{
    for (size_t i = 0; i < ECC_PAPER_ROWS3; i++) {
        int runs[ECC_GROUP] = {0};
        if (ecc_paper_table3[i].mu != 1 && !ecc_plan_all_rows(r)) continue;
        const size_t count =
            ecc_plan_group(r, runs, setting_of(&ecc_paper_table3[i]), ecc_plan_seeds(r, ECC_GROUP));
        for (size_t k = 0; k < count; k++) {
            char name[ECC_TASK_NAME];
            plan_trees(r, runs[k]);
            step_name(name, "knn", r, runs[k]);
            const int step = ecc_plan_step_on(r, name, "classify", &runs[k], 1, "--method", "knn",
                                              "--neighbours", "20", "--baselines", "no", "--json");
            if (step != ECC_NO_TASK) r->tasks[step].guess = 20;
        }
    }
}

/* ---- Table 3 -------------------------------------------------------------------------------- */

enum { COLUMNS = 3 };
static const char *const columns[COLUMNS] = {"DT(1)", "DT(8)", "KNN(20)"};

struct row {
    double errors[COLUMNS][ECC_GROUP]; /* percent */
    size_t count;
    double majority;
};

static void take_run(struct row *row, const struct ecc_repro *r, int run, json_t *section)
{
    char tree[ECC_TASK_NAME], knn[ECC_TASK_NAME];
    step_name(tree, "tree", r, run);
    step_name(knn, "knn", r, run);
    ecc_section_task(section, r, ecc_plan_find(r, tree));
    ecc_section_task(section, r, ecc_plan_find(r, knn));
    const json_t *const trees = json_object_get(ecc_plan_result(r, tree), "results"),
                        *const neighbours = ecc_plan_result(r, knn);
    if (json_array_size(trees) < 2 || !neighbours || row->count == ECC_GROUP) return;
    const size_t k = row->count++;
    for (size_t c = 0; c < 2; c++) {
        row->errors[c][k] =
            100 * json_number_value(json_object_get(json_array_get(trees, c), "error"));
    }
    row->errors[2][k] = 100 * json_number_value(json_object_get(neighbours, "error"));
    const json_t *const baselines = json_object_get(neighbours, "baselines");
    row->majority = 100 * json_number_value(json_object_get(baselines, "majority"));
}

static void report_row(json_t *section, json_t *table, const struct ecc_paper_row3 *paper,
                       const struct row *row, const struct ecc_fairness *fairness)
{
    const struct ecc_paper_number theirs[COLUMNS] = {paper->stump, paper->tree, paper->knn};
    char own[ECC_NUMBER_TEXT], other[ECC_NUMBER_TEXT], claim[80], why[900];
    double means[COLUMNS];
    json_t *const cells = ecc_table_row(table);
    ecc_row_cell(cells, "%g", paper->lambda);
    ecc_row_cell(cells, "%g", paper->mu);
    ecc_row_cell(cells, "%zu", row->count);
    for (size_t c = 0; c < COLUMNS; c++) {
        const struct ecc_measured m = ecc_measure(row->errors[c], row->count);
        means[c] = m.mean;
        ecc_measured_text(own, m, 2);
        ecc_paper_text(other, theirs[c], 2);
        ecc_row_cell(cells, "%s (%s)", own, other);
        snprintf(claim, sizeof claim, "%s error, λ = %g, μ = %g", columns[c], paper->lambda,
                 paper->mu);
        ecc_section_claim(section, claim, other, own,
                          ecc_fair(fairness, ecc_judge(theirs[c], m, 2, ECC_LOWER_IS_BETTER)),
                          ecc_fairness_text(why, fairness));
    }
    ecc_row_cell(cells, "%.2f (%.1f)", row->majority, ecc_paper_majority);
    if (row->count == 0) return;
    const double stump = means[0], tree = means[1], knn = means[2];
    char ours[100];
    snprintf(ours, sizeof ours, "%.2f, %.2f, %.2f, %.2f", row->majority, stump, tree, knn);
    snprintf(claim, sizeof claim, "Majority, stump, tree, KNN: each better (λ = %g, μ = %g)",
             paper->lambda, paper->mu);
    ecc_section_claim(section, claim, "in every row", ours,
                      row->majority > stump && stump > tree && tree > knn ? ECC_AGREES
                                                                          : ECC_DIFFERS,
                      ecc_fairness_text(why, fairness));
}

static enum ecc_status report3(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    (void)error;
    ecc_section_lacks(section, r, ECC_FACES);
    json_t *const table = ecc_section_table(
        section, "Mean error over the attributes in percent; in brackets the paper's", "λ", "μ",
        "runs", columns[0], columns[1], columns[2], "majority");
    for (size_t i = 0; i < ECC_PAPER_ROWS3; i++) {
        struct row row = {.majority = NAN};
        struct ecc_fairness fairness = {0};
        int runs[ECC_GROUP] = {0};
        const size_t count = ecc_find_group(r, runs, setting_of(&ecc_paper_table3[i]));
        for (size_t k = 0; k < count; k++) {
            take_run(&row, r, runs[k], section);
            ecc_fairness_run(&fairness, r, runs[k], ECC_FACES);
        }
        /* the paper has deviations in this table, but does not say of how many runs */
        if (row.count > 0 && row.count < ECC_GROUP) {
            ecc_fairness_remark(&fairness, "%zu %s, the paper's unknown", row.count,
                                row.count == 1 ? "run" : "runs");
        }
        if (count > 0 || !r->data[ECC_FACES].what) {
            report_row(section, table, &ecc_paper_table3[i], &row, &fairness);
        }
    }
    return ECC_OK;
}

const struct ecc_item ecc_item_table3 = {
    .name = "table3",
    .title = "Table 3: attributes of faces",
    .about = "Error averaged over forty attributes: one split on one component, trees of depth 8, "
             "and 20 nearest neighbours, beside always saying the more frequent.",
    .faces = true,
    .plan = plan3,
    .report = report3,
};

/* ---- Table 4 -------------------------------------------------------------------------------- */

static struct ecc_setting setting4(void)
{
    return setting_of(&ecc_paper_table3[0]); /* lambda 1e-4, mu 1: that of Figure 7 */
}

static void plan4(struct ecc_repro *r)
{
    const struct ecc_setting s = setting4();
    const int run = ecc_plan_run(r, &s);
    if (run != ECC_NO_TASK) plan_trees(r, run);
}

static const json_t *find_stump(const json_t *stumps, const char *attribute)
{
    for (size_t i = 0; i < json_array_size(stumps); i++) {
        const json_t *const stump = json_array_get(stumps, i);
        const char *const name = json_string_value(json_object_get(stump, "name"));
        if (name && strcmp(name, attribute) == 0) return stump;
    }
    return NULL;
}

static void report_stump(json_t *section, json_t *table, const struct ecc_paper_row4 *paper,
                         const json_t *stump, const struct ecc_fairness *fairness)
{
    char claim[80], theirs[40], own[40] = "–", why[900], ruled[ECC_RULED_TEXT];
    const double accuracy = 100 * json_number_value(json_object_get(stump, "accuracy"));
    const double majority = 100 * json_number_value(json_object_get(stump, "majority_accuracy"));
    snprintf(theirs, sizeof theirs, "%.0f%% → %.0f%%", paper->majority, paper->stump);
    if (stump) snprintf(own, sizeof own, "%.1f%% → %.1f%%", majority, accuracy);
    json_t *const row = ecc_table_row(table);
    ecc_row_cell(row, "%s", paper->attribute);
    ecc_row_cell(row, "p%zu", paper->component);
    ecc_row_cell(row, "%s", theirs);
    if (stump) {
        ecc_row_cell(row, "p%d", (int)json_integer_value(json_object_get(stump, "component")));
        ecc_row_cell(row, "%s", own);
        ecc_row_cell(row, "%.3f bit", json_number_value(json_object_get(stump, "gain")));
    } else {
        for (size_t i = 0; i < 3; i++) ecc_row_cell(row, "–");
    }
    const struct ecc_paper_number number = {paper->stump, 1};
    const struct ecc_measured ours = {accuracy, NAN, stump ? 1 : 0};
    snprintf(claim, sizeof claim, "%s: accuracy by one component", paper->attribute);
    ecc_fairness_text(why, fairness);
    ecc_section_claim(section, claim, theirs, own,
                      ecc_fair(fairness, ecc_judge(number, ours, 0, ECC_HIGHER_IS_BETTER)),
                      ecc_ruled_text(ruled, why, ECC_RULE_ASSUMED, number.deviation));
}

static enum ecc_status report4(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    (void)error;
    char name[ECC_TASK_NAME];
    struct ecc_fairness fairness = {0};
    const struct ecc_setting s = setting4();
    ecc_section_lacks(section, r, ECC_FACES);
    if (!r->data[ECC_FACES].what) return ECC_OK;
    ecc_setting_name(name, r, &s);
    const int run = ecc_plan_find(r, name);
    if (run == ECC_NO_TASK) return ECC_OK;
    step_name(name, "tree", r, run);
    ecc_section_task(section, r, ecc_plan_find(r, name));
    ecc_fairness_run(&fairness, r, run, ECC_FACES);
    const json_t *const stumps = json_object_get(ecc_plan_result(r, name), "stumps");
    if (!stumps) return ECC_OK;
    json_t *const table = ecc_section_table(
        section, "Accuracy: always the more frequent → one split on one component", "attribute",
        "paper's component", "paper", "our component", "ours", "information gain");
    for (size_t i = 0; i < ECC_PAPER_ROWS4; i++) {
        const char *const attribute = ecc_paper_table4[i].attribute;
        report_stump(section, table, &ecc_paper_table4[i], find_stump(stumps, attribute),
                     &fairness);
    }
    ecc_section_text(section, "Numbers of components cannot be compared between runs; which "
                              "attributes share one can.");
    return ECC_OK;
}

const struct ecc_item ecc_item_table4 = {
    .name = "table4",
    .title = "Table 4: attributes that one component tells",
    .about = "For some attributes of faces a single principal component is already informative.",
    .faces = true,
    .plan = plan4,
    .report = report4,
};
