/*
 * tile_log.c: pairs of items by differences, for the logarithm and the usual small d.  A batch of a
 * hundred has rows of few registers, where the general kernel (tile_direct.c) spends much of its
 * time between its loops.
 *
 * The same operations in the same order for each item, and so the same bytes.
 */
#include "base/compiler.h"
#include "base/processor.h"
#include "regularizer/log_sum.h"
#include "regularizer/tile.h"

#include <math.h>
#include <string.h>

/* The sums of d = 8 fit in the 32 registers of AVX-512.  With 16, the general kernel is faster. */
#ifdef ECC_HAS_MULTIVERSION
#define MANY_REGISTERS __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,fma")))
enum { HAS_KERNEL = 1 };
#else
#define MANY_REGISTERS
enum { HAS_KERNEL = 0 };
#endif

enum { MOST_D = 8 };

/* A tile, and what its rows share. */
struct tile {
    const float *z_j; /* coordinates of the items j */
    float *force_j;   /* and what they are pushed by */
    float *bar;       /* [ECC_TILE] infinity for items j that do not count, or 0 */
    float *x, *w;     /* [ECC_TILE] of a row: |z_i - z_j|^2/M, 1/(1 + x) */
    float per_m;
};

static bool has_size(size_t d)
{
    return d == 2 || d == 4 || d == 8;
}

bool ecc_tile_log_takes(const struct ecc_tile_task *task)
{
    return HAS_KERNEL && task->law == &ecc_law_log && task->force && has_size(task->d) &&
           !ecc_logsum_is_excess(task->largest) && ecc_processor_vectors() == ECC_VECTORS_AVX512;
}

ECC_INLINE void weigh(float *restrict x, float *restrict w, const float *restrict bar,
                      const float *restrict z_j, const float *restrict z_i, float per_m,
                      size_t begin, size_t end, size_t d)
{
    for (size_t j = begin; j < end; j += 8) {
        ecc_f8 squares = {0};
        for (size_t k = 0; k < d; k++) {
            const ecc_f8 difference = z_i[8 * k] - ecc_load8(z_j + j * d + 8 * k);
            squares += difference * difference;
        }
        const ecc_f8 scaled = squares * per_m + ecc_load8(bar + j);
        ecc_store8(x + j, scaled);
        ecc_store8(w + j, 1.0F / (1.0F + scaled));
    }
}

/* Adds w_ij (z_i - z_j) to item i and subtracts it from items j; on the way, if asked, multiplies
 * the terms of the row, which would take as long alone. */
ECC_INLINE void push(struct ecc_pair_sum *restrict sum, const float *restrict x,
                     float *restrict force_i, float *restrict force_j, const float *restrict w,
                     const float *restrict z_j, const float *restrict z_i, size_t begin, size_t end,
                     size_t d, bool with_terms)
{
    ecc_f8 total[MOST_D];
    ecc_d4 low = *(const ecc_d4 *)sum->lanes, high = *(const ecc_d4 *)(sum->lanes + 4);
    const double factor = sum->factor;
    for (size_t k = 0; k < MOST_D; k++) total[k] = (ecc_f8){0};
    for (size_t j = begin; j < end; j += 8) {
        const ecc_f8 w_ij = ecc_load8(w + j);
        if (with_terms) ecc_logsum_multiply(&low, &high, ecc_load8(x + j), factor);
        for (size_t k = 0; k < d; k++) {
            float *const target = force_j + j * d + 8 * k;
            const ecc_f8 force = w_ij * (z_i[8 * k] - ecc_load8(z_j + j * d + 8 * k));
            total[k] += force;
            ecc_store8(target, ecc_load8(target) - force);
        }
    }
    *(ecc_d4 *)sum->lanes = low;
    *(ecc_d4 *)(sum->lanes + 4) = high;
    for (size_t k = 0; k < d; k += 4) {
        const ecc_f4 sums = ecc_add_lanes4x8(total[k], total[k + 1], total[k + 2], total[k + 3]);
        for (size_t c = 0; c < 4 && k + c < d; c++) force_i[8 * (k + c)] += sums[c];
    }
}

/* Where a logarithm falls due within the row, its terms are multiplied apart. */
ECC_INLINE void add_row(const struct tile *tile, struct ecc_pair_sum *sum, float *force_i,
                        const float *z_i, size_t begin, size_t end, size_t d)
{
    const size_t vectors = (end - begin) / 8;
    weigh(tile->x, tile->w, tile->bar, tile->z_j, z_i, tile->per_m, begin, end, d);
    if (sum->left >= vectors) {
        push(sum, tile->x, force_i, tile->force_j, tile->w, tile->z_j, z_i, begin, end, d, true);
        sum->left -= vectors;
        return;
    }
    ecc_logsum_add(sum, tile->x, begin, end);
    push(sum, tile->x, force_i, tile->force_j, tile->w, tile->z_j, z_i, begin, end, d, false);
}

ECC_INLINE void add_rows(const struct ecc_tile_task *task, const struct tile *tile,
                         struct ecc_pair_sum *sum, size_t i0, size_t i1, bool square, size_t end,
                         size_t d)
{
    for (size_t i = i0; i < i1; i++) {
        const size_t first = square ? i - i0 + 1 : 0, at = ecc_slot(i, d);
        if (square) tile->bar[first - 1] = INFINITY;
        add_row(tile, sum, task->force + at, task->coordinate + at, first / 8 * 8, end, d);
    }
}

MANY_REGISTERS
static void add_tile(const struct ecc_tile_task *task, const struct tile *tile,
                     struct ecc_pair_sum *sum, size_t i0, size_t i1, bool square, size_t end)
{
    switch (task->d) {
    case 2: add_rows(task, tile, sum, i0, i1, square, end, 2); break;
    case 4: add_rows(task, tile, sum, i0, i1, square, end, 4); break;
    default: add_rows(task, tile, sum, i0, i1, square, end, 8);
    }
}

void ecc_tile_log(const struct ecc_tile_task *task, struct ecc_tile_scratch *scratch,
                  struct ecc_pair_sum *sum, size_t i0, size_t i1, size_t j0, size_t j1)
{
    float x[ECC_TILE], w[ECC_TILE];
    const size_t count = j1 - j0, end = (count + 7) / 8 * 8;
    const struct tile tile = {
        .z_j = task->coordinate + j0 * task->d,
        .force_j = scratch->force,
        .bar = scratch->pairs,
        .x = x,
        .w = w,
        .per_m = (float)(task->unit * task->unit / task->m),
    };
    memset(tile.bar, 0, count * sizeof *tile.bar);
    for (size_t j = count; j < end; j++) tile.bar[j] = INFINITY;
    add_tile(task, &tile, sum, i0, i1, ecc_tile_is_square(task, i0, j0), end);
}
