/* table_fit.c: centre and spread of the columns of a table, with gaps. */
#include "data/table_fit.h"

#include "data/survey.h"
#include "data/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Mean and deviation --------------------------------------------------------------------- */

/* Two passes, so that columns far from zero lose no digits; row by row, as they lie in memory. */
static void standard(double *mean, double *deviation, size_t *present,
                     const struct ecc_number_table *t)
{
    for (size_t i = 0; i < t->rows; i++) {
        if (!ecc_row_is_fitted(t->request, i)) continue;
        const double *const x = t->values + i * t->columns;
        for (size_t j = 0; j < t->columns; j++) {
            const bool there = !isnan(x[j]);
            mean[j] += there ? x[j] : 0;
            present[j] += there;
        }
    }
    for (size_t j = 0; j < t->columns; j++) mean[j] /= present[j] ? (double)present[j] : 1;
    for (size_t i = 0; i < t->rows; i++) {
        if (!ecc_row_is_fitted(t->request, i)) continue;
        const double *const x = t->values + i * t->columns;
        for (size_t j = 0; j < t->columns; j++) {
            const double off = isnan(x[j]) ? 0 : x[j] - mean[j];
            deviation[j] += off * off;
        }
    }
    for (size_t j = 0; j < t->columns; j++) {
        deviation[j] = sqrt(deviation[j] / (present[j] ? (double)present[j] : 1));
    }
}

/* ---- Median and interquartile range --------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between neighbours, as NumPy does it. */
static double quantile(const double *sorted, size_t n, double share)
{
    const double place = share * (double)(n - 1);
    const size_t below = (size_t)place;
    const double rest = place - (double)below;
    if (below + 1 >= n) return sorted[n - 1];
    return sorted[below] + rest * (sorted[below + 1] - sorted[below]);
}

static size_t gather(double *column, const struct ecc_number_table *t, size_t j)
{
    size_t n = 0;
    for (size_t i = 0; i < t->rows; i++) {
        const double x = t->values[i * t->columns + j];
        if (ecc_row_is_fitted(t->request, i) && !isnan(x)) column[n++] = x;
    }
    return n;
}

/* A normal distribution has an interquartile range of 1.349 deviations.  Where more than half of
 * the values are the same, mean and deviation stay. */
void ecc_table_fit_robust(double *mean, double *deviation, const struct ecc_number_table *t,
                          size_t column, double *scratch)
{
    const size_t n = gather(scratch, t, column);
    if (n == 0) return;
    qsort(scratch, n, sizeof *scratch, by_value);
    const double range = quantile(scratch, n, 0.75) - quantile(scratch, n, 0.25);
    if (!(range > 0)) return;
    *mean = quantile(scratch, n, 0.5);
    *deviation = range / 1.349;
}

enum ecc_status ecc_table_fit(double *mean, double *deviation, const struct ecc_number_table *t,
                              struct ecc_error *error)
{
    size_t *const present = calloc(t->columns + 1, sizeof *present);
    if (!present) return ecc_fail_memory(error, "the scaling of a table");
    memset(mean, 0, t->columns * sizeof *mean);
    memset(deviation, 0, t->columns * sizeof *deviation);
    standard(mean, deviation, present, t);
    free(present);
    return ECC_OK;
}

/* ---- Range ---------------------------------------------------------------------------------- */

/* A set of numbers by their bits; 0: free. */
struct number_set {
    uint64_t slots[4096];
    size_t count;
};

static void add_number(struct number_set *set, double value)
{
    uint64_t bits;
    const double plain = value == 0 ? 0 : value; /* -0 is 0 */
    memcpy(&bits, &plain, sizeof bits);
    bits += UINT64_C(0x9e3779b97f4a7c15); /* so that 0.0 is not free */
    size_t at = (size_t)(bits * UINT64_C(0xbf58476d1ce4e5b9) >> 52);
    while (set->slots[at] && set->slots[at] != bits) at = (at + 1) % 4096;
    set->count += !set->slots[at];
    set->slots[at] = bits;
}

struct ecc_column_range ecc_table_range(const struct ecc_number_table *t, size_t column)
{
    struct number_set set = {0};
    struct ecc_column_range range = {.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < t->rows; i++) {
        const double x = t->values[i * t->columns + column];
        if (!ecc_row_is_fitted(t->request, i)) continue;
        if (isnan(x)) {
            range.gaps++;
            continue;
        }
        range.low = x < range.low ? x : range.low;
        range.high = x > range.high ? x : range.high;
        if (set.count <= ECC_DISTINCT_MAX) add_number(&set, x);
    }
    range.distinct = set.count;
    if (range.low > range.high) range.low = range.high = 0;
    return range;
}
