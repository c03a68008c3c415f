/*
 * sphere_pairs.h: sums over pairs of latents projected to the unit sphere (directions.h), and of
 * their mirror images if asked for.
 */
#ifndef ECC_REGULARIZER_SPHERE_PAIRS_H
#define ECC_REGULARIZER_SPHERE_PAIRS_H

#include "base/arena.h"
#include "regularizer/pair_sums.h"
#include "regularizer/regularizer.h"

struct ecc_sphere_pairs {
    size_t n_max, d;
    bool mirror; /* each direction counts with its opposite: 2n points */
    double own[ECC_REGULARIZER_OPTIONS];
    struct ecc_arena arena;
    float *u, *du;   /* [n, d], or [2n, d] */
    double *lengths; /* [n] */
    struct ecc_pair_sums *pairs;
};

enum ecc_status ecc_sphere_pairs_create(struct ecc_sphere_pairs **result, size_t n_max, size_t d,
                                        const struct ecc_pair_law *law, bool mirror,
                                        const struct ecc_regularizer_options *options,
                                        struct ecc_error *error);
void ecc_sphere_pairs_free(void *plan);

/* *count: pairs.  Checks the latents first. */
enum ecc_status ecc_sphere_pairs_evaluate(struct ecc_sphere_pairs *plan,
                                          struct ecc_pair_totals *totals, double *count,
                                          const float *z, size_t n, double m, bool with_forces,
                                          struct ecc_error *error);
/* dz: [n, d], the gradient of a loss whose derivative with respect to u_i is
 * factor * sum_j w_ij (u_i - u_j). */
void ecc_sphere_pairs_gradient(struct ecc_sphere_pairs *plan, float *dz, const float *z, size_t n,
                               double factor);

#endif
