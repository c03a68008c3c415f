/* pictures_sheets.c: images along components: pairs, strips, grids of sign combinations. */
#include "eccentric_show.h"

#include "base/text.h"
#include "figure/plot.h"
#include "latent/walk.h"
#include "model/model.h"
#include "show/item_output.h"

#include <math.h>
#include <stdlib.h>

enum { PAIRS_IN_ROW = 16 };

/* "p3 12%" for each of a list. */
static const char **name_components(struct ecc_plot *plot, const struct ecc_components *c,
                                    const size_t *list, size_t count)
{
    const char **const names = ecc_plot_names(plot, count);
    for (size_t l = 0; names && l < count; l++) {
        const double percent = 100 * c->explained[list[l]];
        names[l] = ecc_plot_text(plot, percent < 9.95 ? "p%zu %.1f%%" : "p%zu %.0f%%", list[l] + 1,
                                 percent);
    }
    return names;
}

/* Decodes z: [count, d], which is freed, to *x, the caller's to free. */
static enum ecc_status decode(struct ecc_model *m, float **x, float *z, size_t count,
                              const char *path, struct ecc_error *error)
{
    enum ecc_status status = ECC_OK;
    *x = NULL;
    if (!ecc_model_drawable(m)) {
        char shown[ECC_PATH_SIZE];
        status = ecc_fail(error, ECC_BAD_ARGUMENT,
                          "cannot draw %s: the items of this run are not images of 1 or 3 channels",
                          ecc_quote_path(shown, path));
    } else if (!z || count > SIZE_MAX / sizeof **x / m->size ||
               !(*x = malloc(count * m->size * sizeof **x))) {
        status = ecc_fail_memory(error, "the images");
    }
    if (status == ECC_OK) status = ecc_model_decode(m, *x, z, count, error);
    free(z);
    if (status == ECC_OK) return ECC_OK;
    free(*x);
    *x = NULL;
    return status;
}

static struct ecc_sheet *add_sheet(struct ecc_plot *plot, const struct ecc_model *m, const float *x,
                                   size_t count, size_t columns)
{
    struct ecc_sheet *const sheet =
        ecc_plot_sheet(plot, x, count, m->shape.channels, m->shape.height, m->shape.width);
    sheet->columns = columns;
    return sheet;
}

/* ---- Pairs ---------------------------------------------------------------------------------- */

/* z: [2, n, d] of the components first .. first + n - 1 of the list, for one block. */
static void fill_pairs(float *z, const struct ecc_components *c, const size_t *list, size_t n,
                       double deviations)
{
    for (size_t l = 0; l < n; l++) {
        const double plus = deviations, minus = -deviations;
        ecc_walk_point(c, z + l * c->d, &list[l], &plus, 1);
        ecc_walk_point(c, z + (n + l) * c->d, &list[l], &minus, 1);
    }
}

/* Points per pixel, the same for all blocks whatever the number of components in the last one. */
static double pair_scale(const struct ecc_model *m, size_t count)
{
    const size_t widest = count < PAIRS_IN_ROW ? count : PAIRS_IN_ROW;
    const double tile = fmin(fmax(520 / (double)widest, 40), 72);
    return fmax(0.5, floor(2 * tile / (double)m->shape.width) / 2);
}

enum ecc_status ecc_draw_pairs(struct ecc_model *m, const struct ecc_components *c,
                               const size_t *list, size_t count, double deviations,
                               const char *path, struct ecc_error *error)
{
    float *const z = malloc(2 * count * c->d * sizeof *z), *x;
    struct ecc_plot plot;
    for (size_t first = 0; z && first < count; first += PAIRS_IN_ROW) {
        const size_t n = count - first < PAIRS_IN_ROW ? count - first : PAIRS_IN_ROW;
        fill_pairs(z + 2 * first * c->d, c, list + first, n, deviations);
    }
    ECC_TRY(decode(m, &x, z, 2 * count, path, error));
    ecc_plot_start(&plot, "Deep principal components", 0, 0);
    plot.figure.columns = 1;
    plot.figure.caption = ecc_plot_text(&plot,
                                        "the mean plus and minus %g standard deviations along each "
                                        "component, with its share of the variance",
                                        deviations);
    const char *const rows[] = {ecc_plot_text(&plot, "+%gσ", deviations),
                                ecc_plot_text(&plot, "−%gσ", deviations)};
    for (size_t first = 0; first < count; first += PAIRS_IN_ROW) {
        const size_t n = count - first < PAIRS_IN_ROW ? count - first : PAIRS_IN_ROW;
        struct ecc_sheet *const sheet = add_sheet(&plot, m, x + 2 * first * m->size, 2 * n, n);
        sheet->row_names = rows;
        sheet->column_names = name_components(&plot, c, list + first, n);
        sheet->scale = pair_scale(m, count);
    }
    const enum ecc_status status = ecc_plot_write(&plot, path, error);
    free(x);
    return status;
}

/* ---- Strips --------------------------------------------------------------------------------- */

/* "−2σ" ... "+2σ"; the middle of an odd number is the mean. */
static const char **name_steps(struct ecc_plot *plot, size_t steps, double deviations)
{
    const char **const names = ecc_plot_names(plot, steps);
    for (size_t s = 0; names && s < steps; s++) {
        const double amount = deviations * (2 * (double)s / (double)(steps - 1) - 1);
        names[s] = 2 * s + 1 == steps ? "mean"
                                      : ecc_plot_text(plot, "%s%gσ", amount < 0 ? "−" : "+",
                                                      round(100 * fabs(amount)) / 100);
    }
    return names;
}

enum ecc_status ecc_draw_strips(struct ecc_model *m, const struct ecc_components *c,
                                const size_t *list, size_t count, size_t steps, double deviations,
                                const char *path, struct ecc_error *error)
{
    float *const z = malloc(count * steps * c->d * sizeof *z), *x;
    struct ecc_plot plot;
    for (size_t l = 0; z && l < count; l++) {
        ecc_walk_strip(c, z + l * steps * c->d, list[l], steps, deviations);
    }
    ECC_TRY(decode(m, &x, z, count * steps, path, error));
    ecc_plot_start(&plot, "Along the deep principal components", 0, 0);
    plot.figure.caption = "each row: one component changes, the others stay at the mean";
    struct ecc_sheet *const sheet = add_sheet(&plot, m, x, count * steps, steps);
    sheet->row_names = name_components(&plot, c, list, count);
    sheet->column_names = name_steps(&plot, steps, deviations);
    const enum ecc_status status = ecc_plot_write(&plot, path, error);
    free(x);
    return status;
}

/* ---- Grids ---------------------------------------------------------------------------------- */

/* "p6+ p11− p3+" for each combination of signs. */
static const char **name_signs(struct ecc_plot *plot, const size_t *list, size_t count)
{
    const size_t combinations = (size_t)1 << count;
    const char **const names = ecc_plot_names(plot, combinations);
    for (size_t at = 0; names && at < combinations; at++) {
        names[at] = "";
        for (size_t l = 0; l < count; l++) {
            names[at] = ecc_plot_text(plot, "%s%sp%zu%s", names[at], l ? " " : "", list[l] + 1,
                                      ecc_walk_sign(at, l, count) ? "+" : "−");
        }
    }
    return names;
}

enum ecc_status ecc_draw_grid(struct ecc_model *m, const struct ecc_components *c,
                              const struct ecc_walk_grid *grid, const char *path,
                              struct ecc_error *error)
{
    ECC_TRY(ecc_walk_check(c, grid, error));
    const size_t rows = (size_t)1 << grid->y_count, columns = (size_t)1 << grid->x_count;
    float *const z = malloc(rows * columns * c->d * sizeof *z), *x;
    if (z) ECC_TRY(ecc_walk_grid(c, z, grid, error)); /* which was checked: nothing to free */
    ECC_TRY(decode(m, &x, z, rows * columns, path, error));
    struct ecc_plot plot;
    ecc_plot_start(&plot, "Combinations of components", 0, 0);
    plot.figure.caption =
        ecc_plot_text(&plot, "the mean plus or minus %gσ along each component", grid->deviations);
    struct ecc_sheet *const sheet = add_sheet(&plot, m, x, rows * columns, columns);
    sheet->row_names = name_signs(&plot, grid->y, grid->y_count);
    sheet->column_names = name_signs(&plot, grid->x, grid->x_count);
    const enum ecc_status status = ecc_plot_write(&plot, path, error);
    free(x);
    return status;
}
