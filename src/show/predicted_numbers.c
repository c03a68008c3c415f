/* predicted_numbers.c: predicted numbers against the true ones, or how well several are known. */
#include "figure/plot.h"
#include "show/classification.h"

#include <math.h>

enum { POINTS = 2000 };

/* The items whose number is known, at most POINTS of them, evenly spread: truth, predicted:
 * [POINTS]. Returns how many. */
static size_t pick(double *truth, double *predicted, const struct ecc_number_result *number,
                   size_t test_items)
{
    const size_t kept = number->test_items < POINTS ? number->test_items : POINTS;
    size_t at = 0;
    for (size_t i = 0, seen = 0; i < test_items && at < kept; i++) {
        if (isnan(number->truth[i])) continue;
        if (seen++ * kept / number->test_items < at) continue;
        truth[at] = number->truth[i];
        predicted[at++] = number->predicted[i];
    }
    return at;
}

static void put_diagonal(struct ecc_plot *plot, const double *truth, const double *predicted,
                         size_t n)
{
    double *const range = ecc_plot_numbers(plot, 2);
    for (size_t i = 0; range && i < n; i++) {
        range[0] = fmin(i > 0 ? range[0] : truth[i], fmin(truth[i], predicted[i]));
        range[1] = fmax(i > 0 ? range[1] : truth[i], fmax(truth[i], predicted[i]));
    }
    struct ecc_series *const line = ecc_plot_line(plot, NULL, range, range, 2);
    line->mark = ECC_MARK_DASHED;
    line->colour = (struct ecc_colour){0.5, 0.5, 0.5, 1};
    line->size = 0.8;
}

void ecc_plot_number(struct ecc_plot *plot, const struct ecc_classification *c, size_t number)
{
    const struct ecc_number_result *const r = &c->numbers[number];
    struct ecc_chart *const chart = ecc_plot_chart(plot, NULL, ecc_plot_text(plot, "%s", r->name),
                                                   ecc_plot_text(plot, "predicted %s", r->name));
    chart->equal_scales = true;
    double *const truth = ecc_plot_numbers(plot, POINTS);
    double *const predicted = ecc_plot_numbers(plot, POINTS);
    const size_t n = truth && predicted ? pick(truth, predicted, r, c->test_items) : 0;
    struct ecc_series *const points = ecc_plot_points(plot, NULL, truth, predicted, n);
    points->colour = ecc_colour_category(0);
    points->colour.alpha = n > 300 ? 0.5 : 0.8;
    put_diagonal(plot, truth, predicted, n);
}

static enum ecc_status draw_one(const struct ecc_classification *c, size_t number, const char *path,
                                struct ecc_error *error)
{
    const struct ecc_number_result *const r = &c->numbers[number];
    const struct ecc_fit *const fit = &r->rows[0].fit[ECC_VIEW_LATENTS];
    struct ecc_plot plot;
    ecc_plot_start(&plot, NULL, 260, 260);
    plot.figure.title = ecc_plot_text(&plot, "%s, predicted", r->name);
    plot.figure.caption =
        ecc_plot_text(&plot, "mean of %zu neighbours · R2 %.3f, mean absolute error %.4g",
                      r->rows[0].parameter, fit->r2, fit->mae);
    ecc_plot_number(&plot, c, number);
    return ecc_plot_write(&plot, path, error);
}

/* The share of the variance that each view's neighbours explain of each number. */
static enum ecc_status draw_several(const struct ecc_classification *c, const size_t *shown,
                                    size_t count, const char *path, struct ecc_error *error)
{
    const size_t columns = c->view_count;
    struct ecc_plot plot;
    ecc_plot_start(&plot, "Numbers predicted by neighbours", 0, count > 8 ? 22 * (double)count : 0);
    double *const values = ecc_plot_numbers(&plot, count * columns);
    const char **const texts = ecc_plot_names(&plot, count * columns);
    const char **const rows = ecc_plot_names(&plot, count);
    const char **const names = ecc_plot_names(&plot, columns);
    for (size_t v = 0; names && v < columns; v++) names[v] = c->views[v].name;
    for (size_t i = 0; values && texts && rows && i < count * columns; i++) {
        const struct ecc_number_result *const r = &c->numbers[shown[i / columns]];
        const double r2 = r->rows[0].fit[i % columns].r2;
        values[i] = fmax(r2, -1); /* far below 0 is useless, however far */
        texts[i] = isnan(r2) ? "" : ecc_plot_text(&plot, "%.2f", r2);
        rows[i / columns] = r->name;
    }
    plot.figure.caption = "red: better than always predicting the mean";
    struct ecc_heat *const heat = ecc_plot_heat(&plot, NULL, values, count, columns);
    heat->row_names = rows;
    heat->column_names = names;
    heat->texts = texts;
    heat->cell_width = 44;
    heat->cell_height = 22;
    heat->limit = 1;
    heat->scale_label = "R2";
    return ecc_plot_write(&plot, path, error);
}

enum ecc_status ecc_draw_numbers(const struct ecc_classification *c, const char *path,
                                 struct ecc_error *error)
{
    enum { MOST = 64 };
    size_t shown[MOST], count = 0;
    for (size_t j = 0; j < c->number_count && count < MOST; j++) {
        if (c->numbers[j].row_count > 0) shown[count++] = j;
    }
    if (count == 0) return ecc_fail(error, ECC_BAD_DATA, "there are no predicted numbers to draw");
    return count == 1 ? draw_one(c, shown[0], path, error)
                      : draw_several(c, shown, count, path, error);
}
