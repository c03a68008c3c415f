/*
 * tile.h: the inner kernels of losses over pairs (pair_sums.h), on one block of pairs.
 *
 * Both kernels take the pairs between block I and block J of the items, add the sum of f(x),
 * x = |z_i - z_j|^2/M and, if asked, the forces w(x) (z_i - z_j), as the law of pairs says.
 * `gram` works by matrix products and suits larger d; `direct` by differences and suits small d.
 */
#ifndef ECC_REGULARIZER_TILE_H
#define ECC_REGULARIZER_TILE_H

#include "base/status.h"
#include "regularizer/pair_law.h"

enum { ECC_TILE = 256, ECC_DIRECT_MAX_DIM = 16 };

/* What all tiles of one evaluation share. */
struct ecc_tile_task {
    const struct ecc_pair_law *law;
    size_t n, d;
    double m;
    double unit;    /* a power of two near sqrt(M) */
    const float *z; /* [n, d], the caller's */

    /* gram: [n, d] items centred and divided by sqrt(M), and their squared norms */
    const float *scaled;
    const float *norm; /* [n] */
    /* direct: the items in that unit, in groups of eight, [groups, d, 8], zero beyond n */
    const float *coordinate;
    size_t mirror; /* item i + mirror is the image of item i; 0: there are none */

    /* what forces are added to, or NULL:
     * gram: attraction of others [n, d], in units of sqrt(M), and row sums of the weights [n];
     * direct: forces [groups, d, 8], in the unit */
    float *pull;
    double *weight;
    float *force;

    double largest; /* no |z_i - z_j|^2/M is above this */
};

/* Memory of one thread. */
struct ecc_tile_scratch {
    float *pairs;  /* gram: [ECC_TILE, ECC_TILE]; direct: [ECC_TILE] */
    float *column; /* gram: [ECC_TILE] sums of weights down the columns */
    float *force;  /* direct: [ECC_TILE / 8, d, 8] */
    float *near_x; /* gram: [ECC_TILE] near pairs of a row, and their numbers */
    size_t *near_pair;
};

/* direct: where item i begins among groups of eight; its next coordinate is 8 places further. */
static inline size_t ecc_slot(size_t i, size_t d)
{
    return i / 8 * 8 * d + i % 8;
}

/* Whether block J is block I itself, or its image: of the pairs (i, j) and (j, i), or (i, -j) and
 * (j, -i), only one counts. */
static inline bool ecc_tile_is_square(const struct ecc_tile_task *task, size_t i0, size_t j0)
{
    return i0 == j0 || (task->mirror > 0 && i0 + task->mirror == j0);
}

/* The sum of f over the pairs i in [i0, i1), j in [j0, j1), with i < j where the blocks are the
 * same; else they do not overlap.  Forces are added for both sides of each pair. */
typedef double ecc_tile_kernel(const struct ecc_tile_task *task, struct ecc_tile_scratch *scratch,
                               size_t i0, size_t i1, size_t j0, size_t j1);
ecc_tile_kernel ecc_tile_gram, ecc_tile_direct;

/* The pairs of ecc_tile_direct for the cases that matter most; scratch->force takes the forces of
 * the items j. */
bool ecc_tile_log_takes(const struct ecc_tile_task *task);
void ecc_tile_log(const struct ecc_tile_task *task, struct ecc_tile_scratch *scratch,
                  struct ecc_pair_sum *sum, size_t i0, size_t i1, size_t j0, size_t j1);

#endif
