/* heat.c: a matrix of signed values as colours from blue over white to red, with a colour scale. */
#include "figure/colour.h"
#include "figure/names.h"
#include "figure/panel.h"
#include "figure/scale.h"

#include <math.h>
#include <stdlib.h>

static const double NAME_GAP = 4, LABEL_GAP = 5, BAR_GAP = 11, BAR_WIDTH = 9, TICK = 3;
static const double NATURAL_SIDE = 220, LARGEST_CELL = 26, THINNEST = 36; /* of a body */

static const struct ecc_colour NO_VALUE = {0.82, 0.82, 0.82, 1};

static enum ecc_status check(const struct ecc_panel *panel, struct ecc_error *error)
{
    const struct ecc_heat *heat = &panel->heat;
    if (!heat->values || heat->rows == 0 || heat->columns == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "a heat map needs values, this one has %zu by %zu",
                        heat->values ? heat->rows : 0, heat->values ? heat->columns : 0);
    }
    if (heat->rows > SIZE_MAX / sizeof *heat->values / heat->columns) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "a heat map of %zu by %zu values is too large",
                        heat->rows, heat->columns);
    }
    if (!(heat->limit >= 0 && heat->limit <= 1e300)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the limit of a heat map is a finite number of at least 0, not %g",
                        heat->limit);
    }
    return ECC_OK;
}

/* The colours run from -limit, or 0, to limit: as given, or the largest finite size of a value. */
static struct ecc_scale find_scale(const struct ecc_heat *heat)
{
    double limit = heat->limit;
    for (size_t i = 0; heat->limit == 0 && i < heat->rows * heat->columns; i++) {
        const double size = fabs(heat->values[i]);
        if (size <= 1e300 && size > limit) limit = size;
    }
    if (!(limit > 1e-290)) limit = 1;
    return (struct ecc_scale){.low = heat->from_zero ? 0 : -limit, .high = limit};
}

static struct ecc_names row_names(const struct ecc_heat *heat, double height)
{
    return (struct ecc_names){heat->row_names, heat->rows, height / (double)heat->rows};
}

static struct ecc_names column_names(const struct ecc_heat *heat, double width)
{
    return (struct ecc_names){heat->column_names, heat->columns, width / (double)heat->columns};
}

/* Square cells that fill the wanted size, in whole pixels of a PNG where they are that large. */
static void find_body(const struct ecc_heat *heat, double wanted_width, double wanted_height,
                      struct ecc_extent *extent)
{
    const double rows = (double)heat->rows, columns = (double)heat->columns;
    double cell = fmin(NATURAL_SIDE / fmax(rows, columns), LARGEST_CELL);
    if (wanted_width > 0 || wanted_height > 0) {
        cell = fmin(wanted_width > 0 ? wanted_width / columns : (double)INFINITY,
                    wanted_height > 0 ? wanted_height / rows : (double)INFINITY);
    }
    if (heat->cell_width > 0 && heat->cell_height > 0) {
        extent->width = fmax(ceil(columns * heat->cell_width), THINNEST);
        extent->height = fmax(ceil(rows * heat->cell_height), THINNEST);
        return;
    }
    if (cell >= 1) cell = rint(2 * cell) / 2;
    extent->width = fmax(ceil(columns * cell), THINNEST);
    extent->height = fmax(ceil(rows * cell), THINNEST);
}

/* ---- The scale beside the body ------------------------------------------------------------- */

static void find_bar_ticks(const struct ecc_heat *heat, double height, struct ecc_ticks *ticks)
{
    const struct ecc_scale scale = find_scale(heat);
    ecc_ticks_choose(ticks, &scale, (size_t)fmin(fmax(height / 25, 3), 9));
}

static double widest_label(cairo_t *cr, const struct ecc_ticks *ticks)
{
    double width = 0;
    for (size_t i = 0; i < ticks->count; i++) {
        width = fmax(width, ecc_text_width(cr, ECC_TEXT_TICK, ticks->label[i]));
    }
    return width;
}

static void draw_frame(cairo_t *cr, double x, double y, double width, double height)
{
    cairo_set_source_rgb(cr, 0.35, 0.35, 0.35);
    cairo_set_line_width(cr, 0.5);
    cairo_rectangle(cr, x - 0.25, y - 0.25, width + 0.5, height + 0.5);
    cairo_stroke(cr);
}

static enum ecc_status draw_bar(const struct ecc_heat *heat, struct ecc_canvas *canvas,
                                const struct ecc_box *body, struct ecc_error *error)
{
    cairo_t *cr = canvas->cr;
    const double x = body->x + body->width + BAR_GAP;
    struct ecc_raster raster;
    ECC_TRY(ecc_raster_create(&raster, canvas, BAR_WIDTH, body->height, false, error));
    for (size_t row = 0; row < raster.height; row++) {
        const double down = ((double)row + 0.5) / (double)raster.height;
        const double t = heat->from_zero ? 1 - down : 1 - 2 * down;
        const uint32_t pixel = ecc_colour_pixel(ecc_colour_diverging(t));
        for (size_t column = 0; column < raster.width; column++) {
            raster.pixels[row * raster.stride + column] = pixel;
        }
    }
    ecc_raster_paint(&raster, canvas, x, body->y);
    draw_frame(cr, x, body->y, BAR_WIDTH, body->height);

    struct ecc_ticks ticks;
    find_bar_ticks(heat, body->height, &ticks);
    const struct ecc_scale scale = find_scale(heat);
    const double end = x + BAR_WIDTH;
    for (size_t i = 0; i < ticks.count; i++) {
        const double y = body->y + body->height * (1 - ecc_scale_place(&scale, ticks.at[i]));
        cairo_move_to(cr, end, y);
        cairo_line_to(cr, end + TICK, y);
        cairo_stroke(cr);
    }
    for (size_t i = 0; i < ticks.count; i++) {
        const double y = body->y + body->height * (1 - ecc_scale_place(&scale, ticks.at[i]));
        ecc_text_draw(cr, ECC_TEXT_TICK, end + TICK + 3, y, (struct ecc_anchor){0, 0.5}, false,
                      ticks.label[i]);
    }
    ecc_text_label(cr, end + TICK + 3 + widest_label(cr, &ticks) + LABEL_GAP,
                   body->y + body->height / 2, (struct ecc_anchor){0.5, 0}, true, body->height,
                   heat->scale_label);
    return ECC_OK;
}

/* ---- The body ------------------------------------------------------------------------------ */

/* The cells from first to last that a pixel of a row or column stands for. */
static void cells_of_pixel(size_t pixel, size_t pixels, size_t cells, size_t *first, size_t *last)
{
    *first = (size_t)((double)pixel * (double)cells / (double)pixels + 1e-9);
    const double end = (double)(pixel + 1) * (double)cells / (double)pixels;
    *last = (size_t)fmax(ceil(end - 1e-9) - 1, (double)*first);
    if (cells <= pixels) *last = *first;
    if (*first >= cells) *first = cells - 1;
    if (*last >= cells) *last = cells - 1;
}

/* The mean of the finite values of a block of cells, NaN without any. */
static double block_mean(const struct ecc_heat *heat, size_t row, size_t last_row, size_t column,
                         size_t last_column)
{
    double mean = 0;
    size_t count = 0;
    for (size_t r = row; r <= last_row; r++) {
        for (size_t c = column; c <= last_column; c++) {
            const double value = heat->values[r * heat->columns + c];
            if (isfinite(value)) mean += (value - mean) / (double)++count;
        }
    }
    return count ? mean : (double)NAN;
}

static enum ecc_status draw_cells(const struct ecc_heat *heat, struct ecc_canvas *canvas,
                                  const struct ecc_box *body, struct ecc_error *error)
{
    struct ecc_raster raster;
    ECC_TRY(ecc_raster_create(&raster, canvas, body->width, body->height, false, error));
    const double limit = find_scale(heat).high;
    for (size_t y = 0; y < raster.height; y++) {
        size_t row, last_row;
        cells_of_pixel(y, raster.height, heat->rows, &row, &last_row);
        for (size_t x = 0; x < raster.width; x++) {
            size_t column, last_column;
            cells_of_pixel(x, raster.width, heat->columns, &column, &last_column);
            const double value = block_mean(heat, row, last_row, column, last_column);
            raster.pixels[y * raster.stride + x] =
                ecc_colour_pixel(isnan(value) ? NO_VALUE : ecc_colour_diverging(value / limit));
        }
    }
    ecc_raster_paint(&raster, canvas, body->x, body->y);
    draw_frame(canvas->cr, body->x, body->y, body->width, body->height);
    return ECC_OK;
}

/* The texts of the cells, if all fit. */
static void draw_texts(const struct ecc_heat *heat, cairo_t *cr, const struct ecc_box *body)
{
    const double width = body->width / (double)heat->columns;
    const double height = body->height / (double)heat->rows;
    if (!heat->texts || height < ecc_text_height(ECC_TEXT_SMALL)) return;
    for (size_t i = 0; i < heat->rows * heat->columns; i++) {
        if (ecc_text_width(cr, ECC_TEXT_SMALL, heat->texts[i]) > width - 2) return;
    }
    const double limit = find_scale(heat).high;
    for (size_t i = 0; i < heat->rows * heat->columns; i++) {
        const size_t row = i / heat->columns, column = i % heat->columns;
        const double x = body->x + ((double)column + 0.5) * width;
        const double y = body->y + ((double)row + 0.5) * height;
        const double value = heat->values[i];
        ecc_text_on(cr, ECC_TEXT_SMALL, x, y,
                    isfinite(value) ? ecc_colour_diverging(value / limit) : NO_VALUE,
                    heat->texts[i]);
    }
}

static void measure(const struct ecc_panel *panel, cairo_t *cr, double width, double height,
                    size_t columns, struct ecc_extent *extent)
{
    (void)columns;
    const struct ecc_heat *heat = &panel->heat;
    find_body(heat, width, height, extent);
    const struct ecc_names row = row_names(heat, extent->height);
    const struct ecc_names column = column_names(heat, extent->width);
    const double label = ecc_text_height(ECC_TEXT_LABEL) + LABEL_GAP;
    struct ecc_ticks ticks;
    find_bar_ticks(heat, extent->height, &ticks);
    extent->left = NAME_GAP + ecc_names_width(cr, &row) + (heat->row_label ? label : 0);
    extent->bottom = NAME_GAP + ecc_names_height(cr, &column) + (heat->column_label ? label : 0);
    extent->right =
        BAR_GAP + BAR_WIDTH + TICK + 3 + widest_label(cr, &ticks) + (heat->scale_label ? label : 0);
    extent->top = 4;
}

static enum ecc_status draw(const struct ecc_panel *panel, struct ecc_canvas *canvas,
                            const struct ecc_box *body, struct ecc_error *error)
{
    const struct ecc_heat *heat = &panel->heat;
    cairo_t *cr = canvas->cr;
    ECC_TRY(draw_cells(heat, canvas, body, error));
    draw_texts(heat, cr, body);
    const struct ecc_names row = row_names(heat, body->height);
    const struct ecc_names column = column_names(heat, body->width);
    const double bottom = body->y + body->height + NAME_GAP;
    ecc_names_draw_rows(cr, &row, body->x - NAME_GAP, body->y + row.pitch / 2);
    ecc_names_draw_columns(cr, &column, body->x + column.pitch / 2, bottom, false);
    ecc_text_label(cr, body->x - NAME_GAP - ecc_names_width(cr, &row) - LABEL_GAP,
                   body->y + body->height / 2, (struct ecc_anchor){0.5, 1}, true, body->height,
                   heat->row_label);
    ecc_text_draw(cr, ECC_TEXT_LABEL, body->x + body->width / 2,
                  bottom + ecc_names_height(cr, &column) + LABEL_GAP, (struct ecc_anchor){0.5, 0},
                  false, heat->column_label);
    return draw_bar(heat, canvas, body, error);
}

const struct ecc_panel_type ecc_panel_heat = {false, check, measure, draw};
