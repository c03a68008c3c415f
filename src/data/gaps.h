/* gaps.h: missing cells of a table, which are NaN in an item. */
#ifndef ECC_DATA_GAPS_H
#define ECC_DATA_GAPS_H

#include <stddef.h>

/* For those who cannot work with gaps: x: [count], NaN becomes 0, the mean of a standardised
 * table. */
void ecc_fill_gaps(float *x, size_t count);

/* The sum of (x - y)^2 over the cells of x that are not missing; x, y: [count]. */
double ecc_known_squares(const float *x, const float *y, size_t count);

#endif
