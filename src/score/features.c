/* features.c: the kinds of features, and what they have in common. */
#include "score/features.h"

#include <stdlib.h>
#include <string.h>

extern const struct ecc_features_kind ecc_features_inception, ecc_features_classifier,
    ecc_features_pixels, ecc_features_pca;

static const struct ecc_features_kind *const kinds[] = {
    &ecc_features_inception,
    &ecc_features_classifier,
    &ecc_features_pixels,
    &ecc_features_pca,
    NULL,
};

enum ecc_status ecc_features_open(struct ecc_features **features, const char *kind,
                                  const struct ecc_features_options *options,
                                  struct ecc_error *error)
{
    *features = NULL;
    const struct ecc_features_kind *const *entry = kinds;
    while (*entry && strcmp((*entry)->name, kind) != 0) entry++;
    if (!*entry) return ecc_fail(error, ECC_BAD_ARGUMENT, "there are no features '%s'", kind);
    struct ecc_features *const f = calloc(1, sizeof *f);
    if (!f) return ecc_fail_memory(error, "features");
    f->kind = *entry;
    f->shape = options->shape;
    f->batch = options->batch;
    const enum ecc_status status = f->kind->open(f, options, error);
    if (status != ECC_OK) {
        ecc_features_close(f);
        return status;
    }
    *features = f;
    return ECC_OK;
}

void ecc_features_close(struct ecc_features *features)
{
    if (!features) return;
    if (features->state) features->kind->close(features->state);
    free(features);
}

enum ecc_status ecc_features_extract(struct ecc_features *features, float *f, const float *x,
                                     size_t n, struct ecc_error *error)
{
    const size_t item = ecc_shape_size(features->shape);
    for (size_t i = 0; i < n; i += features->batch) {
        const size_t count = n - i < features->batch ? n - i : features->batch;
        ECC_TRY(
            features->kind->extract(features, f + i * features->size, x + i * item, count, error));
    }
    return ECC_OK;
}
