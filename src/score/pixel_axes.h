/*
 * pixel_axes.h: principal axes of the pixels of images: features where there is neither a network
 * nor labels to train one.
 *
 * They depend on the images they are fitted to and nothing else.  Scores compare only if they are
 * of the same axes, so a checksum of mean and axes is part of the features' identity.
 */
#ifndef ECC_SCORE_PIXEL_AXES_H
#define ECC_SCORE_PIXEL_AXES_H

#include "eccentric.h"

#include "base/watch.h"
#include "data/dataset.h"

enum {
    ECC_AXES_MOST = 256,
    ECC_AXES_ITEMS = 2048,      /* images that they are fitted to, at most ... */
    ECC_AXES_FLOATS = 1 << 26,  /* ... and of large images as many as have this many numbers */
    ECC_AXES_ITEMS_OF_ONE = 4,  /* images for each axis, at least */
    ECC_AXES_ITEMS_LEAST = 2,   /* images, at least */
    ECC_AXES_ITEMS_FEW = 64,    /* with fewer images, scores say little */
    ECC_AXES_IDENTITY_END = 14, /* bytes of "axes 01234567" */
};

struct ecc_pixel_axes {
    struct ecc_pca pca;
    size_t items; /* that they were fitted to */
    double share; /* of the variance of those items */
};

/* Fits to images of this data that are spread evenly over it.  At most `most` axes, and fewer for
 * few images.  Pixels are clipped to 0 .. 1, as everywhere in scores. */
enum ecc_status ecc_pixel_axes_fit(struct ecc_pixel_axes *axes, struct ecc_dataset *data,
                                   size_t most, const struct ecc_watch *watch,
                                   struct ecc_error *error);

/* The end of an identity: "axes " and a checksum of mean and axes. */
void ecc_pixel_axes_name(const struct ecc_pca *pca, char text[ECC_AXES_IDENTITY_END]);

/* x: [n, size] minus the mean, in place. */
void ecc_pixel_axes_centre(const struct ecc_pca *pca, float *x, size_t n);

#endif
