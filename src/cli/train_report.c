/* train_report.c: the words, the JSON and the pictures of a finished training. */
#include "base/file.h"
#include "base/rng.h"
#include "base/streams.h"
#include "cli/output.h"
#include "cli/train.h"
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20, SAMPLES = 64, SAMPLE_COLUMNS = 16 };

/* ---- Words and JSON ------------------------------------------------------------------------- */

/* The steered value over the whole set, or NaN without a target. */
static double reached(const struct ecc_trainer *t, const struct ecc_train_result *r)
{
    return t->options.steer == ECC_STEER_ECCENTRICITY ? r->eccentricity
           : t->options.steer == ECC_STEER_LOSS       ? r->eccentric_loss
                                                      : (double)NAN;
}

static bool target_met(const struct ecc_trainer *t, const struct ecc_train_result *r)
{
    return fabs(ecc_steer_error(&t->steer, reached(t, r))) <= 0.05;
}

static json_t *result_json(const struct ecc_trainer *t, const struct ecc_train_result *r)
{
    json_t *const json = json_object();
    ecc_json_text(json, "run", t->run->directory);
    ecc_json_text(json, "data", t->options.data);
    ecc_json_count(json, "items", t->item_count);
    ecc_json_count(json, "latent", t->options.latent);
    ecc_json_text(json, "regularizer", t->options.regularizer);
    ecc_json_count(json, "steps", t->step);
    ecc_json_number(json, "epochs", (double)t->step / (double)t->batches_per_epoch);
    ecc_json_number(json, "seconds", r->seconds);
    ecc_json_number(json, "images_per_second",
                    (double)t->step * (double)t->options.batch / r->seconds);
    ecc_json_number(json, "error", r->error);
    ecc_json_number(json, "validation_error", r->validation_error);
    ecc_json_number(json, "loss", r->eccentric_loss);
    ecc_json_number(json, "lambda", t->steer.lambda);
    ecc_json_number(json, "eccentricity", r->eccentricity);
    ecc_json_number(json, "trace", r->trace);
    ecc_json_numbers(json, "eigenvalues", r->eigenvalues, t->options.latent);
    if (t->options.steer != ECC_STEER_NONE) {
        ecc_json_number(json, "target", t->options.target);
        ecc_json_number(json, "reached", reached(t, r));
        ecc_json_flag(json, "target_met", target_met(t, r));
    }
    return json;
}

static void print_words(const struct ecc_trainer *t, const struct ecc_train_result *r)
{
    printf("%zu items, %llu steps (%.1f epochs) in %.1f s, %.0f items/s\n", t->item_count,
           (unsigned long long)t->step, (double)t->step / (double)t->batches_per_epoch, r->seconds,
           (double)t->step * (double)t->options.batch / r->seconds);
    printf("reconstruction error %.5f", r->error);
    if (!isnan(r->validation_error)) printf(", of unseen items %.5f", r->validation_error);
    printf("\nlatents: %zu dimensions, trace %.3f", t->options.latent, r->trace);
    if (!isnan(r->eccentricity)) printf(", eccentricity %.3f", r->eccentricity);
    if (!isnan(r->eccentric_loss)) printf(", eccentric loss %.4f", r->eccentric_loss);
    if (!(r->trace > 0)) printf("; all are the same");
    printf("\nmodel, metrics and pictures are in %s\n", t->run->directory);
}

/* What was reached instead of the target, and why. */
static void report_target(const struct ecc_trainer *t, const struct ecc_train_result *r)
{
    if (t->options.steer == ECC_STEER_NONE || target_met(t, r)) return;
    const bool high = ecc_steer_error(&t->steer, reached(t, r)) > 0;
    fprintf(stderr,
            "eccentric: the target %s %g was not reached: it is %.4g over all items, with lambda "
            "%.3g; ",
            ecc_steer_names[t->options.steer], t->options.target, reached(t, r), t->steer.lambda);
    if (ecc_steer_stuck(&t->steer)) {
        fprintf(stderr,
                "%s lambda changes nothing any more, so these data and this net do not allow it\n",
                high ? "more" : "less");
    } else {
        fprintf(stderr,
                "lambda was still %s when the training ended: train longer, or start from a %s "
                "--lambda\n",
                high ? "rising" : "falling", high ? "larger" : "smaller");
    }
}

/* ---- Pictures ------------------------------------------------------------------------------- */

static enum ecc_status write_figure(const struct ecc_figure *figure, const struct ecc_run *run,
                                    const char *name, struct ecc_error *error)
{
    char *const path = ecc_path_join(run->figures, name);
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_figure_write(figure, path, error);
    free(path);
    return status;
}

static enum ecc_status draw_curves(const struct ecc_trainer *t, struct ecc_error *error)
{
    struct ecc_metrics_table table;
    ECC_TRY(ecc_metrics_read(&table, t->run->directory, error));
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
    const struct ecc_rule rule = {.at = (double)t->options.latent, .label = "d"};
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
    if (status == ECC_OK) status = write_figure(&figure, t->run, "curves.png", error);
    free(memory);
    ecc_metrics_table_release(&table);
    return status;
}

static bool drawable(const struct ecc_trainer *t)
{
    return !t->data->is_table && (t->data->shape.channels == 1 || t->data->shape.channels == 3);
}

static enum ecc_status draw_sheet(const struct ecc_trainer *t, const float *pixels, size_t count,
                                  size_t columns, const char *const *rows, const char *title,
                                  const char *name, struct ecc_error *error)
{
    const struct ecc_panel panel = {.kind = ECC_PANEL_SHEET,
                                    .sheet = {.pixels = pixels,
                                              .count = count,
                                              .channels = t->data->shape.channels,
                                              .height = t->data->shape.height,
                                              .width = t->data->shape.width,
                                              .columns = columns,
                                              .row_names = rows}};
    const struct ecc_figure figure = {.title = title, .panels = &panel, .panel_count = 1};
    return write_figure(&figure, t->run, name, error);
}

/* Items above what became of them; unseen ones where there are any. */
static enum ecc_status draw_reconstructions(struct ecc_trainer *t, struct ecc_error *error)
{
    const size_t size = ecc_shape_size(t->data->shape);
    const bool unseen = t->validation_count > 0;
    const size_t available = unseen ? t->validation_count : t->item_count;
    const size_t count = available < SHOWN ? available : SHOWN;
    float *const pixels = malloc(2 * count * size * sizeof *pixels);
    if (!pixels) return ecc_fail_memory(error, "the reconstructions");
    double unused;
    enum ecc_status status = ecc_dataset_read(
        t->data, pixels, unseen ? t->items + t->item_count : t->items, count, error);
    if (status == ECC_OK) {
        status = ecc_trainer_reconstruct(t, &unused, pixels + count * size, pixels, count, error);
    }
    static const char *const rows[] = {"item", "reconstruction"};
    if (status == ECC_OK) {
        status = draw_sheet(t, pixels, 2 * count, count, rows,
                            unseen ? "Reconstructions of unseen items" : "Reconstructions",
                            "reconstructions.png", error);
    }
    free(pixels);
    return status;
}

/* z: [n, d] from the Gaussian with the training latents' mean and covariance. */
static void draw_latents(float *z, const struct ecc_trainer *t, const struct ecc_train_result *r,
                         const double *normal, size_t n)
{
    const size_t d = t->options.latent;
    for (size_t i = 0; i < n * d; i++) {
        double sum = r->mean[i % d];
        for (size_t c = 0; c < d; c++) {
            sum +=
                sqrt(fmax(0, r->eigenvalues[c])) * normal[i / d * d + c] * r->axes[c * d + i % d];
        }
        z[i] = (float)sum;
    }
}

static enum ecc_status draw_samples(struct ecc_trainer *t, const struct ecc_train_result *r,
                                    struct ecc_error *error)
{
    const size_t size = ecc_shape_size(t->data->shape), d = t->options.latent;
    float *const pixels = malloc(SAMPLES * size * sizeof *pixels);
    float *const z = malloc(SAMPLES * d * sizeof *z);
    double *const normal = malloc(SAMPLES * d * sizeof *normal);
    enum ecc_status status = pixels && z && normal ? ECC_OK : ecc_fail_memory(error, "the samples");
    if (status == ECC_OK) {
        ecc_rng_normal(normal, t->options.seed, ECC_STREAM_SAMPLES, 0, SAMPLES * d);
        draw_latents(z, t, r, normal, SAMPLES);
    }
    const size_t batch = t->options.batch;
    for (size_t i = 0; status == ECC_OK && i < SAMPLES; i += batch) {
        const size_t count = SAMPLES - i < batch ? SAMPLES - i : batch;
        status = ecc_net_decode(t->net, pixels + i * size, z + i * d, count, false, error);
    }
    if (status == ECC_OK) {
        status = draw_sheet(t, pixels, SAMPLES, SAMPLE_COLUMNS, NULL,
                            "Samples from the fitted Gaussian", "samples.png", error);
    }
    free(pixels);
    free(z);
    free(normal);
    return status;
}

enum ecc_status ecc_train_draw(struct ecc_trainer *t, struct ecc_error *error)
{
    ECC_TRY(draw_curves(t, error));
    return drawable(t) ? draw_reconstructions(t, error) : ECC_OK;
}

enum ecc_status ecc_train_report(struct ecc_trainer *t, const struct ecc_train_result *r,
                                 const struct ecc_common *common, struct ecc_error *error)
{
    char *const path = ecc_run_path(t->run, "result.json");
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_json_write(result_json(t, r), path, error);
    free(path);
    ECC_TRY(status);
    ECC_TRY(ecc_train_draw(t, error));
    if (drawable(t)) ECC_TRY(draw_samples(t, r, error));
    report_target(t, r);
    if (common->json) return ecc_json_print(result_json(t, r), error);
    print_words(t, r);
    return ECC_OK;
}
