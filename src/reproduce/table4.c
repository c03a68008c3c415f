/* table4.c: Table 4: attributes of faces that a single component predicts. */
#include "reproduce/items.h"

#include <math.h>

static void report_stump(struct ecc_section *s, json_t *table, const struct ecc_paper_row4 *paper,
                         const json_t *stump)
{
    const double accuracy = 100 * ecc_get_number(stump, "accuracy");
    const struct ecc_paper_number number = {paper->stump, 1};
    const struct ecc_measured measured = {accuracy, NAN, stump ? 1 : 0};
    const char *const theirs = ECC_SAY("%.0f%% → %.0f%%", paper->majority, paper->stump);
    const char *const ours =
        stump ? ECC_SAY("%.1f%% → %.1f%%", 100 * ecc_get_number(stump, "majority"), accuracy) : "–";
    ecc_table_row(table, "%s\tp%zu\t%s\t%s\t%s\t%s", paper->attribute, paper->component, theirs,
                  stump ? ECC_SAY("p%.0f", ecc_get_number(stump, "component")) : "–", ours,
                  stump ? ECC_SAY("%.3f bit", ecc_get_number(stump, "gain")) : "–");
    ecc_section_claim(s,
                      ecc_fair(&s->fairness, ecc_judge(number, measured, 0, ECC_HIGHER_IS_BETTER)),
                      ECC_SAY(ECC_RULE_ASSUMED, number.deviation),
                      "%s: accuracy by one component\t%s\t%s", paper->attribute, theirs, ours);
}

static void make(struct ecc_section *s)
{
    ecc_section_lacks(s, ECC_FACES);
    /* the run of Figure 7 */
    const struct ecc_group group =
        ecc_group_of(ecc_ask_run(s, ecc_eae(ECC_FACES, ecc_plan_latent(ECC_FACES), 1e-4, 1, 1)));
    const json_t *const stumps = json_object_get(ecc_ask_trees(s, group.runs[0]), "stumps");
    ecc_section_runs(s, &group, ECC_FACES);
    if (!stumps) return;
    json_t *const table = ecc_section_table(
        s, "Accuracy: always the more frequent → one split on one component",
        "attribute\tpaper's component\tpaper\tour component\tours\tinformation gain");
    for (size_t i = 0; i < ECC_PAPER_ROWS4; i++) {
        const struct ecc_paper_row4 *const paper = &ecc_paper_table4[i];
        report_stump(s, table, paper, json_object_get(stumps, paper->attribute));
    }
    ecc_section_text(s, "The numbers of components cannot be compared between runs; "
                        "which attributes share a component can.");
}

const struct ecc_item ecc_item_table4 = {
    .name = "table4",
    .title = "Table 4: attributes that one component predicts",
    .about = "For some attributes of faces a single principal component is already informative.",
    .faces = true,
    .make = make,
};
