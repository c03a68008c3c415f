/* pictures.c: charts of a latent space: spectrum, loadings of a table. */
#include "show/pictures.h"
#include "figure/plot.h"

#include <math.h>
#include <stdlib.h>

/* ---- Spectrum ------------------------------------------------------------------------------- */

enum ecc_status ecc_draw_spectrum(const struct ecc_components *components, const char *const *names,
                                  size_t count, const char *path, struct ecc_error *error)
{
    size_t longest = 0;
    double largest = 1;
    struct ecc_plot plot;
    ecc_plot_start(&plot, "Spectrum of the latents' covariance", 380, 240);
    struct ecc_chart *const chart =
        ecc_plot_chart(&plot, NULL, "component", "variance along it (eigenvalue)");
    for (size_t r = 0; r < count; r++) {
        const struct ecc_components *const c = &components[r];
        const char *const name =
            ecc_plot_text(&plot, "%.60s: eccentricity %.3f", names[r], c->eccentricity);
        ecc_plot_line(&plot, name, NULL, c->eigenvalues, c->d);
        longest = c->d > longest ? c->d : longest;
        largest = fmax(largest, c->eigenvalues[0]);
    }
    chart->x.low = 0.5;
    chart->x.high = (double)longest + 0.5;
    chart->x.whole = true;
    chart->y.high = 1.08 * largest;
    chart->legend = ECC_LEGEND_TOP_RIGHT;
    ecc_plot_rule(&plot, 1, "1");
    return ecc_plot_write(&plot, path, error);
}

/* ---- Loadings of a table -------------------------------------------------------------------- */

enum ecc_status ecc_model_loadings(struct ecc_model *model, const struct ecc_components *c,
                                   double *loadings, const size_t *list, size_t count,
                                   double deviations, struct ecc_error *error)
{
    const size_t d = model->d, size = model->size;
    float *const z = malloc(2 * (d + size) * sizeof *z), *const x = z ? z + 2 * d : NULL;
    if (!z) return ecc_fail_memory(error, "the loadings");
    enum ecc_status status = ECC_OK;
    for (size_t l = 0; l < count && status == ECC_OK; l++) {
        ecc_walk_strip(c, z, list[l], 2, deviations);
        status = ecc_model_decode(model, x, z, 2, error);
        for (size_t j = 0; j < size && status == ECC_OK; j++) {
            loadings[l * size + j] = ((double)x[size + j] - (double)x[j]) / 2;
        }
    }
    free(z);
    return status;
}

enum ecc_status ecc_draw_loadings(const struct ecc_model *model, const double *loadings,
                                  const size_t *list, size_t count, double deviations,
                                  const char *path, struct ecc_error *error)
{
    struct ecc_plot plot;
    ecc_plot_start(&plot, "Components and columns", fmin(640, 30 * (double)model->size + 120), 0);
    plot.figure.caption = ecc_plot_text(&plot, "half the change from −%gσ to +%gσ along each",
                                        deviations, deviations);
    const char **const rows = ecc_plot_names(&plot, count);
    for (size_t l = 0; rows && l < count; l++) rows[l] = ecc_plot_text(&plot, "p%zu", list[l] + 1);
    struct ecc_heat *const heat = ecc_plot_heat(&plot, NULL, loadings, count, model->size);
    heat->row_names = rows;
    heat->column_names = (const char *const *)model->scaling.names;
    heat->column_label = model->scaling.names ? NULL : "column";
    heat->scale_label = "in deviations";
    return ecc_plot_write(&plot, path, error);
}
