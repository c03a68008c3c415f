/* plane.h: items as points in a plane, coloured by category, with columns of a table as arrows. */
#ifndef ECC_SHOW_PLANE_H
#define ECC_SHOW_PLANE_H

#include "eccentric_show.h"

#include "figure/plot.h"

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

#endif
