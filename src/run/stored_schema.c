/* stored_schema.c: the columns of a table in config.json, "data.table", and back. */
#include "base/text.h"
#include "run/json.h"
#include "run/stored.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Storing -------------------------------------------------------------------------------- */

static json_t *texts(char *const *values, size_t count)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(list, json_string(values[i]));
    return list;
}

static json_t *column_json(const struct ecc_column *c)
{
    json_t *const json = json_object();
    ecc_json_text(json, "name", c->name);
    ecc_json_text(json, "kind", ecc_column_kind_names[c->kind]);
    if (c->reason) ecc_json_text(json, "reason", c->reason);
    if (c->features > 0) {
        ecc_json_number(json, "mean", c->mean);
        ecc_json_number(json, "deviation", c->deviation);
    }
    if (c->decimals > 0) ecc_json_count(json, "decimals", (size_t)c->decimals);
    if (c->clip > 0) ecc_json_number(json, "clip", c->clip);
    if (c->date_order) json_object_set_new(json, "order", json_stringn(&c->date_order, 1));
    if (c->kind != ECC_COLUMN_LEFT_OUT) {
        ecc_json_number(json, "low", c->low);
        ecc_json_number(json, "high", c->high);
    }
    ecc_json_count(json, "gaps", c->gaps);
    ecc_json_count(json, "distinct", c->distinct);
    if (c->levels) json_object_set_new(json, "levels", texts(c->levels, c->level_count));
    if (c->shares) ecc_json_numbers(json, "shares", c->shares, c->level_count);
    return json;
}

void ecc_run_schema_store(const struct ecc_schema *schema, struct ecc_config *config)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < schema->count; i++) {
        json_array_append_new(list, column_json(&schema->columns[i]));
    }
    if (json_array_size(list) != schema->count) config->failed = true; /* no memory */
    ecc_config_set_json(config, "data.table", list);
}

/* ---- And back ------------------------------------------------------------------------------- */

/* The config is a file that anyone may have edited: what is missing is 0, what is wrong is said. */
static double number_of(const json_t *json, const char *key)
{
    const json_t *const value = json_object_get(json, key);
    return json_is_number(value) ? json_number_value(value) : 0;
}

static size_t count_of(const json_t *json, const char *key)
{
    const json_t *const value = json_object_get(json, key);
    return json_is_integer(value) && json_integer_value(value) > 0
               ? (size_t)json_integer_value(value)
               : 0;
}

static bool text_of(char **text, const json_t *json, const char *key)
{
    const char *const value = json_string_value(json_object_get(json, key));
    *text = value ? strdup(value) : NULL;
    return *text || !value;
}

static bool find_kind(enum ecc_column_kind *kind, const json_t *json)
{
    const char *const word = json_string_value(json_object_get(json, "kind"));
    for (int i = 0; word && ecc_column_kind_names[i]; i++) {
        if (strcmp(ecc_column_kind_names[i], word) != 0) continue;
        *kind = (enum ecc_column_kind)i;
        return true;
    }
    return false;
}

/* False if a level is not text; *memory tells that there was none left. */
static bool read_levels(struct ecc_column *c, const json_t *json, bool *memory)
{
    const json_t *const levels = json_object_get(json, "levels"), *const shares = json_object_get(
                                                                      json, "shares");
    const size_t count = json_array_size(levels);
    if (!levels) return true;
    c->levels = calloc(count + 1, sizeof *c->levels);
    c->shares = shares ? calloc(count + 1, sizeof *c->shares) : NULL;
    *memory = c->levels && (c->shares || !shares);
    if (!*memory) return false;
    c->level_count = count;
    for (size_t i = 0; i < count; i++) {
        const char *const level = json_string_value(json_array_get(levels, i));
        if (!level) return false;
        c->levels[i] = strdup(level);
        *memory = c->levels[i] != NULL;
        if (!*memory) return false;
        const json_t *const share = json_array_get(shares, i);
        if (c->shares) c->shares[i] = json_is_number(share) ? json_number_value(share) : -1;
    }
    return true;
}

/* What is wrong with a column as it was read, or NULL. */
static const char *find_fault(const struct ecc_column *c)
{
    const bool category = c->kind == ECC_COLUMN_CATEGORY;
    if (!c->name) return "has no name";
    if (c->kind > ECC_COLUMN_CATEGORY) return NULL;
    if (!(c->deviation > 0) || !isfinite(c->deviation)) return "has no deviation above 0";
    if (!isfinite(c->mean) || !isfinite(c->clip)) return "has a mean that is not finite";
    if (category && (!c->shares || c->level_count == 0)) return "has no levels with shares";
    for (size_t i = 0; category && i < c->level_count; i++) {
        if (!(c->shares[i] >= 0 && c->shares[i] <= 1)) return "has a share that is not 0 to 1";
    }
    return NULL;
}

static enum ecc_status read_column(struct ecc_column *c, const json_t *json, const char *path,
                                   size_t number, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    const size_t decimals = count_of(json, "decimals");
    const char *const order = json_string_value(json_object_get(json, "order"));
    bool memory = text_of(&c->name, json, "name") && text_of(&c->reason, json, "reason");
    c->mean = number_of(json, "mean");
    c->deviation = number_of(json, "deviation");
    c->low = number_of(json, "low");
    c->high = number_of(json, "high");
    c->clip = number_of(json, "clip");
    c->decimals = decimals < 17 ? (int)decimals : 17;
    c->gaps = count_of(json, "gaps");
    c->distinct = count_of(json, "distinct");
    c->date_order = order && strlen(order) == 1 && strchr("YMDh", *order) ? *order : '\0';
    const char *fault = memory && !find_kind(&c->kind, json) ? "has no kind" : NULL;
    if (memory && !fault && !read_levels(c, json, &memory)) fault = "has a level that is not text";
    if (!memory) return ecc_fail_memory(error, "the columns of a table");
    if (!fault) fault = find_fault(c);
    if (!fault) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%s: column %zu of \"data.table\" %s",
                    ecc_quote_path(shown, path), number, fault);
}

enum ecc_status ecc_run_schema(struct ecc_schema **schema, const struct ecc_config *config,
                               struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    const json_t *const list = ecc_config_get_json(config, "data.table");
    *schema = NULL;
    if (!list) return ECC_OK;
    if (!json_is_array(list)) {
        return ecc_fail(error, ECC_BAD_DATA, "%s: \"data.table\" is not a list of columns",
                        ecc_quote_path(shown, config->path));
    }
    *schema = ecc_schema_create(json_array_size(list));
    enum ecc_status status = *schema ? ECC_OK : ecc_fail_memory(error, "the columns of a table");
    for (size_t i = 0; status == ECC_OK && i < (*schema)->count; i++) {
        status = read_column(&(*schema)->columns[i], json_array_get(list, i), config->path, i + 1,
                             error);
    }
    if (status == ECC_OK) {
        ecc_schema_number(*schema);
        return ECC_OK;
    }
    ecc_schema_free(*schema);
    *schema = NULL;
    return status;
}
