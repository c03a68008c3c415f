/* critic.c: a small fully connected network from latents to one number, with its own Adam. */
#include "regularizer/critic.h"
#include "base/arena.h"
#include "base/rng.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ecc_critic {
    struct ecc_critic_options options;
    struct ecc_arena arena;
    struct ecc_critic_state state;
    float *hidden;  /* [layers, batch, width]: after the ReLU */
    float *flow[2]; /* [batch, width]: gradients on their way back */
    float *ones;    /* [batch] */
};

/* Layer l, from 0: its kernel [out, in] begins `at` floats into the block, its bias [out] follows.
 */
struct layer {
    size_t in, out, at;
};

static struct layer layer_of(const struct ecc_critic *c, size_t l)
{
    const struct ecc_critic_options *const o = &c->options;
    const size_t first = o->width * (o->inputs + 1), other = o->width * (o->width + 1);
    return (struct layer){.in = l == 0 ? o->inputs : o->width,
                          .out = l == o->layers ? 1 : o->width,
                          .at = l == 0 ? 0 : first + (l - 1) * other};
}

static float *hidden_of(const struct ecc_critic *c, size_t l)
{
    return c->hidden + l * c->options.batch * c->options.width;
}

static void cut(struct ecc_critic *c)
{
    const struct ecc_critic_options *const o = &c->options;
    struct ecc_arena *const a = &c->arena;
    const struct layer last = layer_of(c, o->layers);
    c->state.count = last.at + last.in + 1;
    c->state.weights = ecc_arena_cut(a, c->state.count, sizeof(float));
    c->state.gradients = ecc_arena_cut(a, c->state.count, sizeof(float));
    c->state.first = ecc_arena_cut(a, c->state.count, sizeof(float));
    c->state.second = ecc_arena_cut(a, c->state.count, sizeof(float));
    c->hidden = ecc_arena_cut(a, o->layers * o->batch, o->width * sizeof(float));
    for (size_t i = 0; i < 2; i++) {
        c->flow[i] = ecc_arena_cut(a, o->batch, o->width * sizeof(float));
    }
    c->ones = ecc_arena_cut(a, o->batch, sizeof(float));
}

enum ecc_status ecc_critic_create(struct ecc_critic **critic,
                                  const struct ecc_critic_options *options, struct ecc_error *error)
{
    struct ecc_critic *const c = *critic = calloc(1, sizeof *c);
    if (!c) return ecc_fail_memory(error, "the discriminator");
    c->options = *options;
    cut(c);
    const enum ecc_status status = ecc_arena_reserve(&c->arena, "the discriminator", error);
    if (status != ECC_OK) {
        ecc_critic_free(c);
        *critic = NULL;
        return status;
    }
    cut(c);
    for (size_t i = 0; i < options->batch; i++) c->ones[i] = 1;
    ecc_critic_reset(c);
    return ECC_OK;
}

void ecc_critic_free(struct ecc_critic *critic)
{
    if (!critic) return;
    ecc_arena_release(&critic->arena);
    free(critic);
}

void ecc_critic_reset(struct ecc_critic *c)
{
    const struct ecc_critic_options *const o = &c->options;
    const struct ecc_critic_state *const s = &c->state;
    memset(s->weights, 0, s->count * sizeof *s->weights);
    memset(s->first, 0, s->count * sizeof *s->first);
    memset(s->second, 0, s->count * sizeof *s->second);
    for (size_t l = 0; l <= o->layers; l++) {
        const struct layer layer = layer_of(c, l);
        float *const kernel = s->weights + layer.at;
        ecc_rng_normal_f32(kernel, o->seed, o->stream, layer.at, layer.in * layer.out);
        for (size_t i = 0; i < layer.in * layer.out; i++) kernel[i] *= (float)o->deviation;
    }
}

struct ecc_critic_state ecc_critic_state(struct ecc_critic *critic)
{
    return critic->state;
}

void ecc_critic_forward(struct ecc_critic *c, float *logits, const float *x, size_t n)
{
    const size_t layers = c->options.layers;
    for (size_t l = 0; l <= layers; l++) {
        const struct layer layer = layer_of(c, l);
        const float *const kernel = c->state.weights + layer.at;
        const float *const bias = kernel + layer.in * layer.out;
        float *const y = l < layers ? hidden_of(c, l) : logits;
        for (size_t i = 0; i < n; i++) memcpy(y + i * layer.out, bias, layer.out * sizeof *y);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)layer.out, (int)layer.in,
                    1, x, (int)layer.in, kernel, (int)layer.in, 1, y, (int)layer.out);
        if (l == layers) return;
        for (size_t i = 0; i < n * layer.out; i++) y[i] = y[i] > 0 ? y[i] : 0;
        x = y;
    }
}

/* Gradients of kernel and bias from dy: [n, out]. */
static void set_gradients(struct ecc_critic *c, struct layer layer, const float *dy, const float *x,
                          size_t n)
{
    float *const kernel = c->state.gradients + layer.at;
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)layer.out, (int)layer.in, (int)n, 1,
                dy, (int)layer.out, x, (int)layer.in, 0, kernel, (int)layer.in);
    cblas_sgemv(CblasRowMajor, CblasTrans, (int)n, (int)layer.out, 1, dy, (int)layer.out, c->ones,
                1, 0, kernel + layer.in * layer.out, 1);
}

void ecc_critic_backward(struct ecc_critic *c, float *dx, const float *dlogits, const float *x,
                         size_t n, bool learn)
{
    const float *dy = dlogits;
    for (size_t l = c->options.layers + 1; l-- > 0;) {
        const struct layer layer = layer_of(c, l);
        const float *const input = l > 0 ? hidden_of(c, l - 1) : x;
        float *const dinput = l > 0 ? c->flow[l % 2] : dx;
        if (learn) set_gradients(c, layer, dy, input, n);
        if (!dinput) return;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)layer.in,
                    (int)layer.out, 1, dy, (int)layer.out, c->state.weights + layer.at,
                    (int)layer.in, 0, dinput, (int)layer.in);
        if (l == 0) return;
        for (size_t i = 0; i < n * layer.in; i++) {
            if (input[i] <= 0) dinput[i] = 0;
        }
        dy = dinput;
    }
}

void ecc_critic_update(struct ecc_critic *c, const struct ecc_critic_adam *adam)
{
    const struct ecc_critic_state *const s = &c->state;
    const float keep1 = (float)(1 - adam->beta1), keep2 = (float)(1 - adam->beta2);
    const float beta2 = (float)adam->beta2, epsilon = (float)adam->epsilon;
    const float rate = (float)(adam->rate / (1 - pow(adam->beta1, (double)adam->step)));
    const float root = (float)sqrt(1 - pow(adam->beta2, (double)adam->step));
    for (size_t i = 0; i < s->count; i++) {
        const float g = s->gradients[i];
        s->first[i] += keep1 * (g - s->first[i]);
        s->second[i] = beta2 * s->second[i] + keep2 * g * g;
        s->weights[i] -= rate * s->first[i] / (sqrtf(s->second[i]) / root + epsilon);
    }
}
