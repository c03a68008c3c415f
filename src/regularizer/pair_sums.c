/*
 * pair_sums.c: sums over all pairs of a batch, and their forces.
 *
 * The items are cut into blocks and the pairs into tiles of two blocks.  Tiles are visited in
 * rounds, as in a tournament: no block is in two tiles of a round, so threads never add to the same
 * item, and every item's terms are added in the same order with any number of threads.
 *
 * Of items together with their mirror images, pairs (i, j) and (i, -j) with i < j stand for all:
 * the pairs (-i, -j) and (-i, j) are the same.  Besides there are the pairs (i, -i).
 */
#include "regularizer/pair_sums.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "base/threads.h"
#include "regularizer/block.h"
#include "regularizer/log_sum.h"
#include "regularizer/tile.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct ecc_pair_sums {
    const struct ecc_pair_law *law;
    size_t n_max, d, blocks_max;
    double m;    /* of the last evaluation */
    double unit; /* a power of two near sqrt(M): dividing by it is exact */
    int threads;
    bool direct; /* differences of coordinates instead of matrix products */
    bool mirrored;
    struct ecc_arena arena;
    float *scaled, *norm;              /* gram: [n, d], [n] */
    double *weight;                    /* gram: [n] */
    float *coordinate, *force;         /* direct: [groups, d, 8] each */
    float *own_weight;                 /* mirrored: [n / 2], w of each item and its image */
    double *block_terms;               /* [blocks] sums of f */
    struct ecc_block_summary *summary; /* [blocks] */
    double *block_sum;                 /* [blocks, d] sums of coordinates */
    double *centre;                    /* [d] */
    struct ecc_tile_scratch *scratch;  /* [threads] */
    struct ecc_pair_share share;       /* size 0: no others */
};

/* ---- Planning ------------------------------------------------------------------------------- */

/* Items that are paired: all, or without their images. */
static size_t paired(const struct ecc_pair_sums *plan, size_t n)
{
    return plan->mirrored ? n / 2 : n;
}

static size_t whole_groups(size_t n)
{
    return (n + 7) / 8 * 8;
}

/* Where images begin; direct: a group of eight of their own. */
static size_t first_image(const struct ecc_pair_sums *plan, size_t n)
{
    return plan->direct ? whole_groups(n / 2) : n / 2;
}

/* direct: places for n items in groups of eight. */
static size_t places(const struct ecc_pair_sums *plan, size_t n)
{
    return plan->mirrored ? 2 * first_image(plan, n) : whole_groups(n);
}

/* direct: the place of item i of n. */
static size_t place_of(const struct ecc_pair_sums *plan, size_t i, size_t n)
{
    return i < paired(plan, n) ? i : i - n / 2 + first_image(plan, n);
}

static void cut_memory(struct ecc_pair_sums *plan)
{
    struct ecc_arena *const arena = &plan->arena;
    const size_t n = plan->n_max, d = plan->d, blocks = plan->blocks_max;
    const size_t threads = (size_t)plan->threads;
    plan->block_terms = ecc_arena_cut(arena, blocks, sizeof *plan->block_terms);
    plan->summary = ecc_arena_cut(arena, blocks, sizeof *plan->summary);
    plan->scratch = ecc_arena_cut(arena, threads, sizeof *plan->scratch);
    plan->block_sum = ecc_arena_cut(arena, blocks, d * sizeof *plan->block_sum);
    plan->centre = ecc_arena_cut(arena, d, sizeof *plan->centre);
    if (plan->mirrored) plan->own_weight = ecc_arena_cut(arena, whole_groups(n), sizeof(float));
    if (plan->direct) {
        plan->coordinate = ecc_arena_cut(arena, places(plan, n), d * sizeof *plan->coordinate);
        plan->force = ecc_arena_cut(arena, places(plan, n), d * sizeof *plan->force);
    } else {
        plan->scaled = ecc_arena_cut(arena, n, d * sizeof *plan->scaled);
        plan->norm = ecc_arena_cut(arena, n, sizeof *plan->norm);
        plan->weight = ecc_arena_cut(arena, n, sizeof *plan->weight);
    }
    for (size_t t = 0; t < threads; t++) {
        struct ecc_tile_scratch scratch = {0};
        const size_t rows = plan->direct ? 1 : ECC_TILE;
        scratch.pairs = ecc_arena_cut(arena, rows, ECC_TILE * sizeof(float));
        if (plan->direct) {
            scratch.force = ecc_arena_cut(arena, d, ECC_TILE * sizeof(float));
        } else {
            scratch.column = ecc_arena_cut(arena, ECC_TILE, sizeof(float));
            scratch.near_x = ecc_arena_cut(arena, ECC_TILE, sizeof(float));
            scratch.near_pair = ecc_arena_cut(arena, ECC_TILE, sizeof(size_t));
        }
        if (arena->base) plan->scratch[t] = scratch;
    }
}

enum ecc_status ecc_pair_sums_create(struct ecc_pair_sums **result, size_t n_max, size_t d,
                                     const struct ecc_pair_law *law, enum ecc_pair_items items,
                                     int threads, struct ecc_error *error)
{
    *result = NULL;
    if (n_max > PTRDIFF_MAX / sizeof(double) / (d + 1)) {
        return ecc_fail(error, ECC_NO_MEMORY, "%zu items of %zu dimensions do not fit in memory",
                        n_max, d);
    }
    struct ecc_pair_sums *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "a plan of the loss");
    plan->law = law;
    plan->n_max = n_max;
    plan->d = d;
    plan->blocks_max = (n_max + ECC_TILE - 1) / ECC_TILE;
    plan->direct = d <= ECC_DIRECT_MAX_DIM;
    plan->mirrored = items == ECC_MIRRORED;
    const int wanted = ecc_threads(threads);
    plan->threads = (size_t)wanted < plan->blocks_max ? wanted : (int)plan->blocks_max;
    cut_memory(plan);
    const enum ecc_status status = ecc_arena_reserve(&plan->arena, "a plan of the loss", error);
    if (status != ECC_OK) {
        free(plan);
        return status;
    }
    cut_memory(plan);
    *result = plan;
    return ECC_OK;
}

size_t ecc_pair_sums_bytes(const struct ecc_pair_sums *plan)
{
    return plan->arena.capacity + sizeof *plan;
}

void ecc_pair_sums_free(struct ecc_pair_sums *plan)
{
    if (!plan) return;
    ecc_arena_release(&plan->arena);
    free(plan);
}

/* ---- A first look at the items -------------------------------------------------------------- */

static size_t block_end(size_t block, size_t n)
{
    const size_t end = (block + 1) * ECC_TILE;
    return end < n ? end : n;
}

/* Sums of squares and of coordinates; finds numbers that are not finite. */
static void summarise_block(struct ecc_pair_sums *plan, const float *z, size_t n, size_t block)
{
    const size_t d = plan->d, first = block * ECC_TILE, count = block_end(block, n) - first;
    plan->block_terms[block] = 0;
    ecc_block_summarise(&plan->summary[block], plan->block_sum + block * d, z + first * d, count,
                        d);
}

/* How far the items are from the centre. */
static void measure_block(struct ecc_pair_sums *plan, const float *z, size_t n, size_t block)
{
    const size_t d = plan->d, first = block * ECC_TILE, count = block_end(block, n) - first;
    ecc_block_measure(&plan->summary[block], plan->centre, z + first * d, count, d);
}

/* gram: items centred, divided by sqrt(M), and their norms. */
static void centre_block(struct ecc_pair_sums *plan, const float *z, size_t n, size_t block)
{
    const size_t d = plan->d, first = block * ECC_TILE, count = block_end(block, n) - first;
    ecc_block_centre(plan->scaled + first * d, plan->norm + first, z + first * d, plan->centre,
                     1.0 / sqrt(plan->m), count, d);
    memset(plan->weight + first, 0, count * sizeof *plan->weight);
}

/* direct: no forces yet, and zeros in the places without an item. */
static void clear_groups(struct ecc_pair_sums *plan, size_t n)
{
    const size_t d = plan->d, items = paired(plan, n), end = places(plan, n);
    memset(plan->force, 0, end * d * sizeof *plan->force);
    memset(plan->coordinate + items / 8 * 8 * d, 0,
           (whole_groups(items) - items / 8 * 8) * d * sizeof *plan->coordinate);
    memset(plan->coordinate + (end - 8) * d, 0, 8 * d * sizeof *plan->coordinate);
}

/* direct: eight items fill a register with each coordinate, in the plan's unit. */
static void group_block(struct ecc_pair_sums *plan, const float *z, size_t n, size_t block)
{
    const size_t d = plan->d;
    const float scale = (float)(1.0 / plan->unit);
    for (size_t i = block * ECC_TILE; i < block_end(block, n); i++) {
        float *const out = plan->coordinate + ecc_slot(place_of(plan, i, n), d);
        for (size_t k = 0; k < d; k++) out[8 * k] = z[i * d + k] * scale;
    }
}

static enum ecc_status report_bad_item(const float *z, size_t item, size_t d,
                                       struct ecc_error *error)
{
    size_t k = 0;
    while (k + 1 < d && isfinite(z[item * d + k])) k++;
    return ecc_fail(error, ECC_BAD_DATA, "z[%zu, %zu] is %s, expected finite latents", item, k,
                    isnan(z[item * d + k]) ? "NaN" : "infinite");
}

static enum ecc_status check_summaries(const struct ecc_pair_sums *plan, const float *z, size_t n,
                                       struct ecc_error *error)
{
    for (size_t block = 0; block * ECC_TILE < n; block++) {
        const size_t item = plan->summary[block].bad_item;
        if (item != SIZE_MAX) return report_bad_item(z, block * ECC_TILE + item, plan->d, error);
    }
    return ECC_OK;
}

static void find_centre(struct ecc_pair_sums *plan, size_t n)
{
    memset(plan->centre, 0, plan->d * sizeof *plan->centre);
    for (size_t block = 0; block * ECC_TILE < n; block++) {
        for (size_t k = 0; k < plan->d; k++) {
            plan->centre[k] += plan->block_sum[block * plan->d + k] / (double)n;
        }
    }
}

/* ---- The tournament ------------------------------------------------------------------------- */

void ecc_pair_sums_share(struct ecc_pair_sums *plan, const struct ecc_pair_share *share)
{
    plan->share = *share;
}

static bool is_shared(const struct ecc_pair_sums *plan, size_t n)
{
    return plan->share.size > 1 && n >= plan->share.least;
}

/* Match number `match` of a round: which two of `players` (even) meet.  Round 0 is each block with
 * itself; rounds 1 to players - 1 bring every other pair together once (the circle method). */
static void pair_blocks(size_t *a, size_t *b, size_t round, size_t match, size_t players)
{
    if (round == 0) {
        *a = *b = match;
        return;
    }
    const size_t others = players - 1;
    const size_t x = match == 0 ? others : (round + match) % others;
    const size_t y = (round + others - match) % others;
    *a = x < y ? x : y;
    *b = x < y ? y : x;
}

static void run_round(struct ecc_pair_sums *plan, const struct ecc_tile_task *task, size_t round,
                      size_t blocks, int thread)
{
    const size_t players = blocks + blocks % 2, n = paired(plan, task->n), image = task->mirror;
    const size_t matches = round == 0 ? blocks : players / 2;
    ecc_tile_kernel *const kernel = plan->direct ? ecc_tile_direct : ecc_tile_gram;
    const bool shared = is_shared(plan, task->n);
#pragma omp for schedule(dynamic)
    for (size_t match = 0; match < matches; match++) {
        size_t a, b;
        if (shared && (round + match) % plan->share.size != plan->share.rank) continue;
        pair_blocks(&a, &b, round, match, players);
        if (b >= blocks) continue;
        const size_t from = b * ECC_TILE, to = block_end(b, n);
        struct ecc_tile_scratch *const scratch = &plan->scratch[thread];
        plan->block_terms[a] += kernel(task, scratch, a * ECC_TILE, block_end(a, n), from, to);
        if (!plan->mirrored) continue;
        plan->block_terms[a] +=
            kernel(task, scratch, a * ECC_TILE, block_end(a, n), image + from, image + to);
    }
}

/* For a batch of a hundred, waking threads takes longer than the work. */
static int threads_for(const struct ecc_pair_sums *plan, size_t n)
{
    const double work = (double)n * (double)paired(plan, n) * (double)(plan->d + 8);
    return paired(plan, n) <= ECC_TILE || work < 4e6 ? 1 : plan->threads;
}

typedef void look(struct ecc_pair_sums *plan, const float *z, size_t n, size_t block);

static void for_blocks(struct ecc_pair_sums *plan, const float *z, size_t n, look *job)
{
    const size_t blocks = (n + ECC_TILE - 1) / ECC_TILE;
    const int threads = threads_for(plan, n);
    if (threads == 1) { /* without OpenMP, which takes as long as a small batch */
        for (size_t block = 0; block < blocks; block++) job(plan, z, n, block);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t block = 0; block < blocks; block++) job(plan, z, n, block);
}

static enum ecc_status prepare(struct ecc_pair_sums *plan, const float *z, size_t n,
                               struct ecc_error *error)
{
    for_blocks(plan, z, n, summarise_block);
    ECC_TRY(check_summaries(plan, z, n, error));
    find_centre(plan, n);
    for_blocks(plan, z, n, measure_block);
    if (plan->direct) clear_groups(plan, n);
    for_blocks(plan, z, n, plan->direct ? group_block : centre_block);
    return ECC_OK;
}

/* An upper bound of |z_i - z_j|^2/M: both are within a ball around the centre. */
static double largest_distance(const struct ecc_pair_sums *plan, size_t n)
{
    double spread = 0;
    for (size_t block = 0; block * ECC_TILE < n; block++) {
        spread = fmax(spread, plan->summary[block].spread);
    }
    return 4.001 * spread / plan->m;
}

static void run_rounds(struct ecc_pair_sums *plan, const struct ecc_tile_task *task, int thread)
{
    const size_t blocks = (paired(plan, task->n) + ECC_TILE - 1) / ECC_TILE;
    const size_t rounds = blocks < 2 ? 1 : blocks + blocks % 2;
    for (size_t round = 0; round < rounds; round++) run_round(plan, task, round, blocks, thread);
}

static void run_tournament(struct ecc_pair_sums *plan, const struct ecc_tile_task *task)
{
    const int threads = threads_for(plan, task->n);
    if (threads == 1 && plan->direct) {
        run_rounds(plan, task, 0);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        /* for this region only: BLAS must not start its own threads within a tile */
        if (!plan->direct) omp_set_num_threads(1);
        run_rounds(plan, task, omp_get_thread_num());
    }
}

/* ---- Items and their images ----------------------------------------------------------------- */

/* The sum of f over pairs (i, -i), x = 4 |z|^2/M, and their weights. */
static double add_own_pairs(struct ecc_pair_sums *plan, const float *z, size_t n, double largest,
                            bool with_forces)
{
    const size_t d = plan->d, end = (n + 7) / 8 * 8;
    struct ecc_pair_sum sum;
    plan->law->start(&sum, largest, 1);
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        for (size_t k = i * d; k < (i + 1) * d; k++) squares += (double)z[k] * (double)z[k];
        plan->own_weight[i] = (float)(4 * squares / plan->m);
    }
    for (size_t i = n; i < end; i++) plan->own_weight[i] = INFINITY;
    plan->law->add(&sum, plan->own_weight, 0, end);
    if (with_forces) plan->law->weights(plan->own_weight, 0, end);
    return plan->law->flush(&sum);
}

/* The shares of all processes together. */
static enum ecc_status add_shares(struct ecc_pair_sums *plan, float *dz, size_t n,
                                  struct ecc_error *error)
{
    const struct ecc_pair_share *const share = &plan->share;
    const size_t blocks = (n + ECC_TILE - 1) / ECC_TILE;
    ECC_TRY(share->add_doubles(share->context, plan->block_terms, blocks, error));
    if (!dz) return ECC_OK;
    if (plan->direct) {
        return share->add(share->context, plan->force, plan->d * places(plan, n), error);
    }
    ECC_TRY(share->add_doubles(share->context, plan->weight, n, error));
    return share->add(share->context, dz, n * plan->d, error);
}

/* ---- Value and gradient --------------------------------------------------------------------- */

static struct ecc_pair_totals sum_up(struct ecc_pair_sums *plan, const float *z, size_t n,
                                     double largest, bool with_forces)
{
    struct ecc_pair_totals totals = {0};
    for (size_t block = 0; block * ECC_TILE < n; block++) {
        totals.squares += plan->summary[block].squares;
        totals.centred += plan->summary[block].centred;
        totals.terms += plan->block_terms[block];
    }
    if (plan->mirrored) {
        totals.terms = 2 * totals.terms + add_own_pairs(plan, z, n / 2, largest, with_forces);
    }
    totals.excess = plan->law == &ecc_law_log && ecc_logsum_is_excess(largest);
    return totals;
}

/* Coordinate k of sum_j w_ij (z_i - z_j), as far as the tiles have it. */
ECC_INLINE double force_at(const struct ecc_pair_sums *plan, const float *dz, size_t i, size_t k,
                           size_t n, double root_m)
{
    const size_t d = plan->d, at = i * d + k;
    if (plan->direct) {
        return plan->unit * (double)plan->force[ecc_slot(place_of(plan, i, n), d) + 8 * k];
    }
    return root_m * (plan->weight[i] * (double)plan->scaled[at] - (double)dz[at]);
}

/* What an image is pushed by pushes its item the other way. */
static void mirror_forces(const struct ecc_pair_sums *plan, float *dz, const float *z, size_t n,
                          double attract, double repel)
{
    const size_t d = plan->d;
    const double root_m = sqrt(plan->m);
    for (size_t i = 0; i < n / 2; i++) {
        const double own = 2 * (double)plan->own_weight[i];
        for (size_t k = 0; k < d; k++) {
            const double z_ik = (double)z[i * d + k];
            const double force = force_at(plan, dz, i, k, n, root_m) -
                                 force_at(plan, dz, n / 2 + i, k, n, root_m) + own * z_ik;
            dz[i * d + k] = (float)(attract * z_ik - repel * force);
        }
    }
}

static void item_gradient(const struct ecc_pair_sums *plan, float *dz, const float *z, size_t i,
                          size_t n, double attract, double repel)
{
    const double root_m = sqrt(plan->m);
    for (size_t k = 0; k < plan->d; k++) {
        const double force = force_at(plan, dz, i, k, n, root_m);
        const size_t at = i * plan->d + k;
        dz[at] = (float)(attract * (double)z[at] - repel * force);
    }
}

void ecc_pair_sums_gradient(const struct ecc_pair_sums *plan, float *dz, const float *z, size_t n,
                            double attract, double repel)
{
    const int threads = threads_for(plan, n);
    if (plan->mirrored) {
        mirror_forces(plan, dz, z, n, attract, repel);
        return;
    }
    if (threads == 1) {
        for (size_t i = 0; i < n; i++) item_gradient(plan, dz, z, i, n, attract, repel);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < n; i++) item_gradient(plan, dz, z, i, n, attract, repel);
}

enum ecc_status ecc_pair_sums_evaluate(struct ecc_pair_sums *plan, struct ecc_pair_totals *totals,
                                       float *dz, const float *z, size_t n, double m,
                                       struct ecc_error *error)
{
    if (n < 2 || n > plan->n_max) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "n is %zu, expected 2 to %zu (as planned)", n,
                        plan->n_max);
    }
    if (dz && dz < z + n * plan->d && z < dz + n * plan->d) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "dz and z overlap, expected two arrays");
    }
    plan->m = m;
    plan->unit = exp2(round(log2(m) / 2));
    ECC_TRY(prepare(plan, z, n, error));
    const double largest = largest_distance(plan, n);
    if (!(largest < (double)FLT_MAX / 16)) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "the latents reach %.3g from their centre, too far for squared distances "
                        "in float32 with M = %g",
                        sqrt(largest * plan->m) / 2, plan->m);
    }
    /* the pull of the others is summed in the caller's dz, without a second copy of the gradient */
    if (dz && !plan->direct) memset(dz, 0, n * plan->d * sizeof *dz);
    const struct ecc_tile_task task = {
        .law = plan->law,
        .n = n,
        .d = plan->d,
        .m = plan->m,
        .unit = plan->unit,
        .z = z,
        .scaled = plan->scaled,
        .norm = plan->norm,
        .coordinate = plan->coordinate,
        .mirror = plan->mirrored ? first_image(plan, n) : 0,
        .pull = plan->direct ? NULL : dz,
        .weight = plan->weight,
        .force = dz ? plan->force : NULL,
        .largest = largest,
    };
    run_tournament(plan, &task);
    if (is_shared(plan, n)) ECC_TRY(add_shares(plan, dz, n, error));
    *totals = sum_up(plan, z, n, largest, dz != NULL);
    return ECC_OK;
}

double ecc_pair_totals_logs(const struct ecc_pair_totals *totals, size_t n, double m)
{
    if (!totals->excess) return totals->terms;
    return (double)n * totals->centred / m - totals->terms;
}
