/*
 * schema.h: what each column of a table is, and how its cells become features of an item and come
 * back in their own units.
 *
 * A number or a date is one feature, standardised.  A category has one feature per level: with p
 * the share of a level, (1 or 0 - p) / s, where s is the same for all levels of the column and
 * makes their variances sum to 1, so that a column of ten levels counts as much as a number.
 */
#ifndef ECC_DATA_SCHEMA_H
#define ECC_DATA_SCHEMA_H

#include "eccentric_model.h"

#include "base/status.h"

/* How a table's features were scaled: x = (value - mean) / deviation. */
struct ecc_scaling {
    size_t columns;
    double *mean, *deviation; /* [columns] */
    char **names;             /* [columns], or NULL */
    double clip; /* above 0: of tables without columns of their own, as in struct ecc_column */
};

/* The words for the kinds, in the order of their enum, ending in NULL: "number", "date", ... */
extern const char *const ecc_column_kind_names[];

/* Without columns yet; NULL without memory. */
struct ecc_schema *ecc_schema_create(size_t columns);
/* All of it; schema may be NULL. */
void ecc_schema_free(struct ecc_schema *schema);
/* A copy, or NULL without memory. */
struct ecc_schema *ecc_schema_copy(const struct ecc_schema *schema);

/* Numbers the features of all columns one after another, from their kinds and levels. */
void ecc_schema_number(struct ecc_schema *schema);

/* The schema as one scaling per feature; those of a category are named "colour=red". */
enum ecc_status ecc_schema_scaling(struct ecc_scaling *scaling, const struct ecc_schema *schema,
                                   struct ecc_error *error);
void ecc_scaling_release(struct ecc_scaling *scaling);

/* Writes the features of a number or date in its own unit, or of a level (SIZE_MAX: of none) into
 * the item x: [schema->features].  NaN, and a category of value NaN, is missing. */
void ecc_schema_put(const struct ecc_column *column, float *x, double value);
void ecc_schema_put_level(const struct ecc_column *column, float *x, size_t level);
void ecc_schema_put_missing(const struct ecc_column *column, float *x);

/* The place of a word among the levels, or SIZE_MAX. */
size_t ecc_schema_level(const struct ecc_column *column, const char *word);

#endif
