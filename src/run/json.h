/* json.h: JSON from files, and values for JSON that is written: whatever C has becomes something
 * that JSON can hold. */
#ifndef ECC_RUN_JSON_H
#define ECC_RUN_JSON_H

#include "base/status.h"

#include <jansson.h>

/* Files of JSON that are larger are refused: in memory they take many times as much. */
enum { ECC_JSON_MOST = 64 << 20 };
/* A file that we wrote, keys given twice refused; NULL if it is not there or cannot be used. */
json_t *ecc_json_load(const char *path);

/* A number; NaN and infinity become null. */
json_t *ecc_json_real(double value);
json_t *ecc_json_reals(const double *values, size_t count);
/* A text; one that is not UTF-8, such as a file name may be, is quoted as in messages; NULL is
 * null. */
json_t *ecc_json_string(const char *value);

/* The same, set as a key of an object. */
void ecc_json_number(json_t *object, const char *key, double value);
void ecc_json_numbers(json_t *object, const char *key, const double *values, size_t count);
void ecc_json_text(json_t *object, const char *key, const char *value);
void ecc_json_count(json_t *object, const char *key, size_t value);
void ecc_json_flag(json_t *object, const char *key, bool value);
/* values: [rows, columns] as a list of rows */
void ecc_json_matrix(json_t *object, const char *key, const double *values, size_t rows,
                     size_t columns);

#endif
