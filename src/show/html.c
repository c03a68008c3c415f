/* html.c: self-contained pages of HTML: escaped text, embedded pictures. */
#include "show/html.h"
#include "base/text.h"

#include <stdarg.h>
#include <string.h>

/* ---- Text ----------------------------------------------------------------------------------- */

/* Length of the UTF-8 character at `text`; 0 if it is malformed or a control character. */
static size_t character(const unsigned char *text)
{
    const unsigned char c = text[0];
    if (c < 0x80) return c >= ' ' ? c != 0x7f : c == '\n' || c == '\t';
    if (c == 0xc2 && text[1] < 0xa0) return 0; /* the controls after DEL */
    return ecc_utf8_length((const char *)text);
}

void ecc_html_text(FILE *out, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t length = character(at);
        switch (*at) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default:
            if (length == 0) fputs("\xef\xbf\xbd", out);
            fwrite(at, 1, length, out);
        }
        at += length > 0 ? length : 1;
    }
}

void ecc_html_in(FILE *out, const char *before, const char *text, const char *after)
{
    fputs(before, out);
    ecc_html_text(out, text);
    fputs(after, out);
}

void ecc_html_print(FILE *out, const char *format, ...)
{
    char text[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ecc_html_text(out, text);
}

/* ---- Pictures ------------------------------------------------------------------------------- */

void ecc_html_base64(FILE *out, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const unsigned value = (unsigned)bytes[i] << 16 |
                               (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? bytes[i + 2] : 0u);
        fputc(digits[value >> 18], out);
        fputc(digits[value >> 12 & 63], out);
        fputc(left > 1 ? digits[value >> 6 & 63] : '=', out);
        fputc(left > 2 ? digits[value & 63] : '=', out);
    }
}

/* A number of the PNG's header: its width is at 16, its height at 20. */
static double header_number(const unsigned char *file, size_t size, size_t at)
{
    if (size < 24) return 0;
    return (double)((unsigned)file[at] << 24 | (unsigned)file[at + 1] << 16 |
                    (unsigned)file[at + 2] << 8 | file[at + 3]);
}

void ecc_html_png(FILE *out, const unsigned char *file, size_t size, double points, const char *alt)
{
    fprintf(out, "<img width=\"%.0f\" height=\"%.0f\" alt=\"",
            points * header_number(file, size, 16), points * header_number(file, size, 20));
    ecc_html_text(out, alt);
    fputs("\" src=\"data:image/png;base64,", out);
    ecc_html_base64(out, file, size);
    fputs("\">", out);
}

/* ---- The page ------------------------------------------------------------------------------- */

static const char *style_text(const char *name)
{
    const struct ecc_style *style = ecc_styles;
    while (style->name && strcmp(style->name, name) != 0) style++;
    return style->name ? style->text : "";
}

void ecc_html_begin(FILE *out, const char *title, const char *style)
{
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>",
          out);
    ecc_html_text(out, title);
    fprintf(out, "</title><style>\n%s%s</style></head><body>", style_text("page"),
            style_text(style));
}

void ecc_html_end(FILE *out)
{
    fputs("</body></html>\n", out);
}

void ecc_html_heads(FILE *out, const char *const *names, size_t count, const char *numbers)
{
    fputs("<tr>", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "<th scope=\"col\"%s>", numbers && numbers[i] == 'n' ? " class=\"n\"" : "");
        ecc_html_text(out, names[i]);
        fputs("</th>", out);
    }
    fputs("</tr>\n", out);
}
