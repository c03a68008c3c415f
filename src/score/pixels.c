/* pixels.c: the pixels themselves as features: crude, but they need no network. */
#include "score/features.h"

#include <stdio.h>
#include <string.h>

static enum ecc_status pixels_open(struct ecc_features *features,
                                   const struct ecc_features_options *options,
                                   struct ecc_error *error)
{
    (void)options;
    (void)error;
    const struct ecc_item_shape s = features->shape;
    features->size = ecc_shape_size(s);
    snprintf(features->identity, sizeof features->identity, "pixels %zux%zux%zu", s.channels,
             s.height, s.width);
    return ECC_OK;
}

static enum ecc_status pixels_extract(struct ecc_features *features, float *f, const float *x,
                                      size_t n, struct ecc_error *error)
{
    (void)error;
    memcpy(f, x, n * features->size * sizeof *f);
    return ECC_OK;
}

const struct ecc_features_kind ecc_features_pixels = {
    .name = "pixels",
    .open = pixels_open,
    .extract = pixels_extract,
};
