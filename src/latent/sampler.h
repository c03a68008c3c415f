/*
 * sampler.h: new latents: from the Gaussian fitted to the training latents, the standard normal,
 * the sphere of Theorem 1, or a mixture; and paths between latents.
 *
 * Latent number i depends on (seed, i) and nothing else, so that any part of a long list can be
 * drawn at any time, and the first hundred of a thousand are the same as of a hundred.
 */
#ifndef ECC_LATENT_SAMPLER_H
#define ECC_LATENT_SAMPLER_H

#include "latent/components.h"
#include "latent/mixture.h"

enum ecc_sample_from {
    ECC_SAMPLE_GAUSSIAN = 0, /* mean and covariance of the training latents */
    ECC_SAMPLE_NORMAL,       /* mean 0, covariance 1 */
    ECC_SAMPLE_SPHERE,       /* uniform on the sphere of radius sqrt(d) around 0 */
    ECC_SAMPLE_MIXTURE,
};
extern const char *const ecc_sample_names[]; /* in this order, ending in NULL */

struct ecc_sampler {
    enum ecc_sample_from from;
    const struct ecc_components *components; /* d; the rest for the Gaussian and for `list` */
    const struct ecc_mixture *mixture;       /* for ECC_SAMPLE_MIXTURE */
    const size_t *list;                      /* vary along these components only, the others stay at
                                              * the mean; NULL: along all */
    size_t list_count;
    double truncation; /* > 0: normal draws beyond so many deviations are drawn again */
    uint64_t seed;
};

/* z: [n, d], latents number first .. first + n - 1. */
enum ecc_status ecc_sampler_draw(const struct ecc_sampler *sampler, float *z, uint64_t first,
                                 size_t n, struct ecc_error *error);

/* ---- Between latents ------------------------------------------------------------------------ */

/*
 * t from 0 (a: [d]) to 1 (b: [d]): along the line, or spherically: the direction from the mean
 * turns evenly while the distance from it changes evenly, which keeps to where the latents are.
 */
void ecc_interpolate(float *z, const float *a, const float *b, const double *mean, size_t d,
                     double t, bool spherical);

#endif
