/* classify_draw.c: the picture of `eccentric classify`: error against the number of labels, what
 * stumps find, or what is taken for what. */
#include "cli/classify.h"
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Error against the number of labels ------------------------------------------------------ */

static enum ecc_status draw_curves(const struct ecc_classify *c, const char *path,
                                   struct ecc_error *error)
{
    const size_t n = c->row_count;
    double *const memory = calloc(6 * n, sizeof *memory);
    if (!memory) return ecc_fail_memory(error, "the curves");
    static const char *const names[] = {"latents", "ordinary PCA", "raw"};
    struct ecc_series series[ECC_VIEWS + 2];
    size_t count = 0;
    double *const x = memory, *const low = memory + n, *const high = memory + 2 * n;
    for (size_t r = 0; r < n; r++) {
        const struct ecc_cli_row *const row = &c->rows[r];
        x[r] = (double)row->labels;
        low[r] = 100 * (row->error[0] - row->deviation[0]);
        high[r] = 100 * (row->error[0] + row->deviation[0]);
    }
    for (size_t v = 0; v < c->view_count; v++) {
        double *const y = memory + (3 + v) * n;
        for (size_t r = 0; r < n; r++) y[r] = 100 * c->rows[r].error[v];
        series[count++] = (struct ecc_series){.name = v == 2 ? c->views[v].name : names[v],
                                              .x = x,
                                              .y = y,
                                              .n = n,
                                              .size = v == 0 ? 2 : 1.2,
                                              .colour = ecc_colour_category(v)};
    }
    struct ecc_colour pale = ecc_colour_category(0);
    pale.alpha = 0.6;
    series[count++] = (struct ecc_series){.name = "\u00b1 deviation",
                                          .x = x,
                                          .y = low,
                                          .n = n,
                                          .mark = ECC_MARK_DASHED,
                                          .size = 0.8,
                                          .colour = pale};
    series[count++] = (struct ecc_series){
        .x = x, .y = high, .n = n, .mark = ECC_MARK_DASHED, .size = 0.8, .colour = pale};
    const struct ecc_rule rule = {.at = 100 * c->rows[0].majority, .label = "majority"};
    char caption[160];
    snprintf(caption, sizeof caption,
             "%s \u00b7 %zu test items \u00b7 mean over %zu draws of the labelled items",
             c->settings->method == ECC_CLASSIFY_KNN ? "nearest neighbours" : "decision trees",
             c->test_n, c->rows[0].repeats);
    const struct ecc_panel panel = {.chart = {.x = {.label = "labelled items", .logarithmic = true},
                                              .y = {.label = "error (%)", .logarithmic = true},
                                              .series = series,
                                              .series_count = count,
                                              .rules = &rule,
                                              .rule_count = 1}};
    const struct ecc_figure figure = {
        .title = "Error with few labels", .caption = caption, .panels = &panel, .panel_count = 1};
    const enum ecc_status status = ecc_figure_write(&figure, path, error);
    free(memory);
    return status;
}

/* ---- Heat maps ------------------------------------------------------------------------------- */

static enum ecc_status draw_heat(const char *title, const char *caption,
                                 const struct ecc_heat *heat, const char *path,
                                 struct ecc_error *error)
{
    const struct ecc_panel panel = {.kind = ECC_PANEL_HEAT, .heat = *heat};
    const double row_height = 13;
    const struct ecc_figure figure = {.title = title,
                                      .caption = caption,
                                      .panels = &panel,
                                      .panel_count = 1,
                                      .panel_height =
                                          heat->rows > 16 ? row_height * (double)heat->rows : 0};
    return ecc_figure_write(&figure, path, error);
}

enum { NAME = 12 };

/* "p1", "p2", ...: names: [d] into text: [d, NAME]. */
static void name_components(const char **names, char *text, size_t d)
{
    for (size_t k = 0; k < d; k++) {
        names[k] = text + k * NAME;
        snprintf(text + k * NAME, NAME, "p%zu", k + 1);
    }
}

/* Rows by falling gain, a column for each component. */
static enum ecc_status draw_stumps(const struct ecc_classify *c, const char *path,
                                   struct ecc_error *error)
{
    const size_t rows = c->stump_count, d = c->views[0].d;
    double *const values = malloc(rows * d * sizeof *values);
    const char **const row_names = malloc(rows * sizeof *row_names);
    const char **const column_names = malloc(d * sizeof *column_names);
    char *const text = malloc(d * NAME);
    bool *const used = calloc(rows, sizeof *used);
    enum ecc_status status = values && row_names && column_names && text && used
                                 ? ECC_OK
                                 : ecc_fail_memory(error, "the picture");
    if (status == ECC_OK) name_components(column_names, text, d);
    for (size_t r = 0; status == ECC_OK && r < rows; r++) {
        size_t best = rows;
        for (size_t t = 0; t < rows; t++) {
            if (!used[t] && (best == rows || c->stumps[t].gain > c->stumps[best].gain)) best = t;
        }
        used[best] = true;
        row_names[r] = c->stumps[best].name;
        memcpy(values + r * d, c->stump_gains + best * d, d * sizeof *values);
    }
    const struct ecc_heat heat = {.values = values,
                                  .rows = rows,
                                  .columns = d,
                                  .row_names = row_names,
                                  .column_names = column_names,
                                  .row_label = c->test_labels.attributes ? NULL : "class",
                                  .column_label = "component",
                                  .scale_label = "information gain (bits)"};
    if (status == ECC_OK) {
        status =
            draw_heat("What single components tell",
                      "red: found where the component is large, blue: small", &heat, path, error);
    }
    free(values);
    free(row_names);
    free(column_names);
    free(text);
    free(used);
    return status;
}

/* Which class is taken for which, in percent of the true one; the right answers are left grey. */
static enum ecc_status draw_confusion(const struct ecc_classify *c, const char *path,
                                      struct ecc_error *error)
{
    const size_t classes = c->test_labels.classes[0];
    double *const values = calloc(classes * classes + classes, sizeof *values);
    if (!values) return ecc_fail_memory(error, "the picture");
    double *const total = values + classes * classes;
    for (size_t i = 0; i < c->test_n; i++) {
        const size_t truth = (size_t)c->test_labels.values[i];
        values[truth * classes + (size_t)c->predicted[i]] += 100;
        total[truth] += 1;
    }
    for (size_t i = 0; i < classes * classes; i++) {
        const double count = total[i / classes];
        values[i] = i / classes == i % classes ? (double)NAN : count > 0 ? values[i] / count : 0;
    }
    char numbers[64][8];
    const char *names[64];
    for (size_t k = 0; k < classes && k < 64; k++) {
        snprintf(numbers[k], sizeof numbers[k], "%zu", k);
        const bool named = c->train->class_names && k < c->train->class_count;
        names[k] = named ? c->train->class_names[k] : numbers[k];
    }
    const bool fits = classes <= 64;
    char caption[100];
    snprintf(caption, sizeof caption, "error %.2f %% with %zu labelled items and %zu neighbours",
             100 * c->rows[0].error[0], c->rows[0].labels, c->rows[0].parameter);
    const struct ecc_heat heat = {.values = values,
                                  .rows = classes,
                                  .columns = classes,
                                  .row_names = fits ? names : NULL,
                                  .column_names = fits ? names : NULL,
                                  .from_zero = true,
                                  .row_label = "class",
                                  .column_label = "taken for",
                                  .scale_label = "% of the class"};
    const enum ecc_status status = draw_heat("What is taken for what", caption, &heat, path, error);
    free(values);
    return status;
}

/* How much better than the majority each attribute is known, by each view. */
static enum ecc_status draw_targets(const struct ecc_classify *c, const char *path,
                                    struct ecc_error *error)
{
    const size_t rows = c->test_labels.targets, columns = c->view_count;
    const char *names[ECC_VIEWS];
    double *const values = malloc(rows * columns * sizeof *values);
    if (!values) return ecc_fail_memory(error, "the picture");
    for (size_t v = 0; v < columns; v++) names[v] = c->views[v].name;
    for (size_t i = 0; i < rows * columns; i++) {
        const size_t t = i / columns;
        values[i] = 100 * (c->target_majority[t] - c->target_errors[i % columns][t]);
    }
    const struct ecc_heat heat = {.values = values,
                                  .rows = rows,
                                  .columns = columns,
                                  .row_names = c->test_labels.names,
                                  .column_names = names,
                                  .scale_label = "error below the majority's (points)"};
    const enum ecc_status status =
        draw_heat("What the neighbours know", "red: better than always saying the more frequent",
                  &heat, path, error);
    free(values);
    return status;
}

enum ecc_status ecc_classify_draw(const struct ecc_classify *c, const char *path,
                                  struct ecc_error *error)
{
    if (c->settings->label_count_count > 1 && c->row_count == c->settings->label_count_count) {
        return draw_curves(c, path, error);
    }
    if (c->stumps) return draw_stumps(c, path, error);
    return c->test_labels.attributes ? draw_targets(c, path, error)
                                     : draw_confusion(c, path, error);
}
