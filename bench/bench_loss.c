/*
 * bench_loss.c: the eccentric loss beside its floor: two sgemm of n x n x d, one for the distances
 * and one for the gradient, as any implementation by matrix products needs.
 *
 * usage: bench_loss N D [N D ...]     prints one line of JSON per size: best times in seconds
 */
#include "base/clock.h"
#include "base/rng.h"
#include "eccentric.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    size_t n, d;
    float *z, *dz, *square; /* [n, d], [n, d], [n, n] or NULL */
    struct ecc_loss_plan *plan;
};

static void run_loss(struct job *job)
{
    struct ecc_loss_value value;
    struct ecc_error error;
    if (ecc_loss_plan_evaluate(job->plan, &value, job->dz, job->z, job->n, &error) != ECC_OK) {
        fprintf(stderr, "bench_loss: %s\n", error.text);
        exit(1);
    }
}

static void run_two_sgemm(struct job *job)
{
    const int n = (int)job->n, d = (int)job->d;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, d, 1, job->z, d, job->z, d, 0,
                job->square, n);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, d, n, 1, job->square, n, job->z, d, 0,
                job->dz, d);
}

/* Best of as many calls as fit into the time, after one to warm up. */
static double best_time(void (*run)(struct job *), struct job *job, double seconds)
{
    run(job);
    double best = 1e9;
    for (const double until = ecc_seconds() + seconds; ecc_seconds() < until;) {
        const double start = ecc_seconds();
        run(job);
        const double taken = ecc_seconds() - start;
        if (taken < best) best = taken;
    }
    return best;
}

static void bench(size_t n, size_t d)
{
    struct job job = {.n = n, .d = d};
    struct ecc_error error;
    job.z = malloc(n * d * sizeof(float));
    job.dz = malloc(n * d * sizeof(float));
    job.square = malloc(n * n * sizeof(float));
    if (!job.z || !job.dz || !job.square ||
        ecc_loss_plan_create(&job.plan, n, d, NULL, &error) != ECC_OK) {
        fprintf(stderr, "bench_loss: out of memory at n = %zu\n", n);
        exit(1);
    }
    ecc_rng_normal_f32(job.z, 1, 0, 0, n * d);
    const double seconds = n < 1000 ? 0.5 : 3;
    const double ours = best_time(run_loss, &job, seconds);
    const double floor = best_time(run_two_sgemm, &job, seconds);
    printf(
        "{\"n\": %zu, \"d\": %zu, \"seconds\": %.9g, \"two_sgemm\": %.9g, \"extra_bytes\": %zu}\n",
        n, d, ours, floor, ecc_loss_plan_bytes(job.plan));
    ecc_loss_plan_free(job.plan);
    free(job.z);
    free(job.dz);
    free(job.square);
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        bench(strtoul(argv[i], NULL, 10), strtoul(argv[i + 1], NULL, 10));
    }
    return 0;
}
