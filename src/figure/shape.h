/* shape.h: the marks of categories: ten colours, each in four shapes of the same area. */
#ifndef ECC_FIGURE_SHAPE_H
#define ECC_FIGURE_SHAPE_H

#include "figure/figure.h"

#include <cairo.h>

enum ecc_shape { ECC_SHAPE_DISC = 0, ECC_SHAPE_TRIANGLE, ECC_SHAPE_CROSS, ECC_SHAPE_SQUARE };

/* Categories that have no mark of their own, negative ones and those from ECC_CATEGORY_MARKS on,
 * are grey discs. */
bool ecc_category_marked(int category);
enum ecc_shape ecc_category_shape(int category);
struct ecc_colour ecc_category_colour(int category);

/* How far a shape reaches from its centre, in parts of the radius of a disc of the same area. */
double ecc_shape_reach(enum ecc_shape shape);

/* The distance of a point from the edge of a shape around 0, negative inside; radius: that of a
 * disc of the same area. */
double ecc_shape_distance(enum ecc_shape shape, double x, double y, double radius);

/* Adds the outline of a shape to the context's path. */
void ecc_shape_path(cairo_t *cr, enum ecc_shape shape, double x, double y, double radius);

#endif
