/* spectral.c: a net whose kernels are divided by their largest singular values. */
#include "nn/spectral.h"

#include "base/rng.h"
#include "base/streams.h"
#include "nn/enter.h"
#include "nn/plan.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of one kernel, [rows, columns] in plain order. */
struct kernel {
    size_t tensor, rows, columns;
    float *sigma, *u, *v; /* 1, [rows], [columns] */
};

struct ecc_spectral {
    struct ecc_net *net;
    struct kernel *kernels;
    size_t kernel_count, state_count;
    float *state;
    float *w, *g; /* [largest kernel] */
};

/* Bypasses stay as they are: they are 0 at the start. */
static bool is_kernel(const struct ecc_tensor *tensor)
{
    const char *const role = strrchr(tensor->name, '.');
    return !tensor->latent && tensor->rank >= 2 && strcmp(role + 1, ECC_TENSOR_BYPASS) != 0;
}

/* Lists the kernels; the first time, without memory, only to know how large all is. */
static size_t lay_out(struct ecc_spectral *s)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(s->net, &tensors);
    size_t largest = 0, at = 0, number = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_kernel(&tensors[i])) continue;
        const size_t rows = tensors[i].shape[0], columns = tensors[i].count / rows;
        if (s->state) {
            float *const memory = s->state + at;
            s->kernels[number] =
                (struct kernel){i, rows, columns, memory, memory + 1, memory + 1 + rows};
        }
        number++;
        at += 1 + rows + columns;
        if (tensors[i].count > largest) largest = tensors[i].count;
    }
    s->kernel_count = number;
    s->state_count = at;
    return largest;
}

enum ecc_status ecc_spectral_create(struct ecc_spectral **spectral, struct ecc_net *net,
                                    struct ecc_error *error)
{
    struct ecc_spectral *const s = *spectral = calloc(1, sizeof *s);
    if (!s) return ecc_fail_memory(error, "spectral norms");
    s->net = net;
    const size_t largest = lay_out(s);
    s->kernels = calloc(s->kernel_count + 1, sizeof *s->kernels);
    s->state = calloc(s->state_count + 1, sizeof *s->state);
    s->w = calloc(2 * largest + 1, sizeof *s->w);
    if (!s->kernels || !s->state || !s->w) {
        ecc_spectral_free(s);
        *spectral = NULL;
        return ecc_fail_memory(error, "spectral norms");
    }
    s->g = s->w + largest;
    lay_out(s);
    return ECC_OK;
}

void ecc_spectral_free(struct ecc_spectral *spectral)
{
    if (!spectral) return;
    free(spectral->kernels);
    free(spectral->state);
    free(spectral->w);
    free(spectral);
}

float *ecc_spectral_state(struct ecc_spectral *spectral, size_t *count)
{
    *count = spectral->state_count;
    return spectral->state;
}

/* x becomes x / |x|, and its length is returned. */
static double normalize(float *x, size_t count)
{
    double square = 0;
    for (size_t i = 0; i < count; i++) square += (double)x[i] * (double)x[i];
    const double norm = sqrt(square), scale = 1 / fmax(norm, 1e-12);
    for (size_t i = 0; i < count; i++) x[i] = (float)(scale * (double)x[i]);
    return norm;
}

/* One power iteration with the kernel in s->w, which is then divided by sigma. */
static void iterate(struct ecc_spectral *s, const struct kernel *k)
{
    const int rows = (int)k->rows, columns = (int)k->columns;
    cblas_sgemv(CblasRowMajor, CblasTrans, rows, columns, 1, s->w, columns, k->u, 1, 0, k->v, 1);
    normalize(k->v, k->columns);
    cblas_sgemv(CblasRowMajor, CblasNoTrans, rows, columns, 1, s->w, columns, k->v, 1, 0, k->u, 1);
    const double sigma = normalize(k->u, k->rows); /* u'Wv */
    *k->sigma = sigma > 1e-12 ? (float)sigma : 1;
    for (size_t i = 0; i < k->rows * k->columns; i++) s->w[i] /= *k->sigma;
}

/* s->w from and to the net's own layout. */
static void take(struct ecc_spectral *s, const struct kernel *k)
{
    const struct ecc_binding *const binding = &s->net->bindings[k->tensor];
    ecc_layout_gather(s->w, s->net->weights + binding->offset, &binding->layout);
}

static void put(struct ecc_spectral *s, const struct kernel *k)
{
    const struct ecc_binding *const binding = &s->net->bindings[k->tensor];
    ecc_layout_scatter(s->net->weights + binding->offset, s->w, &binding->layout);
}

void ecc_spectral_start(struct ecc_spectral *s, uint64_t seed)
{
    const struct ecc_entered before = ecc_enter(s->net->threads);
    for (size_t i = 0; i < s->kernel_count; i++) {
        const struct kernel *const k = &s->kernels[i];
        ecc_rng_normal_f32(k->u, seed, ECC_STREAM_SPECTRAL + i, 0, k->rows);
        normalize(k->u, k->rows);
        take(s, k);
        iterate(s, k);
        put(s, k);
    }
    ecc_leave(&before);
    s->net->stale = true;
}

/* With W = sigma N: dW = (dN - <dN, N> u v') / sigma, and the net holds W. */
static void unfold(struct ecc_spectral *s, const struct kernel *k)
{
    const struct ecc_binding *const binding = &s->net->bindings[k->tensor];
    const size_t count = k->rows * k->columns;
    take(s, k);
    ecc_layout_gather(s->g, s->net->gradients + binding->offset, &binding->layout);
    double along = 0;
    for (size_t i = 0; i < count; i++) along += (double)s->g[i] * (double)s->w[i];
    cblas_sger(CblasRowMajor, (int)k->rows, (int)k->columns, (float)-along, k->u, 1, k->v, 1, s->g,
               (int)k->columns);
    for (size_t i = 0; i < count; i++) {
        s->g[i] /= *k->sigma;
        s->w[i] *= *k->sigma;
    }
    ecc_layout_scatter(s->net->gradients + binding->offset, s->g, &binding->layout);
    put(s, k);
}

static enum ecc_status update(struct ecc_spectral *s, const struct ecc_adam *adam,
                              struct ecc_error *error)
{
    for (size_t i = 0; i < s->kernel_count; i++) unfold(s, &s->kernels[i]);
    ECC_TRY(ecc_net_update(s->net, adam, error));
    for (size_t i = 0; i < s->kernel_count; i++) {
        const struct kernel *const k = &s->kernels[i];
        take(s, k);
        iterate(s, k);
        put(s, k);
    }
    return ECC_OK;
}

enum ecc_status ecc_spectral_update(struct ecc_spectral *s, const struct ecc_adam *adam,
                                    struct ecc_error *error)
{
    const struct ecc_entered before = ecc_enter(s->net->threads);
    const enum ecc_status status = update(s, adam, error);
    ecc_leave(&before);
    return status;
}
