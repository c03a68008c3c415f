/*
 * lettering.c: text on a picture.
 *
 * Names of classes and files come from outside, and one malformed byte would put cairo's context
 * into an error state that swallows the rest of the picture: every text is cleaned first.
 */
#include "figure/lettering.h"
#include "base/text.h"
#include "figure/ink.h"

#include <math.h>
#include <string.h>

static const struct {
    double size; /* in points */
    double grey;
    cairo_font_weight_t weight;
    const char *name; /* the class in a page */
} STYLES[] = {
    [ECC_TEXT_TITLE] = {12.5, 0.05, CAIRO_FONT_WEIGHT_BOLD, "title"},
    [ECC_TEXT_CAPTION] = {9, 0.35, CAIRO_FONT_WEIGHT_NORMAL, "tick"},
    [ECC_TEXT_PANEL_TITLE] = {10, 0.05, CAIRO_FONT_WEIGHT_BOLD, "title"},
    [ECC_TEXT_LABEL] = {9.5, 0.1, CAIRO_FONT_WEIGHT_NORMAL, "label"},
    [ECC_TEXT_TICK] = {8.5, 0.2, CAIRO_FONT_WEIGHT_NORMAL, "tick"},
    [ECC_TEXT_SMALL] = {7.5, 0.25, CAIRO_FONT_WEIGHT_NORMAL, "tick"},
};

static const char ELLIPSIS[] = "…";

/* DejaVu Sans, in parts of its size: the height of capitals, and room under the line. */
static const double CAPITAL = 0.73, DESCENT = 0.24;

void ecc_text_clean(char *cleaned, const char *text)
{
    size_t used = 0;
    const char *at = text ? text : "";
    memset(cleaned, 0, ECC_TEXT_BYTES); /* ends it too */
    while (*at && used + 5 < ECC_TEXT_BYTES) {
        const size_t length = ecc_utf8_length(at);
        const char *source = at;
        size_t bytes = length;
        if (length == 0) {
            source = "\xEF\xBF\xBD";
            bytes = 3;
        } else if (length == 1 && ((unsigned char)*at < 0x20 || *at == 0x7F)) {
            source = " ";
        }
        memcpy(cleaned + used, source, bytes);
        used += bytes;
        at += length ? length : 1;
    }
}

void ecc_text_prepare(cairo_t *cr)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
}

/* fontconfig falls back to another sans-serif where DejaVu is not installed. */
static void choose_font(cairo_t *cr, enum ecc_text_style style)
{
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, STYLES[style].weight);
    cairo_set_font_size(cr, STYLES[style].size);
}

double ecc_text_height(enum ecc_text_style style)
{
    return (CAPITAL + DESCENT) * STYLES[style].size;
}

static double width_of_clean(cairo_t *cr, enum ecc_text_style style, const char *text)
{
    cairo_text_extents_t extents;
    choose_font(cr, style);
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}

double ecc_text_width(cairo_t *cr, enum ecc_text_style style, const char *text)
{
    char cleaned[ECC_TEXT_BYTES];
    ecc_text_clean(cleaned, text);
    return cleaned[0] ? width_of_clean(cr, style, cleaned) : 0;
}

/* The reader's font has other widths: the anchor is left to the browser. */
static void write_text(FILE *page, const char *style, double x, double y, double across,
                       bool upright, const char *text)
{
    static const char *const ANCHORS[] = {"", " middle", " end"};
    fprintf(page, "<text class=\"%s%s\"", style, ANCHORS[(size_t)rint(2 * across)]);
    if (upright) {
        fprintf(page, " transform=\"translate(%.1f %.1f) rotate(-90)\">", x, y);
    } else {
        fprintf(page, " x=\"%.1f\" y=\"%.1f\">", x, y);
    }
    ecc_ink_escape(page, text);
    fputs("</text>", page);
}

/* How a text is painted. */
struct paint {
    double grey; /* 0 is black */
    bool upright, halo;
};

static void paint_text(cairo_t *cr, const struct paint *paint, const char *text)
{
    const double grey = paint->grey;
    if (paint->halo) {
        cairo_text_path(cr, text);
        cairo_set_source_rgba(cr, 1, 1, 1, 0.85);
        cairo_set_line_width(cr, 2.6);
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
        cairo_stroke_preserve(cr);
        cairo_set_source_rgb(cr, grey, grey, grey);
        cairo_fill(cr);
        return;
    }
    cairo_set_source_rgb(cr, grey, grey, grey);
    cairo_show_text(cr, text);
}

static void draw_text(cairo_t *cr, enum ecc_text_style style, double x, double y,
                      struct ecc_anchor anchor, const struct paint *paint, const char *text)
{
    const bool upright = paint->upright;
    char cleaned[ECC_TEXT_BYTES];
    ecc_text_clean(cleaned, text);
    if (!cleaned[0]) return;
    const double width = width_of_clean(cr, style, cleaned);
    const double size = STYLES[style].size;
    /* Centred on the capitals: that is where the eye sees the middle of a number. */
    const double drop = anchor.down < 0.5   ? CAPITAL * size
                        : anchor.down > 0.5 ? -DESCENT * size
                                            : CAPITAL * size / 2;
    FILE *const page = ecc_ink_page(cr);
    if (page) {
        write_text(page, paint->halo ? "halo" : STYLES[style].name, x + (upright ? drop : 0),
                   y + (upright ? 0 : drop), anchor.across, upright, cleaned);
        return;
    }
    cairo_save(cr);
    cairo_translate(cr, x, y);
    if (upright) cairo_rotate(cr, -M_PI / 2);
    cairo_move_to(cr, -anchor.across * width, drop);
    paint_text(cr, paint, cleaned);
    cairo_restore(cr);
    cairo_new_path(cr);
}

void ecc_text_draw(cairo_t *cr, enum ecc_text_style style, double x, double y,
                   struct ecc_anchor anchor, bool upright, const char *text)
{
    const struct paint paint = {STYLES[style].grey, upright, false};
    draw_text(cr, style, x, y, anchor, &paint, text);
}

void ecc_text_halo(cairo_t *cr, enum ecc_text_style style, double x, double y,
                   struct ecc_anchor anchor, const char *text)
{
    const struct paint paint = {0.05, false, true};
    draw_text(cr, style, x, y, anchor, &paint, text);
}

void ecc_text_on(cairo_t *cr, enum ecc_text_style style, double x, double y,
                 struct ecc_colour ground, const char *text)
{
    const double light = 0.299 * ground.red + 0.587 * ground.green + 0.114 * ground.blue;
    const struct paint paint = {light < 0.55 ? 1 : 0.1, false, false};
    draw_text(cr, style, x, y, (struct ecc_anchor){0.5, 0.5}, &paint, text);
}

/* The start of the character before `end`. */
static size_t previous_character(const char *text, size_t end)
{
    while (end > 0 && ((unsigned char)text[--end] & 0xC0) == 0x80) {
    }
    return end;
}

void ecc_text_fit(cairo_t *cr, enum ecc_text_style style, char *fitted, const char *text,
                  double width)
{
    ecc_text_clean(fitted, text);
    size_t length = strlen(fitted);
    if (length == 0 || width_of_clean(cr, style, fitted) <= width) return;
    if (length > ECC_TEXT_BYTES - sizeof ELLIPSIS) length = ECC_TEXT_BYTES - sizeof ELLIPSIS;
    do {
        length = previous_character(fitted, length);
        while (length > 0 && fitted[length - 1] == ' ') length--;
        memcpy(fitted + length, ELLIPSIS, sizeof ELLIPSIS);
    } while (length > 0 && width_of_clean(cr, style, fitted) > width);
}

void ecc_text_label(cairo_t *cr, double x, double y, struct ecc_anchor anchor, bool upright,
                    double length, const char *text)
{
    enum ecc_text_style style = ECC_TEXT_LABEL;
    while (style < ECC_TEXT_SMALL && ecc_text_width(cr, style, text) > length + 10) {
        style++; /* the styles fall in size from here */
    }
    char fitted[ECC_TEXT_BYTES];
    ecc_text_fit(cr, style, fitted, text, length + 30);
    ecc_text_draw(cr, style, x, y, anchor, upright, fitted);
}

/* Bytes of `text` that fit in a line, up to a space where there is one; at least one word. */
static size_t line_length(cairo_t *cr, enum ecc_text_style style, const char *text, double width)
{
    char line[ECC_TEXT_BYTES];
    size_t fits = 0;
    for (size_t end = 0;; end++) {
        if (text[end] != ' ' && text[end] != '\0') continue;
        memcpy(line, text, end);
        line[end] = '\0';
        if (fits > 0 && width_of_clean(cr, style, line) > width) return fits;
        fits = end;
        if (text[end] == '\0') return fits;
    }
}

double ecc_text_paragraph(cairo_t *cr, enum ecc_text_style style, double x, double y, double width,
                          const char *text, bool measure_only)
{
    char cleaned[ECC_TEXT_BYTES], line[ECC_TEXT_BYTES];
    ecc_text_clean(cleaned, text);
    const double pitch = ecc_text_height(style) * 1.25;
    double height = 0;
    const char *rest = cleaned + strspn(cleaned, " ");
    while (*rest) {
        const size_t length = line_length(cr, style, rest, width);
        memcpy(line, rest, length);
        line[length] = '\0';
        if (!measure_only) {
            char fitted[ECC_TEXT_BYTES];
            ecc_text_fit(cr, style, fitted, line, width);
            ecc_text_draw(cr, style, x, y + height, (struct ecc_anchor){0, 0}, false, fitted);
        }
        height += pitch;
        rest += length;
        rest += strspn(rest, " ");
    }
    return height;
}
