/*
 * panel.h: what each kind of panel provides for the layout.
 *
 * A panel is a body (the axes' inside, the cells, the images) and margins for what is written
 * around it.  The layout lines up the bodies, so that the axes of neighbours are aligned.
 */
#ifndef ECC_FIGURE_PANEL_H
#define ECC_FIGURE_PANEL_H

#include "figure/canvas.h"

struct ecc_extent {
    double width, height; /* of the body */
    double left, right, top, bottom;
};

struct ecc_panel_type {
    bool stretches; /* its body may be drawn larger, to line up with its neighbours */
    enum ecc_status (*check)(const struct ecc_panel *panel, struct ecc_error *error);
    /* The body for a wanted size (0: by kind; `columns` panels stand side by side), its margins. */
    void (*measure)(const struct ecc_panel *panel, cairo_t *cr, double width, double height,
                    size_t columns, struct ecc_extent *extent);
    enum ecc_status (*draw)(const struct ecc_panel *panel, struct ecc_canvas *canvas,
                            const struct ecc_box *body, struct ecc_error *error);
};

extern const struct ecc_panel_type ecc_panel_chart, ecc_panel_heat, ecc_panel_sheet;

#endif
