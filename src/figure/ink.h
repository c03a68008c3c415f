/*
 * ink.h: how a path becomes visible.
 *
 * Charts build their paths with cairo.  What a path is then painted with depends on where it goes:
 * into a picture, with the colour and width of an ink; into a page, as a <path> of an inline SVG
 * that has only classes, so that the page's style decides, in light and in dark.
 */
#ifndef ECC_FIGURE_INK_H
#define ECC_FIGURE_INK_H

#include "figure/figure.h"

#include <cairo.h>
#include <stdio.h>

struct ecc_ink {
    const char *name; /* the class in a page */
    struct ecc_colour colour;
    double width;     /* of a stroke, in points */
    double dash, gap; /* 0: no dashes */
    bool round;       /* ends and joins: a stroke of no length is a dot */
    int category;     /* in a page: 0 none, 1 the class k0, ...; below 0 the class "none" */
};

/* From here on the paths and words of this context go into a page.  They are in points. */
enum ecc_status ecc_ink_to_page(cairo_t *cr, FILE *page, struct ecc_error *error);
/* The page that a context writes to, or NULL: it draws a picture. */
FILE *ecc_ink_page(cairo_t *cr);

/* Paint the context's path and end it. */
void ecc_ink_stroke(cairo_t *cr, const struct ecc_ink *ink);
void ecc_ink_fill(cairo_t *cr, const struct ecc_ink *ink);

/* Text between tags or in an attribute; it must be UTF-8 without control characters. */
void ecc_ink_escape(FILE *page, const char *text);

#endif
