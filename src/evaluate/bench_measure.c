/* bench_measure.c: best times while varying threads, batch and latent size. */
#include "base/clock.h"
#include "base/rng.h"
#include "base/threads.h"
#include "base/watch.h"
#include "evaluate/bench.h"

#include <cblas.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* size of the square matrices whose product gives the peak */
enum { PEAK_SIZE = 2048, PEAK_SIZE_QUICK = 512 };

/* What all measurements of one call share. */
struct bench {
    struct ecc_bench_case base; /* threads, batch and latent size come from the rows */
    double seconds;             /* for each measurement */
    bool quick;
    const struct ecc_watch *watch;     /* or NULL */
    size_t measured, total;            /* measurements done, and planned, for the watch */
    double peaks[ECC_MAX_THREADS + 1]; /* GFLOP/s of sgemm by threads, 0 if not yet measured */
};

/* ---- Timing --------------------------------------------------------------------------------- */

/* The best of as many runs as fit into the time, at least two, after one to warm up. */
static enum ecc_status best_time(const struct bench *bench, double *seconds,
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
static enum ecc_status measure_peak(struct bench *bench, size_t threads, struct ecc_error *error)
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

static enum ecc_status measure_on_threads(struct bench *bench, const struct ecc_bench_kind *kind,
                                          struct ecc_bench_row *row, struct ecc_error *error)
{
    struct ecc_bench_case at = bench->base;
    struct ecc_bench_cost cost;
    void *job;
    at.train.threads = row->threads;
    at.train.batch = row->batch;
    at.train.latent = row->latent;
    ECC_TRY(measure_peak(bench, row->threads, error));
    ECC_TRY(kind->open(&job, &cost, &at, error));
    const enum ecc_status status = best_time(bench, &row->seconds, kind->run, job, error);
    kind->close(job);
    row->flops = cost.flops;
    row->bytes = cost.bytes;
    row->peak_gflops = bench->peaks[row->threads];
    return status;
}

/* The caller sets row's threads, batch and latent size; this measures the rest. */
static enum ecc_status measure(struct bench *bench, const struct ecc_bench_kind *kind,
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

static enum ecc_status measure_axis(struct bench *bench, struct ecc_bench_result *result,
                                    enum ecc_bench_axis axis, struct ecc_error *error)
{
    const struct ecc_bench_kind *const kind = &ecc_bench_kinds[result->what];
    size_t values[ECC_BENCH_MOST_ROWS];
    result->counts[axis] = axis_values(values, &result->main, axis, bench->quick);
    for (size_t i = 0; i < result->counts[axis]; i++) {
        struct ecc_bench_row *const row = &result->rows[axis][i];
        *row = result->main;
        if (*ecc_bench_value(row, axis) == values[i]) continue; /* already measured */
        *ecc_bench_value(row, axis) = values[i];
        ECC_TRY(measure(bench, kind, row, error));
    }
    return ECC_OK;
}

static enum ecc_status measure_result(struct bench *bench, struct ecc_bench_result *result,
                                      struct ecc_error *error)
{
    ECC_TRY(measure(bench, &ecc_bench_kinds[result->what], &result->main, error));
    for (int axis = 0; axis < ECC_BENCH_AXES; axis++) {
        ECC_TRY(measure_axis(bench, result, (enum ecc_bench_axis)axis, error));
    }
    return ECC_OK;
}

/* How many measurements this takes. */
static size_t count_measurements(const struct bench *bench, const struct ecc_bench_row *main)
{
    size_t values[ECC_BENCH_MOST_ROWS], count = 1;
    for (int axis = 0; axis < ECC_BENCH_AXES; axis++) {
        count += axis_values(values, main, (enum ecc_bench_axis)axis, bench->quick) - 1;
    }
    return count;
}

/* ---- All ------------------------------------------------------------------------------------ */

struct ecc_bench_options ecc_bench_defaults(void)
{
    struct ecc_bench_options options = {.train = ecc_train_defaults(), .points = 8192};
    options.train.data = NULL;
    options.train.net = "paper-mnist";
    options.train.batch = 100;
    options.train.width = 1;
    options.train.latent = 0;
    return options;
}

static struct ecc_bench_result prepare(const struct bench *bench, enum ecc_bench_what what,
                                       const struct ecc_bench_options *options)
{
    const struct ecc_train_options *const train = &options->train;
    const bool loss = what == ECC_BENCH_LOSS, faces = strcmp(train->net, "paper-celeba") == 0;
    return (struct ecc_bench_result){
        .what = what,
        .net = loss ? NULL : train->net,
        .data = what == ECC_BENCH_STEP ? bench->base.data_name : NULL,
        .main = {.threads = (size_t)ecc_threads((int)train->threads),
                 .batch = loss ? options->points : train->batch,
                 .latent = train->latent   ? train->latent
                           : loss || faces ? 64
                                           : 8},
    };
}

static enum ecc_status measure_all(struct bench *bench, struct ecc_bench_result *results,
                                   const enum ecc_bench_what *what, size_t count,
                                   const struct ecc_bench_options *options, struct ecc_error *error)
{
    for (size_t i = 0; i < count; i++) {
        results[i] = prepare(bench, what[i], options);
        bench->total += count_measurements(bench, &results[i].main);
    }
    for (size_t i = 0; i < count; i++) ECC_TRY(measure_result(bench, &results[i], error));
    return ECC_OK;
}

enum ecc_status ecc_bench(struct ecc_bench_result *results, const enum ecc_bench_what *what,
                          size_t count, const struct ecc_bench_options *options,
                          const struct ecc_watch *watch, struct ecc_error *error)
{
    struct bench bench = {.quick = options->quick, .watch = watch};
    bench.seconds = options->seconds > 0 ? options->seconds : options->quick ? 0.05 : 0.5;
    enum ecc_status status = ecc_bench_case_init(&bench.base, &options->train, error);
    if (status == ECC_OK) status = measure_all(&bench, results, what, count, options, error);
    ecc_bench_case_release(&bench.base);
    return status;
}
