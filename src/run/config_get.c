/* config_get.c: settings of a run by key, each checked for its kind. */
#include "base/text.h"
#include "run/config.h"

#include <math.h>
#include <string.h>

/* NULL if there is no such key. */
static json_t *find(const struct ecc_config *config, const char *key)
{
    json_t *json = config->root;
    for (const char *dot; json && (dot = strchr(key, '.')); key = dot + 1) {
        char part[ECC_CONFIG_MAX_KEY];
        if ((size_t)(dot - key) >= sizeof part) return NULL;
        snprintf(part, sizeof part, "%.*s", (int)(dot - key), key);
        json = json_object_get(json, part);
    }
    return json_object_get(json, key);
}

bool ecc_config_has(const struct ecc_config *config, const char *key)
{
    return find(config, key) != NULL;
}

const json_t *ecc_config_get_json(const struct ecc_config *config, const char *key)
{
    return find(config, key);
}

/* Says what is wrong with a key; `json` is its value, or NULL if it is missing. */
static void say(const struct ecc_config *config, const json_t *json, const char *key,
                const char *expected, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE], *text = NULL;
    ecc_quote_path(shown, config->path);
    if (!json) {
        ecc_set_error(error, ECC_BAD_DATA, "%s: no \"%s\", expected %s", shown, key, expected);
        return;
    }
    text = json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9));
    ecc_quote(quoted, text ? text : "?", text ? strlen(text) : 1);
    free(text);
    ecc_set_error(error, ECC_BAD_DATA, "%s: \"%s\" is %s, expected %s", shown, key, quoted,
                  expected);
}

#define refuse(config, json, key, expected, error)                                                 \
    (say((config), (json), (key), (expected), (error)), ECC_BAD_DATA)

enum ecc_status ecc_config_get_text(const struct ecc_config *config, const char **value,
                                    const char *key, struct ecc_error *error)
{
    const json_t *const json = find(config, key);
    if (!json_is_string(json)) return refuse(config, json, key, "text", error);
    *value = json_string_value(json);
    return ECC_OK;
}

enum ecc_status ecc_config_get_number(const struct ecc_config *config, double *value,
                                      const char *key, struct ecc_error *error)
{
    const json_t *const json = find(config, key);
    if (!json_is_number(json) && !json_is_null(json)) {
        return refuse(config, json, key, "a number", error);
    }
    *value = json_is_null(json) ? (double)NAN : json_number_value(json);
    return ECC_OK;
}

enum ecc_status ecc_config_get_u64(const struct ecc_config *config, uint64_t *value,
                                   const char *key, struct ecc_error *error)
{
    const json_t *const json = find(config, key);
    if (json_is_integer(json) && json_integer_value(json) >= 0) {
        *value = (uint64_t)json_integer_value(json);
        return ECC_OK;
    }
    if (json_is_string(json) && ecc_parse_u64(json_string_value(json), value)) return ECC_OK;
    return refuse(config, json, key, "a whole number", error);
}

enum ecc_status ecc_config_get_size(const struct ecc_config *config, size_t *value, const char *key,
                                    struct ecc_error *error)
{
    uint64_t number;
    ECC_TRY(ecc_config_get_u64(config, &number, key, error));
    if (number > SIZE_MAX / 2) {
        return refuse(config, find(config, key), key, "a smaller number", error);
    }
    *value = (size_t)number;
    return ECC_OK;
}

enum ecc_status ecc_config_get_flag(const struct ecc_config *config, bool *value, const char *key,
                                    struct ecc_error *error)
{
    const json_t *const json = find(config, key);
    if (!json_is_boolean(json)) return refuse(config, json, key, "true or false", error);
    *value = json_is_true(json);
    return ECC_OK;
}

enum ecc_status ecc_config_get_length(const struct ecc_config *config, size_t *count,
                                      const char *key, struct ecc_error *error)
{
    const json_t *const json = find(config, key);
    if (!json_is_array(json)) return refuse(config, json, key, "a list", error);
    *count = json_array_size(json);
    return ECC_OK;
}

static enum ecc_status find_list(const struct ecc_config *config, const json_t **list,
                                 const char *key, size_t count, struct ecc_error *error)
{
    char expected[60];
    *list = find(config, key);
    if (json_is_array(*list) && json_array_size(*list) == count) return ECC_OK;
    snprintf(expected, sizeof expected, "a list of %zu", count);
    return refuse(config, *list, key, expected, error);
}

enum ecc_status ecc_config_get_numbers(const struct ecc_config *config, double *values,
                                       const char *key, size_t count, struct ecc_error *error)
{
    const json_t *list;
    ECC_TRY(find_list(config, &list, key, count, error));
    for (size_t i = 0; i < count; i++) {
        const json_t *const item = json_array_get(list, i);
        if (!json_is_number(item) && !json_is_null(item)) {
            return refuse(config, list, key, "a list of numbers", error);
        }
        values[i] = json_is_null(item) ? (double)NAN : json_number_value(item);
    }
    return ECC_OK;
}

enum ecc_status ecc_config_get_texts(const struct ecc_config *config, const char **values,
                                     const char *key, size_t count, struct ecc_error *error)
{
    const json_t *list;
    ECC_TRY(find_list(config, &list, key, count, error));
    for (size_t i = 0; i < count; i++) {
        values[i] = json_string_value(json_array_get(list, i));
        if (!values[i]) return refuse(config, list, key, "a list of texts", error);
    }
    return ECC_OK;
}
