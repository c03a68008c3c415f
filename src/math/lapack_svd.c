/* lapack_svd.c: singular values by LAPACK's dgesdd, checked. */
#include "math/lapack.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t jobz_length);

static enum ecc_status check(const double *a, size_t d, struct ecc_error *error)
{
    /* dgesdd's workspace of about 4d^2 + 7d numbers must fit an int */
    const size_t largest = 20000;
    if (d == 0 || d > largest) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the matrix has %zu rows, expected between 1 and %zu", d, largest);
    }
    for (size_t i = 0; i < d * d; i++) {
        if (!isfinite(a[i])) {
            return ecc_fail(error, ECC_BAD_DATA, "the matrix has %g in row %zu, column %zu", a[i],
                            i / d, i % d);
        }
    }
    return ECC_OK;
}

/*
 * Fortran reads our a as its transpose V S U^T, so what it calls u holds, column by column, our v:
 * row by row that is v^T.  And what it calls vt is u^T to it, u to us.
 */
static int run_dgesdd(double *u, double *values, double *vt, double *a, int n, double *work,
                      int count, int *iwork)
{
    int info = 0;
    /* on one thread, so that the last digits do not depend on the number of threads */
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    dgesdd_(u ? "A" : "N", &n, &n, a, &n, values, vt, &n, u, &n, work, &count, iwork, &info, 1);
    omp_set_num_threads(threads);
    return info;
}

enum ecc_status ecc_singular_values(double *u, double *values, double *vt, const double *a,
                                    size_t d, struct ecc_error *error)
{
    ECC_TRY(check(a, d, error));
    double size = 0;
    const int n = (int)d;
    if (run_dgesdd(u, values, vt, NULL, n, &size, -1, NULL) != 0 ||
        !(size >= 1 && size <= INT_MAX)) {
        return ecc_fail(error, ECC_NUMERIC, "LAPACK's dgesdd refused a matrix of %zu rows", d);
    }
    double *const work = malloc((size_t)size * sizeof *work);
    double *const copy = malloc(d * d * sizeof *copy);
    int *const iwork = malloc(8 * d * sizeof *iwork);
    enum ecc_status status = ECC_OK;
    if (!work || !copy || !iwork) {
        status = ecc_fail_memory(error, "the workspace of singular values");
    } else {
        memcpy(copy, a, d * d * sizeof *copy);
        const int info = run_dgesdd(u, values, vt, copy, n, work, (int)size, iwork);
        if (info != 0) {
            status = ecc_fail(error, ECC_NUMERIC,
                              "the singular values of a matrix of %zu rows did not converge "
                              "(dgesdd: %d)",
                              d, info);
        }
    }
    free(work);
    free(copy);
    free(iwork);
    return status;
}
