/* sayings.c: small things to say: texts, times, numbers and texts of JSON. */
#include "work/sayings.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ecc_say(char out[ECC_SAID], const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(out, ECC_SAID, format, values);
    va_end(values);
    return out;
}

const char *ecc_duration(char out[32], double seconds)
{
    const long whole = seconds > 0 ? lround(fmin(seconds, 1e9)) : 0;
    if (whole >= 3600) {
        snprintf(out, 32, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    } else {
        snprintf(out, 32, "%ld:%02ld", whole / 60, whole % 60);
    }
    return out;
}

json_t *ecc_json_any(const char *text)
{
    char *const copy = strdup(text);
    if (!copy) return NULL;
    ecc_utf8_repair(copy);
    json_t *const json = json_string(copy);
    free(copy);
    return json;
}

static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

double ecc_get_number(const json_t *object, const char *key)
{
    return number_of(json_object_get(object, key));
}

double ecc_get_item(const json_t *list, size_t i)
{
    return number_of(json_array_get(list, i));
}

const char *ecc_get_text(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}
