/* figure5.c: Figure 5: the spectrum of the latents for several lambda and mu, runs superimposed. */
#include "reproduce/items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SETTINGS = ECC_PAPER_LAMBDAS5 * ECC_PAPER_MUS };

/* The paper's go to d + 1/2 in steps that double twice; in d = 8 the same in fewer. */
static double mu_of(enum ecc_repro_set set, size_t i)
{
    static const double digits[ECC_PAPER_MUS] = {1, 1.5, 2.5, 4.5, 8.5};
    return set == ECC_FACES ? ecc_paper_mus[i] : digits[i];
}

static struct ecc_setting setting_of(const struct ecc_repro *r, size_t k)
{
    const enum ecc_repro_set set = ecc_plan_set(r);
    return ecc_eae(set, ecc_plan_latent(set), ecc_paper_lambdas5[k / ECC_PAPER_MUS],
                   mu_of(set, k % ECC_PAPER_MUS), 1);
}

static void plan(struct ecc_repro *r)
{
    int runs[ECC_GROUP] = {0};
    for (size_t k = 0; k < SETTINGS; k++) {
        const size_t mu = k % ECC_PAPER_MUS;
        if (!ecc_plan_all_rows(r) && mu != 0 && mu + 1 != ECC_PAPER_MUS) continue;
        ecc_plan_group(r, runs, setting_of(r, k), ecc_plan_pair_seeds(r, 4));
    }
}

/* ---- Spectra -------------------------------------------------------------------------------- */

/* The runs of one setting. */
struct spectra {
    struct ecc_setting setting;
    int runs[ECC_GROUP];
    size_t count;
    double *values; /* [count, d] */
    struct ecc_measured eccentricity, trace;
    double largest, smallest; /* means over runs */
    double scatter;           /* mean over components of deviation / mean between runs */
};

static void summarise(struct spectra *s, const struct ecc_repro *r)
{
    const size_t d = s->setting.latent;
    double scatter = 0;
    for (size_t k = 0; k < d; k++) {
        double column[ECC_GROUP];
        for (size_t i = 0; i < s->count; i++) column[i] = s->values[i * d + k];
        const struct ecc_measured m = ecc_measure(column, s->count);
        if (s->count > 1) scatter += m.deviation / m.mean / (double)d;
        if (k == 0) s->largest = m.mean;
        if (k + 1 == d) s->smallest = m.mean;
    }
    s->scatter = s->count > 1 ? scatter : (double)NAN;
    s->eccentricity = ecc_group_number(r, s->runs, s->count, "eccentricity");
    s->trace = ecc_group_number(r, s->runs, s->count, "trace");
}

static enum ecc_status take_spectra(struct spectra *s, const struct ecc_repro *r,
                                    struct ecc_error *error)
{
    const size_t d = s->setting.latent;
    s->count = ecc_find_group(r, s->runs, s->setting);
    if (s->count == 0) return ECC_OK;
    s->values = calloc(s->count * d, sizeof *s->values);
    if (!s->values) return ecc_fail_memory(error, "the spectra");
    for (size_t i = 0; i < s->count; i++) {
        const json_t *const result = json_object_get(r->tasks[s->runs[i]].result, "result");
        const json_t *const list = json_object_get(result, "eigenvalues");
        for (size_t k = 0; k < d; k++) {
            s->values[i * d + k] = json_number_value(json_array_get(list, k));
        }
    }
    summarise(s, r);
    return ECC_OK;
}

static enum ecc_status draw(const struct ecc_repro *r, const struct spectra *all,
                            struct ecc_error *error)
{
    struct ecc_series series[SETTINGS * ECC_GROUP];
    char names[SETTINGS][40], caption[120];
    double rank[64];
    size_t count = 0, shown = 0, d = all[0].setting.latent;
    for (size_t k = 0; k < d && k < 64; k++) rank[k] = (double)k + 1;
    for (size_t s = 0; s < SETTINGS; s++) {
        snprintf(names[s], sizeof names[s], "λ = %g, μ = %g", all[s].setting.lambda,
                 all[s].setting.mu);
        if (all[s].count == 0) continue;
        for (size_t i = 0; i < all[s].count; i++) {
            series[count++] =
                (struct ecc_series){.name = i == 0 ? names[s] : NULL,
                                    .x = rank,
                                    .y = all[s].values + i * d,
                                    .n = d,
                                    .mark = s < ECC_PAPER_MUS ? ECC_MARK_LINE : ECC_MARK_DASHED,
                                    .size = 1.3,
                                    .colour = ecc_colour_category(shown)};
        }
        shown++;
    }
    const struct ecc_rule one = {.at = 1, .label = "1"};
    const struct ecc_panel panel = {.chart = {.x = {.label = "component", .whole = true},
                                              .y = {.label = "variance along it (eigenvalue)"},
                                              .series = series,
                                              .series_count = count,
                                              .rules = &one,
                                              .rule_count = 1,
                                              .legend = ECC_LEGEND_TOP_RIGHT}};
    snprintf(caption, sizeof caption, "%s, d = %zu; runs of one setting superimposed",
             ecc_set_title(r, all[0].setting.set), d);
    const struct ecc_figure figure = {.title = "Spectrum of the latents' covariance",
                                      .caption = caption,
                                      .panels = &panel,
                                      .panel_count = 1,
                                      .panel_width = 480,
                                      .panel_height = 320};
    return ecc_item_draw(r, &figure, "figure5", error);
}

/* ---- Claims --------------------------------------------------------------------------------- */

static void claim(json_t *section, bool holds, const char *words, const char *paper,
                  const char *ours, const char *why)
{
    ecc_section_claim(section, words, paper, ours, holds ? ECC_AGREES : ECC_DIFFERS, why);
}

static void claim_influence(json_t *section, const struct spectra *all, const char *why)
{
    const struct spectra *const round = &all[0], *const eccentric = &all[ECC_PAPER_MUS],
                                *const strong = &all[ECC_PAPER_MUS - 1];
    char ours[160];
    if (!round->count || !eccentric->count) return;
    const double by_lambda = eccentric->eccentricity.mean - round->eccentricity.mean;
    snprintf(ours, sizeof ours, "%.3f at λ = 0.001, %.3f at 0.0001", round->eccentricity.mean,
             eccentric->eccentricity.mean);
    claim(section, by_lambda > 0, "Eigenvalues become more uniform as λ increases", "by eye", ours,
          why);
    if (!strong->count) return;
    const double by_mu = round->eccentricity.mean - strong->eccentricity.mean;
    snprintf(ours, sizeof ours, "%.3f at μ = 1, %.3f at μ = %g", round->eccentricity.mean,
             strong->eccentricity.mean, strong->setting.mu);
    claim(section, by_mu > 0, "and as μ increases (λ = 0.001)", "by eye", ours, why);
    snprintf(ours, sizeof ours, "by μ %.3f, by λ %.3f", by_mu, by_lambda);
    claim(section, fabs(by_mu) < fabs(by_lambda), "but to a lesser extent", "by eye", ours, why);
}

static void claim_agreement(json_t *section, const struct spectra *all, const char *why)
{
    double trace = 0, scatter = 0;
    bool any = false;
    char ours[100], ruled[ECC_RULED_TEXT];
    for (size_t s = 0; s < SETTINGS; s++) {
        if (all[s].count == 0) continue;
        trace = fmax(trace, fabs(all[s].trace.mean / (double)all[s].setting.latent - 1));
        if (all[s].count < 2) continue;
        scatter = fmax(scatter, all[s].scatter);
        any = true;
    }
    snprintf(ours, sizeof ours, "at most %.1f%% off", 100 * trace);
    claim(section, trace < 0.15, "The trace is approximately d", "by eye", ours,
          ecc_ruled_text(ruled, why, "agrees: within 15%%"));
    if (!any) return;
    snprintf(ours, sizeof ours, "± %.1f%% at most", 100 * scatter);
    claim(section, scatter < 0.05, "Spectra of independent runs match almost exactly (± 5%)",
          "by eye", ours, why);
}

static void claim_range(json_t *section, const struct spectra *all,
                        const struct ecc_fairness *fairness)
{
    const struct spectra *const s = &all[ECC_PAPER_MUS]; /* lambda 1e-4, mu 1 */
    char ours[ECC_NUMBER_TEXT], why[900], ruled[ECC_RULED_TEXT];
    if (s->count == 0) return;
    ecc_fairness_text(why, fairness);
    const struct ecc_measured largest = {s->largest, NAN, 1}, smallest = {s->smallest, NAN, 1};
    const struct ecc_paper_number high = {ecc_paper_largest_eigenvalue, 0.05},
                                  low = {ecc_paper_smallest_eigenvalue, 0.02};
    ecc_section_claim(section, "Largest eigenvalue, λ = 0.0001, μ = 1", "3.24",
                      ecc_measured_text(ours, largest, 2),
                      ecc_fair(fairness, ecc_judge(high, largest, 2, ECC_NEITHER_IS_BETTER)),
                      ecc_ruled_text(ruled, why, ECC_RULE_ASSUMED, high.deviation));
    ecc_section_claim(section, "Smallest eigenvalue, λ = 0.0001, μ = 1", "0.47",
                      ecc_measured_text(ours, smallest, 2),
                      ecc_fair(fairness, ecc_judge(low, smallest, 2, ECC_NEITHER_IS_BETTER)),
                      ecc_ruled_text(ruled, why, ECC_RULE_ASSUMED, low.deviation));
}

static void report_table(json_t *section, const struct spectra *all)
{
    json_t *const table = ecc_section_table(section, "Spectra", "λ", "μ", "runs", "eccentricity",
                                            "trace", "largest", "smallest", "between runs");
    for (size_t k = 0; k < SETTINGS; k++) {
        const struct spectra *const s = &all[k];
        char text[ECC_NUMBER_TEXT];
        if (s->count == 0) continue;
        json_t *const row = ecc_table_row(table);
        ecc_row_cell(row, "%g", s->setting.lambda);
        ecc_row_cell(row, "%g", s->setting.mu);
        ecc_row_cell(row, "%zu", s->count);
        ecc_row_cell(row, "%s", ecc_measured_text(text, s->eccentricity, 3));
        ecc_row_cell(row, "%s", ecc_measured_text(text, s->trace, 2));
        ecc_row_cell(row, "%.2f", s->largest);
        ecc_row_cell(row, "%.2f", s->smallest);
        if (s->count > 1) {
            ecc_row_cell(row, "± %.1f%%", 100 * s->scatter);
        } else {
            ecc_row_cell(row, "–");
        }
    }
}

static enum ecc_status report(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    struct spectra all[SETTINGS] = {0};
    struct ecc_fairness fairness = {0};
    enum ecc_status status = ECC_OK;
    size_t runs = 0;
    char why[900];
    if (!r->data[ecc_plan_set(r)].what) ecc_section_lacks(section, r, ecc_plan_set(r));
    for (size_t k = 0; k < SETTINGS && status == ECC_OK; k++) {
        all[k].setting = setting_of(r, k);
        status = take_spectra(&all[k], r, error);
        for (size_t i = 0; i < all[k].count; i++) {
            ecc_section_task(section, r, all[k].runs[i]);
            ecc_fairness_run(&fairness, r, all[k].runs[i], ECC_FACES);
        }
        runs += all[k].count;
    }
    if (status == ECC_OK && runs > 0) {
        report_table(section, all);
        ecc_fairness_text(why, &fairness);
        claim_influence(section, all, why);
        claim_agreement(section, all, why);
        claim_range(section, all, &fairness);
        status = draw(r, all, error);
        ecc_section_figure(
            section, "figures/figure5",
            "Eigenvalues of the latents' covariance, independent runs superimposed.");
    }
    if (runs == 0) ecc_section_missing(section, "no training of it is done");
    for (size_t k = 0; k < SETTINGS; k++) free(all[k].values);
    return status;
}

const struct ecc_item ecc_item_figure5 = {
    .name = "figure5",
    .title = "Figure 5: spectra",
    .about =
        "The spectrum is nearly flat for large λ, falls more steeply for small λ, depends less "
        "on μ, and is the same from run to run; its sum is about d.",
    .digits = true,
    .faces = true,
    .plan = plan,
    .report = report,
};
