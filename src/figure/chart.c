/* chart.c: lines and points on axes: ranges, ticks, grid and labels; the rest in its own files. */
#include "figure/chart.h"

#include "figure/panel.h"
#include "figure/lettering.h"

#include <math.h>

static const double TICK = 3, TICK_GAP = 3, LABEL_GAP = 5;
static const double PADDING = 0.04; /* of the data's range, on either side */

static const struct ecc_ink GRID = {.name = "grid", .colour = {0.9, 0.9, 0.9, 1}, .width = 0.5};
static const struct ecc_ink AXIS = {.name = "axis", .colour = {0.25, 0.25, 0.25, 1}, .width = 0.6};

bool ecc_chart_place(const struct ecc_chart_plan *plan, double x, double y, double *across,
                     double *down)
{
    /* Far outside is as good as very far, and keeps the arithmetic behind this finite. */
    const double limit = 1e9;
    const double u = ecc_scale_place(&plan->x, x), v = ecc_scale_place(&plan->y, y);
    if (isnan(u) || isnan(v)) return false;
    *across = plan->width * fmin(fmax(u, -limit), limit);
    *down = plan->height * (1 - fmin(fmax(v, -limit), limit));
    return true;
}

/* ---- Checks -------------------------------------------------------------------------------- */

static enum ecc_status check_series(const struct ecc_series *series, size_t index,
                                    struct ecc_error *error)
{
    if (series->n > 0 && !series->y) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "series %zu of a chart has %zu points but no y",
                        index + 1, series->n);
    }
    if (series->mark > ECC_MARK_BARS) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "series %zu of a chart has an unknown mark %d",
                        index + 1, (int)series->mark);
    }
    if (!(series->size >= 0 && series->size <= 1000)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "series %zu of a chart has size %g, expected 0 to 1000 points", index + 1,
                        series->size);
    }
    return ECC_OK;
}

static enum ecc_status check(const struct ecc_panel *panel, struct ecc_error *error)
{
    const struct ecc_chart *chart = &panel->chart;
    if ((chart->series_count > 0 && !chart->series) || (chart->rule_count > 0 && !chart->rules) ||
        (chart->circle_count > 0 && !chart->circles)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "a chart counts series, rules or circles at NULL");
    }
    ECC_TRY(ecc_axis_check(&chart->x, "x", error));
    ECC_TRY(ecc_axis_check(&chart->y, "y", error));
    for (size_t i = 0; i < chart->series_count; i++) {
        ECC_TRY(check_series(&chart->series[i], i, error));
    }
    return ECC_OK;
}

/* ---- The plan ------------------------------------------------------------------------------ */

static void span_series(const struct ecc_chart *chart, struct ecc_span *x, struct ecc_span *y)
{
    for (size_t i = 0; i < chart->series_count; i++) {
        const struct ecc_series *series = &chart->series[i];
        for (size_t k = 0; k < series->n; k++) {
            /* A point without a place on one axis must not widen the other. */
            struct ecc_span point_x = {0}, point_y = {0};
            ecc_span_add(&point_x, ecc_series_x(series, k), chart->x.logarithmic);
            ecc_span_add(&point_y, series->y[k], chart->y.logarithmic);
            if (!point_x.any || !point_y.any) continue;
            if (series->mark == ECC_MARK_BARS) ecc_span_add(y, 0, chart->y.logarithmic);
            ecc_span_add(x, ecc_series_x(series, k), chart->x.logarithmic);
            ecc_span_add(y, series->y[k], chart->y.logarithmic);
        }
    }
}

static void span_notes(const struct ecc_chart *chart, struct ecc_span *x, struct ecc_span *y)
{
    for (size_t i = 0; i < chart->rule_count; i++) {
        const struct ecc_rule *rule = &chart->rules[i];
        const struct ecc_axis *axis = rule->vertical ? &chart->x : &chart->y;
        ecc_span_add(rule->vertical ? x : y, rule->at, axis->logarithmic);
    }
    for (size_t i = 0; i < chart->circle_count; i++) {
        const struct ecc_circle *circle = &chart->circles[i];
        for (int side = -1; side <= 1; side += 2) {
            ecc_span_add(x, circle->x + side * circle->radius, chart->x.logarithmic);
            ecc_span_add(y, circle->y + side * circle->radius, chart->y.logarithmic);
        }
    }
}

/* Widens the axis with the longer units until one unit is as long across as up. */
static void equalise(struct ecc_chart_plan *plan)
{
    if (plan->x.logarithmic || plan->y.logarithmic) return;
    const double per_x = (plan->x.high - plan->x.low) / plan->width;
    const double per_y = (plan->y.high - plan->y.low) / plan->height;
    struct ecc_scale *scale = per_x < per_y ? &plan->x : &plan->y;
    const double half = fmax(per_x, per_y) * (per_x < per_y ? plan->width : plan->height) / 2;
    const double middle = (scale->low + scale->high) / 2;
    scale->low = middle - half;
    scale->high = middle + half;
}

static double tick_label_width(cairo_t *cr, const struct ecc_ticks *ticks)
{
    double width = 0;
    for (size_t i = 0; i < ticks->count; i++) {
        width = fmax(width, ecc_text_width(cr, ECC_TEXT_TICK, ticks->label[i]));
    }
    return width;
}

/* As many ticks as stand apart when their labels are written side by side. */
static void choose_x_ticks(struct ecc_chart_plan *plan, cairo_t *cr)
{
    size_t most = (size_t)fmin(fmax(plan->width / 40, 2), 12);
    for (;; most--) {
        ecc_ticks_choose(&plan->x_ticks, &plan->x, most);
        const struct ecc_ticks *ticks = &plan->x_ticks;
        const double needed = tick_label_width(cr, ticks) + 9;
        double closest = INFINITY;
        for (size_t i = 1; i < ticks->count; i++) {
            const double step = ecc_scale_place(&plan->x, ticks->at[i]) -
                                ecc_scale_place(&plan->x, ticks->at[i - 1]);
            closest = fmin(closest, step * plan->width);
        }
        if (closest >= needed || most <= 2) return;
    }
}

static void make_plan(struct ecc_chart_plan *plan, const struct ecc_chart *chart, cairo_t *cr,
                      double width, double height)
{
    *plan = (struct ecc_chart_plan){.chart = chart, .width = width, .height = height};
    struct ecc_span x = {0}, y = {0};
    span_series(chart, &x, &y);
    plan->blank = chart->series_count > 0 && !x.any;
    span_notes(chart, &x, &y);
    ecc_scale_fit(&plan->x, &chart->x, &x, PADDING);
    ecc_scale_fit(&plan->y, &chart->y, &y, PADDING);
    if (chart->equal_scales) equalise(plan);
    choose_x_ticks(plan, cr);
    const double spacing = plan->y.logarithmic ? 22 : 30;
    ecc_ticks_choose(&plan->y_ticks, &plan->y, (size_t)fmin(fmax(height / spacing, 3), 12));
    ecc_notes_measure(plan, cr);
    ecc_legend_plan(plan, cr);
}

static void natural_size(const struct ecc_chart *chart, size_t columns, double *width,
                         double *height)
{
    const double side = columns <= 1 ? 290 : columns == 2 ? 235 : 190;
    if (*width <= 0 && *height <= 0) {
        *height = chart->equal_scales ? side : columns <= 1 ? 235 : columns == 2 ? 185 : 150;
    }
    if (*width <= 0) *width = rint(chart->equal_scales ? *height : *height * 1.5);
    if (*height <= 0) *height = rint(chart->equal_scales ? *width : *width / 1.5);
}

static void measure(const struct ecc_panel *panel, cairo_t *cr, double width, double height,
                    size_t columns, struct ecc_extent *extent)
{
    const struct ecc_chart *chart = &panel->chart;
    struct ecc_chart_plan plan;
    natural_size(chart, columns, &width, &height);
    make_plan(&plan, chart, cr, width, height);
    const double label = ecc_text_height(ECC_TEXT_LABEL) + LABEL_GAP;
    extent->width = width;
    extent->height = height;
    extent->left = TICK + TICK_GAP + tick_label_width(cr, &plan.y_ticks);
    extent->bottom = TICK + TICK_GAP + ecc_text_height(ECC_TEXT_TICK);
    if (chart->y.label) extent->left += label;
    if (chart->x.label) extent->bottom += label;
    extent->top = plan.notes_top + 4;
    extent->right = plan.notes_right + 2;
    if (plan.legend.place == ECC_PLACE_RIGHT) {
        extent->right = fmax(extent->right, plan.legend.left + plan.legend.width - width);
    }
    if (plan.x_ticks.count > 0) {
        const size_t last = plan.x_ticks.count - 1;
        const double end = width * ecc_scale_place(&plan.x, plan.x_ticks.at[last]);
        const double half = ecc_text_width(cr, ECC_TEXT_TICK, plan.x_ticks.label[last]) / 2;
        extent->right = fmax(extent->right, end + half - width);
    }
}

/* ---- Drawing ------------------------------------------------------------------------------- */

/* On the middle of a half point, so that thin lines are sharp in a PNG. */
static double sharp(double value)
{
    return floor(2 * value) / 2 + 0.25;
}

static void add_line(cairo_t *cr, double x, double y, double to_x, double to_y)
{
    cairo_move_to(cr, x, y);
    cairo_line_to(cr, to_x, to_y);
}

static void draw_grid(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body)
{
    for (size_t i = 0; i < plan->x_ticks.count; i++) {
        const double at = ecc_scale_place(&plan->x, plan->x_ticks.at[i]);
        const double x = sharp(body->x + at * body->width);
        add_line(cr, x, body->y, x, body->y + body->height);
    }
    for (size_t i = 0; i < plan->y_ticks.count; i++) {
        const double at = ecc_scale_place(&plan->y, plan->y_ticks.at[i]);
        const double y = sharp(body->y + (1 - at) * body->height);
        add_line(cr, body->x, y, body->x + body->width, y);
    }
    ecc_ink_stroke(cr, &GRID);
}

static void draw_x_axis(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body)
{
    const struct ecc_ticks *ticks = &plan->x_ticks;
    const double bottom = body->y + body->height;
    add_line(cr, body->x - 0.25, sharp(bottom), body->x + body->width, sharp(bottom));
    for (size_t i = 0; i < ticks->count + ticks->minor_count; i++) {
        const bool minor = i >= ticks->count;
        const double value = minor ? ticks->minor[i - ticks->count] : ticks->at[i];
        const double x = sharp(body->x + ecc_scale_place(&plan->x, value) * body->width);
        add_line(cr, x, bottom, x, bottom + (minor ? TICK / 2 : TICK));
    }
    ecc_ink_stroke(cr, &AXIS);
    for (size_t i = 0; i < ticks->count; i++) {
        const double x = body->x + ecc_scale_place(&plan->x, ticks->at[i]) * body->width;
        ecc_text_draw(cr, ECC_TEXT_TICK, x, bottom + TICK + TICK_GAP, (struct ecc_anchor){0.5, 0},
                      false, ticks->label[i]);
    }
    const double tick_height = ecc_text_height(ECC_TEXT_TICK);
    ecc_text_label(cr, body->x + body->width / 2,
                   bottom + TICK + TICK_GAP + tick_height + LABEL_GAP, (struct ecc_anchor){0.5, 0},
                   false, body->width, plan->chart->x.label);
}

static void draw_y_axis(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body)
{
    const struct ecc_ticks *ticks = &plan->y_ticks;
    add_line(cr, sharp(body->x), body->y, sharp(body->x), body->y + body->height);
    for (size_t i = 0; i < ticks->count + ticks->minor_count; i++) {
        const bool minor = i >= ticks->count;
        const double value = minor ? ticks->minor[i - ticks->count] : ticks->at[i];
        const double y = sharp(body->y + (1 - ecc_scale_place(&plan->y, value)) * body->height);
        add_line(cr, body->x, y, body->x - (minor ? TICK / 2 : TICK), y);
    }
    ecc_ink_stroke(cr, &AXIS);
    for (size_t i = 0; i < ticks->count; i++) {
        const double y = body->y + (1 - ecc_scale_place(&plan->y, ticks->at[i])) * body->height;
        ecc_text_draw(cr, ECC_TEXT_TICK, body->x - TICK - TICK_GAP, y, (struct ecc_anchor){1, 0.5},
                      false, ticks->label[i]);
    }
    const double x = body->x - TICK - TICK_GAP - tick_label_width(cr, ticks) - LABEL_GAP;
    ecc_text_label(cr, x, body->y + body->height / 2, (struct ecc_anchor){0.5, 1}, true,
                   body->height, plan->chart->y.label);
}

static enum ecc_status draw(const struct ecc_panel *panel, struct ecc_canvas *canvas,
                            const struct ecc_box *body, struct ecc_error *error)
{
    cairo_t *cr = canvas->cr;
    struct ecc_chart_plan plan;
    make_plan(&plan, &panel->chart, cr, body->width, body->height);
    draw_grid(&plan, cr, body);
    draw_x_axis(&plan, cr, body);
    draw_y_axis(&plan, cr, body);
    ECC_TRY(ecc_points_draw(&plan, canvas, body, error));
    ecc_bars_draw(&plan, cr, body);
    ecc_notes_draw_lines(&plan, cr, body);
    ecc_marks_draw(&plan, cr, body);
    ecc_notes_draw_words(&plan, cr, body);
    ecc_tags_draw(&plan, cr, body);
    if (plan.blank) {
        ecc_text_draw(cr, ECC_TEXT_CAPTION, body->x + body->width / 2, body->y + body->height / 2,
                      (struct ecc_anchor){0.5, 0.5}, false, "no values to show");
    }
    ecc_legend_draw(&plan, cr, body);
    return ECC_OK;
}

const struct ecc_panel_type ecc_panel_chart = {true, check, measure, draw};
