/* numbers.c: numbers as spreadsheets and programs write them. */
#include "data/numbers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- Missing -------------------------------------------------------------------------------- */

bool ecc_cell_is_missing(const char *text)
{
    static const char *const words[] = {
        "na",       "n/a",    "nan",    "null",    "none",    "nil",      "?",
        "-",        "--",     ".",      "#n/a",    "\\n",     "<na>",     "#na",
        "nat",      "#ref!",  "#null!", "#div/0!", "#num!",   "-nan",     "#value!",
        "n.a.",     "n.d.",   "#name?", "\u2013",  "\u2014", /* dashes */
        "k.a.",     "k. a.",  "#nv",    "#n/d",    "#bezug!", "#valeur!", "#zahl!",
        "#nombre!", "#wert!", "#valor!"}; /* as a German, French or Spanish Excel has them */
    if (!*text) return true;
    if (!strchr("nNkK?-.#\\<\xe2", *text)) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i]) == 0) return true;
    }
    return false;
}

static bool is_infinite(const char *text)
{
    text += *text == '+' || *text == '-';
    return strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0;
}

/* ---- Plain numbers: 12, -1.5, 2e-3 ---------------------------------------------------------- */

/* The parts of a number without separators of thousands. */
struct parts {
    uint64_t digits;        /* all of them as one number, if there are at most 19 */
    int before, after;      /* how many there are of them */
    int exponent;           /* that is written; within +-99999 */
    bool negative, leading; /* leading: it starts with a 0 before other digits or the sign */
};

/* Reads sign, digits, decimal sign, digits, exponent; returns where it ends, or NULL. */
static const char *plain(struct parts *p, const char *at, char decimal)
{
    *p = (struct parts){.negative = *at == '-'};
    at += *at == '-' || *at == '+';
    p->leading = *at == '0';
    for (; is_digit(*at); at++, p->before++) p->digits = p->digits * 10 + (uint64_t)(*at - '0');
    if (*at == decimal) {
        for (at++; is_digit(*at); at++, p->after++) {
            p->digits = p->digits * 10 + (uint64_t)(*at - '0');
        }
    }
    if (p->before + p->after == 0) return NULL;
    if (*at != 'e' && *at != 'E') return at;
    const bool minus = at[1] == '-';
    at += 1 + (at[1] == '-' || at[1] == '+');
    if (!is_digit(*at)) return NULL;
    for (; is_digit(*at); at++) {
        if (p->exponent < 10000) p->exponent = p->exponent * 10 + (*at - '0');
    }
    if (minus) p->exponent = -p->exponent;
    return at;
}

/* Exact where both the digits and the power of ten are doubles without rounding (Clinger 1990). */
static bool short_value(const struct parts *p, double *value)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int power = p->exponent - p->after;
    if (p->before + p->after > 19 || p->digits > (uint64_t)1 << 53) return false;
    if (power < -22 || power > 22) return false;
    const double digits = (double)p->digits;
    const double size = power < 0 ? digits / tens[-power] : digits * tens[power];
    *value = p->negative ? -size : size;
    return true;
}

/* The same by the C library, for a text that is known to be a number. */
static bool long_value(const char *text, char decimal, double *value)
{
    enum { LONGEST = 400 };
    char copy[LONGEST];
    if (decimal != '.') {
        const size_t length = strlen(text);
        if (length >= sizeof copy) return false;
        memcpy(copy, text, length + 1);
        char *const sign = strchr(copy, decimal);
        if (sign) *sign = '.';
        text = copy;
    }
    *value = strtod(text, NULL);
    return isfinite(*value);
}

/* ---- With thousands, percent signs, currencies ---------------------------------------------- */

/* The length of a separator of thousands: the other of '.' and ',', an apostrophe, a blank, a
 * no-break space (U+00A0) or a narrow one (U+202F), a right quote (U+2019); else 0. */
static size_t group_sign(const char *at, char decimal)
{
    if ((*at == '.' || *at == ',') && *at != decimal) return 1;
    if (*at == '\'' || *at == ' ') return 1;
    if (strncmp(at, "\xc2\xa0", 2) == 0) return 2;
    if (strncmp(at, "\xe2\x80\xaf", 3) == 0 || strncmp(at, "\xe2\x80\x99", 3) == 0) return 3;
    return 0;
}

static size_t currency(const char *at)
{
    static const char *const signs[] = {"$", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", "%"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t length = strlen(signs[i]);
        if (strncmp(at, signs[i], length) == 0) return length;
    }
    return 0;
}

static const char *skip_spaces(const char *at)
{
    while (*at == ' ' || strncmp(at, "\xc2\xa0", 2) == 0) at += *at == ' ' ? 1 : 2;
    return at;
}

/* Copies digits without their separators: one to three, then groups of three with the same
 * separator.  Returns where they end, or NULL; *groups: how many separators there were. */
static const char *grouped_digits(char *out, size_t *used, const char *at, char decimal,
                                  int *groups, size_t room)
{
    const char *sign = NULL;
    size_t length = 0;
    int run = 0;
    *groups = 0;
    for (;; at++) {
        for (; is_digit(*at); at++, run++) {
            if (*used + 2 >= room) return NULL;
            out[(*used)++] = *at;
        }
        const size_t next = group_sign(at, decimal);
        if (*groups && run != 3) return NULL;
        if (next == 0 || !is_digit(at[next])) return at;
        if (!*groups && (run < 1 || run > 3 || at[-run] == '0')) return NULL;
        if (*groups && (next != length || strncmp(sign, at, next) != 0)) return NULL;
        sign = at;
        length = next;
        run = 0;
        ++*groups;
        at += next - 1;
    }
}

/* Into plain form with a point; false if it is not a number. */
static bool normalise(char *out, size_t room, const char *text, char decimal, int *groups)
{
    size_t used = 0;
    const char *at = skip_spaces(text + currency(text));
    if (strncmp(at, "\xe2\x88\x92", 3) == 0) { /* a minus sign of its own, U+2212 */
        out[used++] = '-';
        at += 3;
    } else if (*at == '-' || *at == '+') {
        out[used++] = *at++;
    }
    at = skip_spaces(at + currency(at));
    if (!is_digit(*at) && *at != decimal) return false;
    at = grouped_digits(out, &used, at, decimal, groups, room);
    if (!at) return false;
    if (*at == decimal) {
        out[used++] = '.';
        for (at++; is_digit(*at) && used + 2 < room; at++) out[used++] = *at;
    }
    if ((*at == 'e' || *at == 'E') && *groups == 0) {
        for (; *at && strchr("eE+-0123456789", *at) && used + 2 < room; at++) out[used++] = *at;
    }
    at = skip_spaces(at);
    at = skip_spaces(at + currency(at));
    out[used] = '\0';
    return *at == '\0';
}

enum { NORMAL_SIZE = 80 };

/* A number with anything beyond digits, decimal sign and exponent; parts of its plain form. */
static bool rich(char out[NORMAL_SIZE], struct parts *p, const char *text, char decimal,
                 int *groups)
{
    if (!normalise(out, NORMAL_SIZE, text, decimal, groups)) return false;
    const char *const end = plain(p, out, '.');
    return end && !*end;
}

bool ecc_number_read(const char *text, char decimal, double *value)
{
    struct parts p;
    char normal[NORMAL_SIZE];
    int groups;
    const char *const end = plain(&p, text, decimal);
    if (end && !*end) return short_value(&p, value) || long_value(text, decimal, value);
    if (!rich(normal, &p, text, decimal, &groups)) return false;
    return short_value(&p, value) || long_value(normal, '.', value);
}

/* ---- Shapes --------------------------------------------------------------------------------- */

/* Digits that a fraction was written with; 1.5e-3 has four. */
static int decimals_of(const struct parts *p)
{
    const int decimals = p->after - p->exponent;
    return decimals < 0 ? 0 : decimals;
}

static enum ecc_cell_shape rich_shape(const char *text, int *decimals)
{
    struct parts point, comma;
    char normal[NORMAL_SIZE];
    int groups = 0, unused;
    if (!strpbrk(text, "0123456789")) return ECC_CELL_WORD;
    const bool as_point = rich(normal, &point, text, '.', &groups);
    const bool as_comma = rich(normal, &comma, text, ',', &unused);
    if (!as_point && !as_comma) return ECC_CELL_WORD;
    *decimals = decimals_of(as_point ? &point : &comma);
    if (as_point && as_comma) {
        if (point.digits == comma.digits && point.after == comma.after) return ECC_CELL_WHOLE;
        return groups > 0 ? ECC_CELL_COMMA_GROUP : ECC_CELL_POINT_GROUP;
    }
    return as_point ? ECC_CELL_POINT : ECC_CELL_COMMA;
}

enum ecc_cell_shape ecc_cell_shape(const char *text, int *decimals)
{
    struct parts p;
    *decimals = 0;
    const char *const end = plain(&p, text, '.');
    if (end && !*end) {
        *decimals = decimals_of(&p);
        if (p.exponent > 290 || p.before > 290) {
            double value;
            if (!ecc_number_read(text, '.', &value)) return ECC_CELL_INFINITE;
        }
        const bool signless = end - text == p.before + p.after; /* no sign, no exponent */
        if (signless) return ECC_CELL_WHOLE;
        const bool group =
            p.after == 3 && p.before >= 1 && p.before <= 3 && !p.leading && end[-4] == '.';
        if (group) return ECC_CELL_POINT_GROUP;
        return p.after > 0 || strchr(text, '.') ? ECC_CELL_POINT : ECC_CELL_WHOLE;
    }
    if (ecc_cell_is_missing(text)) return ECC_CELL_MISSING;
    if (is_infinite(text)) return ECC_CELL_INFINITE;
    return rich_shape(text, decimals);
}
