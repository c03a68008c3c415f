/* bench_measure.c: best times while varying threads, batch and latent size. */
#include "base/clock.h"
#include "base/rng.h"
#include "base/watch.h"
#include "evaluate/bench.h"

#include <cblas.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* size of the square matrices whose product gives the peak */
enum { PEAK_SIZE = 2048, PEAK_SIZE_QUICK = 512 };

/* ---- Timing --------------------------------------------------------------------------------- */

/* The best of as many runs as fit into the time, at least two, after one to warm up. */
static enum ecc_status best_time(const struct ecc_bench *bench, double *seconds,
                                 enum ecc_status (*run)(void *, struct ecc_error *), void *job,
                                 struct ecc_error *error)
{
    const struct ecc_work work = {"bench", "measurements", bench->measured, bench->total, NULL};
    *seconds = INFINITY;
    const double until = ecc_seconds() + bench->seconds;
    for (size_t runs = 0; runs < 3 || ecc_seconds() < until; runs++) {
        ECC_TRY(ecc_watch_work(bench->watch, &work, error));
        const double start = ecc_seconds();
        ECC_TRY(run(job, error));
        const double taken = ecc_seconds() - start;
        if (runs > 0) *seconds = fmin(*seconds, taken);
    }
    return ECC_OK;
}

struct product {
    float *a, *b, *c;
    int n;
};

static enum ecc_status run_product(void *job, struct ecc_error *error)
{
    (void)error;
    const struct product *const p = job;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, p->n, p->n, p->n, 1, p->a, p->n, p->b,
                p->n, 0, p->c, p->n);
    return ECC_OK;
}

/* GFLOP/s of a large matrix product with this many threads. */
static enum ecc_status measure_peak(struct ecc_bench *bench, size_t threads,
                                    struct ecc_error *error)
{
    if (bench->peaks[threads] > 0) return ECC_OK;
    const size_t n = bench->quick ? PEAK_SIZE_QUICK : PEAK_SIZE;
    float *const block = malloc(3 * n * n * sizeof *block);
    if (!block) return ecc_fail_memory(error, "two matrices and their product");
    ecc_rng_uniform_f32(block, 1, 0, 0, 2 * n * n);
    struct product product = {block, block + n * n, block + 2 * n * n, (int)n};
    double seconds;
    const enum ecc_status status = best_time(bench, &seconds, run_product, &product, error);
    free(block);
    const double size = (double)n;
    if (status == ECC_OK) bench->peaks[threads] = 2e-9 * size * size * size / seconds;
    return status;
}

static enum ecc_status measure_on_threads(struct ecc_bench *bench,
                                          const struct ecc_bench_kind *kind,
                                          struct ecc_bench_row *row, struct ecc_error *error)
{
    struct ecc_bench_case at = bench->base;
    at.threads = row->threads;
    at.batch = row->batch;
    at.latent = row->latent;
    void *job;
    ECC_TRY(measure_peak(bench, row->threads, error));
    ECC_TRY(kind->open(&job, &row->cost, &at, error));
    const enum ecc_status status = best_time(bench, &row->seconds, kind->run, job, error);
    kind->close(job);
    row->peak_gflops = bench->peaks[row->threads];
    return status;
}

/* The caller sets row's threads, batch and latent size; this measures the rest. */
static enum ecc_status measure(struct ecc_bench *bench, const struct ecc_bench_kind *kind,
                               struct ecc_bench_row *row, struct ecc_error *error)
{
    const int before = omp_get_max_threads();
    omp_set_num_threads((int)row->threads);
    const enum ecc_status status = measure_on_threads(bench, kind, row, error);
    omp_set_num_threads(before);
    if (status != ECC_OK) return status;
    const struct ecc_work work = {"bench", "measurements", ++bench->measured, bench->total,
                                  kind->name};
    return ecc_watch_work(bench->watch, &work, error);
}

size_t *ecc_bench_value(struct ecc_bench_row *row, enum ecc_bench_axis axis)
{
    return axis == ECC_BENCH_THREADS ? &row->threads
           : axis == ECC_BENCH_BATCH ? &row->batch
                                     : &row->latent;
}

/* ---- What is measured ----------------------------------------------------------------------- */

/* 1, 2, ... 8, then doubled each time, and `most` itself. */
static size_t thread_counts(size_t *values, size_t most)
{
    size_t count = 0;
    for (size_t t = 1; t < most && count + 1 < ECC_BENCH_MOST_ROWS; t += t < 8 ? 1 : t) {
        values[count++] = t;
    }
    values[count++] = most;
    return count;
}

/* A quarter of `middle` to four times it, at least 2. */
static size_t around(size_t *values, size_t middle, bool quick)
{
    size_t count = 0;
    for (size_t quarters = quick ? 2 : 1; quarters <= (quick ? 8 : 16); quarters *= 2) {
        const size_t value = middle * quarters / 4;
        if (value >= 2 && value * 4 == middle * quarters) values[count++] = value;
    }
    return count;
}

static size_t axis_values(size_t values[ECC_BENCH_MOST_ROWS], const struct ecc_bench_row *main,
                          enum ecc_bench_axis axis, bool quick)
{
    return axis == ECC_BENCH_THREADS ? thread_counts(values, main->threads)
           : axis == ECC_BENCH_BATCH ? around(values, main->batch, quick)
                                     : around(values, main->latent, quick);
}

static enum ecc_status measure_axis(struct ecc_bench *bench, struct ecc_bench_result *result,
                                    enum ecc_bench_axis axis, struct ecc_error *error)
{
    size_t values[ECC_BENCH_MOST_ROWS];
    result->counts[axis] = axis_values(values, &result->main, axis, bench->quick);
    for (size_t i = 0; i < result->counts[axis]; i++) {
        struct ecc_bench_row *const row = &result->rows[axis][i];
        *row = result->main;
        if (*ecc_bench_value(row, axis) == values[i]) continue; /* already measured */
        *ecc_bench_value(row, axis) = values[i];
        ECC_TRY(measure(bench, result->kind, row, error));
    }
    return ECC_OK;
}

enum ecc_status ecc_bench_measure(struct ecc_bench *bench, struct ecc_bench_result *result,
                                  struct ecc_error *error)
{
    ECC_TRY(measure(bench, result->kind, &result->main, error));
    for (int axis = 0; axis < ECC_BENCH_AXES; axis++) {
        ECC_TRY(measure_axis(bench, result, (enum ecc_bench_axis)axis, error));
    }
    return ECC_OK;
}

size_t ecc_bench_count(const struct ecc_bench *bench, const struct ecc_bench_row *main)
{
    size_t values[ECC_BENCH_MOST_ROWS], count = 1;
    for (int axis = 0; axis < ECC_BENCH_AXES; axis++) {
        count += axis_values(values, main, (enum ecc_bench_axis)axis, bench->quick) - 1;
    }
    return count;
}
