/* schema.c: the columns of a table: making, copying, and from values to features. */
#include "data/schema.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ecc_column_kind_names[] = {"number", "date",     "category", "label",
                                             "target", "left out", NULL};

/* ---- Making --------------------------------------------------------------------------------- */

struct ecc_schema *ecc_schema_create(size_t columns)
{
    struct ecc_schema *const schema = calloc(1, sizeof *schema);
    if (!schema) return NULL;
    schema->columns = calloc(columns + 1, sizeof *schema->columns);
    schema->count = columns;
    if (schema->columns) return schema;
    free(schema);
    return NULL;
}

void ecc_schema_free(struct ecc_schema *schema)
{
    if (!schema) return;
    for (size_t i = 0; i < schema->count; i++) {
        struct ecc_column *const column = &schema->columns[i];
        free(column->name);
        free(column->reason);
        ecc_free_texts(column->levels, column->level_count);
        free(column->shares);
    }
    free(schema->columns);
    free(schema);
}

static bool copy_text(char **to, const char *from)
{
    *to = from ? strdup(from) : NULL;
    return !from || *to;
}

static bool copy_levels(struct ecc_column *to, const struct ecc_column *from)
{
    to->levels = from->levels ? calloc(from->level_count + 1, sizeof *to->levels) : NULL;
    to->shares = from->shares ? malloc((from->level_count + 1) * sizeof *to->shares) : NULL;
    if ((from->levels && !to->levels) || (from->shares && !to->shares)) return false;
    if (to->shares) memcpy(to->shares, from->shares, from->level_count * sizeof *to->shares);
    for (size_t i = 0; to->levels && i < from->level_count; i++) {
        if (!copy_text(&to->levels[i], from->levels[i])) return false;
    }
    return true;
}

struct ecc_schema *ecc_schema_copy(const struct ecc_schema *schema)
{
    struct ecc_schema *const copy = ecc_schema_create(schema->count);
    bool whole = copy != NULL;
    for (size_t i = 0; whole && i < schema->count; i++) {
        const struct ecc_column *const from = &schema->columns[i];
        struct ecc_column *const to = &copy->columns[i];
        *to = *from;
        to->name = to->reason = NULL;
        to->levels = NULL;
        to->shares = NULL;
        whole = copy_text(&to->name, from->name) && copy_text(&to->reason, from->reason) &&
                copy_levels(to, from);
    }
    if (whole) {
        copy->features = schema->features;
        return copy;
    }
    ecc_schema_free(copy);
    return NULL;
}

static size_t features_of(const struct ecc_column *column)
{
    if (column->kind == ECC_COLUMN_CATEGORY) return column->level_count;
    return column->kind == ECC_COLUMN_NUMBER || column->kind == ECC_COLUMN_DATE;
}

void ecc_schema_number(struct ecc_schema *schema)
{
    schema->features = 0;
    for (size_t i = 0; i < schema->count; i++) {
        struct ecc_column *const column = &schema->columns[i];
        column->first = schema->features;
        column->features = features_of(column);
        schema->features += column->features;
    }
}

/* ---- One scaling per feature ---------------------------------------------------------------- */

void ecc_scaling_release(struct ecc_scaling *scaling)
{
    free(scaling->mean);
    free(scaling->deviation);
    ecc_free_texts(scaling->names, scaling->columns);
    *scaling = (struct ecc_scaling){0};
}

/* "colour=red", or the name alone of a column with one feature. */
static char *feature_name(const struct ecc_column *column, size_t feature)
{
    if (column->kind != ECC_COLUMN_CATEGORY) return strdup(column->name);
    const char *const level = column->levels[feature];
    const size_t size = strlen(column->name) + strlen(level) + 2;
    char *const name = malloc(size);
    if (name) snprintf(name, size, "%s=%s", column->name, level);
    return name;
}

static bool add_column(struct ecc_scaling *scaling, const struct ecc_column *column)
{
    const bool category = column->kind == ECC_COLUMN_CATEGORY;
    for (size_t i = 0; i < column->features; i++) {
        const size_t at = column->first + i;
        scaling->mean[at] = category ? column->shares[i] : column->mean;
        scaling->deviation[at] = column->deviation;
        scaling->names[at] = feature_name(column, i);
        if (!scaling->names[at]) return false;
    }
    return true;
}

enum ecc_status ecc_schema_scaling(struct ecc_scaling *scaling, const struct ecc_schema *schema,
                                   struct ecc_error *error)
{
    *scaling = (struct ecc_scaling){.columns = schema->features};
    scaling->mean = calloc(schema->features + 1, sizeof *scaling->mean);
    scaling->deviation = calloc(schema->features + 1, sizeof *scaling->deviation);
    scaling->names = calloc(schema->features + 1, sizeof *scaling->names);
    bool whole = scaling->mean && scaling->deviation && scaling->names;
    for (size_t i = 0; whole && i < schema->count; i++) {
        whole = add_column(scaling, &schema->columns[i]);
    }
    if (whole) return ECC_OK;
    ecc_scaling_release(scaling);
    return ecc_fail_memory(error, "the scaling of a table");
}

/* ---- Values to features --------------------------------------------------------------------- */

void ecc_schema_put(const struct ecc_column *column, float *x, double value)
{
    double feature = (value - column->mean) / column->deviation;
    if (column->clip > 0) { /* NaN stays NaN */
        if (feature > column->clip) feature = column->clip;
        if (feature < -column->clip) feature = -column->clip;
    }
    x[column->first] = (float)feature;
}

void ecc_schema_put_level(const struct ecc_column *column, float *x, size_t level)
{
    for (size_t i = 0; i < column->features; i++) {
        const double is = i == level ? 1 : 0;
        x[column->first + i] = (float)((is - column->shares[i]) / column->deviation);
    }
}

void ecc_schema_put_missing(const struct ecc_column *column, float *x)
{
    for (size_t i = 0; i < column->features; i++) {
        x[column->first + i] = NAN;
    }
}

size_t ecc_schema_level(const struct ecc_column *column, const char *word)
{
    for (size_t i = 0; i < column->level_count; i++) {
        if (strcmp(column->levels[i], word) == 0) return i;
    }
    return SIZE_MAX;
}
