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

/* All of it; schema may be NULL. */
void ecc_schema_free(struct ecc_schema *schema);

#endif
