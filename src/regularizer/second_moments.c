/* second_moments.c: sums of products of coordinates over a batch, and gradients from them. */
#include "regularizer/second_moments.h"
#include "base/compiler.h"
#include "base/threads.h"

#include <stdlib.h>
#include <string.h>

enum { TOGETHER = 4 }; /* items that pass through the registers at a time */

static void cut(struct ecc_second_moments *m, size_t work_size)
{
    struct ecc_arena *const arena = &m->arena;
    const size_t row = m->d * sizeof(double);
    m->x = ecc_arena_cut(arena, m->n_max, row);
    m->sums = ecc_arena_cut(arena, m->d, row);
    m->gradient = ecc_arena_cut(arena, m->d, row);
    m->spare = ecc_arena_cut(arena, m->d, row);
    m->row = ecc_arena_cut(arena, m->n_max + m->d, sizeof(double));
    m->work = ecc_arena_cut(arena, work_size, 1);
}

enum ecc_status ecc_second_moments_create(struct ecc_second_moments **result, size_t n_max,
                                          size_t d, size_t work_size,
                                          const struct ecc_regularizer_options *options,
                                          struct ecc_error *error)
{
    *result = NULL;
    if (n_max < 1 || d < 1 || d > SIZE_MAX / 64 || n_max > SIZE_MAX / 64) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "n is %zu and d is %zu, expected at least 1 of each", n_max, d);
    }
    struct ecc_second_moments *const m = calloc(1, sizeof *m);
    if (!m) return ecc_fail_memory(error, "the plan of the regularizer");
    m->n_max = n_max;
    m->d = d;
    m->threads = ecc_threads(options->loss.threads);
    memcpy(m->own, options->own, sizeof m->own);
    cut(m, work_size);
    const enum ecc_status status =
        ecc_arena_reserve(&m->arena, "the plan of the regularizer", error);
    if (status != ECC_OK) {
        ecc_second_moments_free(m);
        return status;
    }
    cut(m, work_size);
    *result = m;
    return ECC_OK;
}

void ecc_second_moments_free(void *moments)
{
    struct ecc_second_moments *const m = moments;
    if (!m) return;
    ecc_arena_release(&m->arena);
    free(m);
}

/* For a small batch, waking threads takes longer than the work. */
static int threads_for(const struct ecc_second_moments *m, size_t n)
{
    return (double)n * (double)m->d * (double)m->d < 1e6 ? 1 : m->threads;
}

void ecc_second_moments_centre(struct ecc_second_moments *m, const float *z, size_t n)
{
    const size_t d = m->d;
    double *const mean = m->row;
    memset(mean, 0, d * sizeof *mean);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < d; k++) mean[k] += (double)z[i * d + k];
    }
    for (size_t k = 0; k < d; k++) mean[k] /= (double)n;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < d; k++) m->x[i * d + k] = (double)z[i * d + k] - mean[k];
    }
}

/* sum[l] for l >= k: row k of S, four items at a time. */
ECC_MULTIVERSION
static void sum_row(double *restrict sum, const double *restrict x, size_t k, size_t n, size_t d)
{
    memset(sum, 0, d * sizeof *sum);
    size_t i = 0;
    for (; i + TOGETHER <= n; i += TOGETHER) {
        const double *const a = x + i * d, *const b = a + d, *const c = b + d, *const e = c + d;
        const double ak = a[k], bk = b[k], ck = c[k], ek = e[k];
        for (size_t l = k; l < d; l++) {
            sum[l] += (ak * a[l] + bk * b[l]) + (ck * c[l] + ek * e[l]);
        }
    }
    for (; i < n; i++) {
        for (size_t l = k; l < d; l++) sum[l] += x[i * d + k] * x[i * d + l];
    }
}

void ecc_second_moments_sum(struct ecc_second_moments *m, size_t n)
{
    const size_t d = m->d;
    const int threads = threads_for(m, n);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (size_t k = 0; k < d; k++) sum_row(m->sums + k * d, m->x, k, n, d);
    for (size_t k = 0; k < d; k++) {
        for (size_t l = 0; l < k; l++) m->sums[k * d + l] = m->sums[l * d + k];
    }
}

/* y: [d] = x_i G, in pieces that fit the registers */
ECC_MULTIVERSION
static void multiply_row(float *restrict y, const double *restrict x_i, const double *restrict g,
                         size_t d)
{
    enum { PIECE = 16 };
    for (size_t begin = 0; begin < d; begin += PIECE) {
        const size_t count = d - begin < PIECE ? d - begin : PIECE;
        double sum[PIECE] = {0};
        for (size_t k = 0; k < d; k++) {
            const double xk = x_i[k];
            const double *const row = g + k * d + begin;
            if (count == PIECE) {
                for (size_t l = 0; l < PIECE; l++) sum[l] += xk * row[l];
            } else {
                for (size_t l = 0; l < count; l++) sum[l] += xk * row[l];
            }
        }
        for (size_t l = 0; l < count; l++) y[begin + l] = (float)sum[l];
    }
}

void ecc_second_moments_gradient(const struct ecc_second_moments *m, float *dz, size_t n)
{
    const size_t d = m->d;
    const int threads = threads_for(m, n);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < n; i++) multiply_row(dz + i * d, m->x + i * d, m->gradient, d);
}
