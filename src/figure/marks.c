/*
 * marks.c: the lines of a chart.
 *
 * A line of a million values is thinned to what can be seen: of neighbours in one column of pixels
 * the first, the lowest, the highest and the last.  What remains is clipped to the neighbourhood of
 * the body, because cairo's coordinates have 24 bits before the point.
 */
#include "figure/chart.h"

#include <math.h>

struct ecc_colour ecc_series_colour(const struct ecc_chart *chart, size_t index)
{
    const struct ecc_colour given = chart->series[index].colour;
    return given.alpha > 0 ? given : ecc_colour_category(index);
}

/* Lines of very many values are thin, or their noise would be one thick band. */
static double line_width(const struct ecc_series *series)
{
    return series->size > 0 ? series->size : series->n > 2000 ? 0.8 : 1.4;
}

struct ecc_ink ecc_series_ink(const struct ecc_chart *chart, size_t index)
{
    const struct ecc_series *series = &chart->series[index];
    const double width = line_width(series);
    const bool dashed = series->mark == ECC_MARK_DASHED;
    return (struct ecc_ink){.name = series->mark == ECC_MARK_BARS ? "bars" : "line",
                            .colour = ecc_series_colour(chart, index),
                            .width = width,
                            .dash = dashed ? 3.2 * width : 0,
                            .gap = dashed ? 2 * width : 0,
                            .round = !dashed,
                            .category = (int)index + 1};
}

/* ---- A pen that clips ---------------------------------------------------------------------- */

struct place {
    double x, y;
};

struct pen {
    cairo_t *cr;
    struct ecc_ink ink;
    struct ecc_box paper; /* nothing outside needs drawing */
    struct place at;
    bool down, drew;
    bool whole; /* dashes must run through: never stroke in parts */
    size_t vertices;
};

/* Shortens the part [*from, *to] of a segment to where start + t step >= 0 (Liang and Barsky). */
static bool clip_side(double start, double step, double *from, double *to)
{
    if (step == 0) return start >= 0;
    const double t = -start / step;
    if (step > 0 && t > *from) *from = t;
    if (step < 0 && t < *to) *to = t;
    return *from <= *to;
}

static bool clip_segment(const struct ecc_box *paper, struct place *a, struct place *b)
{
    const double dx = b->x - a->x, dy = b->y - a->y;
    double from = 0, to = 1;
    if (!clip_side(a->x - paper->x, dx, &from, &to) ||
        !clip_side(paper->x + paper->width - a->x, -dx, &from, &to) ||
        !clip_side(a->y - paper->y, dy, &from, &to) ||
        !clip_side(paper->y + paper->height - a->y, -dy, &from, &to)) {
        return false;
    }
    const struct place start = *a;
    *a = (struct place){start.x + from * dx, start.y + from * dy};
    *b = (struct place){start.x + to * dx, start.y + to * dy};
    return true;
}

static void pen_stroke(struct pen *pen)
{
    ecc_ink_stroke(pen->cr, &pen->ink);
    pen->vertices = 0;
}

static void pen_to(struct pen *pen, struct place to)
{
    enum { PART = 1000 }; /* vertices; cairo's time grows faster than the length of a path */
    struct place a = pen->at, b = to;
    const bool was_down = pen->down;
    pen->at = to;
    pen->down = true;
    if (!was_down) {
        pen->drew = false;
        return;
    }
    if ((to.x == a.x && to.y == a.y) || !clip_segment(&pen->paper, &a, &b)) return;
    double x = NAN, y = NAN;
    if (cairo_has_current_point(pen->cr)) cairo_get_current_point(pen->cr, &x, &y);
    /* cairo rounds the current point to 1/256. */
    if (!(fabs(x - a.x) < 0.01 && fabs(y - a.y) < 0.01)) cairo_move_to(pen->cr, a.x, a.y);
    cairo_line_to(pen->cr, b.x, b.y);
    pen->drew = true;
    if (++pen->vertices >= PART && !pen->whole) {
        pen_stroke(pen);
        cairo_move_to(pen->cr, b.x, b.y);
    }
}

/* Ends a line; one of a single point leaves a dot, drawn by the round ends of its stroke. */
static void pen_lift(struct pen *pen)
{
    struct place a = pen->at, b = pen->at;
    if (pen->down && !pen->drew && clip_segment(&pen->paper, &a, &b)) {
        cairo_move_to(pen->cr, a.x, a.y);
        cairo_line_to(pen->cr, a.x, a.y);
    }
    cairo_new_sub_path(pen->cr);
    pen->down = false;
}

/* ---- Thinning ------------------------------------------------------------------------------ */

/* Neighbours in one column of pixels. */
struct bundle {
    double column;
    struct place first, lowest, highest, last;
    size_t count;
};

static void bundle_release(struct bundle *bundle, struct pen *pen)
{
    if (bundle->count == 0) return;
    pen_to(pen, bundle->first);
    if (bundle->count > 2) {
        pen_to(pen, bundle->lowest);
        pen_to(pen, bundle->highest);
    }
    if (bundle->count > 1) pen_to(pen, bundle->last);
    bundle->count = 0;
}

static void bundle_add(struct bundle *bundle, struct pen *pen, struct place place)
{
    const double column = floor(place.x * 4);
    if (bundle->count > 0 && column != bundle->column) bundle_release(bundle, pen);
    if (bundle->count++ == 0) {
        *bundle = (struct bundle){column, place, place, place, place, 1};
        return;
    }
    if (place.y < bundle->lowest.y) bundle->lowest = place;
    if (place.y > bundle->highest.y) bundle->highest = place;
    bundle->last = place;
}

static void draw_line(const struct ecc_chart_plan *plan, const struct ecc_series *series,
                      struct pen *pen, const struct ecc_box *body)
{
    struct bundle bundle = {0};
    double before = NAN; /* the height of the value before this one */
    for (size_t i = 0; i < series->n; i++) {
        struct place place;
        if (!ecc_chart_place(plan, ecc_series_x(series, i), series->y[i], &place.x, &place.y)) {
            bundle_release(&bundle, pen);
            pen_lift(pen);
            before = NAN;
            continue;
        }
        place.x += body->x;
        place.y += body->y;
        if (series->mark == ECC_MARK_STEPS && !isnan(before)) {
            bundle_add(&bundle, pen, (struct place){place.x, before});
        }
        bundle_add(&bundle, pen, place);
        before = place.y;
    }
    bundle_release(&bundle, pen);
    pen_lift(pen);
    pen_stroke(pen);
}

/* A line through few points shows where they are. */
static void draw_knots(const struct ecc_chart_plan *plan, const struct ecc_series *series,
                       struct pen *pen, const struct ecc_box *body)
{
    enum { FEW = 16 };
    if (series->mark != ECC_MARK_LINE || series->n > FEW) return;
    for (size_t i = 0; i < series->n; i++) {
        double x, y;
        if (!ecc_chart_place(plan, ecc_series_x(series, i), series->y[i], &x, &y)) continue;
        struct place a = {body->x + x, body->y + y}, b = a;
        if (!clip_segment(&pen->paper, &a, &b)) continue;
        cairo_move_to(pen->cr, body->x + x, body->y + y);
        cairo_line_to(pen->cr, body->x + x, body->y + y);
    }
    pen->ink.name = "knots";
    pen->ink.width *= 3;
    ecc_ink_stroke(pen->cr, &pen->ink);
}

/* Bars stand on zero, or on the edge of the body that is nearest to it. */
static void draw_bars(const struct ecc_chart_plan *plan, const struct ecc_series *series,
                      cairo_t *cr, const struct ecc_box *body)
{
    const double unit = plan->width / (plan->x.high - plan->x.low);
    const double width = fmin(fmax(0.72 * unit, 1), 40);
    const double foot = plan->height * (1 - fmin(fmax(ecc_scale_place(&plan->y, 0), 0), 1));
    for (size_t i = 0; i < series->n; i++) {
        double x, y;
        if (!ecc_chart_place(plan, ecc_series_x(series, i), series->y[i], &x, &y)) continue;
        if (x < 0 || x > plan->width) continue;
        const double top = fmin(fmax(y, 0), plan->height);
        cairo_rectangle(cr, body->x + x - width / 2, body->y + fmin(top, foot), width,
                        fabs(foot - top));
    }
}

void ecc_bars_draw(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body)
{
    for (size_t i = 0; i < plan->chart->series_count; i++) {
        if (plan->chart->series[i].mark != ECC_MARK_BARS) continue;
        const struct ecc_ink ink = ecc_series_ink(plan->chart, i);
        draw_bars(plan, &plan->chart->series[i], cr, body);
        ecc_ink_fill(cr, &ink);
    }
}

void ecc_marks_draw(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body)
{
    const double edge = 2; /* a line on the border keeps its width */
    cairo_save(cr);
    cairo_rectangle(cr, body->x - edge, body->y - edge, body->width + 2 * edge,
                    body->height + 2 * edge);
    cairo_clip(cr);
    for (size_t i = 0; i < plan->chart->series_count; i++) {
        const struct ecc_series *series = &plan->chart->series[i];
        if (series->mark == ECC_MARK_POINTS || series->mark == ECC_MARK_BARS) continue;
        struct pen pen = {.cr = cr,
                          .ink = ecc_series_ink(plan->chart, i),
                          .whole = series->mark == ECC_MARK_DASHED};
        /* Beyond what is clipped, but not far: a page does not clip. */
        const double beyond = edge + pen.ink.width;
        pen.paper = (struct ecc_box){body->x - beyond, body->y - beyond, body->width + 2 * beyond,
                                     body->height + 2 * beyond};
        cairo_new_path(cr);
        draw_line(plan, series, &pen, body);
        draw_knots(plan, series, &pen, body);
    }
    cairo_restore(cr);
}
