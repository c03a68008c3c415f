/*
 * html.h: self-contained pages of HTML: escaped text, embedded pictures, one style for light and
 * dark.
 *
 * Such a page loads nothing: no script, no font, no address.
 */
#ifndef ECC_SHOW_HTML_H
#define ECC_SHOW_HTML_H

#include "base/status.h"

#include <stdio.h>

/* The style sheets in src/, embedded by cmake: "page" is src/show/page.css.  Ends in a name of
 * NULL.
 */
struct ecc_style {
    const char *name, *text;
};
extern const struct ecc_style ecc_styles[];

/* The page up to <body>: its title, the style that all pages share, and its own, by name. */
void ecc_html_begin(FILE *out, const char *title, const char *style);
void ecc_html_end(FILE *out);

/* Escapes any text, for use between tags and in double-quoted attributes. Bytes that are not UTF-8
 * and control characters become U+FFFD. */
void ecc_html_text(FILE *out, const char *text);
/* The same between two pieces of HTML, such as "<td>" and "</td>". */
void ecc_html_in(FILE *out, const char *before, const char *text, const char *after);
/* The same for formatted text, cut to 999 bytes. */
__attribute__((format(printf, 2, 3))) void ecc_html_print(FILE *out, const char *format, ...);

/* Bytes as base64, for addresses that begin with data: */
void ecc_html_base64(FILE *out, const unsigned char *bytes, size_t size);

/* An <img> that embeds a PNG file; points: the width of one of its pixels. */
void ecc_html_png(FILE *out, const unsigned char *file, size_t size, double points,
                  const char *alt);

/* A row of <th scope="col">. Columns for which `numbers` has an 'n' (one letter per column, or
 * NULL) are aligned right. */
void ecc_html_heads(FILE *out, const char *const *names, size_t count, const char *numbers);

#endif
