/*
 * legend.c: which colour is which.
 *
 * The legend goes into a corner of the body without data. If no corner is free, it goes to the
 * right of the body.
 */
#include "figure/chart.h"
#include "figure/lettering.h"
#include "figure/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ENTRIES = 48 };

static const double PADDING = 5, SAMPLE = 17, SAMPLE_GAP = 5, COLUMN_GAP = 10, PITCH = 12.5;
static const double INSET = 5, OUTSIDE_GAP = 8, LONGEST = 170;

static const struct ecc_ink GROUND = {.name = "ground", .colour = {1, 1, 1, 0.85}};
static const struct ecc_ink FRAME = {.name = "grid", .colour = {0.87, 0.87, 0.87, 1}, .width = 0.5};

/* ---- Entries ------------------------------------------------------------------------------- */

struct entry {
    const char *name;
    struct ecc_ink ink;
    bool dot;
    enum ecc_shape shape; /* of a dot */
};

static size_t count_entries(const struct ecc_chart *chart)
{
    size_t count = chart->category_names ? chart->category_count : 0;
    for (size_t i = 0; i < chart->series_count; i++) {
        count += chart->series[i].name && chart->series[i].name[0];
    }
    return count;
}

/* The first entries: series in their order, then categories. */
static size_t collect(const struct ecc_chart *chart, struct entry *entries)
{
    size_t count = 0;
    for (size_t i = 0; i < chart->series_count && count < MOST_ENTRIES; i++) {
        const struct ecc_series *series = &chart->series[i];
        if (!series->name || !series->name[0]) continue;
        struct ecc_ink ink = ecc_series_ink(chart, i);
        if (series->category) {
            ink.colour = ecc_category_colour(-1);
            ink.category = -1;
        }
        entries[count++] =
            (struct entry){series->name, ink, series->mark == ECC_MARK_POINTS, ECC_SHAPE_DISC};
    }
    const size_t categories = chart->category_names ? chart->category_count : 0;
    for (size_t i = 0; i < categories && i < ECC_CATEGORY_MARKS && count < MOST_ENTRIES; i++) {
        const struct ecc_ink ink = {.colour = ecc_category_colour((int)i), .category = (int)i + 1};
        entries[count++] =
            (struct entry){chart->category_names[i], ink, true, ecc_category_shape((int)i)};
    }
    return count;
}

/* ---- Where the data are -------------------------------------------------------------------- */

enum { CELLS = 80 };

struct occupied {
    unsigned char cell[CELLS][CELLS]; /* [down, across] */
};

static void occupy(struct occupied *occupied, double u, double v)
{
    if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) return;
    const size_t column = (size_t)fmin(u * CELLS, CELLS - 1);
    const size_t row = (size_t)fmin(v * CELLS, CELLS - 1);
    occupied->cell[row][column] = 1;
}

/* The points between two places; a segment that is outside is skipped. */
static void occupy_segment(struct occupied *occupied, double u, double v, double to_u, double to_v)
{
    const double length = fmax(fabs(to_u - u), fabs(to_v - v));
    const bool outside =
        (u < 0 && to_u < 0) || (u > 1 && to_u > 1) || (v < 0 && to_v < 0) || (v > 1 && to_v > 1);
    const int steps = outside ? 0 : (int)fmin(ceil(length * CELLS), 4 * CELLS);
    for (int i = 1; i <= steps; i++) {
        const double t = (double)i / steps;
        occupy(occupied, u + t * (to_u - u), v + t * (to_v - v));
    }
}

static void occupy_series(struct occupied *occupied, const struct ecc_chart_plan *plan,
                          const struct ecc_series *series)
{
    double before_u = NAN, before_v = NAN;
    for (size_t i = 0; i < series->n; i++) {
        double u, v;
        if (!ecc_chart_place(plan, ecc_series_x(series, i), series->y[i], &u, &v)) {
            before_u = NAN;
            continue;
        }
        u /= plan->width;
        v /= plan->height;
        occupy(occupied, u, v);
        if (series->mark != ECC_MARK_POINTS && !isnan(before_u)) {
            const bool steps = series->mark == ECC_MARK_STEPS;
            if (steps) occupy_segment(occupied, before_u, before_v, u, before_v);
            occupy_segment(occupied, steps ? u : before_u, before_v, u, v);
        }
        before_u = u;
        before_v = v;
    }
}

static void occupy_notes(struct occupied *occupied, const struct ecc_chart_plan *plan)
{
    const struct ecc_chart *chart = plan->chart;
    for (size_t i = 0; i < chart->rule_count; i++) {
        const bool vertical = chart->rules[i].vertical;
        const double at = ecc_scale_place(vertical ? &plan->x : &plan->y, chart->rules[i].at);
        for (int k = 0; k < CELLS; k++) {
            const double along = (k + 0.5) / CELLS;
            occupy(occupied, vertical ? at : along, vertical ? along : 1 - at);
        }
    }
    for (size_t i = 0; i < chart->circle_count; i++) {
        const struct ecc_circle *circle = &chart->circles[i];
        for (int k = 0; k < 4 * CELLS; k++) {
            const double angle = 2 * M_PI * k / (4 * CELLS);
            double u, v;
            if (ecc_chart_place(plan, circle->x + circle->radius * cos(angle),
                                circle->y + circle->radius * sin(angle), &u, &v)) {
                occupy(occupied, u / plan->width, v / plan->height);
            }
        }
    }
}

static size_t count_occupied(const struct occupied *occupied, const struct ecc_chart_plan *plan)
{
    const struct ecc_legend *legend = &plan->legend;
    const double across = CELLS / plan->width, down = CELLS / plan->height;
    const size_t left = (size_t)fmax(0, (legend->left - INSET) * across);
    const size_t top = (size_t)fmax(0, (legend->top - INSET) * down);
    const size_t right = (size_t)fmin(CELLS, ceil((legend->left + legend->width + INSET) * across));
    const size_t bottom = (size_t)fmin(CELLS, ceil((legend->top + legend->height + INSET) * down));
    size_t count = 0;
    for (size_t row = top; row < bottom; row++) {
        for (size_t column = left; column < right; column++) {
            count += occupied->cell[row][column];
        }
    }
    return count;
}

/* ---- The plan ------------------------------------------------------------------------------ */

static void find_size(struct ecc_chart_plan *plan, cairo_t *cr, const struct entry *entries)
{
    struct ecc_legend *legend = &plan->legend;
    const size_t lines = legend->entries + (legend->hidden > 0);
    const size_t fitting = (size_t)fmax(1, floor((plan->height - 2 * PADDING) / PITCH));
    legend->columns = (lines - 1) / fitting + 1;
    legend->rows = (lines - 1) / legend->columns + 1;
    double widest = legend->hidden > 0 ? 50 : 0;
    for (size_t i = 0; i < legend->entries; i++) {
        widest = fmax(widest, ecc_text_width(cr, ECC_TEXT_TICK, entries[i].name));
    }
    legend->column_width = SAMPLE + SAMPLE_GAP + fmin(widest, LONGEST);
    legend->width =
        2 * PADDING + (double)legend->columns * (legend->column_width + COLUMN_GAP) - COLUMN_GAP;
    legend->height = 2 * PADDING + (double)legend->rows * PITCH - 3;
}

static void put_in_corner(struct ecc_chart_plan *plan, enum ecc_corner corner)
{
    struct ecc_legend *legend = &plan->legend;
    const bool left = corner == ECC_LEGEND_TOP_LEFT || corner == ECC_LEGEND_BOTTOM_LEFT;
    const bool top = corner == ECC_LEGEND_TOP_LEFT || corner == ECC_LEGEND_TOP_RIGHT;
    legend->place = ECC_PLACE_CORNER;
    legend->left = left ? INSET : plan->width - legend->width - INSET;
    legend->top = top ? INSET : plan->height - legend->height - INSET;
}

static void put_outside(struct ecc_chart_plan *plan)
{
    plan->legend.place = ECC_PLACE_RIGHT;
    plan->legend.left = plan->width + plan->notes_right + OUTSIDE_GAP - PADDING;
    plan->legend.top = 0;
}

static void put_in_emptiest_corner(struct ecc_chart_plan *plan)
{
    struct ecc_legend *legend = &plan->legend;
    if (legend->width > 0.6 * plan->width || legend->height > 0.75 * plan->height) {
        put_outside(plan);
        return;
    }
    struct occupied occupied;
    memset(&occupied, 0, sizeof occupied);
    for (size_t i = 0; i < plan->chart->series_count; i++) {
        occupy_series(&occupied, plan, &plan->chart->series[i]);
    }
    occupy_notes(&occupied, plan);
    size_t least = SIZE_MAX;
    enum ecc_corner best = ECC_LEGEND_TOP_RIGHT;
    for (enum ecc_corner corner = ECC_LEGEND_TOP_RIGHT; corner <= ECC_LEGEND_BOTTOM_LEFT;
         corner++) {
        put_in_corner(plan, corner);
        const size_t count = count_occupied(&occupied, plan);
        if (count < least) {
            least = count;
            best = corner;
        }
    }
    put_in_corner(plan, best);
    /* A point or two under the legend is better than a chart squeezed by a column. */
    if (least > 3) put_outside(plan);
}

void ecc_legend_plan(struct ecc_chart_plan *plan, cairo_t *cr)
{
    struct entry entries[MOST_ENTRIES] = {0};
    const enum ecc_corner wanted = plan->chart->legend;
    plan->legend.entries = collect(plan->chart, entries);
    plan->legend.hidden = count_entries(plan->chart) - plan->legend.entries;
    if (plan->legend.entries == 0 || wanted == ECC_LEGEND_NONE) return;
    find_size(plan, cr, entries);
    if (wanted == ECC_LEGEND_AUTO) {
        put_in_emptiest_corner(plan);
    } else {
        put_in_corner(plan, wanted);
    }
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static void draw_sample(cairo_t *cr, const struct entry *entry, double x, double y)
{
    struct ecc_ink ink = entry->ink;
    const double half = entry->dot ? 0 : SAMPLE / 2 - 1;
    if (entry->dot && entry->shape != ECC_SHAPE_DISC) {
        ink.name = "shape";
        ecc_shape_path(cr, entry->shape, x + SAMPLE / 2, y, 2.7);
        ecc_ink_fill(cr, &ink);
        return;
    }
    if (entry->dot) {
        ink.name = "knots";
        ink.colour.alpha = 1;
        ink.width = 5.4;
        ink.round = true;
    }
    cairo_move_to(cr, x + SAMPLE / 2 - half, y);
    cairo_line_to(cr, x + SAMPLE / 2 + half, y);
    ecc_ink_stroke(cr, &ink);
}

static void draw_ground(cairo_t *cr, const struct ecc_legend *legend, double x, double y)
{
    if (legend->place != ECC_PLACE_CORNER) return;
    cairo_rectangle(cr, x, y, ceil(legend->width), ceil(legend->height));
    ecc_ink_fill(cr, &GROUND);
    cairo_rectangle(cr, x, y, ceil(legend->width), ceil(legend->height));
    ecc_ink_stroke(cr, &FRAME);
}

void ecc_legend_draw(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body)
{
    const struct ecc_legend *legend = &plan->legend;
    struct entry entries[MOST_ENTRIES] = {0};
    if (legend->place == ECC_PLACE_NOWHERE) return;
    collect(plan->chart, entries);
    /* On the middle of a half point: a sharp frame in a PNG. */
    const double x = floor(body->x + legend->left) + 0.25, y = floor(body->y + legend->top) + 0.25;
    draw_ground(cr, legend, x, y);
    for (size_t i = 0; i < legend->entries + (legend->hidden > 0); i++) {
        const size_t row = i % legend->rows, column = i / legend->rows;
        const double left = x + PADDING + (double)column * (legend->column_width + COLUMN_GAP);
        const double middle = y + PADDING + (double)row * PITCH + PITCH / 2 - 1.5;
        char name[ECC_TEXT_BYTES];
        if (i < legend->entries) {
            draw_sample(cr, &entries[i], left, middle);
            ecc_text_fit(cr, ECC_TEXT_TICK, name, entries[i].name, LONGEST);
        } else {
            const struct entry rest = {.ink = {.colour = ecc_category_colour(-1), .category = -1},
                                       .dot = true};
            if (plan->chart->category_names) draw_sample(cr, &rest, left, middle);
            snprintf(name, sizeof name, "%zu more", legend->hidden);
        }
        ecc_text_draw(cr, ECC_TEXT_TICK, left + SAMPLE + SAMPLE_GAP, middle,
                      (struct ecc_anchor){0, 0.5}, false, name);
    }
}
