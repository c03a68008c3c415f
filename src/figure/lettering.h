/* lettering.h: text on a picture: measured, anchored, rotated, shortened and wrapped. */
#ifndef ECC_FIGURE_LETTERING_H
#define ECC_FIGURE_LETTERING_H

#include "figure/figure.h"

#include <cairo.h>

enum ecc_text_style {
    ECC_TEXT_TITLE,       /* of the figure */
    ECC_TEXT_CAPTION,     /* of the figure */
    ECC_TEXT_PANEL_TITLE, /* of a panel */
    ECC_TEXT_LABEL,       /* of an axis */
    ECC_TEXT_TICK,        /* numbers along an axis, names, legends */
    ECC_TEXT_SMALL,       /* under an image of a sheet */
};

enum { ECC_TEXT_BYTES = 512 }; /* longer texts are cut */

/* Where the given point lies in the text: 0 is its left or top, 1 its right or bottom. */
struct ecc_anchor {
    double across, down;
};

/* Copies what cairo accepts: control characters become spaces, malformed bytes U+FFFD, NULL "".
 * cleaned: ECC_TEXT_BYTES. */
void ecc_text_clean(char *cleaned, const char *text);

/* What makes sizes the same on paper, on the screen and while measuring.  Once per context. */
void ecc_text_prepare(cairo_t *cr);

double ecc_text_height(enum ecc_text_style style);
double ecc_text_width(cairo_t *cr, enum ecc_text_style style, const char *text);

/* Draws one line.  Upright text runs from bottom to top, and its anchor turns with it. */
void ecc_text_draw(cairo_t *cr, enum ecc_text_style style, double x, double y,
                   struct ecc_anchor anchor, bool upright, const char *text);

/* The same on a pale outline, to be read over points. */
void ecc_text_halo(cairo_t *cr, enum ecc_text_style style, double x, double y,
                   struct ecc_anchor anchor, const char *text);
/* The same in the middle of a cell of a colour: dark, or white on a dark cell. */
void ecc_text_on(cairo_t *cr, enum ecc_text_style style, double x, double y,
                 struct ecc_colour ground, const char *text);

/* Draws the label of an axis of this length: smaller if it is longer than that, at last cut. */
void ecc_text_label(cairo_t *cr, double x, double y, struct ecc_anchor anchor, bool upright,
                    double length, const char *text);

/* Shortens with an ellipsis until the text is at most `width` wide.  fitted: ECC_TEXT_BYTES. */
void ecc_text_fit(cairo_t *cr, enum ecc_text_style style, char *fitted, const char *text,
                  double width);

/* Wraps at spaces into lines below each other, from the left; draws unless `measure_only`.
 * Returns the height of all lines, 0 for NULL or "". */
double ecc_text_paragraph(cairo_t *cr, enum ecc_text_style style, double x, double y, double width,
                          const char *text, bool measure_only);

#endif
