/*
 * swae.c: sliced Wasserstein distance to a sample of the standard normal (Kolouri et al., 2018), as
 * its authors' code has it.
 *
 * Along each of 50 random directions the projections of n latents and of n draws of the prior are
 * sorted; the value is the mean square of the differences of equal ranks.  Directions and draws are
 * new at every step.  (Their priors are a ring, a disc and a square in the plane.)
 */
#include "method/swae.h"
#include "base/rng.h"
#include "base/streams.h"
#include "regularizer/outputs.h"
#include "regularizer/slices.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { SLICES = 0 }; /* its option */

/* Memory of a thread: [3, stride] entries of a sort, and [stride] projections of the prior. */
static enum ecc_status swae_create(void **state, size_t n_max, size_t d,
                                   const struct ecc_regularizer_options *options,
                                   struct ecc_error *error)
{
    const size_t stride = n_max < SIZE_MAX / 64 ? ecc_slices_stride(n_max) : 0;
    return ecc_slices_create((struct ecc_slices **)state, n_max, d, (size_t)options->own[SLICES],
                             true, stride * (3 * sizeof(uint64_t) + sizeof(float)), options, error);
}

void ecc_swae_directions(float *directions, size_t count, size_t d, uint64_t seed, uint64_t step)
{
    struct ecc_slices s = {.d = d, .count = count, .seed = seed, .direction = directions};
    for (size_t k = 0; k < count; k++) ecc_slices_draw(&s, k, ECC_STREAM_SWAE + step);
}

void ecc_swae_prior(float *prior, size_t n, size_t d, uint64_t seed, uint64_t step)
{
    ecc_rng_normal_f32(prior, seed, ECC_STREAM_SWAE_PRIOR + step, 0, n * d);
}

/* A number as a key that sorts in the same order, above its place. */
static uint64_t entry_of(float x, size_t place)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | UINT32_C(0x80000000);
    return (uint64_t)bits << 32 | (uint64_t)place;
}

/* Sorts entries: [n] by their keys, eight bits at a time; equal keys keep their order. */
static void sort_entries(uint64_t *entries, uint64_t *spare, size_t n)
{
    for (unsigned shift = 32; shift < 64; shift += 8) {
        size_t starts[257] = {0};
        for (size_t i = 0; i < n; i++) starts[(entries[i] >> shift & 255) + 1]++;
        for (size_t b = 0; b < 256; b++) starts[b + 1] += starts[b];
        for (size_t i = 0; i < n; i++) spare[starts[entries[i] >> shift & 255]++] = entries[i];
        uint64_t *const swap = entries;
        entries = spare;
        spare = swap;
    } /* four passes: the result is back where it was */
}

/* The mean square of a slice; projections become derivatives of their sum, but for 2/n. */
static double compare_slice(const struct ecc_slices *s, size_t k, size_t n)
{
    const size_t stride = ecc_slices_stride(n);
    float *const along = s->along + k * stride;
    uint64_t *const mine =
        (uint64_t *)(void *)((char *)s->scratch + (size_t)omp_get_thread_num() * s->scratch_size);
    uint64_t *const theirs = mine + stride, *const spare = theirs + stride;
    float *const prior = (float *)(void *)(spare + stride);
    ecc_slices_project(s, prior, s->other, k, n);
    for (size_t i = 0; i < n; i++) {
        mine[i] = entry_of(along[i], i);
        theirs[i] = entry_of(prior[i], i);
    }
    sort_entries(mine, spare, n);
    sort_entries(theirs, spare, n);
    double sum = 0;
    for (size_t rank = 0; rank < n; rank++) {
        const size_t item = mine[rank] & UINT32_MAX;
        const double difference = (double)along[item] - (double)prior[theirs[rank] & UINT32_MAX];
        sum += difference * difference;
        along[item] = (float)difference;
    }
    return sum / (double)n;
}

static enum ecc_status swae_evaluate(void *state, struct ecc_regularizer_value *value, float *dz,
                                     const float *z, size_t n, uint64_t step,
                                     struct ecc_error *error)
{
    struct ecc_slices *const s = state;
    ECC_TRY(ecc_check_latents(z, n, s->d, 2, s->n_max, error));
    const size_t stride = ecc_slices_stride(n);
    const int threads = ecc_slices_threads(s, n);
    float *const draw = s->item; /* [n, d], until it is spread */
    ecc_swae_prior(draw, n, s->d, s->seed, step);
    ecc_slices_spread(s->other, draw, n, s->d);
    ecc_slices_spread(s->item, z, n, s->d);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (size_t k = 0; k < s->count; k++) {
        ecc_slices_draw(s, k, ECC_STREAM_SWAE + step);
        ecc_slices_project(s, s->along + k * stride, s->item, k, n);
        s->value[k] = compare_slice(s, k, n);
        memset(s->along + k * stride + n, 0, (stride - n) * sizeof *s->along);
    }
    double sum = 0;
    for (size_t k = 0; k < s->count; k++) sum += s->value[k];
    *value = (struct ecc_regularizer_value){.loss = sum / (double)s->count};
    if (dz) ecc_slices_gradient(s, dz, n, 2 / ((double)n * (double)s->count));
    return ECC_OK;
}

static const struct ecc_regularizer_option swae_options[] = {
    {"slices", "directions, drawn again at every step", 50, 1, 65536, .whole = true},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_swae = {
    .name = "swae",
    .summary = "sliced Wasserstein distance to a sample of the standard normal (SWAE)",
    .options = swae_options,
    .lambda = 10,
    .outputs_per_latent = 1,
    .n_min = 2,
    .d_min = 1,
    .create = swae_create,
    .evaluate = swae_evaluate,
    .destroy = ecc_slices_free,
};
