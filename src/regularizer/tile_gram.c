/*
 * tile_gram.c: pairs of items by matrix products, for larger d.
 *
 * |z_i - z_j|^2 = |z_i|^2 + |z_j|^2 - 2 z_i.z_j loses digits where the two items are much closer to
 * each other than to the centre.  Such near pairs are computed by differences instead, so every
 * pair's force is right to a few units of float rounding.
 */
#include "base/compiler.h"
#include "regularizer/tile.h"

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
static float squared_distance(const float *restrict a, const float *restrict b, float scale,
                              size_t d)
{
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < d; k++) {
        const float difference = (a[k] - b[k]) * scale;
        sum += difference * difference;
    }
    return sum;
}

/* Adds factor (z_i - z_j), the force of one pair, to both its items' pulls. */
ECC_MULTIVERSION
static void add_force(float *restrict pull_i, float *restrict pull_j, const float *restrict z_i,
                      const float *restrict z_j, float factor, size_t d)
{
    for (size_t k = 0; k < d; k++) {
        const float push = factor * (z_i[k] - z_j[k]);
        pull_i[k] -= push;
        pull_j[k] += push;
    }
}

/* Computes the near pairs of a row: adds their terms and forces, and marks them as done. */
static void settle_near_pairs(const struct ecc_tile_task *task, struct ecc_tile_scratch *scratch,
                              struct ecc_pair_sum *sum, float *x, size_t i, size_t j0, size_t begin,
                              size_t end)
{
    const size_t d = task->d;
    const float per_m = (float)(task->unit * task->unit / task->m);
    const float per_unit = (float)(1 / task->unit), per_root = (float)(1 / sqrt(task->m));
    const float *const z_i = task->z + i * d;
    size_t count = 0;
    for (size_t j = begin; j < end; j++) {
        if (!(x[j] < near_share * (task->norm[i] + task->norm[j0 + j]))) continue;
        scratch->near_pair[count] = j0 + j;
        scratch->near_x[count++] =
            squared_distance(z_i, task->z + (j0 + j) * d, per_unit, d) * per_m;
        x[j] = INFINITY;
    }
    const size_t padded = (count + 7) / 8 * 8;
    for (size_t k = count; k < padded; k++) scratch->near_x[k] = INFINITY;
    task->law->add(sum, scratch->near_x, 0, padded);
    if (!task->pull) return;
    task->law->weights(scratch->near_x, 0, padded);
    for (size_t k = 0; k < count; k++) {
        const size_t j = scratch->near_pair[k];
        add_force(task->pull + i * d, task->pull + j * d, z_i, task->z + j * d,
                  scratch->near_x[k] * per_root, d);
    }
}

/* From inner products to weights, row by row; returns the sum of the terms.  On the diagonal
 * only the pairs after the item itself count. */
static double weigh_pairs(const struct ecc_tile_task *task, struct ecc_tile_scratch *scratch,
                          size_t i0, size_t i1, size_t j0, size_t count)
{
    struct ecc_pair_sum sum;
    task->law->start(&sum, task->largest, 1);
    const bool square = ecc_tile_is_square(task, i0, j0);
    const size_t end = (count + 7) / 8 * 8;
    for (size_t i = i0; i < i1; i++) {
        float *const x = scratch->pairs + (i - i0) * ECC_TILE;
        const size_t first = square ? i - i0 + 1 : 0, begin = first / 8 * 8;
        if (row_distances(x + first, task->norm + j0 + first, task->norm[i], count - first) > 0) {
            settle_near_pairs(task, scratch, &sum, x, i, j0, first, count);
        }
        memset(x, 0, begin * sizeof *x);
        for (size_t j = begin; j < first; j++) x[j] = INFINITY;
        for (size_t j = count; j < end; j++) x[j] = INFINITY;
        task->law->add(&sum, x, begin, end);
        if (!task->pull) continue;
        task->weight[i] += (double)task->law->weights_summed(x, scratch->column, begin, end);
    }
    return task->law->flush(&sum);
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
    const double terms = weigh_pairs(task, scratch, i0, i1, j0, columns);
    if (task->pull) {
        for (size_t c = 0; c < columns; c++) task->weight[j0 + c] += (double)scratch->column[c];
        add_pull(task, scratch->pairs, CblasNoTrans, i0, rows, j0, columns);
        add_pull(task, scratch->pairs, CblasTrans, j0, columns, i0, rows);
    }
    return terms;
}
