/*
 * sayings.h: small things to say: texts in arrays that live until the end of the block, times,
 * numbers and texts of JSON.
 */
#ifndef ECC_WORK_SAYINGS_H
#define ECC_WORK_SAYINGS_H

#include "run/json.h"

enum { ECC_SAID = 200 };

/* Returns out. */
const char *ecc_say(char out[ECC_SAID], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same in an array that lives until the end of the block. */
#define ECC_SAY(...) ecc_say((char[ECC_SAID]){0}, __VA_ARGS__)

/* "4:05", "1:02:03"; returns out. */
const char *ecc_duration(char out[32], double seconds);

/* A string of any bytes: what is not UTF-8, such as a character that was cut in two, becomes '?'.
 * jansson alone would give NULL, and the text would vanish. */
json_t *ecc_json_any(const char *text);

/* The number under a key, or item i of a list; NaN where there is none. */
double ecc_get_number(const json_t *object, const char *key);
double ecc_get_item(const json_t *list, size_t i);
/* The text under a key, or "". */
const char *ecc_get_text(const json_t *object, const char *key);

#endif
