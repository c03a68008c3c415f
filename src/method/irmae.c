/*
 * irmae.c: implicit rank minimization (Jing, Zbontar & LeCun, 2020): square linear layers without
 * bias between encoder and decoder, z = W_l ... W_1 x.
 *
 * Gradient descent on a product of matrices prefers low rank, so latents use few directions without
 * any term in the loss.  Each matrix starts uniform in +-1/sqrt(d), which divides the variance by
 * three: this small start is what makes singular values grow one after another.  The matrices are
 * tensors of the net, trained by its Adam; a trained model uses their product.
 */
#include "base/arena.h"
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS = 0 };         /* its option */
enum { MOST_LATENT = 4096 }; /* as the settings allow */

struct irmae_plan {
    size_t n_max, d, layers;
    struct ecc_arena arena;
    float *steps; /* [layers, n, d]: what each layer but the last makes of the outputs */
    float *flow;  /* [2, n, d]: gradients on their way back */
    float *weights[ECC_LATENT_TENSORS], *gradients[ECC_LATENT_TENSORS];
};

static size_t layers_of(const double *own)
{
    return (size_t)own[LAYERS];
}

static void irmae_destroy(void *state)
{
    struct irmae_plan *const plan = state;
    ecc_arena_release(&plan->arena);
    free(plan);
}

static void cut(struct irmae_plan *plan)
{
    const size_t row = plan->d * sizeof(float);
    plan->steps = ecc_arena_cut(&plan->arena, plan->layers * plan->n_max, row);
    plan->flow = ecc_arena_cut(&plan->arena, 2 * plan->n_max, row);
}

static enum ecc_status irmae_create(void **state, size_t n_max, size_t d,
                                    const struct ecc_regularizer_options *options,
                                    struct ecc_error *error)
{
    struct irmae_plan *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    plan->n_max = n_max;
    plan->d = d;
    plan->layers = layers_of(options->own);
    cut(plan);
    const enum ecc_status status =
        ecc_arena_reserve(&plan->arena, "the plan of the regularizer", error);
    if (status != ECC_OK) {
        irmae_destroy(plan);
        return status;
    }
    cut(plan);
    *state = plan;
    return ECC_OK;
}

static size_t irmae_tensors(struct ecc_latent_tensor list[ECC_LATENT_TENSORS], size_t d,
                            const double *own)
{
    const size_t layers = layers_of(own);
    for (size_t i = 0; i < layers; i++) {
        list[i] = (struct ecc_latent_tensor){
            .rank = 2, .shape = {d, d}, .trained = true, .bound = 1 / sqrt((double)d)};
        snprintf(list[i].name, sizeof list[i].name, "%zu.weight", i);
    }
    return layers;
}

static void irmae_bind(void *state, float *const *values, float *const *gradients)
{
    struct irmae_plan *const plan = state;
    for (size_t i = 0; i < plan->layers; i++) {
        plan->weights[i] = values[i];
        plan->gradients[i] = gradients ? gradients[i] : NULL;
    }
}

/* y: [n, d] = x: [n, d] times the transpose of w: [d, d], as a dense layer has it. */
static void apply(float *y, const float *x, const float *w, size_t n, size_t d)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)d, (int)d, 1, x, (int)d, w,
                (int)d, 0, y, (int)d);
}

static enum ecc_status irmae_latents(void *state, float *z, const float *outputs, size_t n,
                                     uint64_t step, struct ecc_error *error)
{
    (void)step;
    struct irmae_plan *const plan = state;
    const size_t d = plan->d;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, d, "z", error));
    const float *from = outputs;
    for (size_t i = 0; i < plan->layers; i++) {
        float *const to = i + 1 < plan->layers ? plan->steps + i * plan->n_max * d : z;
        apply(to, from, plan->weights[i], n, d);
        from = to;
    }
    return ECC_OK;
}

static void irmae_pull_back(void *state, float *doutputs, const float *dz, const float *outputs,
                            size_t n, uint64_t step)
{
    (void)step;
    struct irmae_plan *const plan = state;
    const size_t d = plan->d;
    const float *dy = dz;
    for (size_t i = plan->layers; i-- > 0;) {
        const float *const x = i > 0 ? plan->steps + (i - 1) * plan->n_max * d : outputs;
        float *const dx = plan->flow + i % 2 * plan->n_max * d;
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)d, (int)d, (int)n, 1, dy, (int)d,
                    x, (int)d, 0, plan->gradients[i], (int)d);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)d, (int)d, 1, dy,
                    (int)d, plan->weights[i], (int)d, 0, dx, (int)d);
        dy = dx;
    }
    for (size_t k = 0; k < n * d; k++) doutputs[k] += dy[k];
}

/* Item by item, in place: sums are the same for any number of items. */
static void irmae_means(float *z, const float *outputs, size_t n, size_t d, const double *own,
                        float *const *values)
{
    float row[MOST_LATENT];
    for (size_t i = 0; i < n; i++) {
        memcpy(z + i * d, outputs + i * d, d * sizeof *z);
        for (size_t l = 0; l < layers_of(own); l++) {
            cblas_sgemv(CblasRowMajor, CblasNoTrans, (int)d, (int)d, 1, values[l], (int)d,
                        z + i * d, 1, 0, row, 1);
            memcpy(z + i * d, row, d * sizeof *z);
        }
    }
}

static bool irmae_product(float *product, size_t d, const double *own, float *const *values)
{
    float *const before = malloc(d * d * sizeof *before);
    if (!before) return false;
    memcpy(product, values[0], d * d * sizeof *product);
    for (size_t l = 1; l < layers_of(own); l++) {
        memcpy(before, product, d * d * sizeof *before);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)d, (int)d, (int)d, 1, values[l],
                    (int)d, before, (int)d, 0, product, (int)d);
    }
    free(before);
    return true;
}

static enum ecc_status irmae_evaluate(void *state, struct ecc_regularizer_value *value,
                                      float *doutputs, const float *outputs, size_t n,
                                      uint64_t step, struct ecc_error *error)
{
    (void)step;
    const struct irmae_plan *const plan = state;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, plan->d, "z", error));
    if (doutputs) memset(doutputs, 0, n * plan->d * sizeof *doutputs);
    *value = (struct ecc_regularizer_value){0};
    return ECC_OK;
}

static const struct ecc_regularizer_option irmae_options[] = {
    {"layers", "linear layers between encoder and decoder", 8, 1, ECC_LATENT_TENSORS,
     .whole = true},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_irmae = {
    .name = "irmae",
    .summary = "linear layers between encoder and decoder, which prefer latents of low rank",
    .options = irmae_options,
    .no_lambda = true,
    .outputs_per_latent = 1,
    .n_min = 1,
    .d_min = 1,
    .create = irmae_create,
    .evaluate = irmae_evaluate,
    .latents = irmae_latents,
    .pull_back = irmae_pull_back,
    .destroy = irmae_destroy,
    .means = irmae_means,
    .product = irmae_product,
    .tensors = irmae_tensors,
    .bind = irmae_bind,
};
