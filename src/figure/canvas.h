/* canvas.h: the surface a figure is drawn on, and images on it. The file appears only when it is
 * complete. */
#ifndef ECC_FIGURE_CANVAS_H
#define ECC_FIGURE_CANVAS_H

#include "base/file.h"
#include "figure/figure.h"

#include <cairo.h>

struct ecc_canvas_format;

struct ecc_canvas {
    cairo_t *cr; /* one unit is a point, y runs down */
    bool vector; /* SVG or PDF: shapes stay shapes, and images are embedded */
    cairo_surface_t *surface;
    const struct ecc_canvas_format *format;
    struct ecc_output output;
    int write_errno;
};

struct ecc_box {
    double x, y, width, height;
};

/* A context for measuring text before the size of the figure is known; cairo_destroy it. */
enum ecc_status ecc_canvas_measuring(cairo_t **cr, struct ecc_error *error);
/* Ends it; fails if a text got no memory: then what was measured is wrong. */
enum ecc_status ecc_canvas_measured(cairo_t *cr, struct ecc_error *error);

/* Opens the file and a white canvas of this size in points.  Either commit or discard follows. */
enum ecc_status ecc_canvas_open(struct ecc_canvas *canvas, const char *path, double width,
                                double height, const char *title, struct ecc_error *error);
enum ecc_status ecc_canvas_commit(struct ecc_canvas *canvas, struct ecc_error *error);
void ecc_canvas_discard(struct ecc_canvas *canvas);

/* An image of pixels as cairo holds them, sharp at the canvas's resolution. */
struct ecc_raster {
    cairo_surface_t *surface;
    uint32_t *pixels;             /* 0xAARRGGBB, premultiplied */
    size_t width, height, stride; /* in pixels */
    double density;               /* pixels per point */
};

/* An empty image for this many points: transparent, or white. */
enum ecc_status ecc_raster_create(struct ecc_raster *raster, const struct ecc_canvas *canvas,
                                  double width, double height, bool transparent,
                                  struct ecc_error *error);
/* Puts it onto the canvas with its top left corner at (x, y), and frees it. */
void ecc_raster_paint(struct ecc_raster *raster, const struct ecc_canvas *canvas, double x,
                      double y);

#endif
