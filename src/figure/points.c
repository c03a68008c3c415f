/*
 * points.c: the points of a chart.
 *
 * Points are drawn in the order of the data, so that no category hides another.  Those of a
 * category that outnumbers the others are smaller and let more through.  In a PNG, and wherever
 * there are many, they go pixel by pixel into an image of their own: a million take a fraction of a
 * second, and an SVG or PDF stays small.
 */
#include "figure/chart.h"
#include "figure/colour.h"
#include "figure/shape.h"

#include <math.h>

enum { MANY = 5000 };                     /* an SVG takes 225 bytes a point */
enum { GROUPS = ECC_CATEGORY_MARKS + 1 }; /* the categories with a mark, and the rest */

static size_t count_points(const struct ecc_chart *chart)
{
    size_t count = 0;
    for (size_t i = 0; i < chart->series_count; i++) {
        if (chart->series[i].mark == ECC_MARK_POINTS) count += chart->series[i].n;
    }
    return count;
}

/* Few points are large and solid, many are small and let each other through. */
static double natural_radius(double count)
{
    return fmin(fmax(1.9 * pow(fmax(count, 1) / 300, -0.15), 0.65), 2.2);
}

static double natural_alpha(double count)
{
    return fmin(fmax(0.9 * pow(fmax(count, 1) / 300, -0.09), 0.4), 0.9);
}

/* The points of one series. */
struct dots {
    const struct ecc_chart_plan *plan;
    size_t index; /* of the series */
    const struct ecc_series *series;
    double radius[GROUPS], alpha[GROUPS];
    bool faint[GROUPS]; /* they outnumber all others */
};

/* Where a point's category stands in the lists above: 0 for those without a mark. */
static size_t group_of(const struct dots *dots, size_t point)
{
    const int *const category = dots->series->category;
    return category && ecc_category_marked(category[point]) ? (size_t)category[point] + 1 : 0;
}

/* The category of a group, -1 for those without a mark; of a series without categories, that whose
 * colour is the series'. */
static int category_of(const struct dots *dots, size_t group)
{
    return dots->series->category ? (int)group - 1 : (int)(dots->index % 10);
}

static struct ecc_colour colour_of(const struct dots *dots, size_t group)
{
    struct ecc_colour colour = dots->series->category
                                   ? ecc_category_colour((int)group - 1)
                                   : ecc_series_colour(dots->plan->chart, dots->index);
    colour.alpha = dots->alpha[group];
    return colour;
}

static bool place_of(const struct dots *dots, size_t point, double *x, double *y)
{
    return ecc_chart_place(dots->plan, ecc_series_x(dots->series, point), dots->series->y[point], x,
                           y);
}

/* Sizes by the number of points of all series; a category that is rarer than the most frequent one
 * looks as if there were as many fewer of all. */
static struct dots find_dots(const struct ecc_chart_plan *plan, size_t index, size_t total)
{
    const struct ecc_series *const series = &plan->chart->series[index];
    struct dots dots = {.plan = plan, .index = index, .series = series};
    double counts[GROUPS] = {0}, most = 0, second = 0;
    for (size_t i = 0; i < series->n; i++) counts[group_of(&dots, i)]++;
    for (size_t g = 0; g < GROUPS; g++) {
        second = fmax(second, fmin(most, counts[g]));
        most = fmax(most, counts[g]);
    }
    for (size_t g = 0; g < GROUPS; g++) {
        const double seen = (double)total * counts[g] / fmax(most, 1);
        const bool shaped = ecc_category_shape((int)g - 1) != ECC_SHAPE_DISC;
        dots.radius[g] =
            series->size > 0 ? series->size / 2 : natural_radius(seen) * (shaped ? 1.1 : 1);
        dots.alpha[g] = series->colour.alpha > 0 ? series->colour.alpha : natural_alpha(seen);
        dots.faint[g] = second > 0 && counts[g] == most && most > 4 * second;
        if (dots.faint[g]) dots.alpha[g] *= 0.5; /* so many that their density is what counts */
    }
    return dots;
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

struct stamp {
    enum ecc_shape shape;
    double radius; /* in pixels */
    uint32_t colour;
};

/* Coordinates in pixels.  What a pixel is covered by follows from its distance alone. */
static void press(const struct stamp *stamp, struct ecc_raster *raster, double x, double y)
{
    const double reach = ecc_shape_reach(stamp->shape) * stamp->radius + 0.5;
    const double right = (double)raster->width - 1, bottom = (double)raster->height - 1;
    if (!(x > -reach && y > -reach && x < right + reach && y < bottom + reach)) return;
    const size_t left = (size_t)fmax(0, floor(x - reach)), top = (size_t)fmax(0, floor(y - reach));
    const size_t last_x = (size_t)fmin(right, ceil(x + reach));
    const size_t last_y = (size_t)fmin(bottom, ceil(y + reach));
    for (size_t row = top; row <= last_y; row++) {
        uint32_t *pixels = raster->pixels + row * raster->stride;
        for (size_t column = left; column <= last_x; column++) {
            const double cover = 0.5 - ecc_shape_distance(stamp->shape, (double)column + 0.5 - x,
                                                          (double)row + 0.5 - y, stamp->radius);
            if (cover <= 0) continue;
            pixels[column] = blend(pixels[column], stamp->colour, cover < 1 ? cover : 1);
        }
    }
}

static void stamp_series(const struct dots *dots, struct ecc_raster *raster, double edge)
{
    struct stamp stamps[GROUPS];
    for (size_t g = 0; g < GROUPS; g++) {
        stamps[g] =
            (struct stamp){ecc_category_shape((int)g - 1), dots->radius[g] * raster->density,
                           ecc_colour_pixel(colour_of(dots, g))};
    }
    for (size_t i = 0; i < dots->series->n; i++) {
        double x, y;
        if (!place_of(dots, i, &x, &y)) continue;
        press(&stamps[group_of(dots, i)], raster, (x + edge) * raster->density,
              (y + edge) * raster->density);
    }
}

/* ---- As shapes ----------------------------------------------------------------------------- */

/* Adds a point to the path.  The round ends of a stroke of no length take fewer bytes than a
 * circle. */
static void add_dot(const struct dots *dots, cairo_t *cr, const struct ecc_box *body, size_t point)
{
    const size_t group = group_of(dots, point);
    const enum ecc_shape shape = ecc_category_shape((int)group - 1);
    const double r = dots->radius[group];
    double x, y;
    if (!place_of(dots, point, &x, &y)) return;
    if (x < -r || x > body->width + r || y < -r || y > body->height + r) return;
    if (shape != ECC_SHAPE_DISC) {
        const double size = ecc_ink_page(cr) ? 0.75 : 1; /* where the style makes discs smaller */
        ecc_shape_path(cr, shape, body->x + x, body->y + y, size * r);
        return;
    }
    cairo_move_to(cr, body->x + x, body->y + y);
    cairo_line_to(cr, body->x + x, body->y + y);
}

/* Paints the points of a group that were added. */
static void paint_group(const struct dots *dots, cairo_t *cr, size_t group)
{
    const int category = category_of(dots, group);
    const bool disc = ecc_category_shape((int)group - 1) == ECC_SHAPE_DISC;
    const struct ecc_ink ink = {.name = !disc                       ? "shape"
                                        : dots->faint[group]        ? "point faint"
                                        : dots->radius[group] > 1.7 ? "point large"
                                                                    : "point",
                                .colour = colour_of(dots, group),
                                .width = 2 * dots->radius[group],
                                .round = true,
                                .category = category < 0 ? -1 : category + 1};
    if (!cairo_has_current_point(cr)) return;
    if (disc) {
        ecc_ink_stroke(cr, &ink);
    } else {
        ecc_ink_fill(cr, &ink);
    }
}

/* Each point by itself; in a page some of each colour, then more of each, so that none hides
 * another: that takes a third of the bytes. */
static void shape_series(const struct dots *dots, cairo_t *cr, const struct ecc_box *body)
{
    const size_t n = dots->series->n, some = ecc_ink_page(cr) ? 400 : 1;
    for (size_t from = 0; from < n; from += some) {
        const size_t to = n - from < some ? n : from + some;
        bool any[GROUPS] = {false};
        for (size_t i = from; i < to; i++) any[group_of(dots, i)] = true;
        for (size_t group = 0; group < GROUPS; group++) {
            for (size_t i = from; any[group] && i < to; i++) {
                if (group_of(dots, i) == group) add_dot(dots, cr, body, i);
            }
            if (any[group]) paint_group(dots, cr, group);
        }
    }
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
