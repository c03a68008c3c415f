/*
 * feature_statistics.h: mean and covariance of features, added up batch by batch, and their file.
 *
 * Memory does not grow with the number of items.  The file is an .npz with `mu` and `sigma`, as
 * pytorch-fid writes and reads it; ours also holds `count`, the number of items, and `identity`,
 * the text (as bytes) that says which features they are of.  Of principal components it holds
 * `centre` and `axes`, too, without which no other image could be compared with them.
 */
#ifndef ECC_SCORE_FEATURE_STATISTICS_H
#define ECC_SCORE_FEATURE_STATISTICS_H

#include "eccentric_evaluate.h"

#include "data/archive.h"

enum { ECC_MOST_FEATURES = 4096 }; /* the covariance of more is neither fast nor useful */

/* ---- Adding up ------------------------------------------------------------------- */

/* Rows wait in a block.  A full block is centred by its own mean and merged into the sums (Chan,
 * Golub and LeVeque), so features far from the origin lose no digits.  The result depends neither
 * on how the rows are split into calls nor on the number of threads. */
struct ecc_feature_sums {
    size_t size;    /* features, d */
    size_t count;   /* items merged so far */
    size_t waiting; /* rows in the block */
    double *mean;   /* [d] */
    double
        *scatter; /* [d, d], sum of products of centred features; tiles on and above the diagonal */
    double *block; /* [ECC_SUMS_BLOCK + 1, d] */
};

enum { ECC_SUMS_BLOCK = 256 };

enum ecc_status ecc_feature_sums_init(struct ecc_feature_sums *moments, size_t size,
                                      struct ecc_error *error);
void ecc_feature_sums_release(struct ecc_feature_sums *moments);

/* f: [n, size]; a number that is not finite is refused with the item's number. */
enum ecc_status ecc_feature_sums_add(struct ecc_feature_sums *moments, const float *f, size_t n,
                                     struct ecc_error *error);

/* ---- Results ----------------------------------------------------------------------- */

/* Merges what waits and divides; needs at least two items. */
enum ecc_status ecc_statistics_of(struct ecc_statistics *statistics,
                                  struct ecc_feature_sums *moments, const char *identity,
                                  struct ecc_error *error);

/* ecc_statistics_read of an open file: float32 or float64 of either byte order, in C or Fortran
 * order.  Anything that is not a mean and covariance is refused. */
enum ecc_status ecc_statistics_decode(struct ecc_statistics *statistics,
                                      const struct ecc_archive *file, struct ecc_error *error);

/* Whether a path is an .npz with mu and sigma, rather than with items. */
bool ecc_statistics_is_file(const char *path);

#endif
