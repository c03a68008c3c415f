/* figure9.c: Figure 9: correlations between the components of two runs, raw and aligned. */
#include "reproduce/items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct ecc_setting setting_of(const struct ecc_repro *r, size_t i)
{
    const enum ecc_repro_set set = ecc_plan_set(r);
    return ecc_eae(set, ecc_plan_latent(set), ecc_paper_lambdas5[i], 1, 1);
}

static void plan(struct ecc_repro *r)
{
    for (size_t i = 0; i < ECC_PAPER_LAMBDAS5; i++) {
        ecc_plan_align(r, setting_of(r, i), ecc_plan_pair_seeds(r, ECC_GROUP));
    }
}

/* The first pair of one lambda. */
struct pair {
    double *before, *after; /* [d, d] */
    size_t d;
    double diagonal_raw, diagonal; /* mean of |correlation| and correlation along it */
    double angle_raw, angle;
    char titles[2][60];
};

static double *take_matrix(const json_t *rows, size_t d)
{
    double *const values = calloc(d * d + 1, sizeof *values);
    for (size_t i = 0; values && i < d * d; i++) {
        values[i] = json_number_value(json_array_get(json_array_get(rows, i / d), i % d));
    }
    return values;
}

static enum ecc_status take_pair(struct pair *p, const struct ecc_repro *r, size_t i,
                                 json_t *section, struct ecc_error *error)
{
    const struct ecc_setting s = setting_of(r, i);
    const int align = ecc_find_align(r, s);
    ecc_section_task(section, r, align);
    const json_t *const result = align == ECC_NO_TASK ? NULL : r->tasks[align].result;
    const json_t *const pair = json_array_get(json_object_get(result, "pairs"), 0);
    if (!pair) return ECC_OK;
    p->d = s.latent;
    p->before = take_matrix(json_object_get(pair, "before"), p->d);
    p->after = take_matrix(json_object_get(pair, "after"), p->d);
    if (!p->before || !p->after) return ecc_fail_memory(error, "the correlations");
    for (size_t k = 0; k < p->d; k++) {
        p->diagonal_raw += fabs(p->before[k * p->d + k]) / (double)p->d;
        p->diagonal += p->after[k * p->d + k] / (double)p->d;
    }
    p->angle_raw = json_number_value(json_object_get(pair, "angle_raw"));
    p->angle = json_number_value(json_object_get(pair, "angle_aligned"));
    snprintf(p->titles[0], sizeof p->titles[0], "λ = %g, raw, %.0f°", s.lambda, p->angle_raw);
    snprintf(p->titles[1], sizeof p->titles[1], "λ = %g, aligned, %.0f°", s.lambda, p->angle);
    return ECC_OK;
}

static enum ecc_status draw(const struct ecc_repro *r, const struct pair *pairs,
                            struct ecc_error *error)
{
    struct ecc_panel panels[2 * ECC_PAPER_LAMBDAS5];
    size_t count = 0;
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < ECC_PAPER_LAMBDAS5; i++) {
            if (!pairs[i].after) continue;
            panels[count++] =
                (struct ecc_panel){.title = pairs[i].titles[side],
                                   .kind = ECC_PANEL_HEAT,
                                   .heat = {.values = side ? pairs[i].after : pairs[i].before,
                                            .rows = pairs[i].d,
                                            .columns = pairs[i].d,
                                            .limit = 1,
                                            .row_label = "run 1",
                                            .column_label = "run 2",
                                            .scale_label = "correlation"}};
        }
    }
    const struct ecc_figure figure = {.title = "Do two runs find the same components?",
                                      .panels = panels,
                                      .panel_count = count,
                                      .columns = 2,
                                      .panel_width = 260,
                                      .panel_height = 260};
    return ecc_item_draw(r, &figure, "figure9", error);
}

static void report_claims(json_t *section, const struct pair *pairs,
                          const struct ecc_fairness *fairness)
{
    char ours[160], why[900];
    ecc_fairness_text(why, fairness);
    for (size_t i = 0; i < ECC_PAPER_LAMBDAS5; i++) {
        const struct pair *const p = &pairs[i];
        char claim[120];
        if (!p->after) continue;
        snprintf(claim, sizeof claim, "Alignment brings correlation to the diagonal (λ = %g)",
                 ecc_paper_lambdas5[i]);
        snprintf(ours, sizeof ours, "%.2f to %.2f, angle %.0f° to %.0f°", p->diagonal_raw,
                 p->diagonal, p->angle_raw, p->angle);
        ecc_section_claim(section, claim, "by eye", ours,
                          p->diagonal > p->diagonal_raw && p->angle < p->angle_raw ? ECC_AGREES
                                                                                   : ECC_DIFFERS,
                          why);
    }
    if (!pairs[0].after || !pairs[1].after) return;
    snprintf(ours, sizeof ours, "%.2f at λ = 0.0001, %.2f at 0.001", pairs[1].diagonal,
             pairs[0].diagonal);
    ecc_section_claim(section, "It is more heavily on the diagonal for λ = 0.0001 than for 0.001",
                      "by eye", ours,
                      ecc_between_runs(fairness, pairs[1].diagonal > pairs[0].diagonal), why);
}

static enum ecc_status report(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    struct pair pairs[ECC_PAPER_LAMBDAS5] = {0};
    struct ecc_fairness fairness = {0};
    enum ecc_status status = ECC_OK;
    bool any = false;
    if (!r->data[ecc_plan_set(r)].what) ecc_section_lacks(section, r, ecc_plan_set(r));
    for (size_t i = 0; i < ECC_PAPER_LAMBDAS5 && status == ECC_OK; i++) {
        int runs[ECC_GROUP] = {0};
        status = take_pair(&pairs[i], r, i, section, error);
        const size_t count = ecc_find_group(r, runs, setting_of(r, i));
        for (size_t k = 0; k < count; k++) ecc_fairness_run(&fairness, r, runs[k], ECC_FACES);
        any = any || pairs[i].after;
    }
    if (status == ECC_OK && any) {
        report_claims(section, pairs, &fairness);
        status = draw(r, pairs, error);
        ecc_section_figure(section, "figures/figure9",
                           "%s: correlation, on test items, of the components of two runs, before "
                           "the alignment and afterwards.",
                           ecc_set_title(r, ecc_plan_set(r)));
    }
    for (size_t i = 0; i < ECC_PAPER_LAMBDAS5; i++) {
        free(pairs[i].before);
        free(pairs[i].after);
    }
    return status;
}

const struct ecc_item ecc_item_figure9 = {
    .name = "figure9",
    .title = "Figure 9: correlations between runs",
    .about = "Components of two independent runs are matched one to one and flipped where that "
             "makes their covariance positive; then they correlate along the diagonal.",
    .digits = true,
    .faces = true,
    .plan = plan,
    .report = report,
};
