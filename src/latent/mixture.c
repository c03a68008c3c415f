/* mixture.c: a Gaussian mixture fitted by EM: maximisation, rounds, and the choice of k by BIC. */
#include "latent/mixture.h"
#include "base/rng.h"
#include "base/streams.h"
#include "math/lapack.h"
#include "math/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of Gaussians to try; the search ends after two that are worse than the best. */
static const size_t tried[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128};

struct ecc_mixture_options ecc_mixture_defaults(void)
{
    return (struct ecc_mixture_options){.k_max = 32,
                                        .starts = 1,
                                        .rounds = 200,
                                        .tolerance = 1e-3,
                                        .floor = 1e-6,
                                        .items = 50000,
                                        .seed = 1};
}

/* Allocates all arrays, zeroed. */
static enum ecc_status reserve(struct ecc_mixture *m, size_t k, size_t d, struct ecc_error *error)
{
    *m = (struct ecc_mixture){.k = k, .d = d, .log_likelihood = -INFINITY, .bic = INFINITY};
    m->weights = calloc(k * (1 + d + d * d), sizeof *m->weights);
    if (!m->weights) return ecc_fail_memory(error, "a Gaussian mixture");
    m->means = m->weights + k;
    m->factors = m->means + k * d;
    return ECC_OK;
}

void ecc_mixture_release(struct ecc_mixture *m)
{
    free(m->weights);
    memset(m, 0, sizeof *m);
}

/* What all starts and numbers of Gaussians share. */
struct task {
    const float *z; /* [n, d] */
    size_t n, d;
    double ridge; /* added to the diagonals of covariances */
    const struct ecc_mixture_options *options;
};

/* ---- Maximisation --------------------------------------------------------------------------- */

/* Mean and covariance of Gaussian c from the sums, which are taken around its mean so far. */
static enum ecc_status update_one(struct ecc_mixture *m, const struct ecc_mixture_sums *s, size_t c,
                                  double ridge, struct ecc_error *error)
{
    const size_t d = m->d;
    const double count = s->counts[c];
    double *const mean = m->means + c * d, *const factor = m->factors + c * d * d;
    const double *const first = s->firsts + c * d, *const second = s->seconds + c * d * d;
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j <= i; j++) {
            factor[i * d + j] = second[j * d + i] / count - first[i] / count * (first[j] / count);
        }
        factor[i * d + i] += ridge;
    }
    for (size_t i = 0; i < d; i++) mean[i] += first[i] / count;
    return ecc_cholesky(factor, d, error);
}

static enum ecc_status maximise(struct ecc_mixture *m, const struct ecc_mixture_sums *s, size_t n,
                                double ridge, struct ecc_error *error)
{
    for (size_t c = 0; c < m->k; c++) {
        /* one that lost its items stays where it is, with almost no weight */
        const double least = 10 * (double)n * 2.2e-16;
        m->weights[c] = fmax(s->counts[c], least) / (double)n;
        if (s->counts[c] <= least) continue;
        ECC_TRY(update_one(m, s, c, ridge, error));
    }
    return ECC_OK;
}

/* ---- Rounds --------------------------------------------------------------------------------- */

static enum ecc_status run_rounds(struct ecc_mixture *m, struct ecc_mixture_sums *s,
                                  const struct task *t, struct ecc_error *error)
{
    const struct ecc_mixture_options *const o = t->options;
    double before = -INFINITY;
    for (m->iterations = 1; m->iterations <= o->rounds; m->iterations++) {
        ECC_TRY(ecc_mixture_pass(m, s, NULL, t->z, t->n, error));
        m->log_likelihood = s->log_likelihood;
        if (o->on_round && !o->on_round(o->context, m->k, m->iterations, s->log_likelihood)) {
            return ecc_fail(error, ECC_INTERRUPTED, "interrupted while fitting %zu Gaussians",
                            m->k);
        }
        m->converged = s->log_likelihood - before < o->tolerance;
        if (m->converged || m->iterations == o->rounds) break;
        before = s->log_likelihood;
        ECC_TRY(maximise(m, s, t->n, t->ridge, error));
    }
    return ECC_OK;
}

/* All Gaussians start with the items of one k-means group each. */
static enum ecc_status start(struct ecc_mixture *m, struct ecc_mixture_sums *s,
                             const struct task *t, uint64_t seed, struct ecc_error *error)
{
    uint32_t *const groups = malloc(t->n * sizeof *groups);
    if (!groups) return ecc_fail_memory(error, "groups of latents");
    for (size_t c = 0; c < m->k; c++) { /* a group without items becomes a small sphere */
        for (size_t i = 0; i < m->d; i++) m->factors[(c * m->d + i) * m->d + i] = sqrt(t->ridge);
    }
    enum ecc_status status = ecc_mixture_start(m, groups, t->z, t->n, seed, error);
    if (status == ECC_OK) status = ecc_mixture_pass(m, s, groups, t->z, t->n, error);
    if (status == ECC_OK) status = maximise(m, s, t->n, t->ridge, error);
    free(groups);
    return status;
}

static double criterion(const struct ecc_mixture *m, size_t n)
{
    const double d = (double)m->d, k = (double)m->k;
    const double parameters = k * (d + d * (d + 1) / 2) + k - 1;
    return parameters * log((double)n) - 2 * (double)n * m->log_likelihood;
}

/* Heavier Gaussians first. */
static enum ecc_status order(struct ecc_mixture *m, struct ecc_error *error)
{
    const size_t d = m->d;
    struct ecc_mixture sorted;
    ECC_TRY(reserve(&sorted, m->k, d, error));
    for (size_t c = 0; c < m->k; c++) {
        size_t rank = 0;
        for (size_t o = 0; o < m->k; o++) {
            const double off = m->weights[o] - m->weights[c];
            rank += off > 0 || (off == 0 && o < c);
        }
        sorted.weights[rank] = m->weights[c];
        memcpy(sorted.means + rank * d, m->means + c * d, d * sizeof *m->means);
        memcpy(sorted.factors + rank * d * d, m->factors + c * d * d, d * d * sizeof *m->factors);
    }
    memcpy(m->weights, sorted.weights, m->k * (1 + d + d * d) * sizeof *m->weights);
    ecc_mixture_release(&sorted);
    return ECC_OK;
}

static enum ecc_status fit_once(struct ecc_mixture *m, const struct task *t, size_t k,
                                uint64_t seed, struct ecc_error *error)
{
    const size_t d = t->d;
    struct ecc_mixture_sums s = {0};
    ECC_TRY(reserve(m, k, d, error));
    enum ecc_status status = ECC_OK;
    s.counts = malloc(k * (1 + d + d * d) * sizeof *s.counts);
    if (!s.counts) {
        status = ecc_fail_memory(error, "the sums of EM");
    } else {
        s.firsts = s.counts + k;
        s.seconds = s.firsts + k * d;
        status = start(m, &s, t, seed, error);
    }
    if (status == ECC_OK) status = run_rounds(m, &s, t, error);
    if (status == ECC_OK) status = order(m, error);
    free(s.counts);
    if (status == ECC_OK) {
        m->bic = criterion(m, t->n);
    } else {
        ecc_mixture_release(m);
    }
    return status;
}

/* ---- The best of several -------------------------------------------------------------------- */

/* Exchanges the two if that puts the better one first, by BIC, which for the same k is the
 * likelihood. */
static bool put_better_first(struct ecc_mixture *best, struct ecc_mixture *other)
{
    if (best->weights && other->bic >= best->bic) return false;
    struct ecc_mixture kept; /* with memcpy, which clang's analyser can follow */
    memcpy(&kept, best, sizeof kept);
    memcpy(best, other, sizeof kept);
    memcpy(other, &kept, sizeof kept);
    return true;
}

static enum ecc_status fit_starts(struct ecc_mixture *best, bool *better, const struct task *t,
                                  size_t k, struct ecc_error *error)
{
    const size_t starts = t->options->starts ? t->options->starts : 1;
    struct ecc_mixture m = {0};
    enum ecc_status status = ECC_OK;
    *better = false;
    for (size_t s = 0; s < starts && status == ECC_OK; s++) {
        ecc_mixture_release(&m);
        status = fit_once(&m, t, k, t->options->seed + s, error);
        if (status == ECC_OK && put_better_first(best, &m)) *better = true;
    }
    ecc_mixture_release(&m);
    return status;
}

static enum ecc_status fit_all(struct ecc_mixture *best, const struct task *t,
                               struct ecc_error *error)
{
    const struct ecc_mixture_options *const o = t->options;
    bool better;
    if (o->k > 0) return fit_starts(best, &better, t, o->k, error);
    size_t worse = 0;
    for (size_t i = 0; i < sizeof tried / sizeof tried[0] && worse < 2; i++) {
        if (tried[i] > o->k_max || tried[i] > t->n / (t->d + 1)) break;
        ECC_TRY(fit_starts(best, &better, t, tried[i], error));
        worse = better ? 0 : worse + 1;
    }
    return ECC_OK;
}

/* At most `items` of the latents, drawn from the seed, in a copy. */
static float *subset(const float *z, size_t n, size_t d, size_t items, uint64_t seed)
{
    uint32_t *const order_of = malloc(n * sizeof *order_of);
    float *const copy = malloc(items * d * sizeof *copy);
    if (order_of && copy) {
        ecc_rng_permutation(order_of, n, seed, ECC_STREAM_MIXTURE_PART);
        for (size_t i = 0; i < items; i++) {
            memcpy(copy + i * d, z + order_of[i] * d, d * sizeof *copy);
        }
    }
    free(order_of);
    if (order_of) return copy;
    free(copy);
    return NULL;
}

static enum ecc_status fit_checked(struct ecc_mixture *m, const float *z, size_t n, size_t d,
                                   const struct ecc_mixture_options *o, struct ecc_error *error)
{
    double *const moments = malloc(d * (d + 1) * sizeof *moments);
    if (!moments) return ecc_fail_memory(error, "the covariance");
    enum ecc_status status = ecc_mean_covariance(moments, moments + d, z, n, d, error);
    double variance = 0;
    for (size_t i = 0; i < d; i++) variance += moments[d + i * d + i] / (double)d;
    free(moments);
    ECC_TRY(status);
    if (!(variance > 0)) {
        return ecc_fail(error, ECC_BAD_DATA, "all %zu latents are the same: cannot fit a mixture",
                        n);
    }
    const struct task task = {z, n, d, o->floor * variance, o};
    status = fit_all(m, &task, error);
    if (status != ECC_OK) ecc_mixture_release(m);
    return status;
}

enum ecc_status ecc_mixture_fit(struct ecc_mixture *m, const float *z, size_t n, size_t d,
                                const struct ecc_mixture_options *options, struct ecc_error *error)
{
    const struct ecc_mixture_options defaults = ecc_mixture_defaults();
    const struct ecc_mixture_options *const o = options ? options : &defaults;
    *m = (struct ecc_mixture){0};
    if (o->k_max == 0 || o->rounds == 0 || !(o->tolerance >= 0) || !(o->floor >= 0)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "cannot fit a mixture with up to %zu Gaussians, %zu rounds, tolerance %g "
                        "and floor %g: ecc_mixture_defaults() gives usual values",
                        o->k_max, o->rounds, o->tolerance, o->floor);
    }
    const size_t used = o->items == 0 || o->items >= n ? n : o->items;
    if (used <= d || d == 0 || o->k > used) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%zu latents of size %zu are too few for a mixture of %zu Gaussians", used,
                        d, o->k ? o->k : 1);
    }
    if (used == n) return fit_checked(m, z, n, d, o, error);
    float *const fewer = subset(z, n, d, used, o->seed);
    if (!fewer) return ecc_fail_memory(error, "some of the latents");
    const enum ecc_status status = fit_checked(m, fewer, used, d, o, error);
    free(fewer);
    return status;
}
