/*
 * mmd.c: the regularizer of WAE-MMD (Tolstikhin et al., 2018), as its authors' code has it.
 *
 * MMD^2 = mean k(z, z') + mean k(p, p') - 2 mean k(z, p) with distinct pairs in the first two
 * means, between the latents and a sample p of the standard normal, drawn again at every step.  The
 * kernel is k(x, y) = sum over seven s of C/(C + |x - y|^2), C = 2 d s.  The estimator is unbiased,
 * so its value may be negative.
 *
 * Another kernel, exp(-|x - y|^2/d^2), makes it the regularizer of InfoVAE (Zhao, Song & Ermon,
 * 2019) as its authors' code has it: biased, with the pairs of an item with itself, so its value is
 * never negative.  (They draw 200 items of the prior, here as many as latents.)
 *
 * Every row of pairs is computed by one thread and in the same order, with any number of threads.
 */
#include "method/mmd.h"
#include "base/arena.h"
#include "base/rng.h"
#include "base/streams.h"
#include "base/threads.h"
#include "method/mmd_rows.h"
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { KERNEL = 0 }; /* its option */

const double ecc_mmd_scales[ECC_MMD_SCALES] = {.1, .2, .5, 1, 2, 5, 10};

enum {
    block_rows = 32, /* items that a thread takes at a time; a multiple of ECC_MMD_ROWS */
    max_dimension = 1 << 20,
};

/* Memory of one thread. */
struct mmd_scratch {
    float *pairs; /* [ECC_MMD_ROWS, ECC_MMD_TILE] */
    float *draw;  /* [block_rows, d] */
    double *within,
        *across; /* [block_rows, d] forces by other latents, and by the prior's sample */
};

/* Sums of the kernel over the rows of a block. */
struct mmd_sums {
    double latents, prior, cross;
};

struct mmd_plan {
    size_t n_max, d;
    uint64_t seed;
    bool gaussian; /* InfoVAE's kernel */
    int threads;
    struct ecc_arena arena;
    float *z, *prior;            /* [d, stride]: coordinates apart */
    struct mmd_sums *sums;       /* [blocks] */
    struct mmd_scratch *scratch; /* [threads] */
};

/* One evaluation. */
struct mmd_task {
    size_t n, stride;
    uint64_t step;
    const float *z; /* [n, d], the caller's */
    float *dz;      /* [n, d], or NULL */
};

/* ---- Planning ------------------------------------------------------------------------------- */

static size_t count_blocks(size_t n)
{
    return n / block_rows + (n % block_rows != 0);
}

/* Kernels read past the end, up to the end of the last block.  An odd number of cache lines, so
 * that an item's coordinates do not fall into the same set of the cache. */
static size_t row_stride(size_t n)
{
    return count_blocks(n) * block_rows + ECC_ALIGNMENT / sizeof(float);
}

static void cut_memory(struct mmd_plan *plan)
{
    struct ecc_arena *const arena = &plan->arena;
    const size_t d = plan->d, threads = (size_t)plan->threads;
    plan->z = ecc_arena_cut(arena, row_stride(plan->n_max), d * sizeof *plan->z);
    plan->prior = ecc_arena_cut(arena, row_stride(plan->n_max), d * sizeof *plan->prior);
    plan->sums = ecc_arena_cut(arena, count_blocks(plan->n_max), sizeof *plan->sums);
    plan->scratch = ecc_arena_cut(arena, threads, sizeof *plan->scratch);
    for (size_t t = 0; t < threads; t++) {
        const struct mmd_scratch scratch = {
            .pairs = ecc_arena_cut(arena, ECC_MMD_ROWS, ECC_MMD_TILE * sizeof(float)),
            .draw = ecc_arena_cut(arena, block_rows, d * sizeof(float)),
            .within = ecc_arena_cut(arena, block_rows, d * sizeof(double)),
            .across = ecc_arena_cut(arena, block_rows, d * sizeof(double)),
        };
        if (arena->base) plan->scratch[t] = scratch;
    }
}

static void mmd_destroy(void *state)
{
    struct mmd_plan *const plan = state;
    if (!plan) return;
    ecc_arena_release(&plan->arena);
    free(plan);
}

static enum ecc_status mmd_create(void **state, size_t n_max, size_t d,
                                  const struct ecc_regularizer_options *options,
                                  struct ecc_error *error)
{
    *state = NULL;
    const struct ecc_regularizer_options settings = options ? *options : ecc_regularizer_defaults();
    if (n_max < 2 || d < 1 || d > max_dimension) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "MMD is a sum over pairs: n is %zu and d is %zu, expected at least 2 items "
                        "of 1 to %d dimensions",
                        n_max, d, max_dimension);
    }
    if (n_max > SIZE_MAX / 64) return ecc_fail_memory(error, "a plan of MMD");
    struct mmd_plan *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "a plan of MMD");
    plan->n_max = n_max;
    plan->d = d;
    plan->seed = settings.seed;
    plan->gaussian = settings.own[KERNEL] > 0;
    plan->threads = ecc_threads(settings.loss.threads);
    cut_memory(plan);
    const enum ecc_status status = ecc_arena_reserve(&plan->arena, "a plan of MMD", error);
    if (status != ECC_OK) {
        mmd_destroy(plan);
        return status;
    }
    cut_memory(plan);
    *state = plan;
    return ECC_OK;
}

/* ---- Both samples, with coordinates apart --------------------------------------------------- */

void ecc_mmd_prior(float *prior, size_t n, size_t d, uint64_t seed, uint64_t step)
{
    ecc_rng_normal_f32(prior, seed, ECC_STREAM_MMD + step, 0, n * d);
}

/* out: [d, stride] receives `rows` items from item i0 on; the rest of the block is zeros. */
static void spread(float *out, const float *items, size_t i0, size_t rows, size_t stride, size_t d)
{
    for (size_t k = 0; k < d; k++) {
        float *const to = out + k * stride + i0;
        for (size_t r = 0; r < rows; r++) to[r] = items[r * d + k];
        for (size_t r = rows; r < block_rows; r++) to[r] = 0;
    }
}

static size_t rows_of(size_t block, size_t n)
{
    const size_t left = n - block * block_rows;
    return left < block_rows ? left : block_rows;
}

static void prepare_block(struct mmd_plan *plan, const struct mmd_task *task,
                          struct mmd_scratch *scratch, size_t block)
{
    const size_t d = plan->d, i0 = block * block_rows, rows = rows_of(block, task->n);
    ecc_rng_normal_f32(scratch->draw, plan->seed, ECC_STREAM_MMD + task->step, i0 * d, rows * d);
    spread(plan->prior, scratch->draw, i0, rows, task->stride, d);
    spread(plan->z, task->z + i0 * d, i0, rows, task->stride, d);
}

/* ---- Rows of pairs -------------------------------------------------------------------------- */

/* Which columns of a row count. */
enum columns { ALL_COLUMNS, ALL_BUT_ITSELF, THOSE_AFTER };

/* Marks the pairs that do not count: columns beyond the sample's end and those that `columns`
 * leaves out. */
static void mask_row(float *x, size_t row, size_t j0, size_t count, size_t n, enum columns columns)
{
    const size_t end = n - j0 < count ? n - j0 : count;
    for (size_t j = end; j < count; j++) x[j] = ECC_MMD_FAR;
    if (columns == ALL_COLUMNS || row < j0) return;
    const size_t own = row - j0;
    for (size_t j = columns == THOSE_AFTER ? 0 : own; j <= own && j < count; j++)
        x[j] = ECC_MMD_FAR;
}

/* The kernel's sum over four rows i.. of a against the columns of b; forces: [ECC_MMD_ROWS, d] are
 * added up unless NULL. */
static double four_rows(const struct mmd_plan *plan, const struct mmd_task *task, float *pairs,
                        double *forces, const float *a, const float *b, size_t i,
                        enum columns columns)
{
    const size_t first = columns == THOSE_AFTER ? i / ECC_MMD_TILE * ECC_MMD_TILE : 0;
    const double d = (double)plan->d;
    const float scale = (float)(plan->gaussian ? 1 / (d * d) : 0.5 / d);
    double sum = 0;
    for (size_t j0 = first; j0 < task->n; j0 += ECC_MMD_TILE) {
        const size_t left = (task->n - j0 + 7) / 8 * 8;
        const size_t count = left < ECC_MMD_TILE ? left : ECC_MMD_TILE;
        ecc_mmd_distances(pairs, a + i, b + j0, task->stride, plan->d, count, scale);
        for (size_t r = 0; r < ECC_MMD_ROWS; r++) {
            float *const x = pairs + r * ECC_MMD_TILE;
            mask_row(x, i + r, j0, count, task->n, columns);
            double row_sum = 0;
            (plan->gaussian ? ecc_mmd_gaussians : ecc_mmd_weights)(x, &row_sum, count);
            if (i + r < task->n) sum += row_sum;
        }
        if (forces) {
            ecc_mmd_forces(forces, pairs, a + i, b + j0, task->stride, plan->d, count);
        }
    }
    return sum;
}

/* Pairs within a sample, with or without those of an item with itself. */
static double pairs_within(const struct mmd_plan *plan, double items)
{
    return items * (plan->gaussian ? items : items - 1);
}

/* Of k = sum of s/(s + u), u = r^2/(2d), the derivative is -w/(2d) (z_i - z_j) times 2; item i is
 * on both sides of the pairs within z, so those count twice. */
static void finish_block(const struct mmd_plan *plan, const struct mmd_task *task,
                         const struct mmd_scratch *scratch, size_t block)
{
    const double items = (double)task->n, d = (double)plan->d;
    const double slope = plan->gaussian ? 1 / (d * d) : 0.5 / d;
    const double within = -4 * slope / pairs_within(plan, items),
                 across = 4 * slope / (items * items);
    float *const dz = task->dz + block * block_rows * plan->d;
    for (size_t i = 0; i < rows_of(block, task->n) * plan->d; i++) {
        dz[i] = (float)(within * scratch->within[i] + across * scratch->across[i]);
    }
}

static void work_block(struct mmd_plan *plan, const struct mmd_task *task,
                       struct mmd_scratch *scratch, size_t block)
{
    const size_t d = plan->d, i0 = block * block_rows, rows = rows_of(block, task->n);
    struct mmd_sums sums = {0};
    if (task->dz) {
        memset(scratch->within, 0, block_rows * d * sizeof *scratch->within);
        memset(scratch->across, 0, block_rows * d * sizeof *scratch->across);
    }
    for (size_t r = 0; r < rows; r += ECC_MMD_ROWS) {
        double *const within = task->dz ? scratch->within + r * d : NULL;
        double *const across = task->dz ? scratch->across + r * d : NULL;
        float *const pairs = scratch->pairs;
        const float *const z = plan->z, *const prior = plan->prior;
        sums.latents += four_rows(plan, task, pairs, within, z, z, i0 + r, ALL_BUT_ITSELF);
        sums.cross += four_rows(plan, task, pairs, across, z, prior, i0 + r, ALL_COLUMNS);
        sums.prior += 2 * four_rows(plan, task, pairs, NULL, prior, prior, i0 + r, THOSE_AFTER);
    }
    plan->sums[block] = sums;
    if (task->dz) finish_block(plan, task, scratch, block);
}

/* ---- Value and gradient --------------------------------------------------------------------- */

static struct ecc_regularizer_value sum_up(const struct mmd_plan *plan, size_t n)
{
    struct mmd_sums all = {0};
    for (size_t block = 0; block < count_blocks(n); block++) {
        all.latents += plan->sums[block].latents;
        all.prior += plan->sums[block].prior;
        all.cross += plan->sums[block].cross;
    }
    const double items = (double)n, pairs = pairs_within(plan, items);
    const double own = plan->gaussian ? items : 0; /* the kernel of items with themselves */
    const double latents = (own + all.latents) / pairs, prior = (own + all.prior) / pairs;
    const double cross = 2 * all.cross / (items * items);
    return (struct ecc_regularizer_value){
        .loss = latents + prior - cross,
        .term_count = 3,
        .terms = {{"latents", latents}, {"prior", prior}, {"across", cross}},
    };
}

static enum ecc_status check_latents(const struct mmd_plan *plan, const float *z, size_t n,
                                     struct ecc_error *error)
{
    ECC_TRY(ecc_check_batch(n, 2, plan->n_max, error));
    ECC_TRY(ecc_check_finite(z, n, plan->d, "z", error));
    float largest = 0;
    for (size_t i = 0; i < n * plan->d; i++) largest = fmaxf(largest, fabsf(z[i]));
    if (largest < 1e12F) return ECC_OK; /* so that no distance passes ECC_MMD_FAR */
    return ecc_fail(error, ECC_BAD_DATA,
                    "the latents reach %.3g, too far for squared distances in float32",
                    (double)largest);
}

static enum ecc_status mmd_evaluate(void *state, struct ecc_regularizer_value *value, float *dz,
                                    const float *z, size_t n, uint64_t step,
                                    struct ecc_error *error)
{
    struct mmd_plan *const plan = state;
    ECC_TRY(check_latents(plan, z, n, error));
    const struct mmd_task task = {.n = n, .stride = row_stride(n), .step = step, .z = z, .dz = dz};
    const size_t blocks = count_blocks(n);
    /* for a small batch, waking threads takes longer than the work */
    const int threads = (double)n * (double)n * (double)(plan->d + 32) < 2e6 ? 1 : plan->threads;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        struct mmd_scratch *const scratch = &plan->scratch[omp_get_thread_num()];
#pragma omp for schedule(static)
        for (size_t block = 0; block < blocks; block++) prepare_block(plan, &task, scratch, block);
#pragma omp for schedule(dynamic)
        for (size_t block = 0; block < blocks; block++) work_block(plan, &task, scratch, block);
    }
    *value = sum_up(plan, n);
    return ECC_OK;
}

static const char *const kernels[] = {"wae", "info", NULL};

static const struct ecc_regularizer_option mmd_options[] = {
    {"kernel", "of WAE: seven inverse quadrics, unbiased; of InfoVAE: a Gaussian, biased", 0,
     .words = kernels},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_mmd = {
    .name = "mmd",
    .summary = "kernel distance to a sample of the standard normal (WAE-MMD)",
    .options = mmd_options,
    .outputs_per_latent = 1,
    .n_min = 2,
    .d_min = 1,
    .create = mmd_create,
    .evaluate = mmd_evaluate,
    .destroy = mmd_destroy,
};
