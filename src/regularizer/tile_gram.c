/*
 * tile_gram.c: pairs of the eccentric loss by matrix products, for larger d.
 *
 * |z_i - z_j|^2 = |z_i|^2 + |z_j|^2 - 2 z_i.z_j loses digits where the two items are much closer to
 * each other than to the centre.  Such near pairs are taken out of the products and worked out by
 * differences in double, so every pair's force is right to a few units of float rounding.
 */
#include "base/compiler.h"
#include "regularizer/tile.h"
#include "regularizer/weights.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* A pair is near when its squared distance is below this share of |z_i|^2 + |z_j|^2. */
static const float near_share = 1.0F / 16.0F;

/* Turns products g[j] = z_i.z_j into x[j] = |z_i - z_j|^2/M in place; returns how many are near. */
ECC_MULTIVERSION
static size_t row_distances(float *restrict g, const float *restrict norm_j, float norm_i,
                            size_t count)
{
    int near_pairs = 0;
    for (size_t j = 0; j < count; j++) {
        const float both = norm_i + norm_j[j];
        const float x = both - 2.0F * g[j];
        near_pairs += x < near_share * both;
        g[j] = x;
    }
    return (size_t)near_pairs;
}

ECC_MULTIVERSION
static double squared_distance(const float *restrict a, const float *restrict b, size_t d)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < d; k++) {
        const double difference = (double)a[k] - (double)b[k];
        sum += difference * difference;
    }
    return sum;
}

/* Adds the force of one pair, in units of sqrt(M), to both its items' pulls. */
static void add_near_force(const struct ecc_tile_task *task, size_t i, size_t j, double w)
{
    const float *const zi = task->z + i * task->d, *const zj = task->z + j * task->d;
    float *const pull_i = task->pull + i * task->d, *const pull_j = task->pull + j * task->d;
    const double factor = w / sqrt(task->m);
    for (size_t k = 0; k < task->d; k++) {
        const float push = (float)(factor * ((double)zi[k] - (double)zj[k]));
        pull_i[k] -= push;
        pull_j[k] += push;
    }
}

/* Works out the near pairs of a row: their logarithms and forces are added here, and they are
 * marked to take no further part. */
static double settle_near_pairs(const struct ecc_tile_task *task, float *x, size_t i, size_t j0,
                                size_t begin, size_t end)
{
    double sum = 0;
    for (size_t j = begin; j < end; j++) {
        if (!(x[j] < near_share * (task->norm[i] + task->norm[j0 + j]))) continue;
        const double exact =
            squared_distance(task->z + i * task->d, task->z + (j0 + j) * task->d, task->d) /
            task->m;
        sum += log1p(exact);
        if (task->pull) add_near_force(task, i, j0 + j, 1.0 / (1.0 + exact));
        x[j] = INFINITY;
    }
    return sum;
}

/* From inner products to weights, row by row; returns the sum of the logarithms.  On the diagonal
 * only the pairs after the item itself take part. */
static double weigh_pairs(const struct ecc_tile_task *task, struct ecc_tile_scratch *scratch,
                          size_t i0, size_t i1, size_t j0, size_t count)
{
    struct ecc_logsum sum;
    ecc_logsum_start(&sum, task->largest);
    double near_sum = 0;
    const size_t end = (count + 7) / 8 * 8;
    for (size_t i = i0; i < i1; i++) {
        float *const x = scratch->pairs + (i - i0) * ECC_TILE;
        const size_t first = i0 == j0 ? i - i0 + 1 : 0, begin = first / 8 * 8;
        if (row_distances(x + first, task->norm + j0 + first, task->norm[i], count - first) > 0) {
            near_sum += settle_near_pairs(task, x, i, j0, first, count);
        }
        memset(x, 0, begin * sizeof *x);
        for (size_t j = begin; j < first; j++) x[j] = INFINITY;
        for (size_t j = count; j < end; j++) x[j] = INFINITY;
        task->weight[i] += (double)ecc_row_weights(x, scratch->column, &sum, begin, end);
    }
    return ecc_logsum_flush(&sum) + near_sum;
}

/* pull[rows] += W z[columns], or with W transposed */
static void add_pull(const struct ecc_tile_task *task, const float *w, CBLAS_TRANSPOSE transpose,
                     size_t to, size_t to_count, size_t from, size_t from_count)
{
    cblas_sgemm(CblasRowMajor, transpose, CblasNoTrans, (int)to_count, (int)task->d,
                (int)from_count, 1.0F, w, ECC_TILE, task->scaled + from * task->d, (int)task->d,
                1.0F, task->pull + to * task->d, (int)task->d);
}

double ecc_tile_gram(const struct ecc_tile_task *task, struct ecc_tile_scratch *scratch, size_t i0,
                     size_t i1, size_t j0, size_t j1)
{
    const size_t rows = i1 - i0, columns = j1 - j0, d = task->d;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)columns, (int)d, 1.0F,
                task->scaled + i0 * d, (int)d, task->scaled + j0 * d, (int)d, 0.0F, scratch->pairs,
                ECC_TILE);
    memset(scratch->column, 0, ECC_TILE * sizeof *scratch->column);
    const double logs = weigh_pairs(task, scratch, i0, i1, j0, columns);
    if (task->pull) {
        for (size_t c = 0; c < columns; c++) task->weight[j0 + c] += (double)scratch->column[c];
        add_pull(task, scratch->pairs, CblasNoTrans, i0, rows, j0, columns);
        add_pull(task, scratch->pairs, CblasTrans, j0, columns, i0, rows);
    }
    return logs;
}
