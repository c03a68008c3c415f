/* chart.h: the plan of a chart, which its marks, notes and legend are drawn by. */
#ifndef ECC_FIGURE_CHART_H
#define ECC_FIGURE_CHART_H

#include "figure/canvas.h"
#include "figure/ink.h"
#include "figure/scale.h"

enum ecc_legend_place { ECC_PLACE_NOWHERE, ECC_PLACE_CORNER, ECC_PLACE_RIGHT };

struct ecc_legend {
    enum ecc_legend_place place;
    size_t entries, hidden; /* shown, and left out for want of room */
    size_t rows, columns;
    double column_width, width, height;
    double left, top; /* from the body's corner */
};

struct ecc_chart_plan {
    const struct ecc_chart *chart;
    double width, height; /* of the body */
    struct ecc_scale x, y;
    struct ecc_ticks x_ticks, y_ticks;
    struct ecc_legend legend;
    bool blank;                    /* there are series, but no point of them has a place */
    double notes_right, notes_top; /* room that the words of rules take outside the body */
};

/* The place of a point of the data, from the body's top left corner; false if it has none. */
bool ecc_chart_place(const struct ecc_chart_plan *plan, double x, double y, double *across,
                     double *down);

/* The i-th x of a series. */
static inline double ecc_series_x(const struct ecc_series *series, size_t i)
{
    return series->x ? series->x[i] : (double)i + 1;
}

/* marks.c */
struct ecc_colour ecc_series_colour(const struct ecc_chart *chart, size_t index);
/* The ink of a series' line, or of its bars. */
struct ecc_ink ecc_series_ink(const struct ecc_chart *chart, size_t index);
/* Bars lie under rules, lines above them. */
void ecc_bars_draw(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body);
void ecc_marks_draw(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body);

/* points.c */
enum ecc_status ecc_points_draw(const struct ecc_chart_plan *plan, struct ecc_canvas *canvas,
                                const struct ecc_box *body, struct ecc_error *error);

/* notes.c: rules and circles */
void ecc_notes_measure(struct ecc_chart_plan *plan, cairo_t *cr);
void ecc_notes_draw_lines(const struct ecc_chart_plan *plan, cairo_t *cr,
                          const struct ecc_box *body);
void ecc_notes_draw_words(const struct ecc_chart_plan *plan, cairo_t *cr,
                          const struct ecc_box *body);

/* tags.c: arrows and words */
void ecc_tags_draw(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body);

/* legend.c */
void ecc_legend_plan(struct ecc_chart_plan *plan, cairo_t *cr);
void ecc_legend_draw(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body);

#endif
