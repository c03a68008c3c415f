/* inline.c: a chart as inline SVG for a page: its words are text, its colours are the page's. */
#include "figure/ink.h"
#include "figure/panel.h"
#include "figure/lettering.h"

/* The axes' inside, such that the chart with its labels is as large as wanted.  The labels depend
 * on how many ticks there is room for, so they are measured twice. */
static struct ecc_box find_body(const struct ecc_panel *panel, cairo_t *cr, double width,
                                double height)
{
    struct ecc_box body = {0, 0, 0.85 * width, 0.85 * height};
    for (int pass = 0; pass < 2; pass++) {
        struct ecc_extent extent = {0};
        ecc_panel_chart.measure(panel, cr, body.width, body.height, 1, &extent);
        body = (struct ecc_box){extent.left, extent.top, width - extent.left - extent.right,
                                height - extent.top - extent.bottom};
    }
    return body;
}

static enum ecc_status draw(const struct ecc_panel *panel, cairo_t *cr, FILE *page,
                            const struct ecc_box *body, struct ecc_error *error)
{
    struct ecc_canvas canvas = {.cr = cr, .vector = true};
    ECC_TRY(ecc_ink_to_page(cr, page, error));
    return ecc_panel_chart.draw(panel, &canvas, body, error);
}

enum ecc_status ecc_chart_inline(FILE *page, const struct ecc_chart *chart, double width,
                                 double height, const char *words, struct ecc_error *error)
{
    const struct ecc_panel panel = {.chart = *chart};
    char cleaned[ECC_TEXT_BYTES];
    cairo_t *cr;
    ECC_TRY(ecc_panel_chart.check(&panel, error));
    ECC_TRY(ecc_canvas_measuring(&cr, error));
    const struct ecc_box body = find_body(&panel, cr, width, height);
    ecc_text_clean(cleaned, words);
    fprintf(page, "<svg role=\"img\" viewBox=\"0 0 %.0f %.0f\" aria-label=\"", width, height);
    ecc_ink_escape(page, cleaned);
    fputs("\">", page);
    const enum ecc_status status = draw(&panel, cr, page, &body, error);
    fputs("</svg>\n", page);
    if (status == ECC_OK) return ecc_canvas_measured(cr, error);
    cairo_destroy(cr);
    return status;
}
