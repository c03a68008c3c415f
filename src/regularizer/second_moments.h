/*
 * second_moments.h: what regularizers of the covariance share: sums of products of coordinates over
 * a batch, and the gradient that follows from them.
 *
 * A function of S = sum over items of x x^T, x: [n, d], has the gradient x G with a symmetric
 * G: [d, d].  Every number is summed by one thread and in the same order, with any number of
 * threads.
 */
#ifndef ECC_REGULARIZER_SECOND_MOMENTS_H
#define ECC_REGULARIZER_SECOND_MOMENTS_H

#include "base/arena.h"
#include "regularizer/regularizer.h"

struct ecc_second_moments {
    size_t n_max, d;
    int threads;
    double own[ECC_REGULARIZER_OPTIONS]; /* of the regularizer */
    struct ecc_arena arena;
    double *x;        /* [n, d]: items, centred or projected */
    double *sums;     /* [d, d]: S */
    double *gradient; /* [d, d]: G */
    double *spare;    /* [d, d] */
    double *row;      /* [n + d] */
    void *work;       /* of an eigenproblem, if asked for */
};

enum ecc_status ecc_second_moments_create(struct ecc_second_moments **result, size_t n_max,
                                          size_t d, size_t work_size,
                                          const struct ecc_regularizer_options *options,
                                          struct ecc_error *error);
void ecc_second_moments_free(void *moments);

/* x becomes z: [n, d] minus its mean. */
void ecc_second_moments_centre(struct ecc_second_moments *m, const float *z, size_t n);
/* S from x. */
void ecc_second_moments_sum(struct ecc_second_moments *m, size_t n);
/* dz: [n, d] = x G */
void ecc_second_moments_gradient(const struct ecc_second_moments *m, float *dz, size_t n);

#endif
