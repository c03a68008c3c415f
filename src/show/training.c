/* training.c: a training in pictures: curves, reconstructions and samples, in RUN/figures. */
#include "show/training.h"
#include "base/file.h"
#include "base/text.h"
#include "figure/plot.h"
#include "latent/sampler.h"
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

static enum ecc_status write_plot(struct ecc_plot *plot, const char *run, const char *name,
                                  struct ecc_error *error)
{
    char *const path = figure_path(run, name);
    const enum ecc_status status =
        path ? ecc_plot_draw(plot, path, error) : ecc_fail_memory(error, "a path");
    free(path);
    ecc_plot_release(plot);
    return status;
}

/* A column of the metrics against epochs. */
static void add_curve(struct ecc_plot *plot, const struct ecc_metrics_table *table,
                      const char *column, const char *label)
{
    double *const x = ecc_plot_numbers(plot, 2 * table->rows + 1);
    if (!x) return;
    double *const y = x + table->rows;
    const size_t n = ecc_metrics_curve_of(x, y, table, column, false);
    ecc_plot_line(plot, label, x, y, n)->size = 1.4;
}

/* The same in the second training, if there is one. */
static void add_refit(struct ecc_plot *plot, const struct ecc_metrics_table *table,
                      const char *column, const char *label)
{
    double *const x = ecc_plot_numbers(plot, 2 * table->rows + 1);
    if (!x) return;
    double *const y = x + table->rows;
    const size_t n = ecc_metrics_curve_of(x, y, table, column, true);
    if (n == 0) return;
    struct ecc_series *const line = ecc_plot_line(plot, label, x, y, n);
    line->size = 1.4;
    line->colour = ecc_colour_category(2);
}

static enum ecc_status draw_curves(const char *run, size_t latent, struct ecc_error *error)
{
    struct ecc_metrics_table table;
    struct ecc_plot plot;
    ECC_TRY(ecc_metrics_read(&table, run, error));
    ecc_plot_start(&plot, "Training", 230, 170);
    ecc_plot_chart(&plot, "reconstruction error", "epoch", NULL)->y.logarithmic = true;
    add_curve(&plot, &table, "error", "training");
    add_curve(&plot, &table, "validation_error", "validation items");
    add_refit(&plot, &table, "error", "again, on all items");
    ecc_plot_chart(&plot, "eccentricity", "epoch", NULL);
    add_curve(&plot, &table, "eccentricity", NULL);
    add_refit(&plot, &table, "eccentricity", NULL);
    ecc_plot_chart(&plot, "trace of the covariance", "epoch", NULL);
    add_curve(&plot, &table, "trace", NULL);
    add_refit(&plot, &table, "trace", NULL);
    ecc_plot_rule(&plot, (double)latent, "d");
    ecc_metrics_table_release(&table);
    return write_plot(&plot, run, "curves.png", error);
}

/* Items above their reconstructions; unseen items if there are any. */
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
        struct ecc_plot plot;
        ecc_plot_start(&plot, unseen ? "Reconstructions of validation items" : "Reconstructions", 0,
                       0);
        struct ecc_sheet *const sheet =
            ecc_plot_sheet(&plot, pixels, 2 * n, now->channels, now->height, now->width);
        sheet->columns = n;
        sheet->row_names = rows;
        status = write_plot(&plot, run, "reconstructions.png", error);
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
    char title[60], caption[200];
    snprintf(caption, sizeof caption, "%.60s, seed %llu", ecc_short_name(m->run->directory),
             (unsigned long long)seed);
    const struct ecc_sampler sampler = ecc_model_sampler(m, &m->components, seed);
    snprintf(title, sizeof title, "Samples from %s", ecc_sample_words[sampler.from]);
    const struct ecc_output_words words = {
        .title = title, .caption = caption, .columns = SAMPLE_COLUMNS};
    float *const z = x + SAMPLES * m->size;
    struct ecc_item_output *output;
    ECC_TRY(ecc_item_output_create(&output, path, m, SAMPLES, &words, error));
    enum ecc_status status = ecc_sampler_draw(&sampler, z, 0, SAMPLES, error);
    if (status == ECC_OK) status = ecc_model_decode(m, x, z, SAMPLES, error);
    if (status == ECC_OK) status = ecc_item_output_add(output, x, z, SAMPLES, error);
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
