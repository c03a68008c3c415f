/*
 * sheet.c: many small images in rows and columns, with captions and names.
 *
 * All images go into one large one at the resolution of the canvas: pixels stay sharp squares in
 * every format and every viewer, and thousands of images cost no more than one.
 */
#include "figure/colour.h"
#include "figure/names.h"
#include "figure/panel.h"

#include <math.h>

static const double GAP = 2, NAME_GAP = 5, CAPTION_GAP = 2.5, CAPTION_HEIGHT = 8;

static const struct ecc_colour EDGE = {0.86, 0.86, 0.86, 1};     /* keeps white images apart */
static const struct ecc_colour NO_VALUE = {0.95, 0.55, 0.75, 1}; /* a pixel that is NaN */

static enum ecc_status check(const struct ecc_panel *panel, struct ecc_error *error)
{
    const struct ecc_sheet *sheet = &panel->sheet;
    if (!sheet->pixels || sheet->count == 0 || sheet->height == 0 || sheet->width == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "an image sheet needs images, this one has %zu of %zu by %zu pixels",
                        sheet->pixels ? sheet->count : 0, sheet->width, sheet->height);
    }
    if (sheet->channels != 1 && sheet->channels != 3) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the images of a sheet have 1 channel (grey) or 3 (RGB), not %zu",
                        sheet->channels);
    }
    size_t rest = SIZE_MAX / sizeof *sheet->pixels / sheet->channels;
    rest = rest / sheet->count / sheet->height / sheet->width;
    if (rest == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "an image sheet of %zu x %zu x %zu x %zu is too large", sheet->count,
                        sheet->channels, sheet->height, sheet->width);
    }
    if (!(sheet->scale >= 0 && isfinite(sheet->scale))) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the scale of an image sheet is at least 0 points per pixel, not %g",
                        sheet->scale);
    }
    return ECC_OK;
}

/* ---- Where everything is ------------------------------------------------------------------- */

struct grid {
    size_t rows, columns;
    double tile_width, tile_height;  /* of an image in points, multiples of a half */
    double pitch_across, pitch_down; /* from one image to the next */
};

static double half_points(double value)
{
    return fmax(0.5, rint(2 * value) / 2);
}

static double caption_room(const struct ecc_sheet *sheet)
{
    return sheet->captions ? CAPTION_GAP + CAPTION_HEIGHT : 0;
}

/* The largest scale, in half points a pixel, that fits the wanted size; but never so small that
 * pixels are lost in a PNG. */
static double fitting_scale(const struct ecc_sheet *sheet, const struct grid *grid, double width,
                            double height)
{
    double scale = INFINITY;
    if (width > 0) {
        const double tile = width / (double)grid->columns - GAP;
        scale = fmin(scale, tile / (double)sheet->width);
    }
    if (height > 0) {
        const double tile = height / (double)grid->rows - GAP - caption_room(sheet);
        scale = fmin(scale, tile / (double)sheet->height);
    }
    return fmax(0.5, floor(2 * scale + 1e-6) / 2);
}

/* Without a wanted size: images of 32 to 64 points, in a sheet about as wide as a page. */
static double natural_scale(const struct ecc_sheet *sheet, const struct grid *grid)
{
    const double tile = fmin(fmax(440 / (double)grid->columns, 32), 64);
    return half_points(tile /
                       (double)(sheet->width > sheet->height ? sheet->width : sheet->height));
}

static struct grid find_grid(const struct ecc_sheet *sheet, double width, double height)
{
    struct grid grid = {0};
    grid.columns = sheet->columns ? sheet->columns : (size_t)ceil(sqrt((double)sheet->count));
    if (grid.columns > sheet->count) grid.columns = sheet->count;
    grid.rows = (sheet->count - 1) / grid.columns + 1;
    const double scale = sheet->scale > 0          ? sheet->scale
                         : width > 0 || height > 0 ? fitting_scale(sheet, &grid, width, height)
                                                   : natural_scale(sheet, &grid);
    grid.tile_width = half_points(scale * (double)sheet->width);
    grid.tile_height = half_points(scale * (double)sheet->height);
    grid.pitch_across = grid.tile_width + GAP;
    grid.pitch_down = grid.tile_height + GAP + caption_room(sheet);
    return grid;
}

static void measure(const struct ecc_panel *panel, cairo_t *cr, double width, double height,
                    size_t columns, struct ecc_extent *extent)
{
    (void)columns;
    const struct ecc_sheet *sheet = &panel->sheet;
    const struct grid grid = find_grid(sheet, width, height);
    const struct ecc_names row = {sheet->row_names, grid.rows, grid.pitch_down};
    const struct ecc_names column = {sheet->column_names, grid.columns, grid.pitch_across};
    extent->width = (double)grid.columns * grid.pitch_across - GAP;
    extent->height = (double)grid.rows * grid.pitch_down - GAP;
    extent->left = sheet->row_names ? ecc_names_width(cr, &row) + NAME_GAP : 1;
    extent->top = sheet->column_names ? ecc_names_height(cr, &column) + NAME_GAP : 2;
    extent->right = extent->bottom = 2;
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static uint32_t pixel_at(const struct ecc_sheet *sheet, const float *image, size_t x, size_t y)
{
    const size_t plane = sheet->height * sheet->width, at = y * sheet->width + x;
    const double red = (double)image[at];
    const double green = sheet->channels == 3 ? (double)image[plane + at] : red;
    const double blue = sheet->channels == 3 ? (double)image[2 * plane + at] : red;
    if (isnan(red) || isnan(green) || isnan(blue)) return ecc_colour_pixel(NO_VALUE);
    return ecc_colour_pixel((struct ecc_colour){red, green, blue, 1});
}

/* Puts one image into the raster at (left, top), pixels by nearest neighbour, a thin edge around.
 */
static void copy_image(const struct ecc_sheet *sheet, const float *image, struct ecc_raster *raster,
                       const struct ecc_box *tile)
{
    const double density = raster->density;
    const size_t left = (size_t)rint(tile->x * density), top = (size_t)rint(tile->y * density);
    const size_t width = (size_t)rint(tile->width * density);
    const size_t height = (size_t)rint(tile->height * density);
    const uint32_t edge = ecc_colour_pixel(EDGE);
    for (size_t y = 0; y < height + 2; y++) {
        uint32_t *row = raster->pixels + (top + y - 1) * raster->stride;
        const bool outside = y == 0 || y == height + 1;
        const size_t source_y = outside ? 0 : (2 * y - 1) * sheet->height / (2 * height);
        row[left - 1] = row[left + width] = edge;
        for (size_t x = 0; x < width; x++) {
            const size_t source_x = (2 * x + 1) * sheet->width / (2 * width);
            row[left + x] = outside ? edge : pixel_at(sheet, image, source_x, source_y);
        }
    }
}

static void draw_captions(const struct ecc_sheet *sheet, cairo_t *cr, const struct grid *grid,
                          const struct ecc_box *body)
{
    for (size_t i = 0; sheet->captions && i < sheet->count; i++) {
        const size_t row = i / grid->columns, column = i % grid->columns;
        const double x = body->x + (double)column * grid->pitch_across;
        const double y = body->y + (double)row * grid->pitch_down;
        char caption[ECC_TEXT_BYTES];
        ecc_text_fit(cr, ECC_TEXT_SMALL, caption, sheet->captions[i], grid->pitch_across);
        ecc_text_draw(cr, ECC_TEXT_SMALL, x + grid->tile_width / 2,
                      y + grid->tile_height + CAPTION_GAP, (struct ecc_anchor){0.5, 0}, false,
                      caption);
    }
}

static void draw_names(const struct ecc_sheet *sheet, cairo_t *cr, const struct grid *grid,
                       const struct ecc_box *body)
{
    const struct ecc_names row = {sheet->row_names, grid->rows, grid->pitch_down};
    const struct ecc_names column = {sheet->column_names, grid->columns, grid->pitch_across};
    if (sheet->row_names) {
        ecc_names_draw_rows(cr, &row, body->x - NAME_GAP, body->y + grid->tile_height / 2);
    }
    if (sheet->column_names) {
        ecc_names_draw_columns(cr, &column, body->x + grid->tile_width / 2, body->y - NAME_GAP,
                               true);
    }
}

static enum ecc_status draw(const struct ecc_panel *panel, struct ecc_canvas *canvas,
                            const struct ecc_box *body, struct ecc_error *error)
{
    const struct ecc_sheet *sheet = &panel->sheet;
    /* The body is as measure() made it; finding the grid again for that size gives it again. */
    const struct grid grid = find_grid(sheet, body->width + GAP, body->height + GAP);
    const double edge = 1; /* room for the edges of the outer images */
    struct ecc_raster raster;
    ECC_TRY(ecc_raster_create(&raster, canvas, body->width + 2 * edge, body->height + 2 * edge,
                              false, error));
    const size_t image_size = sheet->channels * sheet->height * sheet->width;
    for (size_t i = 0; i < sheet->count; i++) {
        const size_t row = i / grid.columns, column = i % grid.columns;
        const struct ecc_box tile = {edge + (double)column * grid.pitch_across,
                                     edge + (double)row * grid.pitch_down, grid.tile_width,
                                     grid.tile_height};
        copy_image(sheet, sheet->pixels + i * image_size, &raster, &tile);
    }
    ecc_raster_paint(&raster, canvas, body->x - edge, body->y - edge);
    draw_captions(sheet, canvas->cr, &grid, body);
    draw_names(sheet, canvas->cr, &grid, body);
    return ECC_OK;
}

const struct ecc_panel_type ecc_panel_sheet = {false, check, measure, draw};
