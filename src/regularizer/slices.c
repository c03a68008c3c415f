/* slices.c: latents seen along random directions, and the gradient back from there. */
#include "regularizer/slices.h"
#include "base/compiler.h"
#include "base/rng.h"
#include "base/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t ecc_slices_stride(size_t n)
{
    return (n + 7) / 8 * 8;
}

static void cut(struct ecc_slices *s, bool two_samples)
{
    struct ecc_arena *const arena = &s->arena;
    const size_t stride = ecc_slices_stride(s->n_max);
    s->direction = ecc_arena_cut(arena, s->count, s->d * sizeof *s->direction);
    s->item = ecc_arena_cut(arena, stride, s->d * sizeof *s->item);
    s->other = two_samples ? ecc_arena_cut(arena, stride, s->d * sizeof *s->other) : NULL;
    s->along = ecc_arena_cut(arena, stride, s->count * sizeof *s->along);
    s->value = ecc_arena_cut(arena, s->count, sizeof *s->value);
    s->scratch = ecc_arena_cut(arena, (size_t)s->threads, s->scratch_size);
}

enum ecc_status ecc_slices_create(struct ecc_slices **result, size_t n_max, size_t d, size_t count,
                                  bool two_samples, size_t scratch,
                                  const struct ecc_regularizer_options *options,
                                  struct ecc_error *error)
{
    *result = NULL;
    if (n_max < 1 || d < 1 || d > SIZE_MAX / 64 || n_max > SIZE_MAX / 64) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "n is %zu and d is %zu, expected at least 1 of each", n_max, d);
    }
    struct ecc_slices *const s = calloc(1, sizeof *s);
    if (!s) return ecc_fail_memory(error, "the plan of the regularizer");
    s->n_max = n_max;
    s->d = d;
    s->count = count;
    s->seed = options->seed;
    s->threads = ecc_threads(options->loss.threads);
    s->scratch_size = (scratch + ECC_ALIGNMENT - 1) / ECC_ALIGNMENT * ECC_ALIGNMENT;
    cut(s, two_samples);
    const enum ecc_status status =
        ecc_arena_reserve(&s->arena, "the plan of the regularizer", error);
    if (status != ECC_OK) {
        ecc_slices_free(s);
        return status;
    }
    cut(s, two_samples);
    *result = s;
    return ECC_OK;
}

void ecc_slices_free(void *slices)
{
    struct ecc_slices *const s = slices;
    if (!s) return;
    ecc_arena_release(&s->arena);
    free(s);
}

int ecc_slices_threads(const struct ecc_slices *s, size_t n)
{
    return (double)n * (double)s->count * (double)(s->d + 32) < 4e6 ? 1 : s->threads;
}

void ecc_slices_spread(float *to, const float *z, size_t n, size_t d)
{
    const size_t stride = ecc_slices_stride(n);
    for (size_t k = 0; k < d; k++) {
        for (size_t i = 0; i < n; i++) to[k * stride + i] = z[i * d + k];
        for (size_t i = n; i < stride; i++) to[k * stride + i] = 0;
    }
}

void ecc_slices_draw(struct ecc_slices *s, size_t k, uint64_t stream)
{
    float *const a = s->direction + k * s->d;
    ecc_rng_normal_f32(a, s->seed, stream, k * s->d, s->d);
    double squares = 0;
    for (size_t j = 0; j < s->d; j++) squares += (double)a[j] * (double)a[j];
    /* in one dimension a draw may be 0, almost never */
    const double scale = squares > 0 ? 1 / sqrt(squares) : 1;
    for (size_t j = 0; j < s->d; j++) a[j] = (float)(scale * (double)a[j]);
}

ECC_MULTIVERSION
static void project(float *restrict to, const float *restrict items, const float *restrict a,
                    size_t stride, size_t d)
{
    memset(to, 0, stride * sizeof *to);
    for (size_t k = 0; k < d; k++) {
        const float ak = a[k];
        for (size_t i = 0; i < stride; i++) to[i] += ak * items[k * stride + i];
    }
}

void ecc_slices_project(const struct ecc_slices *s, float *to, const float *items, size_t k,
                        size_t n)
{
    project(to, items, s->direction + k * s->d, ecc_slices_stride(n), s->d);
}

/* Eight items, up to eight coordinates from j on: dz[i, j] = factor sum_k along[k, i] a[k, j] */
ECC_MULTIVERSION
static void add_eight(float *restrict dz, const struct ecc_slices *s, size_t i, size_t j, size_t n,
                      float factor)
{
    const size_t d = s->d, stride = ecc_slices_stride(n);
    const size_t columns = d - j < 8 ? d - j : 8, rows = n - i < 8 ? n - i : 8;
    ecc_f8 sum[8] = {{0}};
    for (size_t k = 0; k < s->count; k++) {
        const ecc_f8 along = ecc_load8(s->along + k * stride + i);
        const float *const a = s->direction + k * d + j;
        if (columns == 8) {
            for (size_t c = 0; c < 8; c++) sum[c] += a[c] * along;
        } else {
            for (size_t c = 0; c < columns; c++) sum[c] += a[c] * along;
        }
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) dz[(i + r) * d + j + c] = factor * sum[c][r];
    }
}

void ecc_slices_gradient(const struct ecc_slices *s, float *dz, size_t n, double factor)
{
    const int threads = ecc_slices_threads(s, n);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < n; i += 8) {
        for (size_t j = 0; j < s->d; j += 8) add_eight(dz, s, i, j, n, (float)factor);
    }
}
