/* kid.c: the kernel distance between two sets of features, and the sample of features it needs. */
#include "score/kid.h"
#include "base/rng.h"
#include "base/streams.h"
#include "math/statistics.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- The sample ----------------------------------------------------------------------------- */

void ecc_reservoir_init(struct ecc_reservoir *r, size_t size, size_t most, uint64_t seed)
{
    *r = (struct ecc_reservoir){.size = size, .most = most, .seed = seed};
}

void ecc_reservoir_release(struct ecc_reservoir *r)
{
    free(r->rows);
    *r = (struct ecc_reservoir){0};
}

size_t ecc_reservoir_kept(const struct ecc_reservoir *r)
{
    return min_size(r->count, r->most);
}

static enum ecc_status grow(struct ecc_reservoir *r, size_t n, struct ecc_error *error)
{
    const size_t wanted = min_size(r->count + n, r->most);
    if (wanted <= r->capacity) return ECC_OK;
    const size_t capacity = min_size(r->most, wanted + r->capacity);
    float *const rows = realloc(r->rows, capacity * r->size * sizeof *rows);
    if (!rows) return ecc_fail_memory(error, "a sample of features");
    r->rows = rows;
    r->capacity = capacity;
    return ECC_OK;
}

enum ecc_status ecc_reservoir_add(struct ecc_reservoir *r, const float *f, size_t n,
                                  struct ecc_error *error)
{
    ECC_TRY(grow(r, n, error));
    for (size_t i = 0; i < n; i++, r->count++) {
        const size_t place = r->count < r->most ? r->count
                                                : ecc_rng_below(r->seed, ECC_STREAM_KID_KEEP,
                                                                r->count, r->count + 1);
        if (place >= r->most) continue;
        memcpy(r->rows + place * r->size, f + i * r->size, r->size * sizeof *f);
    }
    return ECC_OK;
}

/* ---- The estimate --------------------------------------------------------------------------- */

enum { ROWS = 64 }; /* of a kernel matrix that one thread works on */

struct work {
    size_t d, subset;
    uint32_t *order; /* [items of the larger side] */
    double *a, *b;   /* [subset, d] of each side */
    double *sums;    /* [blocks, 3]: of k(a, a), k(b, b), k(a, b), block by block of rows */
    double *room;    /* [threads x] ROWS x subset; one for each block, as blocks are few */
};

static size_t block_count(const struct work *w)
{
    return (w->subset + ROWS - 1) / ROWS;
}

/* A random subset of one side, in double. */
static void draw_subset(double *out, const struct ecc_feature_rows *side, const struct work *w,
                        uint64_t seed, uint64_t stream)
{
    ecc_rng_permutation(w->order, side->count, seed, stream);
    for (size_t i = 0; i < w->subset; i++) {
        const float *const row = side->rows + w->order[i] * w->d;
        for (size_t k = 0; k < w->d; k++) out[i * w->d + k] = (double)row[k];
    }
}

/* The sum of the kernel between rows first .. of a and all of b; those of the diagonal left out
 * where a is b. */
static double kernel_sum(const struct work *w, const double *a, const double *b, size_t first,
                         double *room)
{
    const size_t rows = min_size(ROWS, w->subset - first), m = w->subset, d = w->d;
    double sum = 0;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)m, (int)d, 1 / (double)d,
                a + first * d, (int)d, b, (int)d, 0, room, (int)m);
    for (size_t i = 0; i < rows; i++) {
        double row = 0;
        for (size_t j = 0; j < m; j++) {
            const double k = room[i * m + j] + 1;
            row += k * k * k;
        }
        if (a == b) {
            const double k = room[i * m + first + i] + 1;
            row -= k * k * k;
        }
        sum += row;
    }
    return sum;
}

/* The unbiased estimate of one pair of subsets. */
static double estimate(const struct work *w)
{
    const size_t blocks = block_count(w);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < blocks; i++) {
        double *const room = w->room + i * ROWS * w->subset;
        w->sums[3 * i] = kernel_sum(w, w->a, w->a, i * ROWS, room);
        w->sums[3 * i + 1] = kernel_sum(w, w->b, w->b, i * ROWS, room);
        w->sums[3 * i + 2] = kernel_sum(w, w->a, w->b, i * ROWS, room);
    }
    double xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < blocks; i++) {
        xx += w->sums[3 * i];
        yy += w->sums[3 * i + 1];
        xy += w->sums[3 * i + 2];
    }
    const double m = (double)w->subset;
    return (xx + yy) / (m * (m - 1)) - 2 * xy / (m * m);
}

static void release(struct work *w)
{
    free(w->order);
    free(w->a);
    free(w->b);
    free(w->sums);
    free(w->room);
}

static enum ecc_status prepare(struct work *w, size_t items, struct ecc_error *error)
{
    const size_t blocks = block_count(w);
    w->order = malloc(items * sizeof *w->order);
    w->a = malloc(w->subset * w->d * sizeof *w->a);
    w->b = malloc(w->subset * w->d * sizeof *w->b);
    w->sums = malloc(3 * blocks * sizeof *w->sums);
    w->room = malloc(blocks * ROWS * w->subset * sizeof *w->room);
    if (w->order && w->a && w->b && w->sums && w->room) return ECC_OK;
    return ecc_fail_memory(error, "subsets of features");
}

enum ecc_status ecc_kid_estimate(struct ecc_kid *kid, const struct ecc_feature_rows *a,
                                 const struct ecc_feature_rows *b, uint64_t seed,
                                 struct ecc_error *error)
{
    const size_t least = min_size(a->count, b->count);
    *kid = (struct ecc_kid){0};
    if (a->size != b->size || a->size < 1) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%zu and %zu features, expected the same number",
                        a->size, b->size);
    }
    if (least < ECC_KID_LEAST) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%zu items, expected at least %d for a KID", least,
                        ECC_KID_LEAST);
    }
    struct work w = {.d = a->size, .subset = min_size(ECC_KID_SUBSET, least / 2)};
    enum ecc_status status = prepare(&w, a->count > b->count ? a->count : b->count, error);
    double values[ECC_KID_SUBSETS];
    for (size_t i = 0; status == ECC_OK && i < ECC_KID_SUBSETS; i++) {
        draw_subset(w.a, a, &w, seed, ECC_STREAM_KID_SUBSET + 2 * i);
        draw_subset(w.b, b, &w, seed, ECC_STREAM_KID_SUBSET + 2 * i + 1);
        values[i] = estimate(&w);
        if (!isfinite(values[i])) {
            status = ecc_fail(error, ECC_NUMERIC, "the kernel of the features is not finite");
        }
    }
    release(&w);
    ECC_TRY(status);
    kid->subsets = ECC_KID_SUBSETS;
    kid->subset = w.subset;
    ecc_mean_deviation(&kid->value, &kid->deviation, values, ECC_KID_SUBSETS);
    /* Subsets of s out of n items differ by a variance of v (1/s - 1/n); that of all n is v / n,
     * and the mean over the subsets misses it by chance, too. */
    const double share = (double)w.subset / (double)(least - w.subset);
    kid->error = kid->deviation * sqrt(share + 1.0 / ECC_KID_SUBSETS);
    return ECC_OK;
}
