/* ink.c: paths painted into a picture, or written into a page as inline SVG. */
#include "figure/ink.h"

enum { COLOURS = 10 }; /* k0 to k9 in the style of a page, as ecc_colour_category cycles */

static const cairo_user_data_key_t PAGE;

enum ecc_status ecc_ink_to_page(cairo_t *cr, FILE *page, struct ecc_error *error)
{
    if (cairo_set_user_data(cr, &PAGE, page, NULL) == CAIRO_STATUS_SUCCESS) return ECC_OK;
    return ecc_fail_memory(error, "a chart");
}

FILE *ecc_ink_page(cairo_t *cr)
{
    return cairo_get_user_data(cr, &PAGE);
}

void ecc_ink_escape(FILE *page, const char *text)
{
    for (const char *at = text; *at; at++) {
        switch (*at) {
        case '<': fputs("&lt;", page); break;
        case '>': fputs("&gt;", page); break;
        case '&': fputs("&amp;", page); break;
        case '"': fputs("&quot;", page); break;
        default: fputc(*at, page);
        }
    }
}

/* ---- Pages --------------------------------------------------------------------------------- */

static void write_class(FILE *page, const struct ecc_ink *ink)
{
    fprintf(page, "<path class=\"%s", ink->name);
    if (ink->dash > 0) fputs(" dashed", page);
    if (ink->category < 0) fputs(" none", page);
    if (ink->category > 0) fprintf(page, " k%d", (ink->category - 1) % COLOURS);
    fputs("\" d=\"", page);
}

/* One step of a path: "M1.0 2.0", "L3.0 4.0", or "h0" where the step has no length. */
static void write_step(FILE *page, const cairo_path_data_t *step, const cairo_path_data_t *before)
{
    const cairo_path_data_t *const to = step + step->header.length - 1;
    switch (step->header.type) {
    case CAIRO_PATH_MOVE_TO: fprintf(page, "M%.1f %.1f", to->point.x, to->point.y); return;
    case CAIRO_PATH_LINE_TO:
        if (before && before->point.x == to->point.x && before->point.y == to->point.y) {
            fputs("h0", page);
        } else {
            fprintf(page, "L%.1f %.1f", to->point.x, to->point.y);
        }
        return;
    case CAIRO_PATH_CURVE_TO:
        fprintf(page, "C%.1f %.1f %.1f %.1f %.1f %.1f", step[1].point.x, step[1].point.y,
                step[2].point.x, step[2].point.y, to->point.x, to->point.y);
        return;
    case CAIRO_PATH_CLOSE_PATH: fputs("Z", page);
    }
}

static void write_path(cairo_t *cr, FILE *page, const struct ecc_ink *ink)
{
    cairo_path_t *const path = cairo_copy_path(cr);
    const cairo_path_data_t *before = NULL;
    cairo_new_path(cr);
    if (path->status == CAIRO_STATUS_SUCCESS && path->num_data > 0) {
        write_class(page, ink);
        for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
            const cairo_path_data_t *const step = &path->data[i];
            write_step(page, step, before);
            before =
                step->header.type == CAIRO_PATH_CLOSE_PATH ? NULL : step + step->header.length - 1;
        }
        fputs("\"/>", page);
    }
    cairo_path_destroy(path);
}

/* ---- Both ---------------------------------------------------------------------------------- */

static void set_colour(cairo_t *cr, struct ecc_colour colour)
{
    cairo_set_source_rgba(cr, colour.red, colour.green, colour.blue, colour.alpha);
}

void ecc_ink_stroke(cairo_t *cr, const struct ecc_ink *ink)
{
    FILE *const page = ecc_ink_page(cr);
    if (page) {
        write_path(cr, page, ink);
        return;
    }
    const double dashes[] = {ink->dash, ink->gap};
    cairo_set_line_width(cr, ink->width);
    cairo_set_line_cap(cr, ink->round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr, ink->round ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER);
    cairo_set_dash(cr, dashes, ink->dash > 0 ? 2 : 0, 0);
    set_colour(cr, ink->colour);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0);
}

void ecc_ink_fill(cairo_t *cr, const struct ecc_ink *ink)
{
    FILE *const page = ecc_ink_page(cr);
    if (page) {
        write_path(cr, page, ink);
        return;
    }
    set_colour(cr, ink->colour);
    cairo_fill(cr);
}
