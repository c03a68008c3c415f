/*
 * directions.h: latents projected to the unit sphere within a loss, u = z / r with
 * r = sqrt(|z|^2 + 1e-4), as MHE's authors have it, and gradients back through that.
 *
 * The derivative of u is (1 - u u^T)/r.  A loss of u alone has no force along z, so the lengths of
 * latents are left to the reconstruction error.
 */
#ifndef ECC_REGULARIZER_DIRECTIONS_H
#define ECC_REGULARIZER_DIRECTIONS_H

#include <stddef.h>

/* r of one latent z: [d]. */
double ecc_direction_length(const float *z, size_t d);

/* u: [n, d] and lengths: [n] of z: [n, d]. */
void ecc_directions(float *u, double *lengths, const float *z, size_t n, size_t d);

/* g: [d], the gradient with respect to u, becomes that with respect to z: [d]. */
void ecc_direction_pull_back(float *g, const float *z, double length, size_t d);

#endif
