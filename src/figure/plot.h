/*
 * plot.h: a figure put together step by step, which then draws itself.
 *
 *     struct ecc_plot plot;
 *     ecc_plot_start(&plot, "Error with few labels", 0, 0);
 *     plot.figure.caption = ecc_plot_text(&plot, "%zu test items", n);
 *     struct ecc_chart *chart = ecc_plot_chart(&plot, NULL, "labelled items", "error (%)");
 *     chart->x.logarithmic = true;
 *     ecc_plot_line(&plot, "latents", x, y, rows)->size = 2;
 *     ecc_plot_rule(&plot, majority, "majority");
 *     return ecc_plot_write(&plot, path, error);
 *
 * The plot owns what it hands out: texts, names and numbers live until it is released.  Strings,
 * values and pixels that are passed in stay the caller's.  A pointer to a chart, heat map, sheet or
 * series is good until the next one of its kind is added.  Where memory runs out, the steps go on
 * without effect, and drawing fails.
 */
#ifndef ECC_FIGURE_PLOT_H
#define ECC_FIGURE_PLOT_H

#include "figure/figure.h"

struct ecc_plot_list {
    void *items;
    size_t count;
};

struct ecc_plot {
    struct ecc_figure figure; /* caption and columns may be set; panels are filled when it draws */

    /* Of all charts, in their order. */
    struct ecc_plot_list panels, series, rules, circles, arrows, tags;
    struct ecc_plot_block *blocks; /* of texts and numbers */
    bool failed;                   /* memory ran out */
    union {
        struct ecc_panel panel;
        struct ecc_series series;
        struct ecc_rule rule;
        struct ecc_circle circle;
        struct ecc_arrow arrow;
        struct ecc_tag tag;
    } spare; /* takes what is added then */
};

/* An empty figure; width and height as panel_width and panel_height of struct ecc_figure.  After
 * this, ecc_plot_write or ecc_plot_release must follow. */
void ecc_plot_start(struct ecc_plot *plot, const char *title, double width, double height);

/* ---- Panels -------------------------------------------------------------------------------- */

struct ecc_chart *ecc_plot_chart(struct ecc_plot *plot, const char *title, const char *x_label,
                                 const char *y_label);
/* values: [rows, columns] */
struct ecc_heat *ecc_plot_heat(struct ecc_plot *plot, const char *title, const double *values,
                               size_t rows, size_t columns);
/* pixels: [count, channels, height, width] */
struct ecc_sheet *ecc_plot_sheet(struct ecc_plot *plot, const float *pixels, size_t count,
                                 size_t channels, size_t height, size_t width);

/* ---- On the chart that was added last ------------------------------------------------------- */

/* x NULL: 1, 2, 3, ...; name NULL: not in the legend. */
struct ecc_series *ecc_plot_line(struct ecc_plot *plot, const char *name, const double *x,
                                 const double *y, size_t n);
struct ecc_series *ecc_plot_points(struct ecc_plot *plot, const char *name, const double *x,
                                   const double *y, size_t n);
void ecc_plot_rule(struct ecc_plot *plot, double y, const char *label);
void ecc_plot_rule_upright(struct ecc_plot *plot, double x, const char *label);
void ecc_plot_circle(struct ecc_plot *plot, double x, double y, double radius, const char *label);
/* From the origin, and a word at a place. */
void ecc_plot_arrow(struct ecc_plot *plot, double x, double y, const char *label);
void ecc_plot_tag(struct ecc_plot *plot, double x, double y, const char *label);

/* ---- Texts and numbers that live as long as the plot ----------------------------------------- */

const char *ecc_plot_text(struct ecc_plot *plot, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Zeroed; NULL where memory ran out. */
const char **ecc_plot_names(struct ecc_plot *plot, size_t count);
double *ecc_plot_numbers(struct ecc_plot *plot, size_t count);

/* ---- Drawing ------------------------------------------------------------------------------- */

/* To a .png, .svg or .pdf; may be called again for another file. */
enum ecc_status ecc_plot_draw(struct ecc_plot *plot, const char *path, struct ecc_error *error);
/* Its first chart into a page, as ecc_chart_inline does. */
enum ecc_status ecc_plot_inline(struct ecc_plot *plot, FILE *page, double width, double height,
                                const char *words, struct ecc_error *error);
void ecc_plot_release(struct ecc_plot *plot);

/* Draws to one file and releases the plot. */
enum ecc_status ecc_plot_write(struct ecc_plot *plot, const char *path, struct ecc_error *error);
/* The same to a file in a folder. */
enum ecc_status ecc_plot_write_in(struct ecc_plot *plot, const char *folder, const char *name,
                                  struct ecc_error *error);

#endif
