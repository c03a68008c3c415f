/* figure5.c: Figure 5: the spectrum of the latents for several lambda and mu, runs superimposed. */
#include "reproduce/items.h"

#include <math.h>

enum { MUS = ECC_PAPER_MUS, VARIANTS = ECC_PAPER_LAMBDAS5 * MUS, MOST_DIMS = 64 };

/* The paper's go to d + 1/2 in steps that double twice; in d = 8 the same in fewer. */
static double mu_of(enum ecc_repro_set set, size_t i)
{
    static const double digits[MUS] = {1, 1.5, 2.5, 4.5, 8.5};
    return set == ECC_FACES ? ecc_paper_mus[i] : digits[i];
}

static struct ecc_variant variant_of(const struct ecc_repro *r, size_t k)
{
    const enum ecc_repro_set set = ecc_plan_set(r);
    return ecc_eae(set, ecc_plan_latent(set), ecc_paper_lambdas5[k / MUS], mu_of(set, k % MUS), 1);
}

/* ---- Spectra -------------------------------------------------------------------------------- */

/* The runs of one variant. */
struct spectra {
    struct ecc_variant variant;
    struct ecc_group group;
    double values[ECC_GROUP][MOST_DIMS]; /* by run and component */
    struct ecc_measured eccentricity, trace;
    double largest, smallest; /* means over runs */
    double scatter;           /* mean over components of deviation / mean between runs */
};

static void take(struct spectra *s, const struct ecc_repro *r)
{
    s->eccentricity = ecc_group_number(r, &s->group, "eccentricity");
    s->trace = ecc_group_number(r, &s->group, "trace");
    for (size_t c = 0; c < s->variant.latent; c++) {
        double column[ECC_GROUP];
        for (size_t i = 0; i < s->group.count; i++) {
            const json_t *const result = ecc_plan_result(r, s->group.runs[i]);
            column[i] = ecc_get_item(json_object_get(result, "eigenvalues"), c);
            s->values[i][c] = column[i];
        }
        const struct ecc_measured m = ecc_measure(column, s->group.count);
        s->scatter += m.deviation / m.mean / (double)s->variant.latent;
        if (c == 0) s->largest = m.mean;
        s->smallest = m.mean;
    }
}

static void draw(struct ecc_section *s, const struct spectra *all)
{
    struct ecc_plot plot;
    size_t shown = 0;
    ecc_plot_start(&plot, "Spectrum of the latents' covariance", 480, 320);
    plot.figure.caption =
        ecc_plot_text(&plot, "%s, d = %zu; runs of one setting superimposed",
                      ecc_set_title(s->r, all[0].variant.set), all[0].variant.latent);
    struct ecc_chart *const chart =
        ecc_plot_chart(&plot, NULL, "component", "variance along it (eigenvalue)");
    chart->x.whole = true;
    chart->legend = ECC_LEGEND_TOP_RIGHT;
    ecc_plot_rule(&plot, 1, "1");
    for (size_t k = 0; k < VARIANTS; k++) {
        const struct ecc_variant *const v = &all[k].variant;
        const char *const name = ecc_plot_text(&plot, "λ = %g, μ = %g", v->lambda, v->mu);
        for (size_t i = 0; i < all[k].group.count; i++) {
            struct ecc_series *const line =
                ecc_plot_line(&plot, i == 0 ? name : NULL, NULL, all[k].values[i], v->latent);
            line->mark = k < MUS ? ECC_MARK_LINE : ECC_MARK_DASHED;
            line->size = 1.3;
            line->colour = ecc_colour_category(shown);
        }
        shown += all[k].group.count > 0;
    }
    ecc_item_draw(s, &plot, "figure5");
}

/* ---- Claims --------------------------------------------------------------------------------- */

static void claim_influence(struct ecc_section *s, const struct spectra *all)
{
    const struct spectra *const round = &all[0], *const eccentric = &all[MUS],
                                *const strong = &all[MUS - 1];
    const double e = round->eccentricity.mean, by_lambda = eccentric->eccentricity.mean - e,
                 by_mu = e - strong->eccentricity.mean;
    if (!round->group.count || !eccentric->group.count) return;
    ecc_section_claim(s, ecc_holds(by_lambda > 0), NULL,
                      "Eigenvalues become more uniform as λ increases\tby eye\t"
                      "%.3f at λ = 0.001, %.3f at 0.0001",
                      e, eccentric->eccentricity.mean);
    if (!strong->group.count) return;
    ecc_section_claim(s, ecc_holds(by_mu > 0), NULL,
                      "and as μ increases (λ = 0.001)\tby eye\t%.3f at μ = 1, %.3f at μ = %g", e,
                      strong->eccentricity.mean, strong->variant.mu);
    ecc_section_claim(s, ecc_holds(fabs(by_mu) < fabs(by_lambda)), NULL,
                      "but to a lesser extent\tby eye\tby μ %.3f, by λ %.3f", by_mu, by_lambda);
}

static void claim_agreement(struct ecc_section *s, const struct spectra *all)
{
    double trace = 0, scatter = 0;
    bool pairs = false;
    for (size_t k = 0; k < VARIANTS; k++) {
        const struct spectra *const one = &all[k];
        if (one->group.count == 0) continue;
        trace = fmax(trace, fabs(one->trace.mean / (double)one->variant.latent - 1));
        if (one->group.count > 1) scatter = fmax(scatter, one->scatter);
        pairs = pairs || one->group.count > 1;
    }
    ecc_section_claim(s, ecc_holds(trace < 0.15), "agrees: within 15%",
                      "The trace is approximately d\tby eye\tat most %.1f%% off", 100 * trace);
    if (!pairs) return;
    ecc_section_claim(s, ecc_holds(scatter < 0.05), NULL,
                      "Spectra of independent runs match almost exactly (± 5%%)\tby eye\t"
                      "± %.1f%% at most",
                      100 * scatter);
}

static void claim_eigenvalue(struct ecc_section *s, const char *which, double value,
                             struct ecc_paper_number paper)
{
    const struct ecc_measured ours = {value, NAN, 1};
    ecc_section_claim(s, ecc_fair(&s->fairness, ecc_judge(paper, ours, 2, ECC_NEITHER_IS_BETTER)),
                      ECC_SAY(ECC_RULE_ASSUMED, paper.deviation),
                      "%s eigenvalue, λ = 0.0001, μ = 1\t%.2f\t%s", which, paper.mean,
                      ECC_OURS(ours, 2));
}

static void report_table(struct ecc_section *s, const struct spectra *all)
{
    json_t *const table = ecc_section_table(
        s, "Spectra", "λ\tμ\truns\teccentricity\ttrace\tlargest\tsmallest\tbetween runs");
    for (size_t k = 0; k < VARIANTS; k++) {
        const struct spectra *const one = &all[k];
        if (one->group.count == 0) continue;
        ecc_table_row(table, "%g\t%g\t%zu\t%s\t%s\t%.2f\t%.2f\t%s", one->variant.lambda,
                      one->variant.mu, one->group.count, ECC_OURS(one->eccentricity, 3),
                      ECC_OURS(one->trace, 2), one->largest, one->smallest,
                      one->group.count > 1 ? ECC_SAY("± %.1f%%", 100 * one->scatter) : "–");
    }
}

static void make(struct ecc_section *s)
{
    struct ecc_repro *const r = s->r;
    struct spectra all[VARIANTS] = {0};
    const struct spectra *const weak = &all[MUS]; /* lambda 1e-4, mu 1 */
    size_t runs = 0;
    if (!r->data[ecc_plan_set(r)].what) ecc_section_lacks(s, ecc_plan_set(r));
    for (size_t k = 0; k < VARIANTS; k++) {
        const bool end = k % MUS == 0 || k % MUS + 1 == MUS;
        all[k].variant = variant_of(r, k);
        if (r->planning && !end && !ecc_plan_all_rows(r)) continue;
        all[k].group = ecc_ask_runs(s, all[k].variant, ecc_plan_pair_seeds(r, ECC_GROUP));
        ecc_section_runs(s, &all[k].group, ECC_FACES);
        for (size_t i = 0; i < all[k].group.count; i++) {
            ecc_section_task(s, all[k].group.runs[i]);
        }
        take(&all[k], r);
        runs += all[k].group.count;
    }
    if (r->planning) return;
    if (runs == 0) ecc_section_missing(s, "none of its trainings is done");
    if (runs == 0) return;
    report_table(s, all);
    claim_influence(s, all);
    claim_agreement(s, all);
    if (weak->group.count > 0) {
        claim_eigenvalue(s, "Largest", weak->largest, ecc_paper_largest_eigenvalue);
        claim_eigenvalue(s, "Smallest", weak->smallest, ecc_paper_smallest_eigenvalue);
    }
    ecc_section_figure(s, "figures/figure5",
                       "Eigenvalues of the latents' covariance, independent runs superimposed.");
    draw(s, all);
}

const struct ecc_item ecc_item_figure5 = {
    .name = "figure5",
    .title = "Figure 5: spectra",
    .about =
        "The spectrum is nearly flat for large λ, falls more steeply for small λ, depends less "
        "on μ, and is the same from run to run; its sum is about d.",
    .digits = true,
    .faces = true,
    .make = make,
};
