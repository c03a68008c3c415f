/* terminal.c: printf for terminals: texts from outside become harmless. */
#include "base/terminal.h"
#include "base/text.h"

#include <stdarg.h>
#include <string.h>

/* ---- A line, written in few pieces: standard error has no buffer ----------------------------- */

struct line {
    FILE *stream;
    size_t used;
    char bytes[512];
};

static void flush(struct line *line)
{
    fwrite(line->bytes, 1, line->used, line->stream);
    line->used = 0;
}

static void put(struct line *line, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (line->used == sizeof line->bytes) flush(line);
        line->bytes[line->used++] = bytes[i];
    }
}

static void put_blanks(struct line *line, size_t count)
{
    while (count-- > 0) put(line, " ", 1);
}

/* ---- Conversions ----------------------------------------------------------------------------- */

/* A conversion such as %-*.3f. */
struct conversion {
    char spec[48]; /* for the C library: stars are numbers, integers are long long */
    size_t used;
    bool left;
    int width, precision; /* -1: not given */
    size_t longs;         /* how many l */
    bool size;            /* z */
    char letter;
};

static void add(struct conversion *c, char letter)
{
    if (c->used + 1 < sizeof c->spec) c->spec[c->used++] = letter;
    c->spec[c->used] = '\0';
}

static void add_number(struct conversion *c, int number)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%d", number);
    for (const char *at = digits; *at; at++) add(c, *at);
}

static const char *read_number(int *number, const char *at)
{
    for (*number = 0; *at >= '0' && *at <= '9'; at++) {
        if (*number < 10000) *number = 10 * *number + (*at - '0');
    }
    return at;
}

/* A conversion from behind its '%'; stars take their numbers from the arguments.  Returns its end.
 */
static const char *read_conversion(struct conversion *c, const char *at, va_list *arguments)
{
    *c = (struct conversion){.width = -1, .precision = -1};
    add(c, '%');
    for (; *at && strchr("-+ #0", *at); at++) {
        c->left = c->left || *at == '-';
        add(c, *at);
    }
    if (*at == '*') {
        c->width = va_arg(*arguments, int);
        if (c->width < 0) add(c, '-');
        c->left = c->left || c->width < 0;
        c->width = c->width < 0 ? -c->width : c->width;
        at++;
    } else if (*at >= '0' && *at <= '9') {
        at = read_number(&c->width, at);
    }
    if (c->width >= 0) add_number(c, c->width);
    if (*at == '.' && at[1] == '*') {
        c->precision = va_arg(*arguments, int);
        at += 2;
    } else if (*at == '.') {
        at = read_number(&c->precision, at + 1);
    }
    if (c->precision >= 0) {
        add(c, '.');
        add_number(c, c->precision);
    }
    for (; *at == 'l' || *at == 'z'; at++) {
        c->longs += *at == 'l';
        c->size = *at == 'z';
    }
    c->letter = *at;
    for (int i = 0; *at && strchr("diux", *at) && i < 2; i++) add(c, 'l');
    add(c, *at);
    return *at ? at + 1 : at;
}

static void put_text(struct line *line, const struct conversion *c, const char *text)
{
    if (!text) text = "(none)";
    const size_t length = c->precision >= 0 ? strnlen(text, (size_t)c->precision) : strlen(text);
    const size_t width = c->width > 0 ? (size_t)c->width : 0;
    const size_t blanks = width > length ? width - length : 0;
    if (!c->left) put_blanks(line, blanks);
    for (size_t i = 0; i < length;) {
        const size_t bytes = ecc_harmless_length(text + i, length - i);
        if (bytes == 0) put(line, "?", 1);
        put(line, text + i, bytes);
        i += bytes > 0 ? bytes : 1;
    }
    if (c->left) put_blanks(line, blanks);
}

static long long next_signed(const struct conversion *c, va_list *arguments)
{
    if (c->size) return (long long)va_arg(*arguments, size_t);
    if (c->longs > 1) return va_arg(*arguments, long long);
    return c->longs > 0 ? va_arg(*arguments, long) : va_arg(*arguments, int);
}

static unsigned long long next_unsigned(const struct conversion *c, va_list *arguments)
{
    if (c->size) return va_arg(*arguments, size_t);
    if (c->longs > 1) return va_arg(*arguments, unsigned long long);
    return c->longs > 0 ? va_arg(*arguments, unsigned long) : va_arg(*arguments, unsigned);
}

static void put_number(struct line *line, const struct conversion *c, va_list *arguments)
{
    char text[512] = "";
    if (strchr("di", c->letter)) {
        snprintf(text, sizeof text, c->spec, next_signed(c, arguments));
    } else if (strchr("ux", c->letter)) {
        snprintf(text, sizeof text, c->spec, next_unsigned(c, arguments));
    } else {
        snprintf(text, sizeof text, c->spec, va_arg(*arguments, double));
    }
    put(line, text, strlen(text));
}

static void put_conversion(struct line *line, const struct conversion *c, va_list *arguments)
{
    if (c->letter == '%') {
        put(line, "%", 1);
    } else if (c->letter == 's') {
        put_text(line, c, va_arg(*arguments, const char *));
    } else if (c->letter == 'c') {
        const char text[] = {(char)va_arg(*arguments, int), '\0'};
        put_text(line, c, text);
    } else {
        put_number(line, c, arguments);
    }
}

/* A pointer to the arguments: they are taken one by one in several functions. */
static void print(FILE *stream, const char *format, va_list *arguments)
{
    struct line line = {.stream = stream};
    while (*format) {
        const size_t plain = strcspn(format, "%");
        put(&line, format, plain);
        format += plain;
        if (!*format) break;
        struct conversion c;
        format = read_conversion(&c, format + 1, arguments);
        if (c.letter) put_conversion(&line, &c, arguments);
    }
    flush(&line);
}

/* ---- The interface --------------------------------------------------------------------------- */

static bool aside;

void ecc_print_aside(void)
{
    aside = true;
}

FILE *ecc_print_stream(void)
{
    return aside ? stderr : stdout;
}

void ecc_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(ecc_print_stream(), format, &arguments);
    va_end(arguments);
}

void ecc_print_to(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(stream, format, &arguments);
    va_end(arguments);
}

void ecc_print_lines(FILE *stream, const char *text)
{
    struct line line = {.stream = stream};
    const struct conversion whole = {.width = -1};
    while (*text) {
        struct conversion part = whole;
        part.precision = (int)strcspn(text, "\n\t");
        put_text(&line, &part, text);
        text += part.precision;
        if (*text) put(&line, text++, 1);
    }
    flush(&line);
}
