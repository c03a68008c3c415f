/* plane.h: items as points in a plane, coloured by category, with columns of a table as arrows. */
#ifndef ECC_SHOW_PLANE_H
#define ECC_SHOW_PLANE_H

#include "eccentric_evaluate.h"
#include "figure/plot.h"

struct ecc_plane {
    double *x, *y;     /* [n] */
    int32_t *category; /* [n], < 0 for none; or NULL: one colour */
    size_t n;
    const char *const *category_names;
    size_t category_count;
    const char *x_label, *y_label, *title, *caption;
    double circle_x, circle_y, circle; /* of this radius; 0: none */

    /* Columns of a table as arrows: what the component of x, then that of y, does to them; NULL:
     * none.  The `arrows` that change most are drawn. */
    const struct ecc_meaning *meaning;
    size_t arrows;
};

/*
 * The same points in the order to draw them: at random, rare categories later, so that at any
 * moment as many of each category are drawn and none hides another.  With more than
 * ECC_CATEGORY_MARKS categories, those are renumbered by falling count: the most frequent keep a
 * mark.  The caller releases it.
 */
enum ecc_status ecc_plane_arrange(struct ecc_plane *arranged, const struct ecc_plane *plane,
                                  struct ecc_error *error);
void ecc_plane_release(struct ecc_plane *arranged);

/* How far an axis must go from 0 to show at least half of each category, and at least `least`.
 * values: x or y of the plane.  0 if memory runs out. */
double ecc_plane_reach(const struct ecc_plane *plane, const double *values, double least);

/* Adds the arranged points to the chart that was added last, with the names of many categories in
 * their middles, and the arrows. */
void ecc_plane_plot(struct ecc_plot *plot, struct ecc_chart *chart,
                    const struct ecc_plane *arranged);

/* To a .png, .svg or .pdf. */
enum ecc_status ecc_draw_plane(const struct ecc_plane *plane, const char *path,
                               struct ecc_error *error);

#endif
