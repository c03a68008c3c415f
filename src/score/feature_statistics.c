/* feature_statistics.c: mean and covariance of features, added up block by block. */
#include "score/feature_statistics.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 256 }; /* columns of the covariance that one thread works on */

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

enum ecc_status ecc_feature_sums_init(struct ecc_feature_sums *m, size_t size,
                                      struct ecc_error *error)
{
    *m = (struct ecc_feature_sums){.size = size};
    if (size < 1 || size > ECC_MOST_FEATURES) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "an image has %zu features, expected 1 to %d for a covariance", size,
                        ECC_MOST_FEATURES);
    }
    m->mean = calloc(size, sizeof *m->mean);
    m->scatter = calloc(size * size, sizeof *m->scatter);
    m->block = malloc((ECC_SUMS_BLOCK + 1) * size * sizeof *m->block);
    if (m->mean && m->scatter && m->block) return ECC_OK;
    ecc_feature_sums_release(m);
    return ecc_fail_memory(error, "the covariance of features");
}

void ecc_feature_sums_release(struct ecc_feature_sums *m)
{
    free(m->mean);
    free(m->scatter);
    free(m->block);
    *m = (struct ecc_feature_sums){0};
}

/* Adds block^T block, [rows, d], to the tiles on and above the diagonal.  Each tile is one
 * thread's, with a one-thread BLAS, so that the last digits do not depend on their number. */
static void add_products(struct ecc_feature_sums *m, size_t rows)
{
    const size_t d = m->size, tiles = (d + TILE - 1) / TILE;
#pragma omp parallel for schedule(dynamic) collapse(2)
    for (size_t a = 0; a < tiles; a++) {
        for (size_t b = 0; b < tiles; b++) {
            if (b < a) continue;
            const size_t i = a * TILE, j = b * TILE;
            cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)min_size(TILE, d - i),
                        (int)min_size(TILE, d - j), (int)rows, 1, m->block + i, (int)d,
                        m->block + j, (int)d, 1, m->scatter + i * d + j, (int)d);
        }
    }
}

/*
 * Joins the waiting rows: scatter += sum (x - mean_b)(x - mean_b)^T + n n_b / (n + n_b) delta
 * delta^T with delta = mean_b - mean.  The last term is one more row of the block.
 */
static void join_block(struct ecc_feature_sums *m)
{
    const size_t d = m->size, rows = m->waiting;
    if (rows == 0) return;
    const double before = (double)m->count, here = (double)rows, total = before + here;
    double *const delta = m->block + rows * d;
    memset(delta, 0, d * sizeof *delta);
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < d; k++) delta[k] += m->block[i * d + k];
    }
    for (size_t k = 0; k < d; k++) delta[k] /= here;
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < d; k++) m->block[i * d + k] -= delta[k];
    }
    const double weight = sqrt(before * here / total);
    for (size_t k = 0; k < d; k++) {
        const double step = delta[k] - m->mean[k];
        m->mean[k] += step * here / total;
        delta[k] = step * weight;
    }
    add_products(m, rows + 1);
    m->count += rows;
    m->waiting = 0;
}

enum ecc_status ecc_feature_sums_add(struct ecc_feature_sums *m, const float *f, size_t n,
                                     struct ecc_error *error)
{
    const size_t d = m->size;
    for (size_t i = 0; i < n; i++) {
        double *const row = m->block + m->waiting * d;
        for (size_t k = 0; k < d; k++) {
            row[k] = (double)f[i * d + k];
            if (isfinite(row[k])) continue;
            return ecc_fail(error, ECC_BAD_DATA, "feature %zu of item %zu is %g, expected a number",
                            k, m->count + m->waiting, row[k]);
        }
        if (++m->waiting == ECC_SUMS_BLOCK) join_block(m);
    }
    return ECC_OK;
}

/* ---- As they are used ----------------------------------------------------------------------- */

enum ecc_status ecc_statistics_of(struct ecc_statistics *s, struct ecc_feature_sums *m,
                                  const char *identity, struct ecc_error *error)
{
    const size_t d = m->size;
    *s = (struct ecc_statistics){0};
    join_block(m);
    if (m->count < 2) {
        return ecc_fail(error, ECC_BAD_DATA, "%zu item%s, expected at least 2 for a covariance",
                        m->count, m->count == 1 ? "" : "s");
    }
    s->size = d;
    s->count = m->count;
    s->mean = malloc(d * sizeof *s->mean);
    s->covariance = malloc(d * d * sizeof *s->covariance);
    if (!s->mean || !s->covariance) {
        ecc_statistics_release(s);
        return ecc_fail_memory(error, "the covariance of features");
    }
    memcpy(s->mean, m->mean, d * sizeof *s->mean);
    for (size_t i = 0; i < d; i++) {
        for (size_t j = i; j < d; j++) {
            const double value = m->scatter[i * d + j] / (double)(m->count - 1);
            s->covariance[i * d + j] = s->covariance[j * d + i] = value;
        }
    }
    snprintf(s->identity, sizeof s->identity, "%s", identity);
    return ECC_OK;
}

enum ecc_status ecc_statistics_fit(struct ecc_statistics *s, const struct ecc_feature_rows *f,
                                   const char *identity, struct ecc_error *error)
{
    struct ecc_feature_sums sums;
    *s = (struct ecc_statistics){0};
    ECC_TRY(ecc_feature_sums_init(&sums, f->size, error));
    enum ecc_status status = ecc_feature_sums_add(&sums, f->rows, f->count, error);
    if (status == ECC_OK) status = ecc_statistics_of(s, &sums, identity, error);
    ecc_feature_sums_release(&sums);
    return status;
}

void ecc_statistics_release(struct ecc_statistics *s)
{
    free(s->mean);
    free(s->covariance);
    ecc_pca_release(&s->pca);
    *s = (struct ecc_statistics){0};
}
