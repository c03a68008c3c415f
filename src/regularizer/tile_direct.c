/* tile_direct.c: pairs of items by differences of coordinates, for small d. */
#include "base/compiler.h"
#include "regularizer/tile.h"

#include <math.h>
#include <string.h>

/*
 * x[j] = |z_i - z_j|^2/M, but for the rounding of the factor 1/M, for eight items at a time; z: [d,
 * stride].  d is a constant in the calls that matter, so that the loops over coordinates are
 * unrolled.
 */
ECC_INLINE void row_distances(float *restrict x, const float *restrict z_j, const float *z_i,
                              size_t stride, float per_m, size_t begin, size_t end, size_t d)
{
    for (size_t j = begin; j < end; j += 8) {
        ecc_f8 squares = {0};
        for (size_t k = 0; k < d; k++) {
            const ecc_f8 difference = z_i[k * stride] - ecc_load8(z_j + k * stride + j);
            squares += difference * difference;
        }
        ecc_store8(x + j, squares * per_m);
    }
}

/* Adds w_ij (z_i - z_j) to item i and subtracts it from items j, whose forces are [d, ECC_TILE]. */
ECC_INLINE void row_forces(float *restrict force_i, float *restrict force_j,
                           const float *restrict w, const float *restrict z_j, const float *z_i,
                           size_t stride, size_t begin, size_t end, size_t d)
{
    for (size_t k = 0; k < d; k++) {
        ecc_f8 total = {0};
        for (size_t j = begin; j < end; j += 8) {
            const ecc_f8 difference = z_i[k * stride] - ecc_load8(z_j + k * stride + j);
            const ecc_f8 push = ecc_load8(w + j) * difference;
            float *const target = force_j + k * ECC_TILE + j;
            total += push;
            ecc_store8(target, ecc_load8(target) - push);
        }
        force_i[k * stride] += ecc_add_lanes8(total);
    }
}

ECC_MULTIVERSION
static void distances(float *restrict x, const struct ecc_tile_task *task, size_t i, size_t j0,
                      size_t begin, size_t end)
{
    const float *const z_i = task->coordinate + i, *const z_j = task->coordinate + j0;
    const float per_m = (float)(task->unit * task->unit / task->m);
    const size_t stride = task->stride;
    switch (task->d) {
    case 2: row_distances(x, z_j, z_i, stride, per_m, begin, end, 2); break;
    case 4: row_distances(x, z_j, z_i, stride, per_m, begin, end, 4); break;
    case 8: row_distances(x, z_j, z_i, stride, per_m, begin, end, 8); break;
    default: row_distances(x, z_j, z_i, stride, per_m, begin, end, task->d);
    }
}

ECC_MULTIVERSION
static void forces(float *restrict force_j, const float *restrict w,
                   const struct ecc_tile_task *task, size_t i, size_t j0, size_t begin, size_t end)
{
    row_forces(task->force + i, force_j, w, task->coordinate + j0, task->coordinate + i,
               task->stride, begin, end, task->d);
}

double ecc_tile_direct(const struct ecc_tile_task *task, struct ecc_tile_scratch *scratch,
                       size_t i0, size_t i1, size_t j0, size_t j1)
{
    const size_t d = task->d, count = j1 - j0, end = (count + 7) / 8 * 8;
    float *const x = scratch->pairs, *const force_j = scratch->force;
    const bool square = ecc_tile_is_square(task, i0, j0);
    struct ecc_pair_sum sum;
    const double factor = task->unit * task->unit / task->m;
    task->law->start(&sum, task->largest, factor / (double)(float)factor);
    if (task->force) memset(force_j, 0, d * ECC_TILE * sizeof *force_j);
    for (size_t i = i0; i < i1; i++) {
        const size_t first = square ? i - i0 + 1 : 0, begin = first / 8 * 8;
        distances(x, task, i, j0, begin, end);
        for (size_t j = begin; j < first; j++) x[j] = INFINITY;
        for (size_t j = count; j < end; j++) x[j] = INFINITY;
        task->law->add(&sum, x, begin, end);
        if (!task->force) continue;
        task->law->weights(x, begin, end);
        forces(force_j, x, task, i, j0, begin, end);
    }
    for (size_t k = 0; task->force && k < d; k++) {
        for (size_t j = 0; j < count; j++) {
            task->force[k * task->stride + j0 + j] += force_j[k * ECC_TILE + j];
        }
    }
    return task->law->flush(&sum);
}
