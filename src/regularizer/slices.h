/*
 * slices.h: latents seen along random directions, for the losses of one-dimensional projections
 * (sigreg, swae), and the gradient back from those.
 *
 * Directions are normal vectors scaled to length 1, drawn again at every step.  Each slice belongs
 * to one thread, and each item of the gradient to one, so that results do not depend on their
 * number.
 */
#ifndef ECC_REGULARIZER_SLICES_H
#define ECC_REGULARIZER_SLICES_H

#include "base/arena.h"
#include "regularizer/regularizer.h"

struct ecc_slices {
    size_t n_max, d, count;
    uint64_t seed;
    int threads;
    struct ecc_arena arena;
    float *direction; /* [count, d] */
    float *item;      /* [d, stride]: latents by coordinate */
    float *other;     /* [d, stride]: a second sample, if asked for */
    float *along;     /* [count, stride]: projections, then derivatives with respect to them */
    double *value;    /* [count]: the loss of each slice */
    void *scratch;    /* [threads, scratch_size] */
    size_t scratch_size;
};

/* scratch: bytes per thread. */
enum ecc_status ecc_slices_create(struct ecc_slices **result, size_t n_max, size_t d, size_t count,
                                  bool two_samples, size_t scratch,
                                  const struct ecc_regularizer_options *options,
                                  struct ecc_error *error);
void ecc_slices_free(void *slices);

/* Numbers between two slices or coordinates of n items: room for vectors of eight at the end. */
size_t ecc_slices_stride(size_t n);
/* threads for n items: one if that is faster. */
int ecc_slices_threads(const struct ecc_slices *s, size_t n);

/* to: [d, stride] = z: [n, d] by coordinate, zeros beyond n. */
void ecc_slices_spread(float *to, const float *z, size_t n, size_t d);
/* Direction k of a step: [d]. */
void ecc_slices_draw(struct ecc_slices *s, size_t k, uint64_t stream);
/* to: [stride] = items: [d, stride] along direction k. */
void ecc_slices_project(const struct ecc_slices *s, float *to, const float *items, size_t k,
                        size_t n);
/* dz: [n, d] = factor * sum over k of along[k, i] direction[k] */
void ecc_slices_gradient(const struct ecc_slices *s, float *dz, size_t n, double factor);

#endif
