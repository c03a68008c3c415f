/* text.c: text from outside made safe for messages, and numbers parsed from whole strings. */
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool printable(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x7f;
}

/* One byte as itself or as \xNN; returns how many characters that took. */
static size_t put_byte(char *out, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";
    if (printable(byte)) {
        out[0] = (char)byte;
        return 1;
    }
    memcpy(out, "\\x", 2);
    out[2] = digits[byte >> 4];
    out[3] = digits[byte & 15];
    return 4;
}

const char *ecc_quote(char out[ECC_QUOTE_SIZE], const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    size_t used = 0, i = 0;
    out[used++] = '\'';
    for (; i < length; i++) {
        if (used - 1 + (printable(byte[i]) ? 1 : 4) > ECC_QUOTE_CHARS) break;
        used += put_byte(out + used, byte[i]);
    }
    strcpy(out + used, i < length ? "...'" : "'");
    return out;
}

/* Whether a terminal would obey the character of that many bytes, or show what follows in another
 * order: control characters, and marks that turn the direction of text. */
static bool is_control(const unsigned char *at, size_t length)
{
    if (length == 1) return at[0] < 0x20 || at[0] == 0x7f;
    if (length == 2) return at[0] == 0xc2 && at[1] < 0xa0; /* U+0080 to U+009F */
    if (length != 3 || at[0] != 0xe2) return false;
    return (at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) || /* U+2028 to U+202E */
           (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9);   /* U+2066 to U+2069 */
}

size_t ecc_harmless_length(const char *text, size_t length)
{
    char start[5] = "";
    memcpy(start, text, length < 4 ? length : 4);
    const size_t bytes = *start ? ecc_utf8_length(start) : 0;
    return is_control((const unsigned char *)start, bytes) ? 0 : bytes;
}

void ecc_hide_controls(char *text)
{
    while (*text) {
        const size_t bytes = ecc_harmless_length(text, strnlen(text, 4));
        if (bytes == 0) *text = '?';
        text += bytes > 0 ? bytes : 1;
    }
}

/* Copies `length` bytes, made harmless.  Returns the end. */
static char *put_harmless(char *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        const size_t bytes = ecc_harmless_length(text + i, length - i);
        memcpy(out, bytes ? text + i : "?", bytes ? bytes : 1);
        out += bytes ? bytes : 1;
        i += bytes ? bytes : 1;
    }
    return out;
}

const char *ecc_quote_name(char out[ECC_QUOTE_SIZE], const char *name)
{
    const size_t length = strlen(name);
    size_t used = length > ECC_QUOTE_CHARS ? ECC_QUOTE_CHARS : length;
    while (used < length && used > 0 && ((unsigned char)name[used] & 0xc0) == 0x80) used--;
    out[0] = '\'';
    strcpy(put_harmless(out + 1, name, used), used < length ? "...'" : "'");
    return out;
}

const char *ecc_quote_path(char out[ECC_PATH_SIZE], const char *path)
{
    const size_t length = strlen(path);
    char *end = out;
    *end++ = '\'';
    if (length > ECC_PATH_CHARS) {
        path += length - (ECC_PATH_CHARS - 3);
        while (((unsigned char)*path & 0xc0) == 0x80) {
            path++; /* the rest of a UTF-8 character that was cut in two */
        }
        memcpy(end, "...", 3);
        end += 3;
    }
    strcpy(put_harmless(end, path, strlen(path)), "'");
    return out;
}

size_t ecc_utf8_length(const char *text)
{
    const unsigned char *const at = (const unsigned char *)text, c = at[0];
    const size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0x80) return 1;
    if (c < 0xc2 || c > 0xf4) return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
    }
    /* longer than necessary, surrogates, beyond Unicode */
    if ((c == 0xe0 && at[1] < 0xa0) || (c == 0xed && at[1] > 0x9f)) return 0;
    if ((c == 0xf0 && at[1] < 0x90) || (c == 0xf4 && at[1] > 0x8f)) return 0;
    return length;
}

void ecc_utf8_repair(char *text)
{
    while (*text) {
        const size_t length = ecc_utf8_length(text);
        if (length == 0) *text = '?';
        text += length > 0 ? length : 1;
    }
}

void ecc_put_shell_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "/._-:+,=@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (size_t bytes; *word; word += bytes ? bytes : 1) {
        bytes = ecc_harmless_length(word, strnlen(word, 4));
        if (bytes == 0) {
            fprintf(out, "'$'\\x%02x''", (unsigned char)*word); /* for bash, zsh and others */
        } else if (*word == '\'') {
            fputs("'\\''", out);
        } else {
            fwrite(word, 1, bytes, out);
        }
    }
    fputc('\'', out);
}

static const char *ending_of(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail ? text + length - tail : "";
}

bool ecc_ends_in(const char *text, const char *ending)
{
    return strcmp(ending_of(text, ending), ending) == 0;
}

bool ecc_ends_in_any_case(const char *text, const char *ending)
{
    return strcasecmp(ending_of(text, ending), ending) == 0;
}

void ecc_free_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts && i < count; i++) free(texts[i]);
    free(texts);
}

const char *ecc_short_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++) {
        if (*at == '/' && at[1] != '\0' && at[1] != ':') name = at + 1;
    }
    return name;
}

bool ecc_parse_double(const char *text, double *value)
{
    /* strtod alone would accept blanks, "inf", "nan" and hexadecimal. */
    if (!*text || text[strspn(text, "0123456789.eE+-")]) return false;
    char *end;
    const double parsed = strtod(text, &end);
    if (end == text || *end || !isfinite(parsed)) return false;
    *value = parsed;
    return true;
}

bool ecc_parse_u64(const char *text, uint64_t *value)
{
    if (!*text || text[strspn(text, "0123456789")]) return false;
    errno = 0;
    const unsigned long long parsed = strtoull(text, NULL, 10);
    if (errno != 0 || parsed > UINT64_MAX) return false;
    *value = parsed;
    return true;
}

bool ecc_parse_size(const char *text, size_t *value)
{
    uint64_t parsed;
    if (!ecc_parse_u64(text, &parsed) || parsed > SIZE_MAX) return false;
    *value = (size_t)parsed;
    return true;
}
