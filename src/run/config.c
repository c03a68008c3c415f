/* config.c: config.json of a run, read and written as a whole; settings by key. */
#include "run/config.h"
#include "base/file.h"
#include "base/text.h"
#include "run/json.h"
#include "run/number.h"

#include <stdlib.h>
#include <string.h>

/* ---- The file ------------------------------------------------------------------------------- */

enum ecc_status ecc_config_init(struct ecc_config *config, const char *path,
                                struct ecc_error *error)
{
    *config = (struct ecc_config){.root = json_object(), .path = strdup(path)};
    if (config->root && config->path) return ECC_OK;
    ecc_config_release(config);
    return ecc_fail_memory(error, "a config");
}

void ecc_config_release(struct ecc_config *config)
{
    json_decref(config->root);
    free(config->path);
    *config = (struct ecc_config){0};
}

enum ecc_status ecc_config_decode(struct ecc_config *config, const char *bytes, size_t size,
                                  const char *path, struct ecc_error *error)
{
    ECC_TRY(ecc_config_init(config, path, error));
    json_error_t problem;
    json_t *const root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &problem);
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    if (json_is_object(root)) {
        json_decref(config->root);
        config->root = root;
        return ECC_OK;
    }
    ecc_config_release(config);
    ecc_quote_path(shown, path);
    if (root) {
        json_decref(root);
        return ecc_fail(error, ECC_BAD_DATA, "%s: expected a JSON object, {...}", shown);
    }
    return ecc_fail(error, ECC_BAD_DATA, "%s, line %d: not JSON: %s", shown, problem.line,
                    ecc_quote(quoted, problem.text, strlen(problem.text)));
}

enum ecc_status ecc_config_read(struct ecc_config *config, const char *path,
                                struct ecc_error *error)
{
    *config = (struct ecc_config){0};
    unsigned char *bytes;
    size_t size;
    ECC_TRY(ecc_file_read_most(&bytes, &size, path, ECC_JSON_MOST, error));
    const enum ecc_status status =
        ecc_config_decode(config, (const char *)bytes, size, path, error);
    free(bytes);
    return status;
}

/* As jansson would, but numbers have only the digits they need: 0.1, not 0.10000000000000001. */
static bool dump(FILE *stream, const json_t *json, int depth)
{
    if (json_is_real(json)) {
        char number[ECC_NUMBER_SIZE];
        return fputs(ecc_format_number(number, json_real_value(json)), stream) >= 0;
    }
    if (json_is_array(json)) {
        for (size_t i = 0; i < json_array_size(json); i++) {
            fputs(i ? ", " : "[", stream);
            if (!dump(stream, json_array_get(json, i), depth + 1)) return false;
        }
        return fputs(json_array_size(json) ? "]" : "[]", stream) >= 0;
    }
    if (!json_is_object(json)) return json_dumpf(json, stream, JSON_ENCODE_ANY) == 0;
    const char *key, *separator = "{";
    json_t *value;
    json_object_foreach((json_t *)json, key, value)
    {
        json_t *const name = json_string(key);
        fprintf(stream, "%s\n%*s", separator, 2 * (depth + 1), "");
        const bool good = name && json_dumpf(name, stream, JSON_ENCODE_ANY) == 0;
        json_decref(name);
        fputs(": ", stream);
        if (!good || !dump(stream, value, depth + 1)) return false;
        separator = ",";
    }
    if (json_object_size(json) == 0) return fputs("{}", stream) >= 0;
    return fprintf(stream, "\n%*s}", 2 * depth, "") > 0;
}

static enum ecc_status check_whole(const struct ecc_config *config, struct ecc_error *error)
{
    if (!config->failed) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "a setting could not be kept: out of memory, or text that is not UTF-8");
}

enum ecc_status ecc_config_encode(const struct ecc_config *config, char **text,
                                  struct ecc_error *error)
{
    size_t size;
    ECC_TRY(check_whole(config, error));
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (!stream) return ecc_fail_memory(error, "the settings");
    const bool whole = dump(stream, config->root, 0);
    if (fclose(stream) == 0 && whole) return ECC_OK;
    free(*text);
    *text = NULL;
    return ecc_fail_memory(error, "the settings");
}

enum ecc_status ecc_config_write(const struct ecc_config *config, struct ecc_error *error)
{
    ECC_TRY(check_whole(config, error));
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, config->path, error));
    if (!dump(output.stream, config->root, 0)) {
        ecc_output_discard(&output);
        return ecc_fail(error, ECC_IO, "cannot write '%s'", config->path);
    }
    putc('\n', output.stream);
    return ecc_output_commit_durably(&output, error);
}

/* ---- Setting -------------------------------------------------------------------------------- */

/* The section that `key` is in, created if necessary; *name is the rest of the key. */
static json_t *section_for(json_t *root, const char **name, const char *key)
{
    json_t *section = root;
    for (const char *dot; (dot = strchr(key, '.')); key = dot + 1) {
        char part[ECC_CONFIG_MAX_KEY];
        if ((size_t)(dot - key) >= sizeof part) return NULL;
        snprintf(part, sizeof part, "%.*s", (int)(dot - key), key);
        json_t *next = json_object_get(section, part);
        if (!next && json_object_set_new(section, part, json_object()) == 0) {
            next = json_object_get(section, part);
        }
        if (!json_is_object(next)) return NULL;
        section = next;
    }
    *name = key;
    return section;
}

static void set(struct ecc_config *config, const char *key, json_t *value)
{
    const char *name = NULL;
    json_t *const section = section_for(config->root, &name, key);
    if (!section) json_decref(value);
    if (!section || json_object_set_new(section, name, value) != 0) config->failed = true;
}

void ecc_config_set_json(struct ecc_config *config, const char *key, json_t *value)
{
    set(config, key, value);
}

void ecc_config_set_text(struct ecc_config *config, const char *key, const char *value)
{
    set(config, key, value ? json_string(value) : json_null());
}

void ecc_config_set_number(struct ecc_config *config, const char *key, double value)
{
    set(config, key, ecc_json_real(value));
}

void ecc_config_set_u64(struct ecc_config *config, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    /* JSON readers, including ours, stop at 2^63 - 1 */
    set(config, key, value <= INT64_MAX ? json_integer((json_int_t)value) : json_string(text));
}

void ecc_config_set_flag(struct ecc_config *config, const char *key, bool value)
{
    set(config, key, json_boolean(value));
}

void ecc_config_set_numbers(struct ecc_config *config, const char *key, const double *values,
                            size_t count)
{
    json_t *const list = ecc_json_reals(values, count);
    if (json_array_size(list) != count) config->failed = true; /* no memory */
    set(config, key, list);
}

void ecc_config_set_texts(struct ecc_config *config, const char *key, char *const *values,
                          size_t count)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(list, json_string(values[i])) != 0) config->failed = true;
    }
    set(config, key, list);
}
