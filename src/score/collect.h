/* collect.h: takes images batch by batch and keeps what scores need of their features: mean and
 * covariance, and a random sample for the kernel distance. */
#ifndef ECC_SCORE_COLLECT_H
#define ECC_SCORE_COLLECT_H

#include "score/features.h"
#include "score/kid.h"

struct ecc_collector {
    struct ecc_features *features; /* the caller's */
    struct ecc_feature_sums moments;
    struct ecc_reservoir sample;
    float *x, *f; /* [batch, item] and [batch, size] */
};

enum ecc_status ecc_collector_init(struct ecc_collector *collector, struct ecc_features *features,
                                   uint64_t seed, struct ecc_error *error);
void ecc_collector_release(struct ecc_collector *collector);

/* x: [n, c, h, w], any n; pixels are clipped to 0 .. 1, as an image file would. */
enum ecc_status ecc_collector_add(struct ecc_collector *collector, const float *x, size_t n,
                                  struct ecc_error *error);
/* The same in two halves, of at most a batch: f: [n, size], the features, and what is kept of them.
 */
enum ecc_status ecc_collector_extract(struct ecc_collector *collector, float *f, const float *x,
                                      size_t n, struct ecc_error *error);
enum ecc_status ecc_collector_keep(struct ecc_collector *collector, const float *f, size_t n,
                                   struct ecc_error *error);

/* The kernel distance between the samples of two collectors.  Fails when one has too few items. */
enum ecc_status ecc_collector_kid(struct ecc_kid *kid, const struct ecc_collector *a,
                                  const struct ecc_collector *b, uint64_t seed,
                                  struct ecc_error *error);

#endif
