/*
 * pca.c: ordinary principal components: of narrow items from the covariance, of wide ones by
 * subspace iteration, which multiplies a few directions by the covariance without forming it.
 */
#include "base/rng.h"
#include "base/streams.h"
#include "base/status.h"
#include "math/lapack.h"
#include "math/statistics.h"

#include <cblas.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    NARROW = 1024, /* up to this many columns, the covariance is formed */
    SPARE = 10,    /* additional directions, which speed up convergence */
    ITERATIONS = 15,
    CHUNKS = 8,  /* of items, summed in a fixed order with any number of threads */
    BLOCK = 256, /* items projected at once */
};

static enum ecc_status reserve(struct ecc_pca *p, size_t size, size_t d, struct ecc_error *error)
{
    *p = (struct ecc_pca){.size = size, .d = d};
    p->mean = calloc(size, sizeof *p->mean);
    p->axes = calloc(d * size, sizeof *p->axes);
    p->eigenvalues = calloc(d, sizeof *p->eigenvalues);
    if (p->mean && p->axes && p->eigenvalues) return ECC_OK;
    return ecc_fail_memory(error, "principal components");
}

void ecc_pca_release(struct ecc_pca *p)
{
    free(p->mean);
    free(p->axes);
    free(p->eigenvalues);
    *p = (struct ecc_pca){0};
}

/* ---- Narrow items ---------------------------------------------------------------------------- */

/* covariance: [size, size] and values: [size] are scratch memory. */
static enum ecc_status fit_narrow(struct ecc_pca *p, const float *x, size_t n, double *mean,
                                  double *covariance, double *values, struct ecc_error *error)
{
    ECC_TRY(ecc_mean_covariance(mean, covariance, x, n, p->size, error));
    ECC_TRY(ecc_eigen_symmetric(values, covariance, covariance, p->size, error));
    for (size_t i = 0; i < p->size; i++) p->mean[i] = (float)mean[i];
    for (size_t i = 0; i < p->d * p->size; i++) p->axes[i] = (float)covariance[i];
    memcpy(p->eigenvalues, values, p->d * sizeof *values);
    return ECC_OK;
}

/* ---- Wide items ------------------------------------------------------------------------------ */

struct iteration {
    const float *x;        /* [n, size] */
    size_t n, size, width; /* directions */
    const float *mean;     /* [size] */
    float *q;              /* [width, size] directions, of length 1 */
    float *shift;          /* [width] q . mean */
    float *y;              /* [n, width] items along the directions */
    float *parts;          /* [CHUNKS, width, size] */
    double *gram;          /* [width, width] */
    double *values;        /* [width] */
};

static void find_shift(struct iteration *t)
{
    for (size_t j = 0; j < t->width; j++) {
        double sum = 0;
        for (size_t i = 0; i < t->size; i++) {
            sum += (double)t->q[j * t->size + i] * (double)t->mean[i];
        }
        t->shift[j] = (float)sum;
    }
}

/* y = (x - mean) q^T, and parts = y^T (x - mean) of each chunk of items if they are needed. */
static void multiply(struct iteration *t, bool with_parts)
{
    find_shift(t);
    const size_t width = t->width, size = t->size;
#pragma omp parallel
    {
        omp_set_num_threads(1); /* for OpenBLAS */
#pragma omp for schedule(dynamic)
        for (size_t c = 0; c < CHUNKS; c++) {
            const size_t first = t->n * c / CHUNKS, rows = t->n * (c + 1) / CHUNKS - first;
            float *const y = t->y + first * width;
            const float *const x = t->x + first * size;
            float *const part = t->parts + c * width * size;
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)width, (int)size,
                        1, x, (int)size, t->q, (int)size, 0, y, (int)width);
            for (size_t i = 0; i < rows; i++) {
                for (size_t j = 0; j < width; j++) y[i * width + j] -= t->shift[j];
            }
            if (!with_parts) continue;
            cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)width, (int)size, (int)rows,
                        1, y, (int)width, x, (int)size, 0, part, (int)size);
            for (size_t j = 0; j < width; j++) {
                double sum = 0;
                for (size_t i = 0; i < rows; i++) sum += (double)y[i * width + j];
                for (size_t i = 0; i < size; i++) part[j * size + i] -= (float)sum * t->mean[i];
            }
        }
    }
}

/* gram = rows of a times each other, a: [width, size]. */
static void find_gram(struct iteration *t, const float *a)
{
    const size_t width = t->width, size = t->size;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < width; i++) {
        for (size_t j = i; j < width; j++) {
            double sum = 0;
            for (size_t k = 0; k < size; k++) {
                sum += (double)a[i * size + k] * (double)a[j * size + k];
            }
            t->gram[i * width + j] = t->gram[j * width + i] = sum;
        }
    }
}

/* q = rows of `a` made orthogonal and of length 1: vectors of their Gram matrix, scaled. */
static enum ecc_status orthogonalise(struct iteration *t, const float *a, struct ecc_error *error)
{
    const size_t width = t->width, size = t->size;
    find_gram(t, a);
    ECC_TRY(ecc_eigen_symmetric(t->values, t->gram, t->gram, width, error));
#pragma omp parallel for
    for (size_t j = 0; j < width; j++) {
        /* a direction in which the data does not vary becomes 0 and explains nothing */
        const double value = t->values[j];
        const double scale = value > 1e-10 * t->values[0] ? 1 / sqrt(value) : 0;
        for (size_t k = 0; k < size; k++) {
            double sum = 0;
            for (size_t i = 0; i < width; i++) {
                sum += t->gram[j * width + i] * (double)a[i * size + k];
            }
            t->q[j * size + k] = (float)(sum * scale);
        }
    }
    return ECC_OK;
}

static enum ecc_status iterate(struct ecc_pca *p, struct iteration *t, struct ecc_error *error)
{
    const size_t width = t->width, size = t->size;
    ecc_rng_normal_f32(t->parts, 1, ECC_STREAM_PCA, 0, width * size);
    ECC_TRY(orthogonalise(t, t->parts, error));
    for (int round = 0; round < ITERATIONS; round++) {
        multiply(t, true);
        for (size_t c = 1; c < CHUNKS; c++) {
            for (size_t i = 0; i < width * size; i++) t->parts[i] += t->parts[c * width * size + i];
        }
        ECC_TRY(orthogonalise(t, t->parts, error));
    }
    /* within the subspace, the components of y */
    multiply(t, false);
    double *const mean = t->values; /* not needed */
    ECC_TRY(ecc_mean_covariance(mean, t->gram, t->y, t->n, width, error));
    ECC_TRY(ecc_eigen_symmetric(t->values, t->gram, t->gram, width, error));
    for (size_t j = 0; j < p->d; j++) {
        p->eigenvalues[j] = t->values[j];
        for (size_t k = 0; k < size; k++) {
            double sum = 0;
            for (size_t i = 0; i < width; i++) {
                sum += t->gram[j * width + i] * (double)t->q[i * size + k];
            }
            p->axes[j * size + k] = (float)sum;
        }
    }
    return ECC_OK;
}

static enum ecc_status fit_wide(struct ecc_pca *p, const float *x, size_t n,
                                struct ecc_error *error)
{
    const size_t size = p->size, width = p->d + SPARE < size ? p->d + SPARE : size;
    struct iteration t = {.x = x, .n = n, .size = size, .width = width, .mean = p->mean};
    t.q = malloc(width * size * sizeof *t.q);
    t.shift = malloc(width * sizeof *t.shift);
    t.y = malloc(n * width * sizeof *t.y);
    t.parts = malloc(CHUNKS * width * size * sizeof *t.parts);
    t.gram = malloc(width * width * sizeof *t.gram);
    t.values = malloc(width * sizeof *t.values);
    const bool all = t.q && t.shift && t.y && t.parts && t.gram && t.values;
    const enum ecc_status status =
        all ? iterate(p, &t, error) : ecc_fail_memory(error, "principal components");
    free(t.q);
    free(t.shift);
    free(t.y);
    free(t.parts);
    free(t.gram);
    free(t.values);
    return status;
}

/* ---- Either ---------------------------------------------------------------------------------- */

static enum ecc_status fit(struct ecc_pca *p, const float *x, size_t n, struct ecc_error *error)
{
    const size_t size = p->size;
    const bool narrow = size <= NARROW;
    double *const work = malloc((narrow ? size * size + 2 * size : size) * sizeof *work);
    if (!work) return ecc_fail_memory(error, "the covariance of the items");
    enum ecc_status status;
    if (narrow) {
        status = fit_narrow(p, x, n, work, work + 2 * size, work + size, error);
    } else {
        status = ecc_mean_covariance(work, NULL, x, n, size, error);
        for (size_t i = 0; i < size && status == ECC_OK; i++) p->mean[i] = (float)work[i];
        if (status == ECC_OK) status = fit_wide(p, x, n, error);
    }
    free(work);
    return status;
}

enum ecc_status ecc_pca_fit(struct ecc_pca *p, const float *x, size_t n, size_t size, size_t d,
                            struct ecc_error *error)
{
    *p = (struct ecc_pca){0};
    if (n == 0 || size == 0 || d == 0) {
        return ecc_fail(
            error, ECC_BAD_ARGUMENT,
            "%zu items of %zu numbers, %zu principal components: expected at least 1 of each", n,
            size, d);
    }
    enum ecc_status status = reserve(p, size, d < size ? d : size, error);
    if (status == ECC_OK) status = fit(p, x, n, error);
    if (status != ECC_OK) ecc_pca_release(p);
    return status;
}

void ecc_pca_project(const struct ecc_pca *p, float *z, const float *x, size_t n)
{
    const size_t size = p->size, d = p->d, blocks = (n + BLOCK - 1) / BLOCK;
#pragma omp parallel
    {
        omp_set_num_threads(1); /* for OpenBLAS */
#pragma omp for schedule(dynamic)
        for (size_t b = 0; b < blocks; b++) {
            const size_t first = b * BLOCK, rows = n - first < BLOCK ? n - first : BLOCK;
            float *const to = z + first * d;
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)d, (int)size, 1,
                        x + first * size, (int)size, p->axes, (int)size, 0, to, (int)d);
        }
    }
    for (size_t j = 0; j < d; j++) {
        double shift = 0;
        for (size_t i = 0; i < size; i++)
            shift += (double)p->axes[j * size + i] * (double)p->mean[i];
        for (size_t i = 0; i < n; i++) z[i * d + j] -= (float)shift;
    }
}

void ecc_pca_restore(const struct ecc_pca *p, float *x, const float *z, size_t n)
{
    const size_t size = p->size, d = p->d, blocks = (n + BLOCK - 1) / BLOCK;
#pragma omp parallel
    {
        omp_set_num_threads(1); /* for OpenBLAS */
#pragma omp for schedule(dynamic)
        for (size_t b = 0; b < blocks; b++) {
            const size_t first = b * BLOCK, rows = n - first < BLOCK ? n - first : BLOCK;
            float *const to = x + first * size;
            for (size_t i = 0; i < rows; i++) memcpy(to + i * size, p->mean, size * sizeof *to);
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)size, (int)d, 1,
                        z + first * d, (int)d, p->axes, (int)size, 1, to, (int)size);
        }
    }
}
