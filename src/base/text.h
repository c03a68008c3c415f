/* text.h: text from outside made safe for messages, and numbers parsed from whole strings. */
#ifndef ECC_BASE_TEXT_H
#define ECC_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    ECC_QUOTE_CHARS = 40, /* at most this many characters of text from outside in a message */
    ECC_QUOTE_SIZE = ECC_QUOTE_CHARS + 8,
    ECC_PATH_CHARS = 160, /* at most this many bytes of a file name */
    ECC_PATH_SIZE = ECC_PATH_CHARS + 8,
};

/* Up to 40 printable characters of `length` bytes in single quotes: control bytes and those beyond
 * ASCII become \xNN, and what is cut off becomes "...".  Returns out. */
const char *ecc_quote(char out[ECC_QUOTE_SIZE], const void *bytes, size_t length);

/* Up to 40 bytes of UTF-8 text in single quotes, such as the name of a column: control characters
 * and bytes that are not UTF-8 become '?', and what is cut off becomes "...".  Returns out. */
const char *ecc_quote_name(char out[ECC_QUOTE_SIZE], const char *name);

/* The same for the name of a file, of which the end is kept, after "...", if it is very long. */
const char *ecc_quote_path(char out[ECC_PATH_SIZE], const char *path);

/* For counts in sentences, "%zu row%s %s": "1 row is", "2 rows are", "1 item has". */
static inline const char *ecc_s(size_t count)
{
    return count == 1 ? "" : "s";
}
static inline const char *ecc_is_are(size_t count)
{
    return count == 1 ? "is" : "are";
}
static inline const char *ecc_has_have(size_t count)
{
    return count == 1 ? "has" : "have";
}

/* The length in bytes of the UTF-8 character (RFC 3629) at the start of text, which is not empty; 0
 * if it is not a valid one. */
size_t ecc_utf8_length(const char *text);
/* The number (code point) of a valid character of `length` bytes. */
uint32_t ecc_utf8_code(const char *text, size_t length);
/* Replaces bytes that are not valid UTF-8, such as those of a character cut in two, by '?'. */
void ecc_utf8_repair(char *text);

/* The bytes of the character at the start of text, of which `length` bytes are there; 0 if it is
 * not valid UTF-8, or if a terminal would obey it (control characters), or show what follows in
 * another order. */
size_t ecc_harmless_length(const char *text, size_t length);
/* Replaces such bytes by '?'. */
void ecc_hide_controls(char *text);

/* The columns of a terminal that UTF-8 text takes. */
int ecc_cell_width(const char *text);
/* UTF-8 text in exactly that many columns, at most 60: what is cut off becomes "...", blanks
 * follow, or with a negative width come first, and control characters become '?'.  Returns out. */
enum { ECC_FIT_MOST = 60, ECC_FIT_SIZE = 400 };
const char *ecc_cell_fit(char out[ECC_FIT_SIZE], const char *text, int width);

/* A number with that many digits, and below 1e12 without an exponent: 33380, not 3.338e+04. */
enum { ECC_PLAIN_SIZE = 32 };
const char *ecc_plain_number(char out[ECC_PLAIN_SIZE], double value, int digits);

/* A word in quotes if a shell needs them; control characters as $'\x1b'. */
void ecc_put_shell_word(FILE *out, const char *word);

/* Whether a text, longer than the ending, ends in it; the second ignores case. */
bool ecc_ends_in(const char *text, const char *ending);
bool ecc_ends_in_any_case(const char *text, const char *ending);

/* Frees texts: [count] and the list itself, which may be NULL. */
void ecc_free_texts(char **texts, size_t count);

/* The last part of a path, for pictures and pages: "mnist:test" of "/data/mnist:test". */
const char *ecc_short_name(const char *path);

/* The whole string as a finite number: no blanks, no hexadecimal, no "inf" or "nan". */
bool ecc_parse_double(const char *text, double *value);

/* The whole string as a number of decimal digits: no sign, no blanks, no overflow. */
bool ecc_parse_size(const char *text, size_t *value);
bool ecc_parse_u64(const char *text, uint64_t *value);

#endif
