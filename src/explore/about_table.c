/* about_table.c: the columns of a run's table, as the page needs them to show features in their own
 * units. */
#include "explore/route.h"

static json_t *level_names(const struct ecc_column *column)
{
    json_t *const list = json_array();
    for (size_t l = 0; l < column->level_count; l++) {
        json_array_append_new(list, ecc_json_string(column->levels[l]));
    }
    return list;
}

static json_t *about_column(const struct ecc_column *column)
{
    json_t *const json = json_object();
    ecc_json_text(json, "name", column->name);
    ecc_json_text(json, "kind", ecc_column_kind_names[column->kind]);
    ecc_json_count(json, "first", column->first);
    ecc_json_count(json, "features", column->features);
    ecc_json_number(json, "deviation", column->deviation);
    if (column->kind == ECC_COLUMN_CATEGORY) {
        json_object_set_new(json, "levels", level_names(column));
        ecc_json_numbers(json, "shares", column->shares, column->level_count);
        return json;
    }
    ecc_json_number(json, "mean", column->mean);
    ecc_json_number(json, "low", column->low);
    ecc_json_number(json, "high", column->high);
    json_object_set_new(json, "decimals", json_integer(column->decimals));
    if (column->kind == ECC_COLUMN_DATE) ecc_json_flag(json, "hours", column->date_order == 'h');
    return json;
}

/* Of arrays and runs of 0.1: numbers, of which only the scaling is known. */
static json_t *about_feature(const struct ecc_scaling *scaling, size_t c)
{
    json_t *const json = json_object();
    json_object_set_new(json, "name",
                        scaling->names ? ecc_json_string(scaling->names[c])
                                       : json_sprintf("column %zu", c + 1));
    ecc_json_text(json, "kind", ecc_column_kind_names[ECC_COLUMN_NUMBER]);
    ecc_json_count(json, "first", c);
    ecc_json_count(json, "features", 1);
    ecc_json_number(json, "deviation", scaling->deviation[c]);
    ecc_json_number(json, "mean", scaling->mean[c]);
    return json;
}

json_t *ecc_about_columns(const struct ecc_model *model)
{
    const struct ecc_schema *const schema = ecc_model_schema(model);
    json_t *const list = json_array();
    for (size_t c = 0; schema && c < schema->count; c++) {
        if (schema->columns[c].features > 0) {
            json_array_append_new(list, about_column(&schema->columns[c]));
        }
    }
    for (size_t c = 0; !schema && c < model->scaling.columns; c++) {
        json_array_append_new(list, about_feature(&model->scaling, c));
    }
    return list;
}
