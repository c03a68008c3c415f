/* figure9.c: Figure 9: correlations between the components of two runs, raw and aligned. */
#include "reproduce/items.h"

#include <math.h>

enum { LAMBDAS = ECC_PAPER_LAMBDAS5 };

/* The first pair of one lambda. */
struct pair {
    const json_t *found;           /* NULL: it is not there */
    double diagonal_raw, diagonal; /* mean of |correlation| and correlation along it */
    double angle_raw, angle;
};

static void take(struct pair *p, const json_t *found, size_t d)
{
    p->found = found;
    p->angle_raw = ecc_get_number(found, "angle_raw");
    p->angle = ecc_get_number(found, "angle_aligned");
    for (size_t k = 0; k < d; k++) {
        const json_t *const before = json_array_get(json_object_get(found, "before"), k),
                            *const after = json_array_get(json_object_get(found, "after"), k);
        p->diagonal_raw += fabs(ecc_get_item(before, k)) / (double)d;
        p->diagonal += ecc_get_item(after, k) / (double)d;
    }
}

static void add_panel(struct ecc_plot *plot, const char *title, const json_t *rows)
{
    const size_t d = json_array_size(rows);
    double *const values = ecc_plot_numbers(plot, d * d);
    for (size_t i = 0; values && i < d * d; i++) {
        values[i] = ecc_get_item(json_array_get(rows, i / d), i % d);
    }
    struct ecc_heat *const heat = ecc_plot_heat(plot, title, values, d, d);
    heat->limit = 1;
    heat->row_label = "run 1";
    heat->column_label = "run 2";
    heat->scale_label = "correlation";
}

static void draw(struct ecc_section *s, const struct pair *pairs)
{
    struct ecc_plot plot;
    ecc_plot_start(&plot, "Do two runs find the same components?", 260, 260);
    plot.figure.columns = 2;
    for (size_t k = 0; k < 2 * LAMBDAS; k++) {
        const struct pair *const p = &pairs[k % LAMBDAS];
        const bool raw = k < LAMBDAS;
        if (!p->found) continue;
        add_panel(&plot,
                  ecc_plot_text(&plot, "λ = %g, %s, %.0f°", ecc_paper_lambdas5[k % LAMBDAS],
                                raw ? "raw" : "aligned", raw ? p->angle_raw : p->angle),
                  json_object_get(p->found, raw ? "before" : "after"));
    }
    ecc_item_draw(s, &plot, "figure9");
}

static void report_claims(struct ecc_section *s, const struct pair *pairs)
{
    for (size_t i = 0; i < LAMBDAS; i++) {
        const struct pair *const p = &pairs[i];
        if (!p->found) continue;
        ecc_section_claim(
            s, ecc_holds(p->diagonal > p->diagonal_raw && p->angle < p->angle_raw), NULL,
            "Alignment brings correlation to the diagonal (λ = %g)\tby eye\t"
            "%.2f to %.2f, angle %.0f° to %.0f°",
            ecc_paper_lambdas5[i], p->diagonal_raw, p->diagonal, p->angle_raw, p->angle);
    }
    if (!pairs[0].found || !pairs[1].found) return;
    ecc_section_claim(s, ecc_between_runs(&s->fairness, pairs[1].diagonal > pairs[0].diagonal),
                      NULL,
                      "It is more heavily on the diagonal for λ = 0.0001 than for 0.001\tby eye\t"
                      "%.2f at λ = 0.0001, %.2f at 0.001",
                      pairs[1].diagonal, pairs[0].diagonal);
}

static void make(struct ecc_section *s)
{
    struct ecc_repro *const r = s->r;
    const enum ecc_repro_set set = ecc_plan_set(r);
    const size_t d = ecc_plan_latent(set), seeds = ecc_plan_pair_seeds(r, ECC_GROUP);
    struct pair pairs[LAMBDAS] = {0};
    if (!r->data[set].what) ecc_section_lacks(s, set);
    for (size_t i = 0; i < LAMBDAS; i++) {
        const struct ecc_variant v = ecc_eae(set, d, ecc_paper_lambdas5[i], 1, 1);
        const struct ecc_group group = ecc_ask_runs(s, v, seeds);
        const json_t *const found = json_array_get(ecc_ask_pairs(s, v, seeds), 0);
        ecc_section_runs(s, &group, ECC_FACES);
        if (found) take(&pairs[i], found, d);
    }
    if (!pairs[0].found && !pairs[1].found) return;
    report_claims(s, pairs);
    ecc_section_figure(s, "figures/figure9",
                       "%s: correlation, on test items, of the components of two runs, before "
                       "the alignment and afterwards.",
                       ecc_set_title(r, set));
    draw(s, pairs);
}

const struct ecc_item ecc_item_figure9 = {
    .name = "figure9",
    .title = "Figure 9: correlations between runs",
    .about = "Components of two independent runs are matched one to one and flipped where that "
             "makes their covariance positive; then they correlate along the diagonal.",
    .digits = true,
    .faces = true,
    .make = make,
};
