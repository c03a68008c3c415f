/*
 * figure.h: publication-quality pictures, drawn with cairo to PNG, SVG or PDF.
 *
 * A figure is a grid of panels under an optional title; a panel is a chart (lines and points on
 * axes), a heat map, or a sheet of images.  Callers fill plain structs and call ecc_figure_write. A
 * field that is zero gets a sensible default. The ending of the path selects the format. plot.h
 * makes filling the structs shorter.
 */
#ifndef ECC_FIGURE_FIGURE_H
#define ECC_FIGURE_FIGURE_H

#include "base/status.h"

#include <stdio.h>

struct ecc_colour {
    double red, green, blue, alpha; /* 0 to 1; alpha 0 means "choose for me" */
};

/* Categories of points that can be told apart: ten colours, each in four shapes; the others are
 * grey. */
enum { ECC_CATEGORY_MARKS = 40 };

/* Colours for categories (stays readable for the colour-blind), cycling after ten; for ordered
 * series (t from 0 to 1, dark to light); and for signed values (t from -1 to 1, white at 0). */
struct ecc_colour ecc_colour_category(size_t index);
struct ecc_colour ecc_colour_sequence(double t);
struct ecc_colour ecc_colour_diverging(double t);

/* A line through at most 16 points shows them as dots; steps keep a value until the next x; bars
 * stand on zero and are one unit of x apart. */
enum ecc_mark {
    ECC_MARK_LINE = 0,
    ECC_MARK_DASHED,
    ECC_MARK_STEPS,
    ECC_MARK_POINTS,
    ECC_MARK_BARS
};

struct ecc_series {
    const char *name;    /* in the legend; NULL leaves it out */
    const double *x, *y; /* x NULL: 1, 2, 3, ... */
    size_t n; /* a point that is not finite, or not positive on a logarithmic axis, breaks a line */
    enum ecc_mark mark;
    struct ecc_colour colour;
    double size;         /* of the line or the points, in points (1/72 inch) */
    const int *category; /* per point, its mark, < 0 grey; or NULL: one colour for all */
};

/* A thin line across a chart with a label at its end, outside the axes, such as "√d". */
struct ecc_rule {
    double at;
    bool vertical;
    const char *label;
};

/* A circle in the data's coordinates, such as the radius of Theorem 1. */
struct ecc_circle {
    double x, y, radius;
    const char *label;
};

/* An arrow from the origin, in the data's coordinates, such as a column of a biplot. */
struct ecc_arrow {
    double x, y;
    const char *label; /* at its tip, where it overlaps nothing; without room it is left out */
};

/* A word at a place of the data, such as the name of a class in its middle. */
struct ecc_tag {
    double x, y;
    const char *label;
};

struct ecc_axis {
    const char *label;
    double low, high; /* equal: fitted to the data */
    bool logarithmic;
    bool whole; /* ticks at whole numbers only */
};

enum ecc_corner {
    ECC_LEGEND_AUTO = 0,
    ECC_LEGEND_TOP_RIGHT,
    ECC_LEGEND_TOP_LEFT,
    ECC_LEGEND_BOTTOM_RIGHT,
    ECC_LEGEND_BOTTOM_LEFT,
    ECC_LEGEND_NONE
};

struct ecc_chart {
    struct ecc_axis x, y;
    const struct ecc_series *series;
    size_t series_count;
    const struct ecc_rule *rules;
    size_t rule_count;
    const struct ecc_circle *circles;
    size_t circle_count;
    const struct ecc_arrow *arrows;
    size_t arrow_count;
    const struct ecc_tag *tags;
    size_t tag_count;
    bool equal_scales; /* one unit has the same length on both axes; a range is widened where
                          necessary */
    const char *const *category_names; /* legend of categories, or NULL */
    size_t category_count;
    enum ecc_corner legend;
};

struct ecc_heat {
    const double *values; /* [rows, columns], row 0 at the top; grey where not finite */
    size_t rows, columns;
    double limit;   /* the scale runs from -limit to limit; 0: fitted to the values */
    bool from_zero; /* ... or from 0 to limit, for values that are not negative */
    const char *row_label, *column_label; /* of the axes */
    /* Of the entries, or NULL: numbered from 1. */
    const char *const *row_names;
    const char *const *column_names;
    const char *scale_label;
    /* Cells of this size in points instead of square ones, with a text in each where all fit. */
    double cell_width, cell_height;
    const char *const *texts; /* [rows, columns], or NULL */
};

struct ecc_sheet {
    const float *pixels; /* [count, channels, height, width], 0 to 1; channels 1 or 3 */
    size_t count, channels, height, width;
    size_t columns;              /* 0: about square */
    const char *const *captions; /* per image, or NULL */
    const char *const *row_names;
    const char *const *column_names;
    double scale; /* points per pixel; 0: chosen */
};

enum ecc_panel_kind { ECC_PANEL_CHART = 0, ECC_PANEL_HEAT, ECC_PANEL_SHEET };

struct ecc_panel {
    const char *title;
    enum ecc_panel_kind kind;
    struct ecc_chart chart;
    struct ecc_heat heat;
    struct ecc_sheet sheet;
};

struct ecc_figure {
    const char *title, *caption; /* caption: a smaller line under the title */
    const struct ecc_panel *panels;
    size_t panel_count, columns; /* columns 0: all in one row */
    /* Size of the axes' inside, the cells or the images, without labels, in points; 0: by kind; for
     * heat maps and sheets this is the maximum, because their cells and pixels stay square. */
    double panel_width, panel_height;
};

/* Draws to a path ending in .png (at 2 pixels a point), .svg or .pdf.  The file is complete or does
 * not exist. */
enum ecc_status ecc_figure_write(const struct ecc_figure *figure, const char *path,
                                 struct ecc_error *error);

/* The same chart as inline SVG for a page of HTML, of this size in points with its labels.  It has
 * only classes: the page's style gives the colours (k0, k1, ... for series and categories).
 * words: what a screen reader says. */
enum ecc_status ecc_chart_inline(FILE *page, const struct ecc_chart *chart, double width,
                                 double height, const char *words, struct ecc_error *error);

/* Checks that a path has one of the three endings, so that commands can fail early. */
enum ecc_status ecc_figure_check_path(const char *path, struct ecc_error *error);

#endif
