/* neighbours.h: which points are closest to each other. */
#ifndef ECC_MATH_NEIGHBOURS_H
#define ECC_MATH_NEIGHBOURS_H

#include "base/status.h"

/*
 * For each row i of z: [n, d] the nearest other row: the squared distance to it, squared: [n], and
 * its number, index: [n].  Either may be NULL.  Of equally near rows, the first counts.  Distances
 * are those of the float32 numbers in double, whatever the offset from the origin; the result does
 * not depend on the thread count.  Needs 2 n floats, and up to 0.3 MB and 2.5 d KB per thread; up
 * to 8 dimensions also 4 d + 20 floats for each point.  Fails with ECC_BAD_ARGUMENT (n < 2, d is
 * 0), ECC_BAD_DATA (NaN, infinite) or ECC_NO_MEMORY.
 */
enum ecc_status ecc_nearest(double *squared, size_t *index, const float *z, size_t n, size_t d,
                            struct ecc_error *error);

#endif
