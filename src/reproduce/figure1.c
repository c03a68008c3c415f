/* figure1.c: Figure 1: how close the closed form of M brings the radius to sqrt(d). */
#include "reproduce/items.h"

#include <stdio.h>
#include <string.h>

static void plan(struct ecc_repro *r)
{
    /* the same twice: numbers and a picture for the screen, and one for print */
    const int png =
        ecc_plan_step(r, "figure1", "theory", "accuracy", "--out", "figures/figure1.png", "--json");
    const int svg = ecc_plan_step(r, "figure1-svg", "theory", "accuracy", "--out",
                                  "figures/figure1.svg", "--json");
    ecc_plan_file(r, png, "figures/figure1.png");
    ecc_plan_file(r, svg, "figures/figure1.svg");
    if (png != ECC_NO_TASK) r->tasks[png].guess = 10;
    if (svg != ECC_NO_TASK) r->tasks[svg].guess = 10;
}

static void report_claims(json_t *section, const json_t *claims)
{
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *const claim = json_array_get(claims, i);
        const double percent = json_number_value(json_object_get(claim, "percent"));
        const int paper = (int)json_integer_value(json_object_get(claim, "dim_paper"));
        const int ours = (int)json_integer_value(json_object_get(claim, "dim"));
        const char *const verdict = json_string_value(json_object_get(claim, "verdict"));
        char words[100], theirs[40], own[40];
        snprintf(words, sizeof words, "ρ is within %g%% of √d", percent);
        snprintf(theirs, sizeof theirs, "from d = %d on", paper);
        snprintf(own, sizeof own, "from d = %d on", ours);
        const bool holds = verdict && strcmp(verdict, "it holds") == 0;
        ecc_section_claim(section, words, theirs, own, holds ? ECC_AGREES : ECC_DIFFERS, "");
    }
}

static enum ecc_status report(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    (void)error;
    static const int shown[] = {2, 3, 4, 8, 12, 38, 64, 117, 300};
    ecc_section_task(section, r, ecc_plan_find(r, "figure1"));
    const json_t *const result = ecc_plan_result(r, "figure1");
    if (!result) return ECC_OK;
    report_claims(section, json_object_get(result, "claims"));
    const json_t *const dims = json_object_get(result, "dim"),
                        *const percents = json_object_get(result, "percent"),
                        *const mus = json_object_get(result, "worst_mu");
    json_t *const table =
        ecc_section_table(section, "Largest difference between ρ and √d", "d", "percent", "at μ");
    json_t *const numbers = ecc_section_numbers(section);
    json_object_set(numbers, "dim", json_object_get(result, "dim"));
    json_object_set(numbers, "percent", json_object_get(result, "percent"));
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        for (size_t k = 0; k < json_array_size(dims); k++) {
            if ((int)json_number_value(json_array_get(dims, k)) != shown[i]) continue;
            json_t *const row = ecc_table_row(table);
            ecc_row_cell(row, "%d", shown[i]);
            ecc_row_cell(row, "%.4g", json_number_value(json_array_get(percents, k)));
            ecc_row_cell(row, "%.2f", json_number_value(json_array_get(mus, k)));
        }
    }
    ecc_section_figure(section, "figures/figure1",
                       "Maximum percentage difference between ρ and √d, over μ from 1 to 2d + 1.");
    return ECC_OK;
}

const struct ecc_item ecc_item_figure1 = {
    .name = "figure1",
    .title = "Figure 1: the radius of the sphere",
    .about = "With the paper's closed form for M the radius ρ of the stationary sphere is very "
             "close to √d, whatever μ is.",
    .plan = plan,
    .report = report,
};
