/* figure2.c: Figure 2: the repulsion against distance, and where it peaks. */
#include "reproduce/items.h"

#include <math.h>
#include <stdio.h>

static void plan(struct ecc_repro *r)
{
    const int png = ecc_plan_step(r, "figure2", "theory", "force", "--dim", "64", "--out",
                                  "figures/figure2.png", "--json");
    const int svg = ecc_plan_step(r, "figure2-svg", "theory", "force", "--dim", "64", "--out",
                                  "figures/figure2.svg", "--json");
    ecc_plan_file(r, png, "figures/figure2.png");
    ecc_plan_file(r, svg, "figures/figure2.svg");
}

/* Where the computed curve is highest; -1 where that is its end. */
static double highest(const json_t *distances, const json_t *forces)
{
    size_t best = 0;
    for (size_t i = 0; i < json_array_size(forces); i++) {
        if (json_number_value(json_array_get(forces, i)) >
            json_number_value(json_array_get(forces, best))) {
            best = i;
        }
    }
    if (best + 1 == json_array_size(forces)) return -1;
    return json_number_value(json_array_get(distances, best));
}

static void claim_m(json_t *section, double mu, double m, double paper, const char *words,
                    const char *theirs)
{
    char ours[60];
    snprintf(ours, sizeof ours, "M = %.4g at μ = %g", m, mu);
    ecc_section_claim(section, words, theirs, ours,
                      fabs(m / paper - 1) < 0.05 ? ECC_AGREES : ECC_DIFFERS, "agrees: within 5%");
}

static enum ecc_status report(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    (void)error;
    ecc_section_task(section, r, ecc_plan_find(r, "figure2"));
    const json_t *const result = ecc_plan_result(r, "figure2");
    if (!result) return ECC_OK;
    const json_t *const distances = json_object_get(result, "distance"), *const curves =
                                                                             json_object_get(
                                                                                 result, "curves");
    json_t *const table = ecc_section_table(section, "The curves, d = 64", "μ", "M", "√M",
                                            "highest at", "force there");
    double worst = 0;
    for (size_t i = 0; i < json_array_size(curves); i++) {
        const json_t *const curve = json_array_get(curves, i);
        const double mu = json_number_value(json_object_get(curve, "mu"));
        const double m = json_number_value(json_object_get(curve, "M"));
        const double at = highest(distances, json_object_get(curve, "force"));
        const double step = json_number_value(json_array_get(distances, 1));
        if (at >= 0) worst = fmax(worst, (fabs(at - sqrt(m)) - step) / sqrt(m));
        json_t *const row = ecc_table_row(table);
        ecc_row_cell(row, "%g", mu);
        ecc_row_cell(row, "%.4g", m);
        ecc_row_cell(row, "%.3f", sqrt(m));
        if (at >= 0) {
            ecc_row_cell(row, "%.3f", at);
        } else {
            ecc_row_cell(row, "beyond the diameter");
        }
        ecc_row_cell(row, "%.3f", json_number_value(json_object_get(curve, "peak_force")));
        if (mu == 1) {
            claim_m(section, mu, m, 129, "μ = 1: far items repel most", "M ≃ 2d + 1 = 129");
        }
        if (mu == 64.5) {
            claim_m(section, mu, m, 1, "μ = d + ½: near items repel most", "M ≃ 1");
        }
    }
    char ours[60];
    snprintf(ours, sizeof ours, "at most %.1f%% off", 100 * fmax(0, worst));
    ecc_section_claim(section, "The force rises until √M and falls thereafter", "at √M", ours,
                      worst < 0.01 ? ECC_AGREES : ECC_DIFFERS,
                      "agrees: within 1% and a step of the drawn distances");
    json_object_set(ecc_section_numbers(section), "curves", json_object_get(result, "curves"));
    ecc_section_figure(section, "figures/figure2",
                       "Repulsive force between pairs of items, based on their distance, d = 64.");
    return ECC_OK;
}

const struct ecc_item ecc_item_figure2 = {
    .name = "figure2",
    .title = "Figure 2: the repulsive force",
    .about = "How strongly two items repel each other depends on their distance, and μ says at "
             "which distance most.",
    .plan = plan,
    .report = report,
};
