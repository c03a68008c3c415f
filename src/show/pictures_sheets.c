/* pictures_sheets.c: images along components: pairs, strips, grids of sign combinations. */
#include "base/text.h"
#include "figure/figure.h"
#include "show/output.h"
#include "show/pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64, PAIRS_IN_ROW = 16 };

/* Names that live as long as a picture is drawn. */
struct names {
    const char **list;
    char (*texts)[NAME_SIZE];
};

static enum ecc_status names_init(struct names *names, size_t count, struct ecc_error *error)
{
    names->list = calloc(count, sizeof *names->list);
    names->texts = calloc(count, sizeof *names->texts);
    for (size_t i = 0; names->list && names->texts && i < count; i++) {
        names->list[i] = names->texts[i];
    }
    return names->list && names->texts ? ECC_OK : ecc_fail_memory(error, "names");
}

static void names_release(struct names *names)
{
    free(names->list);
    free(names->texts);
}

/* "p3 12%" */
static void name_component(char text[NAME_SIZE], const struct ecc_components *c, size_t k)
{
    const double percent = 100 * c->explained[k];
    snprintf(text, NAME_SIZE, percent < 9.95 ? "p%zu %.1f%%" : "p%zu %.0f%%", k + 1, percent);
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
                          "cannot draw %s: the items of this run are no images of 1 or 3 channels",
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

static struct ecc_panel sheet_of(const struct ecc_model *m, const float *x, size_t count,
                                 size_t columns)
{
    return (struct ecc_panel){.kind = ECC_PANEL_SHEET,
                              .sheet = {.pixels = x,
                                        .count = count,
                                        .channels = m->shape.channels,
                                        .height = m->shape.height,
                                        .width = m->shape.width,
                                        .columns = columns}};
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

static enum ecc_status write_pairs(const struct ecc_model *m, const float *x,
                                   const char *const *names, size_t count, double deviations,
                                   const char *path, struct ecc_error *error)
{
    const size_t blocks = (count + PAIRS_IN_ROW - 1) / PAIRS_IN_ROW;
    char plus[24], minus[24], caption[120];
    snprintf(plus, sizeof plus, "+%gσ", deviations);
    snprintf(minus, sizeof minus, "−%gσ", deviations);
    snprintf(caption, sizeof caption,
             "the mean plus and minus %g standard deviations along each component, with its share "
             "of the variance",
             deviations);
    const char *const rows[] = {plus, minus};
    struct ecc_panel *const panels = calloc(blocks, sizeof *panels);
    if (!panels) return ecc_fail_memory(error, "a picture");
    for (size_t b = 0; b < blocks; b++) {
        const size_t first = b * PAIRS_IN_ROW;
        const size_t n = count - first < PAIRS_IN_ROW ? count - first : PAIRS_IN_ROW;
        panels[b] = sheet_of(m, x + 2 * first * m->size, 2 * n, n);
        panels[b].sheet.row_names = rows;
        panels[b].sheet.column_names = names + first;
        /* blocks of the same scale, whatever the number of components in the last one */
        const size_t widest = count < PAIRS_IN_ROW ? count : PAIRS_IN_ROW;
        const double tile = 520 / (double)widest, side = (double)m->shape.width;
        const double scale = (tile < 40 ? 40 : tile > 72 ? 72 : tile) / side;
        panels[b].sheet.scale = scale < 0.5 ? 0.5 : (double)(size_t)(2 * scale) / 2;
    }
    const struct ecc_figure figure = {.title = "Deep principal components",
                                      .caption = caption,
                                      .panels = panels,
                                      .panel_count = blocks,
                                      .columns = 1};
    const enum ecc_status status = ecc_figure_write(&figure, path, error);
    free(panels);
    return status;
}

enum ecc_status ecc_draw_pairs(struct ecc_model *m, const struct ecc_components *c,
                               const size_t *list, size_t count, double deviations,
                               const char *path, struct ecc_error *error)
{
    float *const z = malloc(2 * count * c->d * sizeof *z), *x;
    struct names names;
    for (size_t first = 0; z && first < count; first += PAIRS_IN_ROW) {
        const size_t n = count - first < PAIRS_IN_ROW ? count - first : PAIRS_IN_ROW;
        fill_pairs(z + 2 * first * c->d, c, list + first, n, deviations);
    }
    ECC_TRY(decode(m, &x, z, 2 * count, path, error));
    enum ecc_status status = names_init(&names, count, error);
    for (size_t l = 0; l < count && status == ECC_OK; l++) {
        name_component(names.texts[l], c, list[l]);
    }
    if (status == ECC_OK) status = write_pairs(m, x, names.list, count, deviations, path, error);
    names_release(&names);
    free(x);
    return status;
}

/* ---- Strips --------------------------------------------------------------------------------- */

/* "−2σ" ... "+2σ"; the middle of an odd number is the mean. */
static void name_step(char text[NAME_SIZE], size_t step, size_t steps, double deviations)
{
    const double amount = deviations * (2 * (double)step / (double)(steps - 1) - 1);
    if (2 * step + 1 == steps) {
        snprintf(text, NAME_SIZE, "mean");
    } else {
        snprintf(text, NAME_SIZE, "%s%.3gσ", amount < 0 ? "−" : "+", amount < 0 ? -amount : amount);
    }
}

static enum ecc_status write_strips(const struct ecc_model *m, const float *x,
                                    const struct names *rows, const struct names *columns,
                                    size_t count, size_t steps, const char *path,
                                    struct ecc_error *error)
{
    struct ecc_panel panel = sheet_of(m, x, count * steps, steps);
    panel.sheet.row_names = rows->list;
    panel.sheet.column_names = columns->list;
    const struct ecc_figure figure = {
        .title = "Along the deep principal components",
        .caption = "each row: one component changes, the others stay at the mean",
        .panels = &panel,
        .panel_count = 1};
    return ecc_figure_write(&figure, path, error);
}

enum ecc_status ecc_draw_strips(struct ecc_model *m, const struct ecc_components *c,
                                const size_t *list, size_t count, size_t steps, double deviations,
                                const char *path, struct ecc_error *error)
{
    float *const z = malloc(count * steps * c->d * sizeof *z), *x;
    for (size_t l = 0; z && l < count; l++) {
        ecc_walk_strip(c, z + l * steps * c->d, list[l], steps, deviations);
    }
    ECC_TRY(decode(m, &x, z, count * steps, path, error));
    struct names rows = {0}, columns = {0};
    enum ecc_status status = names_init(&rows, count, error);
    if (status == ECC_OK) status = names_init(&columns, steps, error);
    for (size_t l = 0; l < count && status == ECC_OK; l++) {
        name_component(rows.texts[l], c, list[l]);
    }
    for (size_t s = 0; s < steps && status == ECC_OK; s++) {
        name_step(columns.texts[s], s, steps, deviations);
    }
    if (status == ECC_OK) status = write_strips(m, x, &rows, &columns, count, steps, path, error);
    names_release(&rows);
    names_release(&columns);
    free(x);
    return status;
}

/* ---- Grids ---------------------------------------------------------------------------------- */

/* "p6+ p11− p3+" */
static void name_signs(char text[NAME_SIZE], const size_t *list, size_t count, size_t at)
{
    size_t length = 0;
    for (size_t l = 0; l < count && length < NAME_SIZE; l++) {
        length += (size_t)snprintf(text + length, NAME_SIZE - length, "%sp%zu%s", l ? " " : "",
                                   list[l] + 1, ecc_walk_sign(at, l, count) ? "+" : "−");
    }
}

static enum ecc_status write_grid(const struct ecc_model *m, const float *x, size_t rows,
                                  size_t columns, const struct names *row_names,
                                  const struct names *column_names, double deviations,
                                  const char *path, struct ecc_error *error)
{
    char caption[100];
    snprintf(caption, sizeof caption, "the mean plus or minus %gσ along each component",
             deviations);
    struct ecc_panel panel = sheet_of(m, x, rows * columns, columns);
    panel.sheet.row_names = row_names->list;
    panel.sheet.column_names = column_names->list;
    const struct ecc_figure figure = {.title = "Combinations of components",
                                      .caption = caption,
                                      .panels = &panel,
                                      .panel_count = 1};
    return ecc_figure_write(&figure, path, error);
}

enum ecc_status ecc_draw_grid(struct ecc_model *m, const struct ecc_components *c,
                              const struct ecc_walk_grid *grid, const char *path,
                              struct ecc_error *error)
{
    if (grid->x_count + grid->y_count > ECC_WALK_MOST) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%zu components make a grid of 2^%zu images, expected at most %d of them",
                        grid->x_count + grid->y_count, grid->x_count + grid->y_count,
                        ECC_WALK_MOST);
    }
    const size_t rows = (size_t)1 << grid->y_count, columns = (size_t)1 << grid->x_count;
    float *const z = malloc(rows * columns * c->d * sizeof *z), *x;
    if (z) ecc_walk_grid(c, z, grid);
    ECC_TRY(decode(m, &x, z, rows * columns, path, error));
    struct names row_names = {0}, column_names = {0};
    enum ecc_status status = names_init(&row_names, rows, error);
    if (status == ECC_OK) status = names_init(&column_names, columns, error);
    for (size_t i = 0; i < rows && status == ECC_OK; i++) {
        name_signs(row_names.texts[i], grid->y, grid->y_count, i);
    }
    for (size_t i = 0; i < columns && status == ECC_OK; i++) {
        name_signs(column_names.texts[i], grid->x, grid->x_count, i);
    }
    if (status == ECC_OK) {
        status = write_grid(m, x, rows, columns, &row_names, &column_names, grid->deviations, path,
                            error);
    }
    names_release(&row_names);
    names_release(&column_names);
    free(x);
    return status;
}
