/*
 * figure.c: lays out the panels of a figure and draws them.
 *
 * Panels form a grid. All bodies of a column start at the same distance from the left, all bodies
 * of a row at the same height, far enough apart for the widest labels.
 */
#include "figure/figure.h"

#include "figure/panel.h"
#include "figure/lettering.h"

#include <math.h>
#include <stdlib.h>

static const double MARGIN = 12, COLUMN_GAP = 18, ROW_GAP = 16;
static const double TITLE_GAP = 2, LARGEST_SIDE = 14400; /* points: what a page of PDF may have */
static const double LARGEST_AREA = 4e7; /* square points: a PNG of 640 MB in memory */

static const struct ecc_panel_type *const TYPES[] = {
    [ECC_PANEL_CHART] = &ecc_panel_chart,
    [ECC_PANEL_HEAT] = &ecc_panel_heat,
    [ECC_PANEL_SHEET] = &ecc_panel_sheet,
};

struct layout {
    size_t rows, columns;
    struct ecc_extent *panels;  /* [panel_count] */
    struct ecc_extent *across;  /* [columns]: width, left and right are used */
    struct ecc_extent *down;    /* [rows]: height, top and bottom are used */
    double width, height, head; /* of the figure, and of its title and caption */
};

/* ---- Checks -------------------------------------------------------------------------------- */

static bool is_size(double points)
{
    return points >= 0 && points <= LARGEST_SIDE;
}

static enum ecc_status check_figure(const struct ecc_figure *figure, struct ecc_error *error)
{
    if (figure->panel_count == 0 || !figure->panels) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "a figure needs at least one panel");
    }
    if (!is_size(figure->panel_width) || !is_size(figure->panel_height)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "a panel of %g by %g points cannot be drawn, expected 0 to %g",
                        figure->panel_width, figure->panel_height, LARGEST_SIDE);
    }
    for (size_t i = 0; i < figure->panel_count; i++) {
        const struct ecc_panel *panel = &figure->panels[i];
        if ((size_t)panel->kind >= sizeof TYPES / sizeof TYPES[0]) {
            return ecc_fail(error, ECC_BAD_ARGUMENT, "panel %zu is of unknown kind %d", i + 1,
                            (int)panel->kind);
        }
        ECC_TRY(TYPES[panel->kind]->check(panel, error));
    }
    return ECC_OK;
}

/* ---- Layout -------------------------------------------------------------------------------- */

static void layout_release(struct layout *layout)
{
    free(layout->panels);
    free(layout->across);
    free(layout->down);
    *layout = (struct layout){0};
}

static enum ecc_status layout_init(struct layout *layout, const struct ecc_figure *figure,
                                   struct ecc_error *error)
{
    const size_t count = figure->panel_count;
    *layout = (struct layout){0};
    layout->columns = figure->columns && figure->columns < count ? figure->columns : count;
    layout->rows = (count - 1) / layout->columns + 1;
    layout->panels = calloc(count, sizeof *layout->panels);
    layout->across = calloc(layout->columns, sizeof *layout->across);
    layout->down = calloc(layout->rows, sizeof *layout->down);
    if (layout->panels && layout->across && layout->down) return ECC_OK;
    layout_release(layout);
    return ecc_fail_memory(error, "the panels of a figure");
}

/* Bodies by the wanted size, then those that stretch as large as their column and row. */
static void measure_panels(struct layout *layout, const struct ecc_figure *figure, cairo_t *cr)
{
    const size_t columns = layout->columns;
    for (size_t i = 0; i < figure->panel_count; i++) {
        const struct ecc_panel *panel = &figure->panels[i];
        struct ecc_extent *extent = &layout->panels[i];
        struct ecc_extent *across = &layout->across[i % columns];
        struct ecc_extent *down = &layout->down[i / columns];
        TYPES[panel->kind]->measure(panel, cr, figure->panel_width, figure->panel_height, columns,
                                    extent);
        across->width = fmax(across->width, extent->width);
        down->height = fmax(down->height, extent->height);
    }
    for (size_t i = 0; i < figure->panel_count; i++) {
        const struct ecc_panel *panel = &figure->panels[i];
        const double width = layout->across[i % columns].width;
        const double height = layout->down[i / columns].height;
        if (!TYPES[panel->kind]->stretches) continue;
        TYPES[panel->kind]->measure(panel, cr, width, height, columns, &layout->panels[i]);
    }
}

/* A title may be as wide as its column, or as its panel with what is to the right of it. */
static double title_width(const struct ecc_extent *across, const struct ecc_extent *extent)
{
    return fmax(fmax(across->width, extent->width + extent->right), 110);
}

/* Draws the title of a panel, or only finds its height. */
static double title_height(const struct ecc_panel *panel, cairo_t *cr, double width, bool draw,
                           double x, double y)
{
    const double height =
        ecc_text_paragraph(cr, ECC_TEXT_PANEL_TITLE, x, y, width, panel->title, !draw);
    return height > 0 ? height + TITLE_GAP : 0;
}

/* The margins of a column or row are the largest of its panels'; whole points keep edges sharp. */
static void align_panels(struct layout *layout, const struct ecc_figure *figure, cairo_t *cr)
{
    for (size_t i = 0; i < figure->panel_count; i++) {
        struct ecc_extent *extent = &layout->panels[i];
        struct ecc_extent *across = &layout->across[i % layout->columns];
        struct ecc_extent *down = &layout->down[i / layout->columns];
        const double width = title_width(across, extent);
        const double title = title_height(&figure->panels[i], cr, width, false, 0, 0);
        extent->top += title;
        across->left = fmax(across->left, ceil(extent->left));
        down->top = fmax(down->top, ceil(extent->top));
        down->bottom = fmax(down->bottom, ceil(extent->bottom));
        /* A narrow body leaves room in its column for what is to its right. */
        const double end =
            fmax(extent->width + extent->right, title > 0 ? width - extent->right : 0);
        across->right = fmax(across->right, ceil(end - across->width));
    }
    for (size_t i = 0; i < layout->columns; i++) {
        layout->across[i].width = ceil(layout->across[i].width);
    }
    for (size_t i = 0; i < layout->rows; i++) {
        layout->down[i].height = ceil(layout->down[i].height);
    }
}

/* Draws the title and the caption, or only finds their height. */
static double head_height(const struct ecc_figure *figure, cairo_t *cr, double width, bool draw)
{
    const double inside = width - 2 * MARGIN;
    double height =
        ecc_text_paragraph(cr, ECC_TEXT_TITLE, MARGIN, MARGIN, inside, figure->title, !draw);
    height += ecc_text_paragraph(cr, ECC_TEXT_CAPTION, MARGIN, MARGIN + height + 1, inside,
                                 figure->caption, !draw);
    return height > 0 ? ceil(height + 8) : 0;
}

static void add_up(struct layout *layout, const struct ecc_figure *figure, cairo_t *cr)
{
    double width = 2 * MARGIN + COLUMN_GAP * (double)(layout->columns - 1);
    double height = 2 * MARGIN + ROW_GAP * (double)(layout->rows - 1);
    for (size_t i = 0; i < layout->columns; i++) {
        width += layout->across[i].left + layout->across[i].width + layout->across[i].right;
    }
    for (size_t i = 0; i < layout->rows; i++) {
        height += layout->down[i].top + layout->down[i].height + layout->down[i].bottom;
    }
    /* A narrow panel must not wrap its title after every word. */
    const double title = fmax(ecc_text_width(cr, ECC_TEXT_TITLE, figure->title),
                              ecc_text_width(cr, ECC_TEXT_CAPTION, figure->caption));
    layout->width = fmax(width, fmin(ceil(title) + 2 * MARGIN + 1, 300));
    layout->head = head_height(figure, cr, layout->width, false);
    layout->height = height + layout->head;
}

static enum ecc_status make_layout(struct layout *layout, const struct ecc_figure *figure,
                                   struct ecc_error *error)
{
    cairo_t *cr;
    ECC_TRY(layout_init(layout, figure, error));
    enum ecc_status status = ecc_canvas_measuring(&cr, error);
    if (status != ECC_OK) {
        layout_release(layout);
        return status;
    }
    measure_panels(layout, figure, cr);
    align_panels(layout, figure, cr);
    add_up(layout, figure, cr);
    status = ecc_canvas_measured(cr, error);
    if (status != ECC_OK) {
        layout_release(layout);
        return status;
    }
    if (!(layout->width <= LARGEST_SIDE && layout->height <= LARGEST_SIDE &&
          layout->width * layout->height <= LARGEST_AREA)) {
        status = ecc_fail(error, ECC_BAD_ARGUMENT,
                          "the figure would be %.0f by %.0f points, the limit is %.0f per side and "
                          "%.0f million in area: show less or make it smaller",
                          layout->width, layout->height, LARGEST_SIDE, LARGEST_AREA / 1e6);
        layout_release(layout);
    }
    return status;
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static enum ecc_status draw_panel(const struct ecc_panel *panel, struct ecc_canvas *canvas,
                                  const struct ecc_extent *extent, double title, double x, double y,
                                  double row_top, struct ecc_error *error)
{
    const struct ecc_box body = {x, y, extent->width, extent->height};
    title_height(panel, canvas->cr, title, true, x, row_top);
    return TYPES[panel->kind]->draw(panel, canvas, &body, error);
}

static enum ecc_status draw_panels(const struct ecc_figure *figure, const struct layout *layout,
                                   struct ecc_canvas *canvas, struct ecc_error *error)
{
    double y = MARGIN + layout->head;
    for (size_t row = 0; row < layout->rows; row++) {
        const struct ecc_extent *down = &layout->down[row];
        double x = MARGIN;
        for (size_t column = 0; column < layout->columns; column++) {
            const size_t i = row * layout->columns + column;
            const struct ecc_extent *across = &layout->across[column];
            if (i >= figure->panel_count) break;
            ECC_TRY(draw_panel(&figure->panels[i], canvas, &layout->panels[i],
                               title_width(across, &layout->panels[i]), x + across->left,
                               y + down->top, y, error));
            x += across->left + across->width + across->right + COLUMN_GAP;
        }
        y += down->top + down->height + down->bottom + ROW_GAP;
    }
    return ECC_OK;
}

enum ecc_status ecc_figure_write(const struct ecc_figure *figure, const char *path,
                                 struct ecc_error *error)
{
    struct layout layout;
    struct ecc_canvas canvas;
    ECC_TRY(ecc_figure_check_path(path, error));
    ECC_TRY(check_figure(figure, error));
    ECC_TRY(make_layout(&layout, figure, error));
    enum ecc_status status =
        ecc_canvas_open(&canvas, path, layout.width, layout.height, figure->title, error);
    if (status == ECC_OK) {
        head_height(figure, canvas.cr, layout.width, true);
        status = draw_panels(figure, &layout, &canvas, error);
        if (status == ECC_OK) {
            status = ecc_canvas_commit(&canvas, error);
        } else {
            ecc_canvas_discard(&canvas);
        }
    }
    layout_release(&layout);
    return status;
}
