/* lapack.c: symmetric eigenproblems and Cholesky factors by LAPACK, checked. */
#include "math/lapack.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Fortran passes everything by address, then the lengths of strings by value. */
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t jobz_length, size_t uplo_length);
void dsterf_(const int *n, double *d, double *e, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info,
             size_t uplo_length);

/* dsyevd's workspace of 1 + 6d + 2d^2 numbers must fit an int */
static const size_t largest_matrix = 32000;

/* The index of the first number in the upper triangle that is not finite, or d * d. */
static size_t first_bad(const double *a, size_t d)
{
    for (size_t i = 0; i < d; i++) {
        for (size_t j = i; j < d; j++) {
            if (!isfinite(a[i * d + j])) return i * d + j;
        }
    }
    return d * d;
}

static enum ecc_status fail_rows(size_t d, struct ecc_error *error)
{
    return ecc_fail(error, ECC_BAD_ARGUMENT, "the matrix has %zu rows, expected between 1 and %zu",
                    d, largest_matrix);
}

static enum ecc_status check_matrix(const double *a, size_t d, struct ecc_error *error)
{
    if (d == 0 || d > largest_matrix) return fail_rows(d, error);
    size_t bad = first_bad(a, d);
    if (bad == d * d) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "the matrix has %g in row %zu, column %zu", a[bad],
                    bad / d, bad % d);
}

static enum ecc_status fail_dsyevd(size_t d, int info, struct ecc_error *error)
{
    return ecc_fail(error, ECC_NUMERIC,
                    "the eigenvalues of a matrix of %zu rows did not converge (dsyevd: %d)", d,
                    info);
}

/* Numbers of workspace that dsyevd asks for, on which its blocks, and so the last bits, depend. */
static enum ecc_status ask_dsyevd(int *doubles, int *integers, const char *jobz, size_t d,
                                  struct ecc_error *error)
{
    int n = (int)d, info = 0, query = -1;
    double size = 0, none = 0;
    *integers = 0;
    dsyevd_(jobz, "L", &n, &none, &n, &none, &size, &query, integers, &query, &info, 1, 1);
    if (info == 0 && !(size >= 1 && size <= INT_MAX && *integers >= 1)) info = -8;
    *doubles = (int)size;
    if (info == 0) return ECC_OK;
    return ecc_fail(error, ECC_NUMERIC, "LAPACK's dsyevd refused a matrix of %zu rows: %d", d,
                    info);
}

/* On one thread, so that the last digits do not depend on the number of threads.  Our upper
 * triangle is Fortran's lower one, and its eigenvectors' columns are our rows. */
static enum ecc_status call_dsyevd(double *values, double *a, const char *jobz, size_t d,
                                   double *work, int doubles, int *iwork, int integers,
                                   struct ecc_error *error)
{
    const int n = (int)d, threads = omp_get_max_threads();
    int info = 0;
    omp_set_num_threads(1);
    dsyevd_(jobz, "L", &n, a, &n, values, work, &doubles, iwork, &integers, &info, 1, 1);
    omp_set_num_threads(threads);
    return info == 0 ? ECC_OK : fail_dsyevd(d, info, error);
}

/* Runs dsyevd on a: [d, d], which receives the vectors if they are needed. */
static enum ecc_status run_dsyevd(double *values, double *a, size_t d, bool with_vectors,
                                  struct ecc_error *error)
{
    const char *const jobz = with_vectors ? "V" : "N";
    int doubles, integers;
    ECC_TRY(ask_dsyevd(&doubles, &integers, jobz, d, error));
    double *const work = malloc((size_t)doubles * sizeof *work);
    int *const iwork = malloc((size_t)integers * sizeof *iwork);
    const enum ecc_status status =
        work && iwork ? call_dsyevd(values, a, jobz, d, work, doubles, iwork, integers, error)
                      : ecc_fail_memory(error, "the workspace of an eigenproblem");
    free(work);
    free(iwork);
    return status;
}

/* LAPACK's eigenvalues ascend; ours descend. */
static void reverse_order(double *values, double *vectors, size_t d)
{
    for (size_t i = 0, j = d - 1; i < j; i++, j--) {
        double value = values[i];
        values[i] = values[j];
        values[j] = value;
        for (size_t k = 0; vectors && k < d; k++) {
            double number = vectors[i * d + k];
            vectors[i * d + k] = vectors[j * d + k];
            vectors[j * d + k] = number;
        }
    }
}

enum ecc_status ecc_eigen_symmetric(double *values, double *vectors, const double *a, size_t d,
                                    struct ecc_error *error)
{
    ECC_TRY(check_matrix(a, d, error));
    double *work = vectors ? vectors : malloc(d * d * sizeof *work);
    if (!work) return ecc_fail_memory(error, "a copy of the matrix");
    if (work != a) memcpy(work, a, d * d * sizeof *work);
    enum ecc_status status = run_dsyevd(values, work, d, vectors != NULL, error);
    if (status == ECC_OK) reverse_order(values, vectors, d);
    if (!vectors) free(work);
    return status;
}

/* The least that dsyevd asks for: doubles, then integers. */
static size_t work_doubles(size_t d)
{
    return 1 + 6 * d + 2 * d * d;
}

static size_t work_integers(size_t d)
{
    return 3 + 5 * d;
}

size_t ecc_eigen_work_size(size_t d)
{
    return d > largest_matrix ? 0
                              : work_doubles(d) * sizeof(double) + work_integers(d) * sizeof(int);
}

enum ecc_status ecc_eigen_symmetric_in_place(double *values, double *a, size_t d, void *work,
                                             struct ecc_error *error)
{
    const int doubles = (int)work_doubles(d), integers = (int)work_integers(d);
    void *const rest = (double *)work + doubles;
    ECC_TRY(check_matrix(a, d, error));
    ECC_TRY(call_dsyevd(values, a, "V", d, work, doubles, rest, integers, error));
    reverse_order(values, a, d);
    return ECC_OK;
}

enum ecc_status ecc_eigenvalues_work(size_t *doubles, size_t d, struct ecc_error *error)
{
    int most, integers;
    *doubles = 0;
    if (d == 0 || d > largest_matrix) return fail_rows(d, error);
    ECC_TRY(ask_dsyevd(&most, &integers, "N", d, error));
    *doubles = (size_t)most;
    return ECC_OK;
}

enum ecc_status ecc_eigenvalues_in_place(double *values, double *a, size_t d, double *work,
                                         size_t doubles, struct ecc_error *error)
{
    int none[1]; /* without vectors, it needs no integers */
    ECC_TRY(check_matrix(a, d, error));
    ECC_TRY(call_dsyevd(values, a, "N", d, work, (int)doubles, none, 1, error));
    reverse_order(values, NULL, d);
    return ECC_OK;
}

enum ecc_status ecc_eigen_tridiagonal(double *diagonal, double *off, size_t n,
                                      struct ecc_error *error)
{
    if (n == 0 || n > INT_MAX) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the tridiagonal matrix has %zu rows, expected between 1 and %d", n,
                        INT_MAX);
    }
    int size = (int)n, info = 0;
    dsterf_(&size, diagonal, off, &info);
    if (info == 0) return ECC_OK;
    return ecc_fail(error, ECC_NUMERIC,
                    "the eigenvalues of a tridiagonal matrix of %zu rows did not converge "
                    "(dsterf: %d)",
                    n, info);
}

enum ecc_status ecc_cholesky(double *a, size_t d, struct ecc_error *error)
{
    if (d == 0 || d > 32000) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the matrix has %zu rows, expected between 1 and 32000", d);
    }
    int n = (int)d, info = 0;
    /* our lower triangle is Fortran's upper one: a = U^T U there, L = U^T here */
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1); /* as above */
    dpotrf_("U", &n, a, &n, &info, 1);
    omp_set_num_threads(threads);
    /* NaN may pass dpotrf's own test for a pivot of 0 or less */
    for (int i = 0; i < n && info == 0; i++) {
        if (!isfinite(a[(size_t)i * d + (size_t)i])) info = i + 1;
    }
    if (info != 0) {
        return ecc_fail(error, ECC_NUMERIC,
                        "a matrix of %zu rows is not positive definite (row %d)", d, info);
    }
    for (size_t i = 0; i < d; i++) {
        for (size_t j = i + 1; j < d; j++) a[i * d + j] = 0;
    }
    return ECC_OK;
}
