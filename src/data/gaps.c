/* gaps.c: missing cells of a table, which are NaN in an item. */
#include "data/gaps.h"

#include <math.h>

void ecc_fill_gaps(float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(x[i])) x[i] = 0;
    }
}
