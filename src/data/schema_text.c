/* schema_text.c: features of an item back to what a table would hold: values and text. */
#include "data/schema.h"

#include "base/text.h"
#include "data/dates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The level whose indicator, x * deviation + share, is the largest; NaN if one is missing. */
static double largest_level(const struct ecc_column *column, const float *x)
{
    size_t best = 0;
    double highest = -INFINITY;
    for (size_t i = 0; i < column->features; i++) {
        const double is = (double)x[column->first + i] * column->deviation + column->shares[i];
        if (isnan(is)) return NAN;
        if (is > highest) {
            highest = is;
            best = i;
        }
    }
    return (double)best;
}

double ecc_schema_value(const struct ecc_column *column, const float *x)
{
    if (column->features == 0) return NAN;
    if (column->kind == ECC_COLUMN_CATEGORY) return largest_level(column, x);
    return (double)x[column->first] * column->deviation + column->mean;
}

const char *ecc_schema_cell(char *text, size_t size, const struct ecc_column *column,
                            const float *x)
{
    const double value = ecc_schema_value(column, x);
    if (size == 0) return text;
    if (isnan(value)) {
        text[0] = '\0';
    } else if (column->kind == ECC_COLUMN_CATEGORY) {
        const bool cut = (size_t)snprintf(text, size, "%s", column->levels[(size_t)value]) >= size;
        if (cut) ecc_utf8_repair(text);
    } else if (column->kind == ECC_COLUMN_DATE) {
        ecc_date_write(text, size, value, column);
    } else {
        snprintf(text, size, "%.*f", column->decimals, value);
        if (strspn(text, "-0.") == strlen(text) && text[0] == '-')
            memmove(text, text + 1, strlen(text));
    }
    return text;
}
