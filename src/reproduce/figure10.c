/* figure10.c: Figure 10: score against eccentricity for the models of Table 1. */
#include "reproduce/method_rows.h"

#include <math.h>
#include <string.h>

enum { EAE = 0, VAE, WAE, AE, METHODS, POINTS = 8 };
static const char *const methods[METHODS] = {"EAE", "VAE", "WAE", "AE"};

/* One method's points, by rising eccentricity. */
struct curve {
    double x[POINTS], y[POINTS];
    size_t n;
};

static void add_point(struct curve *c, double x, double y)
{
    if (c->n == POINTS || isnan(x) || isnan(y)) return;
    size_t at = c->n++;
    for (; at > 0 && c->x[at - 1] > x; at--) {
        c->x[at] = c->x[at - 1];
        c->y[at] = c->y[at - 1];
    }
    c->x[at] = x;
    c->y[at] = y;
}

static void add_chart(struct ecc_plot *plot, const char *title, const char *y_label,
                      const struct curve *curves)
{
    ecc_plot_chart(plot, title, "eccentricity ε", y_label);
    for (size_t m = 0; m < METHODS; m++) {
        const struct curve *const c = &curves[m];
        struct ecc_series *const series =
            (c->n > 1 ? ecc_plot_line : ecc_plot_points)(plot, methods[m], c->x, c->y, c->n);
        series->size = c->n > 1 ? 1.5 : 6;
        series->colour = ecc_colour_category(m);
    }
}

static void draw(struct ecc_section *s, const struct curve *ours, const struct curve *paper)
{
    const enum ecc_repro_set set = ecc_plan_set(s->r);
    struct ecc_plot plot;
    ecc_plot_start(&plot, "Score against eccentricity", 300, 240);
    plot.figure.caption =
        "lower is better; a line joins the settings of a method by their eccentricity";
    add_chart(&plot,
              ecc_plot_text(&plot, "ours: %s, %s features", ecc_set_title(s->r, set),
                            set == ECC_FACES ? "Inception" : "classifier"),
              "Fréchet score", ours);
    add_chart(&plot, "the paper: CelebA, Inception", "FI score", paper);
    ecc_item_draw(s, &plot, "figure10");
}

/* ---- Claims --------------------------------------------------------------------------------- */

static size_t lowest(const struct curve *c)
{
    size_t best = 0;
    for (size_t i = 1; i < c->n; i++) best = c->y[i] < c->y[best] ? i : best;
    return best;
}

static void claim_valley(struct ecc_section *s, const struct curve *c, const char *method)
{
    const size_t best = lowest(c);
    if (c->n < 3) return;
    ecc_section_claim(s, ecc_between_runs(&s->fairness, best > 0 && best + 1 < c->n),
                      "agrees: best at neither end, wherever between",
                      "%s: the best score is at a medium eccentricity\tε from 0.3 to 0.7\t"
                      "best %.2f at ε = %.2f; ends %.2f and %.2f",
                      method, c->y[best], c->x[best], c->y[0], c->y[c->n - 1]);
}

static void report_claims(struct ecc_section *s, const struct curve *curves)
{
    const struct curve *const eae = &curves[EAE], *const vae = &curves[VAE],
                              *const ae = &curves[AE];
    claim_valley(s, eae, "EAE");
    claim_valley(s, &curves[WAE], "WAE");
    if (vae->n > 1) {
        const size_t last = vae->n - 1;
        ecc_section_claim(s, ecc_between_runs(&s->fairness, vae->y[0] < vae->y[last]), NULL,
                          "VAE: the score worsens with eccentricity\t50 to 58\t"
                          "%.2f at ε = %.2f, %.2f at %.2f",
                          vae->y[0], vae->x[0], vae->y[last], vae->x[last]);
    }
    if (eae->n > 0 && ae->n > 0) {
        const double best = eae->y[lowest(eae)];
        ecc_section_claim(s, ecc_between_runs(&s->fairness, best < ae->y[0]), NULL,
                          "The best EAE beats the plain autoencoder\t48.7 against 55.8\t"
                          "%.2f against %.2f",
                          best, ae->y[0]);
    }
}

static void make(struct ecc_section *s)
{
    struct curve ours[METHODS] = {0}, paper[METHODS] = {0};
    size_t points = 0;
    const char *features = NULL;
    const enum ecc_repro_set set = ecc_plan_set(s->r);
    if (!s->r->data[set].what) ecc_section_lacks(s, set);
    for (size_t i = 0; i < ecc_paper_table1_rows; i++) {
        struct ecc_method_row row;
        size_t m = 0;
        ecc_method_ask(&row, s, i);
        ecc_method_compare(&row, &features, s);
        while (strcmp(methods[m], row.paper->method) != 0) m++;
        add_point(&paper[m], row.paper->eccentricity, row.paper->score.mean);
        add_point(&ours[m], row.eccentricity.mean, row.score.mean);
        ecc_section_runs(s, &row.group, ECC_FACES);
        points += row.score.count;
    }
    if (points == 0) return;
    const bool published = ecc_features_published(features);
    if (!published) {
        ecc_fairness_remark(&s->fairness, set == ECC_FACES ? "other weights of Inception"
                                                           : "classifier features");
    }
    report_claims(s, ours);
    ecc_section_figure(
        s, "figures/figure10",
        "Relationship between eccentricity and score for the models of Table 1.%s",
        published ? ""
                  : "  The two scales are of different features and cannot be compared; the "
                    "shapes can.");
    draw(s, ours, paper);
}

const struct ecc_item ecc_item_figure10 = {
    .name = "figure10",
    .title = "Figure 10: score against eccentricity",
    .about = "Images generated from the fitted Gaussian are best at a medium eccentricity.",
    .digits = true,
    .faces = true,
    .make = make,
};
