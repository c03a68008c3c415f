/* request.c: what a request asks for, from its bytes alone. */
#include "explore/request.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The target ----------------------------------------------------------------------------- */

static bool plain(char c, const char *others)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr(others, c));
}

static enum ecc_status check_characters(const char *target, struct ecc_error *error)
{
    const size_t length = strnlen(target, ECC_REQUEST_TARGET);
    if (length == ECC_REQUEST_TARGET) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the address is longer than %d characters",
                        ECC_REQUEST_TARGET - 1);
    }
    if (target[0] != '/') {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the address does not start with a slash");
    }
    for (size_t i = 0; i < length; i++) {
        if (plain(target[i], "-._~/?=&,")) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT, "character %zu of the address is not allowed",
                        i + 1);
    }
    return ECC_OK;
}

static enum ecc_status cut_pair(struct ecc_request *r, char *text, struct ecc_error *error)
{
    char *const equals = strchr(text, '=');
    if (!equals || equals == text || strchr(equals + 1, '=')) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "expected name=value after the question mark");
    }
    *equals = '\0';
    for (size_t i = 0; i < r->pair_count; i++) {
        if (strcmp(r->pairs[i].name, text) == 0) {
            return ecc_fail(error, ECC_BAD_ARGUMENT, "'%.40s' is given twice", text);
        }
    }
    if (r->pair_count == ECC_REQUEST_PAIRS) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "more than %d parameters", ECC_REQUEST_PAIRS);
    }
    r->pairs[r->pair_count++] = (struct ecc_request_pair){text, equals + 1};
    return ECC_OK;
}

/* Compares all characters, so that the time taken reveals nothing about the token. */
static bool same_token(const char *path, const char *token)
{
    unsigned differ = 0;
    const size_t length = strlen(token), there = strlen(path);
    for (size_t i = 0; i < length; i++) {
        differ |= (unsigned)(token[i] ^ (i < there ? path[i] : 0));
    }
    return differ == 0 && there > length && path[length] == '/';
}

enum ecc_status ecc_request_parse(struct ecc_request *r, const char *target, const char *token,
                                  struct ecc_error *error)
{
    *r = (struct ecc_request){0};
    ECC_TRY(check_characters(target, error));
    memcpy(r->text, target, strlen(target) + 1);
    char *rest = strchr(r->text, '?');
    if (rest) *rest++ = '\0';
    while (rest) {
        char *const next = strchr(rest, '&');
        if (next) *next = '\0';
        ECC_TRY(cut_pair(r, rest, error));
        rest = next ? next + 1 : NULL;
    }
    const char *const path = r->text + 1;
    if (!token) {
        r->path = path;
    } else if (same_token(path, token)) {
        r->path = path + strlen(token) + 1;
    }
    return ECC_OK;
}

/* ---- Names and values ----------------------------------------------------------------------- */

enum ecc_status ecc_request_check_names(const struct ecc_request *r, const char *const *names,
                                        struct ecc_error *error)
{
    for (size_t i = 0; i < r->pair_count; i++) {
        bool known = false;
        for (const char *const *name = names; name && *name; name++) {
            known |= strcmp(r->pairs[i].name, *name) == 0;
        }
        if (!known) {
            return ecc_fail(error, ECC_BAD_ARGUMENT, "unknown parameter '%.40s'", r->pairs[i].name);
        }
    }
    return ECC_OK;
}

static const char *value_of(const struct ecc_request *r, const char *name)
{
    for (size_t i = 0; i < r->pair_count; i++) {
        if (strcmp(r->pairs[i].name, name) == 0) return r->pairs[i].value;
    }
    return NULL;
}

enum ecc_status ecc_request_count(const struct ecc_request *r, size_t *value, const char *name,
                                  size_t low, size_t high, struct ecc_error *error)
{
    const char *const text = value_of(r, name);
    size_t number;
    if (!text) return ECC_OK;
    if (!ecc_parse_size(text, &number) || number < low || number > high) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%s is '%.40s', expected a whole number from %zu to %zu", name, text, low,
                        high);
    }
    *value = number;
    return ECC_OK;
}

enum ecc_status ecc_request_number(const struct ecc_request *r, double *value, const char *name,
                                   double low, double high, struct ecc_error *error)
{
    const char *const text = value_of(r, name);
    double number;
    if (!text) return ECC_OK;
    if (!ecc_parse_double(text, &number) || number < low || number > high) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s is '%.40s', expected a number from %g to %g",
                        name, text, low, high);
    }
    *value = number;
    return ECC_OK;
}

enum ecc_status ecc_request_choice(const struct ecc_request *r, size_t *value, const char *name,
                                   const char *const *choices, struct ecc_error *error)
{
    const char *const text = value_of(r, name);
    if (!text) return ECC_OK;
    for (size_t i = 0; choices[i]; i++) {
        if (strcmp(choices[i], text) != 0) continue;
        *value = i;
        return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_ARGUMENT, "%s is '%.40s', expected for example '%s'", name, text,
                    choices[0]);
}

/* ---- Bodies --------------------------------------------------------------------------------- */

static uint32_t word(const unsigned char *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* How many rows of `numbers` 4-byte numbers the body holds. */
static enum ecc_status count_rows(const struct ecc_request *r, size_t *n, size_t numbers,
                                  size_t most, struct ecc_error *error)
{
    const size_t row = 4 * numbers;
    *n = r->body_size / row;
    if (*n >= 1 && *n <= most && *n * row == r->body_size) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "the body has %zu bytes, expected 1 to %zu rows of %zu numbers of 4 bytes",
                    r->body_size, most, numbers);
}

enum ecc_status ecc_request_rows(const struct ecc_request *r, float **values, size_t *n, size_t d,
                                 size_t most, float limit, struct ecc_error *error)
{
    *values = NULL;
    ECC_TRY(count_rows(r, n, d, most, error));
    float *const rows = malloc(*n * d * sizeof *rows);
    if (!rows) return ecc_fail_memory(error, "the numbers of a request");
    for (size_t i = 0; i < *n * d; i++) {
        const uint32_t bits = word(r->body + 4 * i);
        memcpy(&rows[i], &bits, sizeof bits);
        if (isfinite(rows[i]) && fabsf(rows[i]) <= limit) continue;
        free(rows);
        return ecc_fail(error, ECC_BAD_ARGUMENT, "number %zu of the body is not between -%g and %g",
                        i + 1, (double)limit, (double)limit);
    }
    *values = rows;
    return ECC_OK;
}

enum ecc_status ecc_request_items(const struct ecc_request *r, uint32_t **values, size_t *n,
                                  size_t bound, size_t most, struct ecc_error *error)
{
    *values = NULL;
    ECC_TRY(count_rows(r, n, 1, most, error));
    uint32_t *const items = malloc(*n * sizeof *items);
    if (!items) return ecc_fail_memory(error, "the numbers of a request");
    for (size_t i = 0; i < *n; i++) {
        items[i] = word(r->body + 4 * i);
        if (items[i] < bound) continue;
        const unsigned long bad = items[i];
        free(items);
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "there is no item %lu, expected a number below %zu", bad, bound);
    }
    *values = items;
    return ECC_OK;
}

/* ---- Rates ---------------------------------------------------------------------------------- */

bool ecc_rate_take(struct ecc_rate *rate, double now)
{
    const double gained = (now - rate->last) * rate->rate;
    rate->left = fmin(rate->burst, rate->left + (gained > 0 ? gained : 0));
    rate->last = now;
    if (rate->left < 1) return false;
    rate->left -= 1;
    return true;
}
