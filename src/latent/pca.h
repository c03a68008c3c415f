/* pca.h: ordinary principal components of the items themselves, the baseline of the deep ones. */
#ifndef ECC_LATENT_PCA_H
#define ECC_LATENT_PCA_H

#include "base/status.h"

struct ecc_pca {
    size_t size, d;      /* of an item, and components */
    float *mean;         /* [size] */
    float *axes;         /* [d, size], of length 1, by falling eigenvalue */
    double *eigenvalues; /* [d] */
};

/* The first d components of x: [n, size]; d is cut down to `size`.  Up to 1,024 columns by the
 * whole covariance; beyond, by subspace iteration, which finds a subspace that explains all but
 * about a thousandth of what the best one does.  The same input gives the same result on any number
 * of threads. */
enum ecc_status ecc_pca_fit(struct ecc_pca *pca, const float *x, size_t n, size_t size, size_t d,
                            struct ecc_error *error);
void ecc_pca_release(struct ecc_pca *pca);

/* z: [n, d] of x: [n, size]. */
void ecc_pca_project(const struct ecc_pca *pca, float *z, const float *x, size_t n);

#endif
