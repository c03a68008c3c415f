/*
 * pair_sums.h: the sum over all pairs of a batch of f(|z_i - z_j|^2/M), and its forces.
 *
 * The eccentric loss, hyperspherical energies, uniformity and the Cramer-Wold distance are all such
 * sums; they differ in the law of a pair (pair_law.h), in M and in what they add for each item.
 */
#ifndef ECC_REGULARIZER_PAIR_SUMS_H
#define ECC_REGULARIZER_PAIR_SUMS_H

#include "base/status.h"
#include "regularizer/pair_law.h"

struct ecc_pair_sums; /* a plan */

/* ECC_MIRRORED: the second half of the items are the first half, in order and with the other sign.
 * Half of the pairs are then the same as the others, and not computed again. */
enum ecc_pair_items { ECC_ALL_DIFFERENT = 0, ECC_MIRRORED };

struct ecc_pair_totals {
    double squares; /* sum over items of |z|^2 */
    double centred; /* sum over items of |z - centre|^2 */
    double terms;   /* sum over pairs i < j of f; or of x - log(1 + x) if `excess` */
    bool excess;    /* of the log only: all x are small.  Their sum is n centred / M */
};

/* Processes that evaluate the same batch, each a share of its pairs. */
struct ecc_pair_share {
    size_t rank, size;
    size_t least; /* batches of fewer items each evaluates alone */
    void *context;
    /* x: [count] becomes its sum over the processes, with the same bytes for all. */
    enum ecc_status (*add)(void *context, float *x, size_t count, struct ecc_error *error);
    enum ecc_status (*add_doubles)(void *context, double *x, size_t count, struct ecc_error *error);
};

enum ecc_status ecc_pair_sums_create(struct ecc_pair_sums **result, size_t n_max, size_t d,
                                     const struct ecc_pair_law *law, enum ecc_pair_items items,
                                     int threads, struct ecc_error *error);
size_t ecc_pair_sums_bytes(const struct ecc_pair_sums *plan);
void ecc_pair_sums_free(struct ecc_pair_sums *plan);

/* From now on, all of them evaluate together. */
void ecc_pair_sums_share(struct ecc_pair_sums *plan, const struct ecc_pair_share *share);

/* For z: [n, d], n from 2 to n_max.  If dz: [n, d] is not NULL it holds parts of the forces, for
 * ecc_pair_sums_gradient.  The same bytes for any number of threads; allocates nothing. */
enum ecc_status ecc_pair_sums_evaluate(struct ecc_pair_sums *plan, struct ecc_pair_totals *totals,
                                       float *dz, const float *z, size_t n, double m,
                                       struct ecc_error *error);

/* After evaluate: dz_i = attract z_i - repel sum_j w_ij (z_i - z_j); of mirrored items only for the
 * first half. */
void ecc_pair_sums_gradient(const struct ecc_pair_sums *plan, float *dz, const float *z, size_t n,
                            double attract, double repel);

/* Sum over pairs of log(1 + x). */
double ecc_pair_totals_logs(const struct ecc_pair_totals *totals, size_t n, double m);

#endif
