/* gaps.c: missing cells of a table, which are NaN in an item. */
#include "data/gaps.h"

#include <math.h>

void ecc_fill_gaps(float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(x[i])) x[i] = 0;
    }
}

double ecc_known_squares(const float *x, const float *y, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double off = isnan(x[i]) ? 0 : (double)x[i] - (double)y[i];
        sum += off * off;
    }
    return sum;
}
