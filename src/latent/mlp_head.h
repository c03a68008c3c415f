/*
 * mlp_head.h: classification by a small network on points that do not change: the head of IRMAE
 * (Jing, Zbontar and LeCun, 2020).
 *
 *     linear to `width`, ReLU, dropout; the same again; linear without bias to the classes
 *
 * trained by Adam on the cross-entropy.  With several targets the outputs of all of them stand side
 * by side, and their cross-entropies are added.
 */
#ifndef ECC_LATENT_MLP_HEAD_H
#define ECC_LATENT_MLP_HEAD_H

#include "latent/labelled.h"

struct ecc_head_options {
    size_t width, epochs, batch; /* 128, at most 500, 100 */
    double dropout, rate;        /* 0.5, 0.001 */
    uint64_t seed;
    const struct ecc_watch *watch; /* or NULL */
};

struct ecc_head_options ecc_head_defaults(void);

/*
 * predicted: [targets, test_n].  How many epochs to train is decided by a fifth of the labelled
 * items: every ten epochs their error is measured, and the head is trained again on all labelled
 * items for as many epochs as gave the smallest.  With fewer than 50 labelled items, too few to
 * decide anything, it trains for all epochs.  *epochs: how many they were.
 */
enum ecc_status ecc_head_predict(int32_t *predicted, size_t *epochs,
                                 const struct ecc_labelled *train, const float *test, size_t test_n,
                                 const struct ecc_head_options *options, struct ecc_error *error);

/* ---- The network, for tests ----------------------------------------------------------------- */

struct ecc_head {
    size_t d, width, outputs, batch;
    const struct ecc_labels *labels; /* its targets and classes */
    size_t count;                    /* of the weights */
    /* [count]: w1: [width, d], b1: [width], w2: [width, width], b2: [width], w3: [outputs, width]
     */
    float *weights, *gradient, *first, *second;
    float *h1, *h2; /* [batch, width] after ReLU and dropout */
    float *y;       /* [batch, outputs], then its gradient */
    float *g;       /* [batch, width] */
    float *mask;    /* [2, batch, width] what dropout multiplies by */
    float *x;       /* [batch, d] */
    void *memory;
};

/* labels must stay in place.  Weights are drawn as PyTorch's Linear draws them. */
enum ecc_status ecc_head_init(struct ecc_head *head, const struct ecc_labels *labels, size_t d,
                              const struct ecc_head_options *options, struct ecc_error *error);
void ecc_head_release(struct ecc_head *head);

/* Outputs y of x: [n, d], n <= batch; with dropout where `mask` counts. */
void ecc_head_forward(struct ecc_head *head, const float *x, size_t n, bool masked);
/* The mean loss of the rows: [n] of the labels whose points were passed last; fills the gradient.
 */
double ecc_head_back(struct ecc_head *head, const float *x, const uint32_t *rows, size_t n);

#endif
