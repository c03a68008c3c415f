/* collect.c: from images to the statistics of their features. */
#include "score/collect.h"

#include <math.h>
#include <stdlib.h>

enum ecc_status ecc_collector_init(struct ecc_collector *c, struct ecc_features *features,
                                   uint64_t seed, struct ecc_error *error)
{
    *c = (struct ecc_collector){.features = features};
    ECC_TRY(ecc_feature_sums_init(&c->moments, features->size, error));
    ecc_reservoir_init(&c->sample, features->size, ECC_KID_SAMPLE, seed);
    c->x = malloc(features->batch * ecc_shape_size(features->shape) * sizeof *c->x);
    c->f = malloc(features->batch * features->size * sizeof *c->f);
    if (c->x && c->f) return ECC_OK;
    ecc_collector_release(c);
    return ecc_fail_memory(error, "a batch of features");
}

void ecc_collector_release(struct ecc_collector *c)
{
    ecc_feature_sums_release(&c->moments);
    ecc_reservoir_release(&c->sample);
    free(c->x);
    free(c->f);
    *c = (struct ecc_collector){0};
}

enum ecc_status ecc_collector_extract(struct ecc_collector *c, float *f, const float *x, size_t n,
                                      struct ecc_error *error)
{
    const size_t item = ecc_shape_size(c->features->shape);
    for (size_t k = 0; k < n * item; k++) {
        if (!isfinite(x[k])) {
            return ecc_fail(error, ECC_BAD_DATA, "item %zu has a pixel that is %g", k / item + 1,
                            (double)x[k]);
        }
        c->x[k] = x[k] < 0 ? 0 : x[k] > 1 ? 1 : x[k];
    }
    return ecc_features_extract(c->features, f, c->x, n, error);
}

enum ecc_status ecc_collector_keep(struct ecc_collector *c, const float *f, size_t n,
                                   struct ecc_error *error)
{
    ECC_TRY(ecc_feature_sums_add(&c->moments, f, n, error));
    return ecc_reservoir_add(&c->sample, f, n, error);
}

enum ecc_status ecc_collector_add(struct ecc_collector *c, const float *x, size_t n,
                                  struct ecc_error *error)
{
    const size_t batch = c->features->batch, item = ecc_shape_size(c->features->shape);
    for (size_t i = 0; i < n; i += batch) {
        const size_t count = n - i < batch ? n - i : batch;
        ECC_TRY(ecc_collector_extract(c, c->f, x + i * item, count, error));
        ECC_TRY(ecc_collector_keep(c, c->f, count, error));
    }
    return ECC_OK;
}

enum ecc_status ecc_collector_kid(struct ecc_kid *kid, const struct ecc_collector *a,
                                  const struct ecc_collector *b, uint64_t seed,
                                  struct ecc_error *error)
{
    const struct ecc_feature_rows x = {a->sample.rows, ecc_reservoir_kept(&a->sample),
                                       a->features->size};
    const struct ecc_feature_rows y = {b->sample.rows, ecc_reservoir_kept(&b->sample),
                                       b->features->size};
    return ecc_kid_estimate(kid, &x, &y, seed, error);
}
