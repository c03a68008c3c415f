/* sigreg.h: the constants of the test of normality, and the directions of a step, for tests. */
#ifndef ECC_METHOD_SIGREG_H
#define ECC_METHOD_SIGREG_H

#include <stddef.h>
#include <stdint.h>

enum { ECC_SIGREG_KNOTS = 17 };

/* The weight of knot q, its place t and the normal's characteristic function phi there. */
double ecc_sigreg_weight(double *phi, double *t, size_t q);

/* directions: [count, d], what the regularizer draws at this step. */
void ecc_sigreg_directions(float *directions, size_t count, size_t d, uint64_t seed, uint64_t step);

#endif
