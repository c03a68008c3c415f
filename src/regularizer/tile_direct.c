/* tile_direct.c: pairs of items by differences of coordinates, for small d. */
#include "base/compiler.h"
#include "regularizer/tile.h"

#include <math.h>
#include <string.h>

/*
 * x[j] = |z_i - z_j|^2/M, but for the rounding of the factor 1/M, for eight items at a time.  d is
 * a constant in the calls that matter, so that the loops over coordinates are unrolled.
 */
ECC_INLINE void row_distances(float *restrict x, const float *restrict z_j, const float *z_i,
                              float per_m, size_t begin, size_t end, size_t d)
{
    for (size_t j = begin; j < end; j += 8) {
        ecc_f8 squares = {0};
        for (size_t k = 0; k < d; k++) {
            const ecc_f8 difference = z_i[8 * k] - ecc_load8(z_j + j * d + 8 * k);
            squares += difference * difference;
        }
        ecc_store8(x + j, squares * per_m);
    }
}

/* Adds w_ij (z_i - z_j) to item i and subtracts it from items j, for `count` of the d coordinates,
 * 1 to 4: a constant, so that all sums stay in registers. */
ECC_INLINE void row_forces(float *restrict force_i, float *restrict force_j,
                           const float *restrict w, const float *restrict z_j, const float *z_i,
                           size_t begin, size_t end, size_t d, size_t count)
{
    ecc_f8 total[4] = {{0}, {0}, {0}, {0}};
    for (size_t j = begin; j < end; j += 8) {
        const ecc_f8 w_ij = ecc_load8(w + j);
        for (size_t k = 0; k < count; k++) {
            float *const target = force_j + j * d + 8 * k;
            const ecc_f8 push = w_ij * (z_i[8 * k] - ecc_load8(z_j + j * d + 8 * k));
            total[k] += push;
            ecc_store8(target, ecc_load8(target) - push);
        }
    }
    const ecc_f4 sums = ecc_add_lanes4x8(total[0], total[1], total[2], total[3]);
    for (size_t k = 0; k < count; k++) force_i[8 * k] += sums[k];
}

ECC_MULTIVERSION
static void distances(float *restrict x, const struct ecc_tile_task *task, size_t i, size_t j0,
                      size_t begin, size_t end)
{
    const size_t d = task->d;
    const float *const z_i = task->coordinate + ecc_slot(i, d);
    const float *const z_j = task->coordinate + j0 * d;
    const float per_m = (float)(task->unit * task->unit / task->m);
    switch (d) {
    case 2: row_distances(x, z_j, z_i, per_m, begin, end, 2); break;
    case 4: row_distances(x, z_j, z_i, per_m, begin, end, 4); break;
    case 8: row_distances(x, z_j, z_i, per_m, begin, end, 8); break;
    default: row_distances(x, z_j, z_i, per_m, begin, end, d);
    }
}

ECC_MULTIVERSION
static void forces(float *restrict force_j, const float *restrict w,
                   const struct ecc_tile_task *task, size_t i, size_t j0, size_t begin, size_t end)
{
    const size_t d = task->d;
    const float *z_i = task->coordinate + ecc_slot(i, d), *z_j = task->coordinate + j0 * d;
    float *force_i = task->force + ecc_slot(i, d);
    for (size_t k = 4; k <= d; k += 4) {
        row_forces(force_i, force_j, w, z_j, z_i, begin, end, d, 4);
        force_i += 32, force_j += 32, z_j += 32, z_i += 32;
    }
    switch (d % 4) {
    case 1: row_forces(force_i, force_j, w, z_j, z_i, begin, end, d, 1); break;
    case 2: row_forces(force_i, force_j, w, z_j, z_i, begin, end, d, 2); break;
    case 3: row_forces(force_i, force_j, w, z_j, z_i, begin, end, d, 3); break;
    default: break;
    }
}

static void add_rows(const struct ecc_tile_task *task, struct ecc_tile_scratch *scratch,
                     struct ecc_pair_sum *sum, size_t i0, size_t i1, size_t j0, size_t j1)
{
    const size_t count = j1 - j0, end = (count + 7) / 8 * 8;
    const bool square = ecc_tile_is_square(task, i0, j0);
    float *const x = scratch->pairs;
    for (size_t i = i0; i < i1; i++) {
        const size_t first = square ? i - i0 + 1 : 0, begin = first / 8 * 8;
        distances(x, task, i, j0, begin, end);
        for (size_t j = begin; j < first; j++) x[j] = INFINITY;
        for (size_t j = count; j < end; j++) x[j] = INFINITY;
        task->law->add(sum, x, begin, end);
        if (!task->force) continue;
        task->law->weights(x, begin, end);
        forces(scratch->force, x, task, i, j0, begin, end);
    }
}

double ecc_tile_direct(const struct ecc_tile_task *task, struct ecc_tile_scratch *scratch,
                       size_t i0, size_t i1, size_t j0, size_t j1)
{
    const size_t d = task->d, end = (j1 - j0 + 7) / 8 * 8;
    float *const force_j = scratch->force;
    struct ecc_pair_sum sum;
    const double factor = task->unit * task->unit / task->m;
    task->law->start(&sum, task->largest, factor / (double)(float)factor);
    if (task->force) memset(force_j, 0, d * end * sizeof *force_j);
    if (ecc_tile_log_takes(task)) {
        ecc_tile_log(task, scratch, &sum, i0, i1, j0, j1);
    } else {
        add_rows(task, scratch, &sum, i0, i1, j0, j1);
    }
    float *const target = task->force ? task->force + j0 * d : NULL;
    for (size_t at = 0; target && at < d * end; at++) target[at] += force_j[at];
    return task->law->flush(&sum);
}
