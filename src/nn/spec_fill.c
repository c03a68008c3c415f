/*
 * spec_fill.c: replaces what is in braces in the text of a net (docs/nets.md).
 *
 *     {16}       16 channels times the width, rounded to a multiple of eight
 *     {16*7*7}   that number of channels times 7 times 7
 *     {rows}     a size that the program chose for this shape of items; built-in nets only
 *
 * In built-in nets the lines between `each` and `end` are repeated, with one row of values after
 * the other.
 */
#include "base/text.h"
#include "nn/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FACTOR = 1 << 24, MAX_WORD = 32 };

struct filler {
    FILE *out;
    const char *name; /* of the net, for messages */
    double width;
    const struct ecc_net_values *values;
    size_t row, line;
    struct ecc_error *error;
};

size_t ecc_net_channels(size_t published, double width)
{
    if (width == 1) return published;
    const double rounded = 8 * fmax(1, round((double)published * width / 8));
    return (size_t)fmin(rounded, 1 << 20);
}

/* ---- Braces --------------------------------------------------------------------------------- */

static bool named_value(const struct filler *f, size_t *value, const char *name)
{
    for (size_t i = 0; f->values && i < f->values->count; i++) {
        if (strcmp(name, f->values->names[i]) != 0) continue;
        *value = f->values->rows[f->row * f->values->count + i];
        return true;
    }
    return false;
}

/* The product of factors with * between them.  Only the first one counts channels. */
static bool evaluate(const struct filler *f, size_t *product, const char *text, size_t length)
{
    *product = 1;
    for (size_t at = 0, end; at <= length; at = end + 1) {
        char word[MAX_WORD];
        size_t factor;
        end = at;
        while (end < length && text[end] != '*') end++;
        if (end - at >= sizeof word) return false;
        memcpy(word, text + at, end - at);
        word[end - at] = '\0';
        if (!named_value(f, &factor, word)) {
            if (!ecc_parse_size(word, &factor) || factor < 1 || factor > MAX_FACTOR) return false;
            if (at == 0) factor = ecc_net_channels(factor, f->width);
        }
        if (factor > 0 && *product > SIZE_MAX / factor) return false;
        *product *= factor;
    }
    return true;
}

static enum ecc_status fail_braces(const struct filler *f, const char *text, size_t length)
{
    char file[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    return ecc_fail(f->error, ECC_BAD_DATA,
                    "%s, line %zu: cannot read %s, expected a number of channels in braces, such "
                    "as {16} or {16*7*7}",
                    ecc_quote_path(file, f->name), f->line, ecc_quote(quoted, text, length));
}

static enum ecc_status fill_line(struct filler *f, const char *line, size_t length)
{
    f->line++;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '#') {
            fwrite(line + i, 1, length - i, f->out);
            break;
        }
        if (line[i] != '{') {
            fputc(line[i], f->out);
            continue;
        }
        const char *const inside = line + i + 1, *const end = memchr(inside, '}', length - i - 1);
        size_t value;
        if (!end) return fail_braces(f, line + i, length - i);
        if (!evaluate(f, &value, inside, (size_t)(end - inside))) {
            return fail_braces(f, line + i, (size_t)(end + 1 - line) - i);
        }
        fprintf(f->out, "%zu", value);
        i = (size_t)(end - line);
    }
    return ECC_OK;
}

/* ---- Lines ---------------------------------------------------------------------------------- */

static enum ecc_status fill_lines(struct filler *f, const char *text, const char *end)
{
    while (text < end) {
        const char *const newline = memchr(text, '\n', (size_t)(end - text));
        const char *const stop = newline ? newline + 1 : end;
        ECC_TRY(fill_line(f, text, (size_t)(stop - text)));
        text = stop;
    }
    return ECC_OK;
}

/* The lines up to `end`, once for each row of values; outside, names mean those of the last row. */
static enum ecc_status fill_block(struct filler *f, const char *first, const char *end,
                                  bool backwards)
{
    const size_t last = f->row;
    for (size_t i = 0; i <= last; i++) {
        f->row = backwards ? last - i : i;
        ECC_TRY(fill_lines(f, first, end));
    }
    f->row = last;
    return ECC_OK;
}

/* Blocks are well formed: only built-in nets have them. */
static enum ecc_status fill_text(struct filler *f, const char *text)
{
    static const char each[] = "\neach halving", end[] = "\nend\n";
    const char *block;
    while (f->values && (block = strstr(text, each)) != NULL) {
        ECC_TRY(fill_lines(f, text, block + 1));
        const bool backwards = block[sizeof each - 1] == ' ';
        const char *const first = strchr(block + 1, '\n') + 1;
        const char *const last = strstr(first, end);
        ECC_TRY(fill_block(f, first, last + 1, backwards));
        text = last + sizeof end - 1;
    }
    return fill_lines(f, text, text + strlen(text));
}

enum ecc_status ecc_net_fill(char **filled, const char *text, const char *name, double width,
                             const struct ecc_net_values *values, struct ecc_error *error)
{
    *filled = NULL;
    size_t size;
    struct filler f = {.name = name, .width = width, .values = values, .error = error};
    if (values) f.row = values->row_count - 1;
    f.out = open_memstream(filled, &size);
    if (!f.out) return ecc_fail_memory(error, "the description of a net");
    enum ecc_status status = fill_text(&f, text);
    if (fclose(f.out) != 0 && status == ECC_OK) {
        status = ecc_fail_memory(error, "the description of a net");
    }
    if (status == ECC_OK) return ECC_OK;
    free(*filled);
    *filled = NULL;
    return status;
}
