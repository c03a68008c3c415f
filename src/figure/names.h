/* names.h: names along the rows or columns of a grid, for heat maps and image sheets. */
#ifndef ECC_FIGURE_NAMES_H
#define ECC_FIGURE_NAMES_H

#include "figure/lettering.h"

struct ecc_names {
    const char *const *names; /* or NULL: numbers from 1 */
    size_t count;
    double pitch; /* points from one row or column to the next */
};

/* How far the names reach: the width of row names, the height of column names. */
double ecc_names_width(cairo_t *cr, const struct ecc_names *rows);
double ecc_names_height(cairo_t *cr, const struct ecc_names *columns);

/* Draws row names that end at x, the first row centred on y; thinned out where rows are narrow. */
void ecc_names_draw_rows(cairo_t *cr, const struct ecc_names *rows, double x, double y);

/* Draws column names above or below y, the first column centred on x; turned upright where they
 * are wider than a column. */
void ecc_names_draw_columns(cairo_t *cr, const struct ecc_names *columns, double x, double y,
                            bool above);

#endif
