/*
 * html.h: pages that can be mailed: text made safe, pictures inside, one style for light and dark.
 *
 * Nothing on such a page leads out of it: no script, no font, no address.
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

/* Any text, for between tags and for attributes in double quotes; what is no UTF-8, and control
 * characters, become U+FFFD. */
void ecc_html_text(FILE *out, const char *text);
/* The same of a sentence put together; at most 999 bytes of it. */
__attribute__((format(printf, 2, 3))) void ecc_html_print(FILE *out, const char *format, ...);

/* An <img> with a PNG file in it, so many points wide for each of its pixels. */
void ecc_html_png(FILE *out, const unsigned char *file, size_t size, double points,
                  const char *alt);

/* <th scope="col"> for each name; those that are numbers below stand to the right, where `numbers`
 * (a letter for each, 'n' for numbers, or NULL) says so. */
void ecc_html_heads(FILE *out, const char *const *names, size_t count, const char *numbers);

#endif
