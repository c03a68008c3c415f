/* theory_figures.c: the paper's Figures 1 and 2. */
#include "show/theory_figures.h"
#include "figure/plot.h"

enum { WIDTH = 460, HEIGHT = 320 };

enum ecc_status ecc_draw_accuracy(const struct ecc_accuracy_curve *curve, const char *path,
                                  struct ecc_error *error)
{
    struct ecc_plot plot;
    ecc_plot_start(&plot, "Largest difference between the radius ρ and √d", WIDTH, HEIGHT);
    plot.figure.caption =
        "the paper's M; maximum over μ from 1 to 2d + 1; lines: the paper's claims";
    struct ecc_chart *const chart =
        ecc_plot_chart(&plot, NULL, "latent dimension d", "|ρ − √d| / √d  in percent");
    chart->x.whole = chart->y.logarithmic = true;
    ecc_plot_line(&plot, NULL, curve->dim, curve->percent, curve->count)->size = 1.6;
    for (size_t c = 0; c < ECC_ACCURACY_CLAIMS; c++) {
        const struct ecc_accuracy_claim *const claim = &ecc_accuracy_claims[c];
        if ((double)claim->dim > curve->dim[curve->count - 1]) continue;
        ecc_plot_rule(&plot, claim->percent,
                      ecc_plot_text(&plot, "%g%% from d = %zu", claim->percent, claim->dim));
        ecc_plot_rule_upright(&plot, (double)claim->dim, NULL);
    }
    return ecc_plot_write(&plot, path, error);
}

/* The peaks that lie within the distances drawn. */
static void add_peaks(struct ecc_plot *plot, const struct ecc_force_curves *curves)
{
    double *const x = ecc_plot_numbers(plot, ECC_FORCE_CURVES);
    double *const y = ecc_plot_numbers(plot, ECC_FORCE_CURVES);
    size_t n = 0;
    for (size_t c = 0; x && y && c < curves->count; c++) {
        if (curves->peak_distance[c] > curves->distance[ECC_FORCE_SAMPLES - 1]) continue;
        x[n] = curves->peak_distance[c];
        y[n++] = curves->peak_force[c];
    }
    struct ecc_series *const peaks = ecc_plot_points(plot, "peak, at distance √M", x, y, n);
    peaks->size = 5;
    peaks->colour = (struct ecc_colour){0.2, 0.2, 0.2, 1};
}

enum ecc_status ecc_draw_force(const struct ecc_force_curves *curves, const char *path,
                               struct ecc_error *error)
{
    struct ecc_plot plot;
    ecc_plot_start(&plot, NULL, WIDTH, HEIGHT);
    plot.figure.title =
        ecc_plot_text(&plot, "Repulsive force between two items, d = %zu", curves->dim);
    plot.figure.caption = "strongest at distance √M: far away for μ = 1, close by for large μ";
    ecc_plot_chart(&plot, NULL, "distance", "force  2μr / (1 + r²/M)");
    for (size_t c = 0; c < curves->count; c++) {
        const double t = curves->count > 1 ? (double)c / (double)(curves->count - 1) : 0;
        const char *const name =
            ecc_plot_text(&plot, "μ = %g,  √M = %.2f", curves->mu[c], curves->peak_distance[c]);
        ecc_plot_line(&plot, name, curves->distance, curves->force[c], ECC_FORCE_SAMPLES)->colour =
            ecc_colour_sequence(0.9 * t);
    }
    add_peaks(&plot, curves);
    return ecc_plot_write(&plot, path, error);
}
