/* mixture_pass.c: one pass of EM over the data, and its start by k-means++ and k-means. */
#include "base/rng.h"
#include "base/streams.h"
#include "latent/mixture.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Items are cut into parts whose sums are added up in order, so that the result does not depend on
 * the number of threads; within a part, blocks of items go through BLAS. */
enum { PARTS = 16, BLOCK = 256, MEANS_ROUNDS = 30 };

/* ---- One pass ------------------------------------------------------------------------------- */

struct workspace {
    double *sums;   /* [k + k d + k d d] */
    double *offset; /* [BLOCK, d] z - mean, then whitened */
    double *logs;   /* [BLOCK, k] log of weight times density, then responsibilities */
    double log_likelihood;
};

/* offset: [n, d] = z - mean */
static void centre(double *offset, const float *z, const double *mean, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d; j++) offset[i * d + j] = (double)z[i * d + j] - mean[j];
    }
}

/* log(weight) - d/2 log(2 pi) - log det L */
static double constant_of(const struct ecc_mixture *m, size_t c)
{
    double value = log(m->weights[c]) - 0.5 * (double)m->d * log(2 * 3.14159265358979323846);
    for (size_t i = 0; i < m->d; i++) value -= log(m->factors[(c * m->d + i) * m->d + i]);
    return value;
}

static void log_densities(const struct ecc_mixture *m, struct workspace *w, const float *z,
                          size_t n)
{
    const size_t d = m->d;
    for (size_t c = 0; c < m->k; c++) {
        const double constant = constant_of(m, c);
        centre(w->offset, z, m->means + c * d, n, d);
        cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)n, (int)d,
                    1, m->factors + c * d * d, (int)d, w->offset, (int)d);
        for (size_t i = 0; i < n; i++) {
            const double *const row = w->offset + i * d;
            double square = 0;
            for (size_t j = 0; j < d; j++) square += row[j] * row[j];
            w->logs[i * m->k + c] = constant - 0.5 * square;
        }
    }
}

/* Log densities to responsibilities, by log-sum-exp. */
static void expect(struct workspace *w, size_t n, size_t k)
{
    for (size_t i = 0; i < n; i++) {
        double *const row = w->logs + i * k;
        double highest = row[0], sum = 0;
        for (size_t c = 1; c < k; c++) highest = fmax(highest, row[c]);
        for (size_t c = 0; c < k; c++) sum += row[c] = exp(row[c] - highest);
        for (size_t c = 0; c < k; c++) row[c] /= sum;
        w->log_likelihood += highest + log(fmax(1, sum));
    }
}

static void assign(struct workspace *w, const uint32_t *groups, size_t n, size_t k)
{
    memset(w->logs, 0, n * k * sizeof *w->logs);
    for (size_t i = 0; i < n; i++) w->logs[i * k + groups[i]] = 1;
}

static void add_sums(const struct ecc_mixture *m, struct workspace *w, const float *z, size_t n)
{
    const size_t d = m->d, k = m->k;
    double *const counts = w->sums, *const firsts = counts + k, *const seconds = firsts + k * d;
    for (size_t c = 0; c < k; c++) {
        size_t used = 0; /* items that hardly belong to this Gaussian are left out */
        for (size_t i = 0; i < n; i++) {
            const double share = w->logs[i * k + c];
            if (share < 1e-14) continue;
            double *const row = w->offset + used++ * d;
            centre(row, z + i * d, m->means + c * d, 1, d);
            const double root = sqrt(share);
            counts[c] += share;
            for (size_t j = 0; j < d; j++) {
                firsts[c * d + j] += share * row[j];
                row[j] *= root;
            }
        }
        if (used == 0) continue;
        cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, (int)d, (int)used, 1, w->offset, (int)d,
                    1, seconds + c * d * d, (int)d);
    }
}

static void run_part(const struct ecc_mixture *m, struct workspace *w, const uint32_t *groups,
                     const float *z, size_t n)
{
    for (size_t first = 0; first < n; first += BLOCK) {
        const size_t count = n - first < BLOCK ? n - first : BLOCK;
        const float *const block = z + first * m->d;
        if (groups) {
            assign(w, groups + first, count, m->k);
        } else {
            log_densities(m, w, block, count);
            expect(w, count, m->k);
        }
        add_sums(m, w, block, count);
    }
}

enum ecc_status ecc_mixture_pass(const struct ecc_mixture *m, struct ecc_mixture_sums *s,
                                 const uint32_t *groups, const float *z, size_t n,
                                 struct ecc_error *error)
{
    const size_t d = m->d, k = m->k, size = k * (1 + d + d * d);
    const size_t each = size + BLOCK * (d + k);
    double *const memory = calloc(PARTS * each, sizeof *memory);
    if (!memory) return ecc_fail_memory(error, "the sums of EM");
    double likelihoods[PARTS];
#pragma omp parallel for schedule(dynamic)
    for (size_t p = 0; p < PARTS; p++) {
        const size_t from = n * p / PARTS, to = n * (p + 1) / PARTS;
        struct workspace w = {.sums = memory + p * each};
        w.offset = w.sums + size;
        w.logs = w.offset + BLOCK * d;
        run_part(m, &w, groups ? groups + from : NULL, z + from * d, to - from);
        likelihoods[p] = w.log_likelihood;
    }
    memset(s->counts, 0, size * sizeof *s->counts);
    s->log_likelihood = 0;
    for (size_t p = 0; p < PARTS; p++) {
        for (size_t i = 0; i < size; i++) s->counts[i] += memory[p * each + i];
        s->log_likelihood += likelihoods[p] / (double)n;
    }
    free(memory);
    return ECC_OK;
}

enum ecc_status ecc_mixture_score(const struct ecc_mixture *m, double *mean, const float *z,
                                  size_t n, struct ecc_error *error)
{
    struct ecc_mixture_sums s = {0};
    s.counts = malloc(m->k * (1 + m->d + m->d * m->d) * sizeof *s.counts);
    if (!s.counts) return ecc_fail_memory(error, "the sums of EM");
    s.firsts = s.counts + m->k;
    s.seconds = s.firsts + m->k * m->d;
    const enum ecc_status status = ecc_mixture_pass(m, &s, NULL, z, n, error);
    *mean = s.log_likelihood;
    free(s.counts);
    return status;
}

/* ---- The start ------------------------------------------------------------------------------ */

static double squared_distance(const float *z, const double *centre_at, size_t d)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++) {
        const double off = (double)z[j] - centre_at[j];
        sum += off * off;
    }
    return sum;
}

static void copy_item(double *centre_at, const float *z, size_t d)
{
    for (size_t j = 0; j < d; j++) centre_at[j] = (double)z[j];
}

/* Each new centre is an item drawn by its squared distance to the nearest centre so far. */
static void plus_plus(struct ecc_mixture *m, double *nearest, const float *z, size_t n,
                      uint64_t seed)
{
    double *const centres = m->means;
    const size_t d = m->d;
    copy_item(centres, z + ecc_rng_below(seed, ECC_STREAM_MIXTURE, 0, n) * d, d);
    for (size_t i = 0; i < n; i++) nearest[i] = squared_distance(z + i * d, centres, d);
    for (size_t c = 1; c < m->k; c++) {
        double sum = 0, u;
        for (size_t i = 0; i < n; i++) sum += nearest[i];
        ecc_rng_uniform(&u, seed, ECC_STREAM_MIXTURE + 1, c, 1);
        size_t chosen = 0;
        for (double left = u * sum - nearest[0]; left > 0 && chosen + 1 < n;) {
            left -= nearest[++chosen];
        }
        copy_item(centres + c * d, z + chosen * d, d);
#pragma omp parallel for schedule(static)
        for (size_t i = 0; i < n; i++) {
            nearest[i] = fmin(nearest[i], squared_distance(z + i * d, centres + c * d, d));
        }
    }
}

/* The nearest centre of every item; how many changed. */
static size_t regroup(uint32_t *groups, const struct ecc_mixture *m, const float *z, size_t n)
{
    const double *const centres = m->means;
    const size_t d = m->d, k = m->k;
    size_t changed = 0;
#pragma omp parallel for schedule(static) reduction(+ : changed)
    for (size_t i = 0; i < n; i++) {
        uint32_t nearest = 0;
        double least = INFINITY;
        for (size_t c = 0; c < k; c++) {
            const double square = squared_distance(z + i * d, centres + c * d, d);
            if (square < least) {
                least = square;
                nearest = (uint32_t)c;
            }
        }
        changed += groups[i] != nearest;
        groups[i] = nearest;
    }
    return changed;
}

/* A centre without items stays where it is. */
static void recentre(struct ecc_mixture *m, size_t *counts, const uint32_t *groups, const float *z,
                     size_t n)
{
    double *const centres = m->means;
    const size_t d = m->d, k = m->k;
    memset(counts, 0, k * sizeof *counts);
    for (size_t i = 0; i < n; i++) counts[groups[i]]++;
    for (size_t c = 0; c < k; c++) {
        if (counts[c] > 0) memset(centres + c * d, 0, d * sizeof *centres);
    }
    for (size_t i = 0; i < n; i++) {
        double *const at = centres + groups[i] * d;
        for (size_t j = 0; j < d; j++) at[j] += (double)z[i * d + j] / (double)counts[groups[i]];
    }
}

enum ecc_status ecc_mixture_start(struct ecc_mixture *m, uint32_t *groups, const float *z, size_t n,
                                  uint64_t seed, struct ecc_error *error)
{
    double *const nearest = malloc(n * sizeof *nearest);
    size_t *const counts = malloc(m->k * sizeof *counts);
    if (nearest && counts) {
        plus_plus(m, nearest, z, n, seed);
        memset(groups, 0xff, n * sizeof *groups);
        for (int round = 0; round < MEANS_ROUNDS; round++) {
            if (regroup(groups, m, z, n) <= n / 1000) break;
            recentre(m, counts, groups, z, n);
        }
    }
    const bool had_memory = nearest && counts;
    free(nearest);
    free(counts);
    return had_memory ? ECC_OK : ecc_fail_memory(error, "the start of a mixture");
}
