/*
 * lapack.h: the few LAPACK routines that we use, checked.
 *
 * Called by their Fortran names in the one OpenBLAS of the process; LAPACKE is left out because
 * Debian's would load a second BLAS with a second thread pool.
 */
#ifndef ECC_MATH_LAPACK_H
#define ECC_MATH_LAPACK_H

#include "base/status.h"

/*
 * The eigenvalues of a symmetric matrix a: [d, d], in descending order, and its unit eigenvectors.
 * values: [d]; vectors: [d, d], row k belongs to values[k], or NULL if they are not needed.  Only
 * the upper triangle of a (columns >= row) is read.  vectors may be a itself.  The sign of a vector
 * is LAPACK's.  Fails with ECC_BAD_ARGUMENT (d is 0 or too large for LAPACK's integers),
 * ECC_BAD_DATA (a number that is not finite), ECC_NO_MEMORY or ECC_NUMERIC.
 */
enum ecc_status ecc_eigen_symmetric(double *values, double *vectors, const double *a, size_t d,
                                    struct ecc_error *error);

/* The same without allocating: a: [d, d] becomes the vectors; work has ecc_eigen_work_size(d) bytes
 * (0: d is too large). */
size_t ecc_eigen_work_size(size_t d);
enum ecc_status ecc_eigen_symmetric_in_place(double *values, double *a, size_t d, void *work,
                                             struct ecc_error *error);

/* The eigenvalues alone, the same bits as above, without allocating: a: [d, d] is destroyed; work
 * has `doubles` numbers, as ecc_eigenvalues_work says once for each d. */
enum ecc_status ecc_eigenvalues_work(size_t *doubles, size_t d, struct ecc_error *error);
enum ecc_status ecc_eigenvalues_in_place(double *values, double *a, size_t d, double *work,
                                         size_t doubles, struct ecc_error *error);

/*
 * Replaces a: [d, d], symmetric and positive definite, by its lower Cholesky factor L, a = L L^T,
 * with zeros above the diagonal.  Only the lower triangle is read.  ECC_NUMERIC when a is not
 * positive definite or has a number that is not finite.
 */
enum ecc_status ecc_cholesky(double *a, size_t d, struct ecc_error *error);

/*
 * The eigenvalues, in ascending order, of the symmetric tridiagonal matrix with this diagonal: [n],
 * which they replace, and off-diagonal: [n - 1], which is destroyed.
 */
enum ecc_status ecc_eigen_tridiagonal(double *diagonal, double *off, size_t n,
                                      struct ecc_error *error);

/*
 * a = u diag(values) vt for a: [d, d]: orthogonal u and vt: [d, d], and values: [d], in descending
 * order, at least 0.  u and vt may both be NULL: only the values.  Fails as ecc_eigen_symmetric
 * does.
 */
enum ecc_status ecc_singular_values(double *u, double *values, double *vt, const double *a,
                                    size_t d, struct ecc_error *error);

#endif
