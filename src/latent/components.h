/*
 * components.h: deep principal components: mean and covariance axes of a run's training latents.
 *
 * Component k of a latent is p_k = axis_k . (z - mean), components by falling eigenvalue.  The sign
 * of an axis is such that the training items' third moment along it is positive: that comes from
 * the data, so that it stays the same between runs that found the same component.
 */
#ifndef ECC_LATENT_COMPONENTS_H
#define ECC_LATENT_COMPONENTS_H

#include "latent/model.h"

#define ECC_COMPONENTS_FILE "components.npz"

struct ecc_components {
    size_t d, count;     /* count: latents it was fitted to */
    double *mean;        /* [d] */
    double *eigenvalues; /* [d] of the covariance (divided by count), falling, none below 0 */
    double *deviations;  /* [d] their roots */
    double *axes;        /* [d, d], row k is component k, of length 1 */
    double *explained;   /* [d] share of the trace */
    double *skewness;    /* [d] third moment over deviation^3, never below 0: near 0 the sign of
                          * the axis is an accident */
    double trace, eccentricity, effective_rank;
};

/* Of z: [n, d], in double precision. */
enum ecc_status ecc_components_fit(struct ecc_components *components, const float *z, size_t n,
                                   size_t d, struct ecc_error *error);
void ecc_components_release(struct ecc_components *components);
/* Whether the latents differ by more than rounding; where not, eccentricity and axes mean nothing.
 */
bool ecc_components_vary(const struct ecc_components *components);

/* The components of the run's training latents: from RUN/components.npz when that was made of these
 * weights, else computed and, where possible, kept there.  `what` is where the run's data is now,
 * or NULL; `watch` may be NULL; *remark (may be NULL) says why a damaged file is not used, or
 * why it could not be written. */
enum ecc_status ecc_components_of(struct ecc_components *components, struct ecc_model *model,
                                  const char *what, const struct ecc_watch *watch,
                                  struct ecc_error *remark, struct ecc_error *error);

/* As arrays mean, eigenvalues, components ([d, d], rows), explained_variance, skewness,
 * eccentricity, trace, effective_rank, count, weights (their checksum). */
enum ecc_status ecc_components_write(const struct ecc_components *components, uint32_t weight_sum,
                                     const char *path, struct ecc_error *error);
enum ecc_status ecc_components_read(struct ecc_components *components, uint32_t *weight_sum,
                                    const char *path, struct ecc_error *error);

/* p: [n, d] = (z - mean) axes^T and back, z: [n, d]; in double inside; p may be z. */
enum ecc_status ecc_components_project(const struct ecc_components *components, float *p,
                                       const float *z, size_t n, struct ecc_error *error);
enum ecc_status ecc_components_restore(const struct ecc_components *components, float *z,
                                       const float *p, size_t n, struct ecc_error *error);

/* "p1,p3,p5-p8" as numbers from 0; *list is the caller's to free.  d components exist. */
enum ecc_status ecc_components_parse(size_t **list, size_t *count, const char *text, size_t d,
                                     struct ecc_error *error);

#endif
