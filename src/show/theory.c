/* theory.c: the paper's Figures 1 and 2. */
#include "show/theory.h"
#include "figure/figure.h"

#include <stdio.h>

static enum ecc_status draw_chart(const struct ecc_chart *chart, const char *title,
                                  const char *caption, const char *path, struct ecc_error *error)
{
    const struct ecc_panel panel = {.chart = *chart};
    const struct ecc_figure figure = {.title = title,
                                      .caption = caption,
                                      .panels = &panel,
                                      .panel_count = 1,
                                      .panel_width = 460,
                                      .panel_height = 320};
    return ecc_figure_write(&figure, path, error);
}

enum ecc_status ecc_draw_accuracy(const struct ecc_accuracy_curve *curve, const char *path,
                                  struct ecc_error *error)
{
    const struct ecc_series series = {
        .x = curve->dim, .y = curve->percent, .n = curve->count, .size = 1.6};
    struct ecc_rule rules[2 * ECC_ACCURACY_CLAIMS];
    char labels[ECC_ACCURACY_CLAIMS][40];
    size_t shown = 0;
    for (size_t c = 0; c < ECC_ACCURACY_CLAIMS; c++) {
        const struct ecc_accuracy_claim *const claim = &ecc_accuracy_claims[c];
        if ((double)claim->dim > curve->dim[curve->count - 1]) continue;
        snprintf(labels[c], sizeof labels[c], "%g%% from d = %zu", claim->percent, claim->dim);
        rules[shown++] = (struct ecc_rule){.at = claim->percent, .label = labels[c]};
        rules[shown++] = (struct ecc_rule){.at = (double)claim->dim, .vertical = true};
    }
    const struct ecc_chart chart = {
        .x = {.label = "latent dimension d", .whole = true},
        .y = {.label = "|ρ − √d| / √d  in percent", .logarithmic = true},
        .series = &series,
        .series_count = 1,
        .rules = rules,
        .rule_count = shown};
    return draw_chart(&chart, "Largest difference between the radius ρ and √d",
                      "the paper's M; maximum over μ from 1 to 2d + 1; lines: the paper's claims",
                      path, error);
}

enum ecc_status ecc_draw_force(const struct ecc_force_curves *curves, const char *path,
                               struct ecc_error *error)
{
    struct ecc_series series[ECC_FORCE_CURVES + 1] = {0};
    char names[ECC_FORCE_CURVES][48], title[80];
    double within_x[ECC_FORCE_CURVES], within_y[ECC_FORCE_CURVES];
    size_t within = 0;
    for (size_t c = 0; c < curves->count; c++) {
        const double t = curves->count > 1 ? (double)c / (double)(curves->count - 1) : 0;
        snprintf(names[c], sizeof names[c], "μ = %g,  √M = %.2f", curves->mu[c],
                 curves->peak_distance[c]);
        series[c] = (struct ecc_series){.name = names[c],
                                        .x = curves->distance,
                                        .y = curves->force[c],
                                        .n = ECC_FORCE_SAMPLES,
                                        .colour = ecc_colour_sequence(0.9 * t)};
        if (curves->peak_distance[c] <= curves->distance[ECC_FORCE_SAMPLES - 1]) {
            within_x[within] = curves->peak_distance[c];
            within_y[within++] = curves->peak_force[c];
        }
    }
    series[curves->count] = (struct ecc_series){.name = "peak, at distance √M",
                                                .x = within_x,
                                                .y = within_y,
                                                .n = within,
                                                .mark = ECC_MARK_POINTS,
                                                .size = 5,
                                                .colour = {0.2, 0.2, 0.2, 1}};
    const struct ecc_chart chart = {.x = {.label = "distance"},
                                    .y = {.label = "force  2μr / (1 + r²/M)"},
                                    .series = series,
                                    .series_count = curves->count + 1};
    snprintf(title, sizeof title, "Repulsive force between two items, d = %zu", curves->dim);
    return draw_chart(&chart, title,
                      "strongest at distance √M: far away for μ = 1, close by for large μ", path,
                      error);
}
