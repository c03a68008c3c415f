/* pictures.c: charts of a latent space: spectrum, loadings of a table, latents in a plane. */
#include "show/pictures.h"
#include "base/rng.h"
#include "base/streams.h"
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

/* ---- Latents in a plane --------------------------------------------------------------------- */

static void swap(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

static void shuffle(struct ecc_plane *p)
{
    for (size_t i = p->n; i > 1; i--) {
        const size_t j = (size_t)ecc_rng_below(1, ECC_STREAM_PLANE, i, i);
        swap(&p->x[i - 1], &p->x[j]);
        swap(&p->y[i - 1], &p->y[j]);
        if (!p->category) continue;
        const int32_t kept = p->category[i - 1];
        p->category[i - 1] = p->category[j];
        p->category[j] = kept;
    }
}

enum ecc_status ecc_draw_plane(struct ecc_plane *p, const char *path, struct ecc_error *error)
{
    struct ecc_plot plot;
    shuffle(p);
    ecc_plot_start(&plot, p->title, 400, 400);
    plot.figure.caption = p->caption;
    struct ecc_chart *const chart = ecc_plot_chart(&plot, NULL, p->x_label, p->y_label);
    chart->equal_scales = true;
    chart->category_names = p->category_names;
    chart->category_count = p->category_count;
    struct ecc_series *const points = ecc_plot_points(&plot, NULL, p->x, p->y, p->n);
    points->category = p->category;
    if (p->n > 100000) { /* where there are very many, each lets more of the others through */
        points->colour =
            (struct ecc_colour){0.1, 0.3, 0.6, fmax(0.08, 0.6 * sqrt(1e5 / (double)p->n))};
    }
    if (p->circle > 0) ecc_plot_circle(&plot, p->circle_x, p->circle_y, p->circle, "√d");
    return ecc_plot_write(&plot, path, error);
}
