/* shape.c: the marks of categories, as distances for pixels and as paths. */
#include "figure/shape.h"

#include <math.h>

enum { COLOURS = 10 };

bool ecc_category_marked(int category)
{
    return category >= 0 && category < ECC_CATEGORY_MARKS;
}

enum ecc_shape ecc_category_shape(int category)
{
    return ecc_category_marked(category) ? (enum ecc_shape)(category / COLOURS) : ECC_SHAPE_DISC;
}

struct ecc_colour ecc_category_colour(int category)
{
    return ecc_category_marked(category) ? ecc_colour_category((size_t)category)
                                         : (struct ecc_colour){0.7, 0.7, 0.7, 1};
}

/* ---- Geometry ------------------------------------------------------------------------------- */

/* For a disc of radius 1: half the side of a square and the distance of a triangle's sides from its
 * centre, of the same area; the arms of a cross, which is a little larger to be seen. */
static const double SQUARE = 0.886, TRIANGLE = 0.777, ARM = 1.42, HALF_ARM = 0.36;

static const double CORNERS[][2] = {{0, -1}, {0.8660254, 0.5}, {-0.8660254, 0.5}};

double ecc_shape_reach(enum ecc_shape shape)
{
    static const double REACH[] = {1, 2 * 0.777, 1.5, 1.26};
    return REACH[shape];
}

static double triangle_distance(double x, double y, double r)
{
    double most = -INFINITY; /* over the sides, which lie opposite the corners */
    for (size_t i = 0; i < 3; i++) {
        most = fmax(most, -x * CORNERS[i][0] - y * CORNERS[i][1] - TRIANGLE * r);
    }
    return most;
}

static double box_distance(double x, double y, double width, double height)
{
    return fmax(fabs(x) - width, fabs(y) - height);
}

double ecc_shape_distance(enum ecc_shape shape, double x, double y, double r)
{
    const double u = (x + y) * M_SQRT1_2, v = (x - y) * M_SQRT1_2;
    switch (shape) {
    case ECC_SHAPE_TRIANGLE: return triangle_distance(x, y, r);
    case ECC_SHAPE_CROSS:
        return fmin(box_distance(u, v, ARM * r, HALF_ARM * r),
                    box_distance(v, u, ARM * r, HALF_ARM * r));
    case ECC_SHAPE_SQUARE: return box_distance(x, y, SQUARE * r, SQUARE * r);
    case ECC_SHAPE_DISC: break;
    }
    return sqrt(x * x + y * y) - r;
}

/* ---- Paths ---------------------------------------------------------------------------------- */

static void add_cross(cairo_t *cr, double x, double y, double r)
{
    static const double TURNS[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (size_t i = 0; i < 4; i++) {
        const double c = TURNS[i][0], s = TURNS[i][1];
        const double corner[][2] = {{ARM, -HALF_ARM}, {ARM, HALF_ARM}, {HALF_ARM, HALF_ARM}};
        for (size_t k = 0; k < 3; k++) {
            const double u = c * corner[k][0] - s * corner[k][1];
            const double v = s * corner[k][0] + c * corner[k][1];
            cairo_line_to(cr, x + r * (u + v) * M_SQRT1_2, y + r * (u - v) * M_SQRT1_2);
        }
    }
}

void ecc_shape_path(cairo_t *cr, enum ecc_shape shape, double x, double y, double r)
{
    cairo_new_sub_path(cr);
    switch (shape) {
    case ECC_SHAPE_DISC: cairo_arc(cr, x, y, r, 0, 2 * M_PI); break;
    case ECC_SHAPE_TRIANGLE:
        for (size_t i = 0; i < 3; i++) {
            cairo_line_to(cr, x + 2 * TRIANGLE * r * CORNERS[i][0],
                          y + 2 * TRIANGLE * r * CORNERS[i][1]);
        }
        break;
    case ECC_SHAPE_CROSS: add_cross(cr, x, y, r); break;
    case ECC_SHAPE_SQUARE:
        cairo_rectangle(cr, x - SQUARE * r, y - SQUARE * r, 2 * SQUARE * r, 2 * SQUARE * r);
        return;
    }
    cairo_close_path(cr);
}
