/*
 * points.c: the points of a chart.
 *
 * Points are drawn in the order of the data, so that no category hides another.  In a PNG, and
 * wherever there are many, they go pixel by pixel into an image of their own: a million take a
 * fraction of a second, and an SVG or PDF stays small.
 */
#include "figure/chart.h"
#include "figure/colour.h"

#include <math.h>

enum { MANY = 5000 }; /* an SVG takes 225 bytes a point */
enum { COLOURS = 10 };

static size_t count_points(const struct ecc_chart *chart)
{
    size_t count = 0;
    for (size_t i = 0; i < chart->series_count; i++) {
        if (chart->series[i].mark == ECC_MARK_POINTS) count += chart->series[i].n;
    }
    return count;
}

/* Few points are large and solid, many are small and let each other through. */
static double natural_radius(size_t count)
{
    return count <= 300 ? 1.9 : count <= 3000 ? 1.4 : count <= 30000 ? 0.95 : 0.7;
}

static double natural_alpha(size_t count)
{
    return count <= 300 ? 0.9 : count <= 3000 ? 0.75 : count <= 100000 ? 0.6 : 0.4;
}

/* The points of one series. */
struct dots {
    const struct ecc_chart_plan *plan;
    size_t index; /* of the series */
    const struct ecc_series *series;
    double radius;
    size_t total; /* points of all series */
};

static struct ecc_colour colour_of(const struct dots *dots, size_t point)
{
    const struct ecc_series *series = dots->series;
    const bool given = series->colour.alpha > 0;
    struct ecc_colour colour = series->category ? ecc_category_colour(series->category[point])
                                                : ecc_series_colour(dots->plan->chart, dots->index);
    colour.alpha = given ? series->colour.alpha : natural_alpha(dots->total);
    return colour;
}

static bool place_of(const struct dots *dots, size_t point, double *x, double *y)
{
    return ecc_chart_place(dots->plan, ecc_series_x(dots->series, point), dots->series->y[point], x,
                           y);
}

/* ---- Into an image ------------------------------------------------------------------------- */

/* One over the other, both premultiplied; `cover` is the share of the pixel that is covered. */
static uint32_t blend(uint32_t below, uint32_t above, double cover)
{
    const uint32_t share = (uint32_t)(cover * 256);
    const uint32_t left = 255 - ((above >> 24) * share >> 8);
    uint32_t result = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const uint32_t a = (above >> shift & 255) * share >> 8;
        const uint32_t b = ((below >> shift & 255) * left + 127) / 255;
        result |= (a + b < 255 ? a + b : 255) << shift;
    }
    return result;
}

/* A disc; coordinates in pixels.  What a pixel is covered by follows from its distance alone. */
static void stamp(struct ecc_raster *raster, double x, double y, double radius, uint32_t colour)
{
    const double reach = radius + 0.5;
    const double right = (double)raster->width - 1, bottom = (double)raster->height - 1;
    if (!(x > -reach && y > -reach && x < right + reach && y < bottom + reach)) return;
    const size_t left = (size_t)fmax(0, floor(x - reach)), top = (size_t)fmax(0, floor(y - reach));
    const size_t last_x = (size_t)fmin(right, ceil(x + reach));
    const size_t last_y = (size_t)fmin(bottom, ceil(y + reach));
    for (size_t row = top; row <= last_y; row++) {
        const double dy = (double)row + 0.5 - y;
        uint32_t *pixels = raster->pixels + row * raster->stride;
        for (size_t column = left; column <= last_x; column++) {
            const double dx = (double)column + 0.5 - x;
            const double cover = reach - sqrt(dx * dx + dy * dy);
            if (cover > 0) pixels[column] = blend(pixels[column], colour, cover < 1 ? cover : 1);
        }
    }
}

static void stamp_series(const struct dots *dots, struct ecc_raster *raster, double edge)
{
    for (size_t i = 0; i < dots->series->n; i++) {
        double x, y;
        if (!place_of(dots, i, &x, &y)) continue;
        stamp(raster, (x + edge) * raster->density, (y + edge) * raster->density,
              dots->radius * raster->density, ecc_colour_pixel(colour_of(dots, i)));
    }
}

/* ---- As shapes ----------------------------------------------------------------------------- */

/* The colour of a point: a category from 0, or -1. */
static int group_of(const struct dots *dots, size_t point)
{
    const int *const category = dots->series->category;
    if (!category) return (int)(dots->index % COLOURS);
    return category[point] < 0 ? -1 : category[point] % COLOURS;
}

/* Adds a point to the path.  The round ends of a stroke of no length take fewer bytes than a
 * circle. */
static void add_dot(const struct dots *dots, cairo_t *cr, const struct ecc_box *body, size_t point)
{
    const double r = dots->radius;
    double x, y;
    if (!place_of(dots, point, &x, &y)) return;
    if (x < -r || x > body->width + r || y < -r || y > body->height + r) return;
    cairo_move_to(cr, body->x + x, body->y + y);
    cairo_line_to(cr, body->x + x, body->y + y);
}

/* Each point by itself; in a page some of each colour, then more of each, so that none hides
 * another: that takes a third of the bytes. */
static void shape_series(const struct dots *dots, cairo_t *cr, const struct ecc_box *body)
{
    const size_t n = dots->series->n, some = ecc_ink_page(cr) ? 400 : 1;
    for (size_t from = 0; from < n; from += some) {
        const size_t to = n - from < some ? n : from + some;
        for (int group = -1; group < COLOURS; group++) {
            struct ecc_ink ink = {.name = "point",
                                  .width = 2 * dots->radius,
                                  .round = true,
                                  .category = group < 0 ? -1 : group + 1};
            for (size_t i = from; i < to; i++) {
                if (group_of(dots, i) != group) continue;
                ink.colour = colour_of(dots, i);
                add_dot(dots, cr, body, i);
            }
            if (cairo_has_current_point(cr)) ecc_ink_stroke(cr, &ink);
        }
    }
}

static struct dots find_dots(const struct ecc_chart_plan *plan, size_t index, size_t total)
{
    const struct ecc_series *series = &plan->chart->series[index];
    const double radius = series->size > 0 ? series->size / 2 : natural_radius(total);
    return (struct dots){plan, index, series, radius, total};
}

enum ecc_status ecc_points_draw(const struct ecc_chart_plan *plan, struct ecc_canvas *canvas,
                                const struct ecc_box *body, struct ecc_error *error)
{
    const struct ecc_chart *chart = plan->chart;
    const size_t total = count_points(chart);
    const bool shapes = ecc_ink_page(canvas->cr) || (canvas->vector && total <= MANY);
    const double edge = 3; /* points on the border are drawn whole */
    struct ecc_raster raster = {0};
    if (total == 0) return ECC_OK;
    if (!shapes) {
        ECC_TRY(ecc_raster_create(&raster, canvas, body->width + 2 * edge, body->height + 2 * edge,
                                  true, error));
    }
    for (size_t i = 0; i < chart->series_count; i++) {
        if (chart->series[i].mark != ECC_MARK_POINTS) continue;
        const struct dots dots = find_dots(plan, i, total);
        if (shapes) {
            shape_series(&dots, canvas->cr, body);
        } else {
            stamp_series(&dots, &raster, edge);
        }
    }
    if (!shapes) ecc_raster_paint(&raster, canvas, body->x - edge, body->y - edge);
    return ECC_OK;
}
