/* training.c: a training in pictures: curves, reconstructions and samples, in RUN/figures. */
#include "show/training.h"
#include "base/file.h"
#include "base/text.h"
#include "figure/figure.h"
#include "model/model.h"
#include "run/metrics.h"
#include "show/item_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20, SAMPLES = 64, SAMPLE_COLUMNS = 16 };

static char *figure_path(const char *run, const char *name)
{
    char *const folder = ecc_path_join(run, ECC_RUN_FIGURES);
    char *const path = folder ? ecc_path_join(folder, name) : NULL;
    free(folder);
    return path;
}

static enum ecc_status write_figure(const struct ecc_figure *figure, const char *run,
                                    const char *name, struct ecc_error *error)
{
    char *const path = figure_path(run, name);
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_figure_write(figure, path, error);
    free(path);
    return status;
}

static enum ecc_status draw_curves(const char *run, size_t latent, struct ecc_error *error)
{
    struct ecc_metrics_table table;
    ECC_TRY(ecc_metrics_read(&table, run, error));
    static const char *const names[] = {"error", "validation_error", "eccentricity", "trace"};
    static const char *const labels[] = {"training", "unseen items", NULL, NULL};
    struct ecc_series series[4];
    double *const memory = calloc(8 * table.rows + 1, sizeof *memory);
    enum ecc_status status = memory ? ECC_OK : ecc_fail_memory(error, "the curves");
    for (size_t c = 0; status == ECC_OK && c < 4; c++) {
        double *const x = memory + 2 * c * table.rows, *const y = x + table.rows;
        series[c] = (struct ecc_series){.name = labels[c],
                                        .x = x,
                                        .y = y,
                                        .n = ecc_metrics_curve(x, y, &table, names[c]),
                                        .size = 1.4};
    }
    const struct ecc_rule rule = {.at = (double)latent, .label = "d"};
    const struct ecc_panel panels[] = {
        {.title = "reconstruction error",
         .chart = {.x = {.label = "epoch"},
                   .y = {.logarithmic = true},
                   .series = series,
                   .series_count = 2}},
        {.title = "eccentricity",
         .chart = {.x = {.label = "epoch"}, .series = series + 2, .series_count = 1}},
        {.title = "trace of the covariance",
         .chart = {.x = {.label = "epoch"},
                   .series = series + 3,
                   .series_count = 1,
                   .rules = &rule,
                   .rule_count = 1}},
    };
    const struct ecc_figure figure = {.title = "Training",
                                      .panels = panels,
                                      .panel_count = 3,
                                      .panel_width = 230,
                                      .panel_height = 170};
    if (status == ECC_OK) status = write_figure(&figure, run, "curves.png", error);
    free(memory);
    ecc_metrics_table_release(&table);
    return status;
}

/* Items above what became of them; unseen ones where there are any. */
static enum ecc_status draw_examples(const char *run, const struct ecc_train_progress *now,
                                     struct ecc_error *error)
{
    static const char *const rows[] = {"item", "reconstruction"};
    const size_t size = now->channels * now->height * now->width;
    float *const pixels = malloc(2 * SHOWN * size * sizeof *pixels);
    size_t n = SHOWN;
    bool unseen;
    if (!pixels) return ecc_fail_memory(error, "the reconstructions");
    enum ecc_status status =
        ecc_train_examples(now->trainer, pixels, pixels + SHOWN * size, &n, &unseen, error);
    if (status == ECC_OK) {
        memmove(pixels + n * size, pixels + SHOWN * size, n * size * sizeof *pixels);
        const struct ecc_panel panel = {.kind = ECC_PANEL_SHEET,
                                        .sheet = {.pixels = pixels,
                                                  .count = 2 * n,
                                                  .channels = now->channels,
                                                  .height = now->height,
                                                  .width = now->width,
                                                  .columns = n,
                                                  .row_names = rows}};
        const struct ecc_figure figure = {.title = unseen ? "Reconstructions of unseen items"
                                                          : "Reconstructions",
                                          .panels = &panel,
                                          .panel_count = 1};
        status = write_figure(&figure, run, "reconstructions.png", error);
    }
    free(pixels);
    return status;
}

static bool drawable(size_t channels, size_t pixels)
{
    return pixels > 1 && (channels == 1 || channels == 3);
}

enum ecc_status ecc_show_progress(const char *run, const struct ecc_train_progress *now,
                                  struct ecc_error *error)
{
    ECC_TRY(draw_curves(run, now->latent, error));
    if (!drawable(now->channels, now->height * now->width)) return ECC_OK;
    return draw_examples(run, now, error);
}

/* ---- Samples -------------------------------------------------------------------------------- */

static enum ecc_status draw_samples(struct ecc_model *m, float *x, uint64_t seed, const char *path,
                                    struct ecc_error *error)
{
    char caption[200];
    snprintf(caption, sizeof caption, "%.60s, seed %llu", ecc_short_name(m->run->directory),
             (unsigned long long)seed);
    const struct ecc_sampler sampler = {.components = &m->components, .seed = seed};
    const struct ecc_output_words words = {
        .title = "Samples from the fitted Gaussian", .caption = caption, .columns = SAMPLE_COLUMNS};
    float *const z = x + SAMPLES * m->size;
    struct ecc_item_output *output;
    ECC_TRY(ecc_item_output_create(&output, path, m, SAMPLES, &words, error));
    enum ecc_status status = ecc_sampler_draw(&sampler, z, 0, SAMPLES, error);
    if (status == ECC_OK) status = ecc_model_decode(m, x, z, SAMPLES, error);
    if (status == ECC_OK) status = ecc_item_output_add(output, x, SAMPLES, error);
    if (status == ECC_OK) status = ecc_item_output_finish(output, error);
    ecc_item_output_free(output);
    return status;
}

enum ecc_status ecc_show_samples(struct ecc_model *m, uint64_t seed, struct ecc_error *error)
{
    if (!drawable(m->shape.channels, m->shape.height * m->shape.width)) return ECC_OK;
    float *const memory = malloc(SAMPLES * (m->size + m->d) * sizeof *memory);
    char *const path = figure_path(m->run->directory, "samples.png");
    const enum ecc_status status = memory && path ? draw_samples(m, memory, seed, path, error)
                                                  : ecc_fail_memory(error, "the samples");
    free(path);
    free(memory);
    return status;
}
