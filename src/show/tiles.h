/*
 * tiles.h: pictures in pages: images side by side with gaps in the page's colour, and the legend of
 * a chart below it.
 */
#ifndef ECC_SHOW_TILES_H
#define ECC_SHOW_TILES_H

#include "data/dataset.h"
#include "figure/chart.h"

#include <stdio.h>

/* x: [count, c, h, w] in rows of `columns`, as one <img>. */
enum ecc_status ecc_html_tiles(FILE *out, const float *x, struct ecc_item_shape shape, size_t count,
                               size_t columns, const char *alt, struct ecc_error *error);

/* The same in two steps: *file: [*bytes] is a PNG, the caller's to free; it may be kept and put
 * into a page later. */
enum ecc_status ecc_tiles_encode(unsigned char **file, size_t *bytes, const float *x,
                                 struct ecc_item_shape shape, size_t count, size_t columns,
                                 struct ecc_error *error);
void ecc_html_tiles_file(FILE *out, const unsigned char *file, size_t bytes,
                         struct ecc_item_shape shape, size_t count, size_t columns,
                         const char *alt);

/* The legend of a chart, as a list below it: the names of its series, or of its categories. */
void ecc_html_legend(FILE *out, const struct ecc_chart *chart);

#endif
