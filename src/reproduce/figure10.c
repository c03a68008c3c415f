/* figure10.c: Figure 10: score against eccentricity for the models of Table 1. */
#include "reproduce/methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { METHODS = 4, POINTS = 8 };
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

static void fill_series(struct ecc_series *series, const struct curve *curves)
{
    for (size_t m = 0; m < METHODS; m++) {
        series[m] = (struct ecc_series){.name = methods[m],
                                        .x = curves[m].x,
                                        .y = curves[m].y,
                                        .n = curves[m].n,
                                        .mark = curves[m].n > 1 ? ECC_MARK_LINE : ECC_MARK_POINTS,
                                        .size = curves[m].n > 1 ? 1.5 : 6,
                                        .colour = ecc_colour_category(m)};
    }
}

static enum ecc_status draw(const struct ecc_repro *r, const struct curve *ours,
                            const struct curve *paper, struct ecc_error *error)
{
    struct ecc_series own[METHODS], theirs[METHODS];
    char title[80];
    fill_series(own, ours);
    fill_series(theirs, paper);
    const enum ecc_repro_set set = ecc_plan_set(r);
    snprintf(title, sizeof title, "ours: %s, %s features", ecc_set_title(r, set),
             set == ECC_FACES ? "Inception" : "classifier");
    const struct ecc_panel panels[] = {
        {.title = title,
         .chart = {.x = {.label = "eccentricity ε"},
                   .y = {.label = "Fréchet score"},
                   .series = own,
                   .series_count = METHODS}},
        {.title = "the paper: CelebA, Inception",
         .chart = {.x = {.label = "eccentricity ε"},
                   .y = {.label = "FI score"},
                   .series = theirs,
                   .series_count = METHODS}},
    };
    const struct ecc_figure figure = {.title = "Score against eccentricity",
                                      .caption = "lower is better; a line joins the settings of a "
                                                 "method by their eccentricity",
                                      .panels = panels,
                                      .panel_count = 2,
                                      .panel_width = 300,
                                      .panel_height = 240};
    return ecc_item_draw(r, &figure, "figure10", error);
}

/* ---- Claims --------------------------------------------------------------------------------- */

static size_t lowest(const struct curve *c)
{
    size_t best = 0;
    for (size_t i = 1; i < c->n; i++) best = c->y[i] < c->y[best] ? i : best;
    return best;
}

static void claim_valley(json_t *section, const struct curve *c, const char *method,
                         const struct ecc_fairness *fairness)
{
    char claim[120], ours[100], ruled[ECC_RULED_TEXT], why[900];
    if (c->n < 3) return;
    const size_t best = lowest(c);
    snprintf(claim, sizeof claim, "%s: the best score is at a medium eccentricity", method);
    snprintf(ours, sizeof ours, "best %.2f at ε = %.2f; ends %.2f and %.2f", c->y[best], c->x[best],
             c->y[0], c->y[c->n - 1]);
    ecc_section_claim(section, claim, "ε from 0.3 to 0.7", ours,
                      ecc_between_runs(fairness, best > 0 && best + 1 < c->n),
                      ecc_ruled_text(ruled, ecc_fairness_text(why, fairness),
                                     "agrees: best at neither end, wherever between"));
}

static void report_claims(json_t *section, const struct curve *curves,
                          const struct ecc_fairness *fairness)
{
    const struct curve *const eae = &curves[0], *const vae = &curves[1], *const ae = &curves[3];
    char ours[100], why[900];
    ecc_fairness_text(why, fairness);
    claim_valley(section, eae, "EAE", fairness);
    claim_valley(section, &curves[2], "WAE", fairness);
    if (vae->n > 1) {
        snprintf(ours, sizeof ours, "%.2f at ε = %.2f, %.2f at %.2f", vae->y[0], vae->x[0],
                 vae->y[vae->n - 1], vae->x[vae->n - 1]);
        ecc_section_claim(section, "VAE: the score worsens with eccentricity", "50 to 58", ours,
                          ecc_between_runs(fairness, vae->y[0] < vae->y[vae->n - 1]), why);
    }
    if (eae->n > 0 && ae->n > 0) {
        const double best = eae->y[lowest(eae)];
        snprintf(ours, sizeof ours, "%.2f against %.2f", best, ae->y[0]);
        ecc_section_claim(section, "The best EAE beats the plain autoencoder", "48.7 against 55.8",
                          ours, ecc_between_runs(fairness, best < ae->y[0]), why);
    }
}

static enum ecc_status report(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    struct curve ours[METHODS] = {0}, paper[METHODS] = {0};
    struct ecc_fairness fairness = {0};
    size_t points = 0;
    const char *features = NULL;
    const enum ecc_repro_set set = ecc_plan_set(r);
    if (!r->data[set].what) ecc_section_lacks(section, r, set);
    for (size_t i = 0; i < ecc_paper_table1_rows; i++) {
        struct ecc_method_row row;
        size_t m = 0;
        ecc_method_take(&row, r, i);
        ecc_method_compare(&row, &features, section);
        while (strcmp(methods[m], row.paper->method) != 0) m++;
        add_point(&paper[m], row.paper->eccentricity, row.paper->score.mean);
        add_point(&ours[m], row.eccentricity.mean, row.score.mean);
        ecc_section_task(section, r, row.fid);
        for (size_t k = 0; k < row.count; k++) {
            ecc_fairness_run(&fairness, r, row.runs[k], ECC_FACES);
        }
        points += row.score.count;
    }
    if (!r->options->has_fid) {
        ecc_section_missing(section, "this program has no command fid yet");
    }
    if (points == 0) return ECC_OK;
    const bool published = ecc_features_published(features);
    if (!published) {
        ecc_fairness_remark(&fairness, set == ECC_FACES ? "other weights of Inception"
                                                        : "classifier features");
    }
    report_claims(section, ours, &fairness);
    ECC_TRY(draw(r, ours, paper, error));
    ecc_section_figure(
        section, "figures/figure10",
        "Relationship between eccentricity and score for the models of Table 1.%s",
        published ? ""
                  : "  The two scales are of different features and cannot be compared; the "
                    "shapes can.");
    return ECC_OK;
}

const struct ecc_item ecc_item_figure10 = {
    .name = "figure10",
    .title = "Figure 10: score against eccentricity",
    .about = "Images generated from the fitted Gaussian are best at a medium eccentricity.",
    .digits = true,
    .faces = true,
    .plan = ecc_methods_plan,
    .report = report,
};
