/*
 * vq.c: vector quantisation (van den Oord, Vinyals & Kavukcuoglu, 2017): each group of `dim`
 * latents is replaced by the nearest entry of a codebook before the decoder sees it.
 *
 * value = beta * mean over all numbers of (x - e)^2, the commitment; the codebook follows bias-
 * corrected moving averages of what was assigned to each code, as in DeepMind's sonnet.  With
 * update=gradient, mean (e - x)^2 is added instead, and Adam trains the codebook.  The decoder's
 * gradient at e goes to x unchanged.
 *
 * update=simvq (Zhu et al., 2024): the same loss, but the codebook is e = W f + b of random vectors
 * f that never change, and Adam trains W and b: all codes move when one is used.  The codebook of
 * the step is kept beside W and b, so that a model in use needs nothing else.
 *
 * The codebook is a tensor of the net; counts and sums are a state of training.  An average that
 * was never used makes its code 0, as in sonnet; `restart` moves codes that are hardly used to
 * outputs of the batch.
 */
#include "base/arena.h"
#include "base/compiler.h"
#include "base/rng.h"
#include "base/streams.h"
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CODES, DIM, BETA, UPDATE, DECAY, RESTART }; /* its options */
enum { AVERAGES, GRADIENT, SIMVQ };                /* values of UPDATE */

static const double epsilon = 1e-5; /* of the counts */

struct vq_plan {
    size_t n_max, d, codes, dim, groups; /* groups of an item: d / dim */
    double beta, decay, restart, lambda;
    bool by_gradient, simvq; /* simvq: by_gradient as well */
    uint64_t seed;
    struct ecc_arena arena;
    uint32_t *nearest;          /* [n, groups] */
    double *fresh;              /* [codes, dim]: sums of a batch */
    double *uses;               /* [codes]: of a batch */
    float *counts;              /* [codes]: moving average, not corrected */
    float *sums;                /* [codes, dim]: likewise */
    float *codebook, *gradient; /* [codes, dim] */

    float *frozen;              /* simvq: [codes, dim] vectors f */
    float *pull;                /* simvq: [codes, dim], the gradient of the codebook */
    const float *weight, *bias; /* simvq: [dim, dim], [dim] */
    float *dweight, *dbias;
};

/* Two latents to a code unless asked otherwise: one code for an item has log2(codes) bits, too few
 * for most data. */
static size_t dim_of(size_t d, const double *own)
{
    if (own[DIM] > 0) return (size_t)own[DIM];
    return d % 2 == 0 ? 2 : 1;
}

static void vq_destroy(void *state)
{
    struct vq_plan *const plan = state;
    ecc_arena_release(&plan->arena);
    free(plan);
}

static void cut(struct vq_plan *plan)
{
    struct ecc_arena *const a = &plan->arena;
    plan->nearest = ecc_arena_cut(a, plan->n_max * plan->groups, sizeof *plan->nearest);
    plan->fresh = ecc_arena_cut(a, plan->codes * plan->dim, sizeof *plan->fresh);
    plan->uses = ecc_arena_cut(a, plan->codes, sizeof *plan->uses);
    plan->counts = ecc_arena_cut(a, plan->codes, sizeof *plan->counts);
    plan->sums = ecc_arena_cut(a, plan->codes * plan->dim, sizeof *plan->sums);
    if (!plan->simvq) return;
    plan->frozen = ecc_arena_cut(a, plan->codes * plan->dim, sizeof *plan->frozen);
    plan->pull = ecc_arena_cut(a, plan->codes * plan->dim, sizeof *plan->pull);
}

/* Normal with variance 1 / dim, from the seed alone: they need not be stored. */
static void draw_frozen(struct vq_plan *plan)
{
    const size_t count = plan->codes * plan->dim;
    const float deviation = (float)(1 / sqrt((double)plan->dim));
    ecc_rng_normal_f32(plan->frozen, plan->seed, ECC_STREAM_SIMVQ, 0, count);
    for (size_t i = 0; i < count; i++) plan->frozen[i] *= deviation;
}

static void vq_codes(size_t *dim, double *count, size_t d, const double *own)
{
    *dim = dim_of(d, own);
    *count = own[CODES];
}

static enum ecc_status vq_check(size_t d, const double *own, struct ecc_error *error)
{
    const size_t dim = dim_of(d, own);
    if (own[UPDATE] == SIMVQ && own[RESTART] > 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "codes of update=simvq cannot be moved one by one: leave restart out");
    }
    if (d % dim == 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "%zu latents cannot be divided into groups of %zu: option dim of regularizer "
                    "vq must divide their number",
                    d, dim);
}

static enum ecc_status vq_create(void **state, size_t n_max, size_t d,
                                 const struct ecc_regularizer_options *options,
                                 struct ecc_error *error)
{
    const double *const own = options->own;
    struct vq_plan *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    plan->n_max = n_max;
    plan->d = d;
    plan->codes = (size_t)own[CODES];
    plan->dim = dim_of(d, own);
    plan->groups = d / plan->dim;
    plan->beta = own[BETA];
    plan->decay = own[DECAY];
    plan->restart = own[RESTART];
    plan->simvq = own[UPDATE] == SIMVQ;
    plan->by_gradient = own[UPDATE] == GRADIENT || plan->simvq;
    plan->lambda = 1;
    plan->seed = options->seed;
    cut(plan);
    const enum ecc_status status =
        ecc_arena_reserve(&plan->arena, "the plan of the regularizer", error);
    if (status != ECC_OK) {
        vq_destroy(plan);
        return status;
    }
    cut(plan);
    if (plan->simvq) draw_frozen(plan);
    *state = plan;
    return ECC_OK;
}

/* The same start as sonnet's uniform variance scaling. */
static size_t vq_tensors(struct ecc_latent_tensor list[ECC_LATENT_TENSORS], size_t d,
                         const double *own)
{
    const size_t dim = dim_of(d, own);
    list[0] = (struct ecc_latent_tensor){.name = "codebook",
                                         .rank = 2,
                                         .shape = {(size_t)own[CODES], dim},
                                         .trained = own[UPDATE] == GRADIENT,
                                         .bound = sqrt(3 / (double)dim)};
    if (own[UPDATE] != SIMVQ) return 1;
    const double bound = 1 / sqrt((double)dim); /* as PyTorch starts a linear layer */
    list[1] = (struct ecc_latent_tensor){.name = "projection.weight",
                                         .rank = 2,
                                         .shape = {dim, dim},
                                         .trained = true,
                                         .bound = bound};
    list[2] = (struct ecc_latent_tensor){
        .name = "projection.bias", .rank = 1, .shape = {dim}, .trained = true, .bound = bound};
    return 3;
}

static void vq_bind(void *state, float *const *values, float *const *gradients)
{
    struct vq_plan *const plan = state;
    plan->codebook = values[0];
    plan->gradient = gradients ? gradients[0] : NULL;
    if (!plan->simvq) return;
    plan->weight = values[1];
    plan->bias = values[2];
    plan->dweight = gradients ? gradients[1] : NULL;
    plan->dbias = gradients ? gradients[2] : NULL;
}

/* The codebook of this step: W f + b. */
static void project(struct vq_plan *plan)
{
    const int codes = (int)plan->codes, dim = (int)plan->dim;
    if (!plan->simvq) return;
    for (size_t k = 0; k < plan->codes; k++) {
        memcpy(plan->codebook + k * plan->dim, plan->bias, plan->dim * sizeof *plan->bias);
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, codes, dim, dim, 1, plan->frozen, dim,
                plan->weight, dim, 1, plan->codebook, dim);
}

/* ---- Assignment ----------------------------------------------------------------------------- */

/* The code nearest to x: [dim]; of several, the first. */
ECC_MULTIVERSION
static size_t nearest(const float *restrict x, const float *restrict codebook, size_t codes,
                      size_t dim)
{
    size_t best = 0;
    float least = FLT_MAX;
    for (size_t k = 0; k < codes; k++) {
        const float *const e = codebook + k * dim;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t j = 0; j < dim; j++) sum += (x[j] - e[j]) * (x[j] - e[j]);
        if (sum >= least) continue;
        least = sum;
        best = k;
    }
    return best;
}

static void assign(struct vq_plan *plan, const float *outputs, size_t n)
{
    for (size_t g = 0; g < n * plan->groups; g++) {
        plan->nearest[g] =
            (uint32_t)nearest(outputs + g * plan->dim, plan->codebook, plan->codes, plan->dim);
    }
}

static void vq_means(float *z, const float *outputs, size_t n, size_t d, const double *own,
                     float *const *values)
{
    const size_t dim = dim_of(d, own);
    for (size_t g = 0; g < n * (d / dim); g++) {
        const size_t k = nearest(outputs + g * dim, values[0], (size_t)own[CODES], dim);
        memcpy(z + g * dim, values[0] + k * dim, dim * sizeof *z);
    }
}

static enum ecc_status vq_latents(void *state, float *z, const float *outputs, size_t n,
                                  uint64_t step, struct ecc_error *error)
{
    (void)step;
    struct vq_plan *const plan = state;
    const size_t dim = plan->dim;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, plan->d, "z", error));
    project(plan);
    assign(plan, outputs, n);
    for (size_t g = 0; g < n * plan->groups; g++) {
        memcpy(z + g * dim, plan->codebook + plan->nearest[g] * dim, dim * sizeof *z);
    }
    return ECC_OK;
}

/* ---- Value and gradients -------------------------------------------------------------------- */

static void count_uses(struct vq_plan *plan, size_t n)
{
    memset(plan->uses, 0, plan->codes * sizeof *plan->uses);
    for (size_t g = 0; g < n * plan->groups; g++) plan->uses[plan->nearest[g]]++;
}

static void tell(struct ecc_regularizer_value *value, const struct vq_plan *plan, size_t n,
                 double distance)
{
    const double all = (double)(n * plan->groups);
    double entropy = 0, used = 0;
    for (size_t k = 0; k < plan->codes; k++) {
        const double share = plan->uses[k] / all;
        entropy -= share * log(share + 1e-10);
        used += plan->uses[k] > 0;
    }
    *value = (struct ecc_regularizer_value){
        .loss = (plan->beta + (plan->by_gradient ? 1 : 0)) * distance,
        .term_count = 3,
        .terms = {{"distance", distance}, {"perplexity", exp(entropy)}, {"codes_used", used}},
    };
}

static enum ecc_status vq_evaluate(void *state, struct ecc_regularizer_value *value,
                                   float *doutputs, const float *outputs, size_t n, uint64_t step,
                                   struct ecc_error *error)
{
    (void)step;
    struct vq_plan *const plan = state;
    const size_t dim = plan->dim, count = n * plan->d;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, plan->d, "z", error));
    project(plan);
    assign(plan, outputs, n);
    count_uses(plan, n);
    const double factor = 2 * plan->beta / (double)count;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const float e = plan->codebook[plan->nearest[i / dim] * dim + i % dim];
        const double difference = (double)outputs[i] - (double)e;
        sum += difference * difference;
        if (doutputs) doutputs[i] = (float)(factor * difference);
    }
    tell(value, plan, n, sum / (double)count);
    return ECC_OK;
}

/* Lambda weighs the codebook's gradient as well. */
static double vq_weight(void *state, double lambda, double error, size_t size, uint64_t step)
{
    (void)error, (void)size, (void)step;
    ((struct vq_plan *)state)->lambda = lambda;
    return lambda;
}

/* Sums of the outputs that are nearest to each code. */
static void add_up(struct vq_plan *plan, const float *outputs, size_t n)
{
    const size_t dim = plan->dim;
    assign(plan, outputs, n);
    count_uses(plan, n);
    memset(plan->fresh, 0, plan->codes * dim * sizeof *plan->fresh);
    for (size_t i = 0; i < n * plan->d; i++) {
        plan->fresh[plan->nearest[i / dim] * dim + i % dim] += (double)outputs[i];
    }
}

/* d/de of lambda * mean (e - x)^2. */
static void set_codebook_gradient(struct vq_plan *plan, float *gradient, const float *outputs,
                                  size_t n)
{
    const double factor = 2 * plan->lambda / (double)(n * plan->d);
    add_up(plan, outputs, n);
    for (size_t i = 0; i < plan->codes * plan->dim; i++) {
        const double uses = plan->uses[i / plan->dim];
        gradient[i] = (float)(factor * (uses * (double)plan->codebook[i] - plan->fresh[i]));
    }
}

/* From the gradient of the codebook to that of W and b. */
static void set_projection_gradient(struct vq_plan *plan)
{
    const size_t dim = plan->dim;
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)dim, (int)dim, (int)plan->codes, 1,
                plan->pull, (int)dim, plan->frozen, (int)dim, 0, plan->dweight, (int)dim);
    memset(plan->dbias, 0, dim * sizeof *plan->dbias);
    for (size_t i = 0; i < plan->codes * dim; i++) plan->dbias[i % dim] += plan->pull[i];
}

static void vq_pull_back(void *state, float *doutputs, const float *dz, const float *outputs,
                         size_t n, uint64_t step)
{
    (void)step;
    struct vq_plan *const plan = state;
    for (size_t i = 0; i < n * plan->d; i++) doutputs[i] += dz[i];
    if (plan->simvq && plan->dweight) {
        set_codebook_gradient(plan, plan->pull, outputs, n);
        set_projection_gradient(plan);
    } else if (plan->by_gradient && plan->gradient) {
        set_codebook_gradient(plan, plan->gradient, outputs, n);
    }
}

/* ---- Moving averages ------------------------------------------------------------------------ */

static void average(struct vq_plan *plan, double correction)
{
    const size_t dim = plan->dim;
    double all = 0;
    for (size_t k = 0; k < plan->codes; k++) {
        plan->counts[k] += (float)((1 - plan->decay) * (plan->uses[k] - (double)plan->counts[k]));
        all += (double)plan->counts[k] / correction;
    }
    for (size_t i = 0; i < plan->codes * dim; i++) {
        plan->sums[i] += (float)((1 - plan->decay) * (plan->fresh[i] - (double)plan->sums[i]));
        const double count = (double)plan->counts[i / dim] / correction;
        const double smooth = (count + epsilon) / (all + (double)plan->codes * epsilon) * all;
        plan->codebook[i] = (float)((double)plan->sums[i] / correction / smooth);
    }
}

/* A code used less than `restart` times its fair share goes to an output of the batch, as if it had
 * had a fair share there: it then has time to find its own. */
static void restart(struct vq_plan *plan, const float *outputs, size_t n, uint64_t step,
                    double correction)
{
    const size_t dim = plan->dim, vectors = n * plan->groups;
    const double fair = correction * (double)vectors / (double)plan->codes;
    for (size_t k = 0; k < plan->codes; k++) {
        if ((double)plan->counts[k] >= plan->restart * fair) continue;
        const float *const x =
            outputs + dim * ecc_rng_below(plan->seed, ECC_STREAM_VQ + step, k, vectors);
        plan->counts[k] = (float)fair;
        for (size_t j = 0; j < dim; j++) {
            plan->codebook[k * dim + j] = x[j];
            plan->sums[k * dim + j] = (float)fair * x[j];
        }
    }
}

static enum ecc_status vq_learn(void *state, const float *outputs, size_t n,
                                const struct ecc_regularizer_learning *how, struct ecc_error *error)
{
    (void)error;
    struct vq_plan *const plan = state;
    if (plan->by_gradient && plan->restart <= 0) return ECC_OK;
    const double correction = 1 - pow(plan->decay, (double)how->step + 1);
    add_up(plan, outputs, n);
    if (plan->by_gradient) {
        for (size_t k = 0; k < plan->codes; k++) {
            plan->counts[k] +=
                (float)((1 - plan->decay) * (plan->uses[k] - (double)plan->counts[k]));
        }
    } else {
        average(plan, correction);
    }
    restart(plan, outputs, n, how->step, correction);
    return ECC_OK;
}

static size_t vq_arrays(void *state, struct ecc_regularizer_array list[ECC_REGULARIZER_ARRAYS])
{
    struct vq_plan *const plan = state;
    list[0] = (struct ecc_regularizer_array){"counts", plan->counts, plan->codes};
    list[1] = (struct ecc_regularizer_array){"sums", plan->sums, plan->codes * plan->dim};
    return 2;
}

static void vq_reset(void *state)
{
    struct vq_plan *const plan = state;
    memset(plan->counts, 0, plan->codes * sizeof *plan->counts);
    memset(plan->sums, 0, plan->codes * plan->dim * sizeof *plan->sums);
}

static const char *const updates[] = {"averages", "gradient", "simvq", NULL};
static const struct ecc_regularizer_option vq_options[] = {
    {"codes", "entries of the codebook", 512, 2, 65536, .whole = true},
    {"dim", "latents that share a code; 0: two, or one if their number is odd", 0, 0, 4096,
     .whole = true},
    {"beta", "weight of the commitment", 0.25, 0, 1000},
    {"update", "how the codebook learns", AVERAGES, 0, 0, .words = updates},
    {"decay", "of the moving averages", 0.99, 0, 0.999999},
    {"restart", "codes used less than this share of the mean use start again; 0: never", 0, 0, 1},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_vq = {
    .name = "vq",
    .summary = "latents replaced by the nearest entries of a codebook",
    .options = vq_options,
    .lambda = 0.1,
    .straight_through = true,
    .outputs_per_latent = 1,
    .n_min = 1,
    .d_min = 1,
    .create = vq_create,
    .evaluate = vq_evaluate,
    .latents = vq_latents,
    .pull_back = vq_pull_back,
    .destroy = vq_destroy,
    .check = vq_check,
    .means = vq_means,
    .codes = vq_codes,
    .tensors = vq_tensors,
    .bind = vq_bind,
    .weight = vq_weight,
    .learn = vq_learn,
    .arrays = vq_arrays,
    .reset = vq_reset,
};
