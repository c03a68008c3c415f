/* directions.c: latents projected to the unit sphere within a loss. */
#include "regularizer/directions.h"

#include <math.h>

static const double tiny = 1e-4;

double ecc_direction_length(const float *z, size_t d)
{
    double squares = tiny;
    for (size_t k = 0; k < d; k++) squares += (double)z[k] * (double)z[k];
    return sqrt(squares);
}

void ecc_direction_pull_back(float *g, const double *u, double length, size_t d)
{
    double along = 0;
    for (size_t k = 0; k < d; k++) along += u[k] * (double)g[k];
    for (size_t k = 0; k < d; k++) g[k] = (float)(((double)g[k] - along * u[k]) / length);
}
