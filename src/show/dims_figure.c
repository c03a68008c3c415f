/* dims_figure.c: error against latent size, beside PCA's. */
#include "eccentric_show.h"
#include "figure/plot.h"

enum { WIDTH = 460, HEIGHT = 320 };

enum ecc_status ecc_draw_dims(const struct ecc_dims *dims, const char *path,
                              struct ecc_error *error)
{
    struct ecc_plot plot;
    ecc_plot_start(&plot, "How many dimensions?", WIDTH, HEIGHT);
    plot.figure.caption = ecc_plot_text(&plot, "%zu %s items, which were not trained on",
                                        dims->items, dims->items_are);
    struct ecc_chart *const chart =
        ecc_plot_chart(&plot, NULL, "latent dimensions", "variance explained (%)");
    double *const x = ecc_plot_numbers(&plot, dims->count);
    double *const ours = ecc_plot_numbers(&plot, dims->count);
    double *const pca = ecc_plot_numbers(&plot, dims->count);
    for (size_t i = 0; x && ours && pca && i < dims->count; i++) {
        const struct ecc_dims_row *const row = &dims->rows[i];
        x[i] = (double)row->latent;
        ours[i] = 100 * ecc_dims_explained(row);
        pca[i] = 100 * (1 - row->pca_error / row->variance);
    }
    chart->x.whole = true;
    if (x && ours && pca) {
        ecc_plot_line(&plot, "PCA", x, pca, dims->count)->size = 3;
        ecc_plot_line(&plot, "this net", x, ours, dims->count)->size = 1.6; /* on top */
    }
    ecc_plot_rule_upright(&plot, (double)dims->recommended, "recommended");
    return ecc_plot_write(&plot, path, error);
}
