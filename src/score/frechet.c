/*
 * frechet.c: the Frechet distance between two Gaussians, which is the FID when they are fitted to
 * features of images:  |mu1 - mu2|^2 + tr S1 + tr S2 - 2 tr (S1^1/2 S2 S1^1/2)^1/2.
 *
 * The last trace is the sum of the roots of the eigenvalues of S1^1/2 S2 S1^1/2.  They are the
 * squares of the singular values of S1^1/2 S2^1/2, which is how they are computed here: never
 * negative or complex, and not blurred by the rounding of a square.  Eigenvalues of S1 and S2 that
 * rounding made negative count as 0.  All in double.
 */
#include "math/lapack.h"
#include "score/feature_statistics.h"

#include <cblas.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* root: [d, d] becomes a matrix with root^T root = the covariance: row k is an eigenvector times
 * the root of its eigenvalue, clipped at 0.  values: [d] is room. */
static enum ecc_status take_root(double *root, double *values, const struct ecc_statistics *s,
                                 struct ecc_error *error)
{
    const size_t d = s->size;
    ECC_TRY(ecc_eigen_symmetric(values, root, s->covariance, d, error));
    for (size_t k = 0; k < d; k++) {
        const double length = values[k] > 0 ? sqrt(values[k]) : 0;
        for (size_t j = 0; j < d; j++) root[k * d + j] *= length;
    }
    return ECC_OK;
}

/* *sum: of the singular values of A B^T for covariances A^T A and B^T B. */
static enum ecc_status root_trace(double *sum, const struct ecc_statistics *a,
                                  const struct ecc_statistics *b, double *memory,
                                  struct ecc_error *error)
{
    const size_t d = a->size;
    double *const left = memory, *const right = left + d * d, *const product = right + d * d;
    double *const values = product + d * d;
    ECC_TRY(take_root(left, values, a, error));
    ECC_TRY(take_root(right, values, b, error));
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1); /* so that the last digits do not depend on their number */
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)d, (int)d, (int)d, 1, left, (int)d,
                right, (int)d, 0, product, (int)d);
    omp_set_num_threads(threads);
    ECC_TRY(ecc_singular_values(NULL, values, NULL, product, d, error));
    *sum = 0;
    for (size_t k = d; k-- > 0;) *sum += values[k]; /* the smallest first */
    return ECC_OK;
}

enum ecc_status ecc_frechet_distance(struct ecc_frechet *result, const struct ecc_statistics *a,
                                     const struct ecc_statistics *b, struct ecc_error *error)
{
    const size_t d = a->size;
    *result = (struct ecc_frechet){0};
    if (b->size != d) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "statistics of %zu and of %zu features, expected two "
                        "of the same size",
                        d, b->size);
    }
    double *const memory = malloc((3 * d * d + d) * sizeof *memory), roots = 0;
    if (!memory) return ecc_fail_memory(error, "the roots of covariances");
    const enum ecc_status status = root_trace(&roots, a, b, memory, error);
    free(memory);
    ECC_TRY(status);
    double traces = 0;
    for (size_t k = 0; k < d; k++) {
        const double step = a->mean[k] - b->mean[k];
        result->mean += step * step;
        traces += a->covariance[k * d + k] + b->covariance[k * d + k];
    }
    /* below 0 is rounding */
    result->spread = fmax(traces - 2 * roots, 0);
    result->distance = result->mean + result->spread;
    if (!isfinite(result->distance)) {
        return ecc_fail(error, ECC_NUMERIC, "the distance of these statistics is not finite");
    }
    return ECC_OK;
}
