/* data_columns.c: the columns of a table for `eccentric data info`: what each is, its range, gaps
 * and different values, and what becomes of it. */
#include "base/text.h"
#include "cli/data_print.h"
#include "data/dates.h"
#include "data/table.h"

#include <math.h>
#include <string.h>

enum { NAME_WIDTH = 24, RANGE_WIDTH = 30, CELL = 120 };

static bool has_range(const struct ecc_column *c)
{
    return c->kind == ECC_COLUMN_NUMBER || c->kind == ECC_COLUMN_DATE ||
           c->kind == ECC_COLUMN_TARGET;
}

/* A value of the column, in its own unit; of a date with a time only the date. */
static const char *value_text(char out[CELL], const struct ecc_column *c, double value)
{
    if (c->kind == ECC_COLUMN_DATE) {
        const struct ecc_column plain = {.kind = c->kind, .date_order = c->date_order};
        ecc_date_write(out, CELL, floor(value), &plain);
        if (c->date_order == 'h') ecc_date_write(out, CELL, value, c);
    } else {
        char number[ECC_PLAIN_SIZE];
        snprintf(out, CELL, "%s", ecc_plain_number(number, value, 6));
    }
    return out;
}

/* "18 to 88", "Paris, Rome, ..." */
static const char *range_text(char out[CELL], const struct ecc_column *c)
{
    char low[CELL], high[CELL];
    size_t used = 0;
    int shown = 0;
    out[0] = '\0';
    if (has_range(c)) {
        snprintf(out, CELL, "%.50s to %.50s", value_text(low, c, c->low),
                 value_text(high, c, c->high));
        return out;
    }
    for (size_t i = 0; i < c->level_count; i++) {
        const int width = ecc_cell_width(c->levels[i]);
        if (shown + width + 7 > RANGE_WIDTH || used + strlen(c->levels[i]) + 8 > CELL) {
            snprintf(out + used, CELL - used, "%s", used ? ", ..." : "...");
            break;
        }
        shown += width + (used ? 2 : 0);
        used += (size_t)snprintf(out + used, CELL - used, "%s%s", used ? ", " : "", c->levels[i]);
    }
    return out;
}

/* What is done with it. */
static const char *use_text(char out[CELL], const struct ecc_column *c)
{
    const char *const fixed[] = {[ECC_COLUMN_NUMBER] = "1 feature",
                                 [ECC_COLUMN_DATE] = "1 feature, in days",
                                 [ECC_COLUMN_LABEL] = "the classes",
                                 [ECC_COLUMN_TARGET] = "the number to predict"};
    if (c->kind == ECC_COLUMN_LEFT_OUT) return c->reason;
    if (c->kind != ECC_COLUMN_CATEGORY) return fixed[c->kind];
    snprintf(out, CELL,
             c->distinct > c->level_count ? "%zu feature%s, for the most frequent"
                                          : "%zu feature%s",
             c->level_count, ecc_s(c->level_count));
    return out;
}

static void put_padded(const char *text, int width)
{
    char cell[ECC_FIT_SIZE];
    ecc_print("%s  ", ecc_cell_fit(cell, text, width));
}

/* Of the longest of the shown names. */
static int name_width(const struct ecc_schema *schema)
{
    int width = 4;
    for (size_t i = 0; i < schema->count && i < ECC_DATA_COLUMNS_SHOWN; i++) {
        const int own = ecc_cell_width(schema->columns[i].name);
        width = own > width ? own : width;
    }
    return width < NAME_WIDTH ? width : NAME_WIDTH;
}

static void put_column(const struct ecc_column *c, int width)
{
    char range[CELL], use[CELL];
    ecc_print("  ");
    put_padded(c->name, width);
    put_padded(ecc_column_kind_names[c->kind], 8);
    put_padded(range_text(range, c), RANGE_WIDTH);
    ecc_print("%7zu  ", c->gaps);
    if (c->distinct > ECC_DISTINCT_MAX && has_range(c)) {
        ecc_print("%8s", ">1000");
    } else if (c->distinct > 0) {
        ecc_print("%8zu", c->distinct);
    } else {
        ecc_print("%8s", "");
    }
    ecc_print("  %s\n", use_text(use, c));
}

void ecc_data_print_columns(const struct ecc_schema *schema)
{
    static const char *const many[] = {"numbers", "dates",   "categories",
                                       "labels",  "targets", "left out"};
    size_t used = 0, rest[ECC_COLUMN_LEFT_OUT + 1] = {0};
    const int width = name_width(schema);
    for (size_t i = 0; i < schema->count; i++) used += schema->columns[i].features > 0;
    ecc_print("columns     %zu: %zu used, as %zu %s\n", schema->count, used, schema->features,
              schema->features == 1 ? "feature" : "features");
    ecc_print("  %-*s  %-8s  %-*s  %7s  %8s  %s\n", width, "name", "type", RANGE_WIDTH, "range",
              "missing", "distinct", "use");
    for (size_t i = 0; i < schema->count; i++) {
        if (i < ECC_DATA_COLUMNS_SHOWN) {
            put_column(&schema->columns[i], width);
        } else {
            rest[schema->columns[i].kind]++;
        }
    }
    if (schema->count <= ECC_DATA_COLUMNS_SHOWN) return;
    ecc_print("  and %zu more:", schema->count - ECC_DATA_COLUMNS_SHOWN);
    for (size_t kind = 0, listed = 0; kind <= ECC_COLUMN_LEFT_OUT; kind++) {
        if (rest[kind] == 0) continue;
        ecc_print("%s %zu %s", listed++ ? "," : "", rest[kind],
                  rest[kind] == 1 ? ecc_column_kind_names[kind] : many[kind]);
    }
    ecc_print("\n");
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *column_json(const struct ecc_column *c)
{
    json_t *const json = json_object();
    char text[CELL];
    ecc_json_text(json, "name", c->name);
    ecc_json_text(json, "type", ecc_column_kind_names[c->kind]);
    ecc_json_count(json, "features", c->features);
    if (c->reason) ecc_json_text(json, "reason", c->reason);
    if (has_range(c)) {
        ecc_json_number(json, "low", c->low);
        ecc_json_number(json, "high", c->high);
    }
    if (c->kind == ECC_COLUMN_DATE) {
        ecc_date_write(text, sizeof text, c->low, c);
        ecc_json_text(json, "first", text);
        ecc_date_write(text, sizeof text, c->high, c);
        ecc_json_text(json, "last", text);
    }
    if (has_range(c) && c->kind != ECC_COLUMN_TARGET) {
        ecc_json_number(json, "mean", c->mean);
        ecc_json_number(json, "deviation", c->deviation);
    }
    ecc_json_count(json, "missing", c->gaps);
    ecc_json_count(json, "distinct", c->distinct);
    if (c->levels) {
        json_t *const levels = json_array();
        for (size_t i = 0; i < c->level_count; i++) {
            json_array_append_new(levels, ecc_json_string(c->levels[i]));
        }
        json_object_set_new(json, "levels", levels);
    }
    return json;
}

json_t *ecc_data_columns_json(const struct ecc_schema *schema)
{
    json_t *const list = json_array();
    for (size_t i = 0; schema && i < schema->count; i++) {
        json_array_append_new(list, column_json(&schema->columns[i]));
    }
    return list;
}
