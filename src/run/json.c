/* json.c: JSON from files, and values for JSON that is written: whatever C has becomes something
 * that JSON can hold. */
#include "run/json.h"
#include "base/file.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *ecc_json_load(const char *path)
{
    unsigned char *bytes;
    size_t size;
    struct ecc_error unused;
    if (ecc_file_read_most(&bytes, &size, path, ECC_JSON_MOST, &unused) != ECC_OK) return NULL;
    json_t *const json = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, NULL);
    free(bytes);
    return json;
}

json_t *ecc_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *ecc_json_reals(const double *values, size_t count)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(list, ecc_json_real(values[i]));
    return list;
}

json_t *ecc_json_string(const char *value)
{
    char quoted[ECC_QUOTE_SIZE];
    if (!value) return json_null();
    json_t *const text = json_string(value);
    return text ? text : json_string(ecc_quote(quoted, value, strlen(value)));
}

void ecc_json_number(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, ecc_json_real(value));
}

void ecc_json_numbers(json_t *object, const char *key, const double *values, size_t count)
{
    json_object_set_new(object, key, ecc_json_reals(values, count));
}

void ecc_json_text(json_t *object, const char *key, const char *value)
{
    json_object_set_new(object, key, ecc_json_string(value));
}

void ecc_json_count(json_t *object, const char *key, size_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

void ecc_json_flag(json_t *object, const char *key, bool value)
{
    json_object_set_new(object, key, json_boolean(value));
}

void ecc_json_matrix(json_t *object, const char *key, const double *values, size_t rows,
                     size_t columns)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < rows; i++) {
        json_array_append_new(list, ecc_json_reals(values + i * columns, columns));
    }
    json_object_set_new(object, key, list);
}
