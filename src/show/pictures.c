/* pictures.c: charts of a latent space: spectrum, loadings of a table, latents in a plane. */
#include "show/pictures.h"
#include "base/rng.h"
#include "base/streams.h"
#include "figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Spectrum ------------------------------------------------------------------------------- */

struct name {
    char text[100];
};

static enum ecc_status write_spectrum(const struct ecc_series *series, size_t count, size_t longest,
                                      double largest, const char *path, struct ecc_error *error)
{
    const struct ecc_rule one = {.at = 1, .label = "1"};
    const double high = 1.08 * fmax(1, largest);
    const struct ecc_panel panel = {
        .chart = {
            .x = {.label = "component", .low = 0.5, .high = (double)longest + 0.5, .whole = true},
            .y = {.label = "variance along it (eigenvalue)", .high = high},
            .series = series,
            .series_count = count,
            .rules = &one,
            .rule_count = 1,
            .legend = ECC_LEGEND_TOP_RIGHT}};
    const struct ecc_figure figure = {.title = "Spectrum of the latents' covariance",
                                      .panels = &panel,
                                      .panel_count = 1,
                                      .panel_width = 380,
                                      .panel_height = 240};
    return ecc_figure_write(&figure, path, error);
}

enum ecc_status ecc_draw_spectrum(const struct ecc_components *components, const char *const *names,
                                  size_t count, const char *path, struct ecc_error *error)
{
    size_t longest = 0;
    double largest = 0;
    for (size_t r = 0; r < count; r++) {
        longest = components[r].d > longest ? components[r].d : longest;
        largest = fmax(largest, components[r].eigenvalues[0]);
    }
    struct ecc_series *const series = calloc(count + 1, sizeof *series);
    struct name *const labels = calloc(count + 1, sizeof *labels);
    double *const ranks = calloc(longest + 1, sizeof *ranks);
    enum ecc_status status =
        series && labels && ranks ? ECC_OK : ecc_fail_memory(error, "the spectrum");
    for (size_t k = 0; k < longest && status == ECC_OK; k++) ranks[k] = (double)k + 1;
    for (size_t r = 0; r < count && status == ECC_OK; r++) {
        snprintf(labels[r].text, sizeof labels[r].text, "%.60s: eccentricity %.3f", names[r],
                 components[r].eccentricity);
        series[r] = (struct ecc_series){.name = labels[r].text,
                                        .x = ranks,
                                        .y = components[r].eigenvalues,
                                        .n = components[r].d};
    }
    if (status == ECC_OK) status = write_spectrum(series, count, longest, largest, path, error);
    free(series);
    free(labels);
    free(ranks);
    return status;
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

static enum ecc_status write_loadings(const struct ecc_model *model, const double *loadings,
                                      const char *const *rows, size_t count, double deviations,
                                      const char *path, struct ecc_error *error)
{
    char caption[120];
    snprintf(caption, sizeof caption, "half the change from −%gσ to +%gσ along each", deviations,
             deviations);
    const struct ecc_panel panel = {
        .kind = ECC_PANEL_HEAT,
        .heat = {.values = loadings,
                 .rows = count,
                 .columns = model->size,
                 .row_names = rows,
                 .column_names = (const char *const *)model->scaling.names,
                 .column_label = model->scaling.names ? NULL : "column",
                 .scale_label = "in deviations"}};
    const struct ecc_figure figure = {.title = "Components and columns",
                                      .caption = caption,
                                      .panels = &panel,
                                      .panel_count = 1,
                                      .panel_width = fmin(640, 30 * (double)model->size + 120)};
    return ecc_figure_write(&figure, path, error);
}

enum ecc_status ecc_draw_loadings(const struct ecc_model *model, const double *loadings,
                                  const size_t *list, size_t count, double deviations,
                                  const char *path, struct ecc_error *error)
{
    const char **const rows = calloc(count + 1, sizeof *rows);
    struct name *const texts = calloc(count + 1, sizeof *texts);
    enum ecc_status status = rows && texts ? ECC_OK : ecc_fail_memory(error, "names of components");
    for (size_t l = 0; l < count && status == ECC_OK; l++) {
        snprintf(texts[l].text, sizeof texts[l].text, "p%zu", list[l] + 1);
        rows[l] = texts[l].text;
    }
    if (status == ECC_OK) {
        status = write_loadings(model, loadings, rows, count, deviations, path, error);
    }
    free(rows);
    free(texts);
    return status;
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
    shuffle(p);
    /* where there are very many, each lets more of the others through */
    const double alpha = p->n > 100000 ? fmax(0.08, 0.6 * sqrt(1e5 / (double)p->n)) : 0;
    const struct ecc_series series = {.x = p->x,
                                      .y = p->y,
                                      .n = p->n,
                                      .mark = ECC_MARK_POINTS,
                                      .category = p->category,
                                      .colour = p->category || alpha == 0
                                                    ? (struct ecc_colour){0, 0, 0, alpha}
                                                    : (struct ecc_colour){0.1, 0.3, 0.6, alpha}};
    const struct ecc_circle circle = {p->circle_x, p->circle_y, p->circle, "√d"};
    const struct ecc_panel panel = {.chart = {.x = {.label = p->x_label},
                                              .y = {.label = p->y_label},
                                              .series = &series,
                                              .series_count = 1,
                                              .circles = &circle,
                                              .circle_count = p->circle > 0,
                                              .equal_scales = true,
                                              .category_names = p->category_names,
                                              .category_count = p->category_count}};
    const struct ecc_figure figure = {.title = p->title,
                                      .caption = p->caption,
                                      .panels = &panel,
                                      .panel_count = 1,
                                      .panel_width = 400,
                                      .panel_height = 400};
    return ecc_figure_write(&figure, path, error);
}
