/* classification.c: error against the number of labels, what stumps find, or what attributes are
 * known by. */
#include "show/classification.h"
#include "figure/plot.h"
#include "model/seen.h"

#include <string.h>

const char *const ecc_classify_method_words[] = {"nearest neighbours", "decision trees",
                                                 "a network of two hidden layers"};

/* ---- Error against the number of labels ----------------------------------------------------- */

/* 100 (error + times * deviation) of a view in each row. */
static const double *curve(struct ecc_plot *plot, const struct ecc_classification *c, size_t view,
                           double times)
{
    double *const y = ecc_plot_numbers(plot, c->row_count);
    for (size_t r = 0; y && r < c->row_count; r++) {
        y[r] = 100 * (c->rows[r].error[view] + times * c->rows[r].deviation[view]);
    }
    return y;
}

static void draw_band(struct ecc_plot *plot, const struct ecc_classification *c, const double *x)
{
    struct ecc_colour pale = ecc_colour_category(0);
    pale.alpha = 0.6;
    for (int side = -1; side <= 1; side += 2) {
        const double *const y = curve(plot, c, ECC_VIEW_LATENTS, side);
        struct ecc_series *const line =
            ecc_plot_line(plot, side < 0 ? "± deviation" : NULL, x, y, c->row_count);
        line->mark = ECC_MARK_DASHED;
        line->size = 0.8;
        line->colour = pale;
    }
}

static enum ecc_status draw_curves(const struct ecc_classification *c, const char *path,
                                   struct ecc_error *error)
{
    struct ecc_plot plot;
    char words[ECC_SEEN_WORDS];
    ecc_plot_start(&plot, "Error with few labels", 0, 0);
    plot.figure.caption =
        ecc_plot_text(&plot, "%s · %zu %s · mean over %zu draws of the labelled items",
                      ecc_classify_method_words[c->method], c->test_items,
                      ecc_seen_words(words, &c->seen), c->rows[0].repeats);
    struct ecc_chart *const chart = ecc_plot_chart(&plot, NULL, "labelled items", "error (%)");
    chart->x.logarithmic = chart->y.logarithmic = true;
    double *const x = ecc_plot_numbers(&plot, c->row_count);
    for (size_t r = 0; x && r < c->row_count; r++) x[r] = (double)c->rows[r].labels;
    for (size_t v = 0; v < c->view_count; v++) {
        const char *const name = v == ECC_VIEW_PCA ? "ordinary PCA" : c->views[v].name;
        struct ecc_series *const line =
            ecc_plot_line(&plot, name, x, curve(&plot, c, v, 0), c->row_count);
        line->size = v == ECC_VIEW_LATENTS ? 2 : 1.2;
        line->colour = ecc_colour_category(v);
    }
    draw_band(&plot, c, x);
    ecc_plot_rule(&plot, 100 * c->rows[0].majority, "majority");
    return ecc_plot_write(&plot, path, error);
}

/* ---- Heat maps ------------------------------------------------------------------------------ */

/* Of these rows and columns, tall enough for the names of many rows. */
static struct ecc_heat *start_heat(struct ecc_plot *plot, const char *title, size_t rows,
                                   size_t columns, double **values)
{
    ecc_plot_start(plot, title, 0, rows > 16 ? 13 * (double)rows : 0);
    *values = ecc_plot_numbers(plot, rows * columns);
    return ecc_plot_heat(plot, NULL, *values, rows, columns);
}

/* Rows by decreasing gain, a column for each component. */
static enum ecc_status draw_stumps(const struct ecc_classification *c, const char *path,
                                   struct ecc_error *error)
{
    const size_t rows = c->name_count, d = c->latent;
    struct ecc_plot plot;
    double *values;
    struct ecc_heat *const heat =
        start_heat(&plot, "What single components predict", rows, d, &values);
    const char **const row_names = ecc_plot_names(&plot, rows);
    const char **const column_names = ecc_plot_names(&plot, d);
    for (size_t r = 0; values && row_names && r < rows; r++) {
        row_names[r] = c->names[c->ranking[r]];
        memcpy(values + r * d, c->gains + c->ranking[r] * d, d * sizeof *values);
    }
    for (size_t k = 0; column_names && k < d; k++) {
        column_names[k] = ecc_plot_text(&plot, "p%zu", k + 1);
    }
    plot.figure.caption = "red: found where the component is large, blue: small";
    heat->row_names = row_names;
    heat->column_names = column_names;
    heat->row_label = c->attributes ? NULL : "class";
    heat->column_label = "component";
    heat->scale_label = "information gain (bits)";
    return ecc_plot_write(&plot, path, error);
}

/* By how much each view predicts each attribute better than the majority does. */
static enum ecc_status draw_targets(const struct ecc_classification *c, const char *path,
                                    struct ecc_error *error)
{
    const size_t columns = c->view_count;
    struct ecc_plot plot;
    double *values;
    struct ecc_heat *const heat =
        start_heat(&plot, "What the neighbours predict", c->target_count, columns, &values);
    const char **const names = ecc_plot_names(&plot, columns);
    for (size_t v = 0; names && v < columns; v++) names[v] = c->views[v].name;
    for (size_t i = 0; values && i < c->target_count * columns; i++) {
        const size_t t = i / columns;
        values[i] = 100 * (c->target_majority[t] - c->views[i % columns].target_errors[t]);
    }
    plot.figure.caption = "red: better than always giving the more frequent answer";
    heat->row_names = (const char *const *)c->names;
    heat->column_names = names;
    heat->scale_label = "error below the majority's (points)";
    return ecc_plot_write(&plot, path, error);
}

enum ecc_status ecc_draw_classification(const struct ecc_classification *c, const char *path,
                                        struct ecc_error *error)
{
    if (c->row_count == 0) return ecc_draw_numbers(c, path, error);
    const bool several = c->row_count > 1 && c->rows[0].labels != c->rows[1].labels;
    if (several) return draw_curves(c, path, error);
    if (c->stumps) return draw_stumps(c, path, error);
    return c->attributes ? draw_targets(c, path, error) : ecc_show_confusion(c, path, error);
}
