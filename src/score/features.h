/*
 * features.h: what images are compared by: a network's hidden layer, principal components of the
 * pixels, or the pixels themselves.
 *
 * A kind of features is one file that ends in a const entry and one line of the table in
 * features.c.  Scores of different features cannot be compared: `identity` tells them apart.
 */
#ifndef ECC_SCORE_FEATURES_H
#define ECC_SCORE_FEATURES_H

#include "base/share.h"
#include "base/watch.h"
#include "data/dataset.h"
#include "score/feature_statistics.h"

struct ecc_features;

struct ecc_features_options {
    const char *weights;          /* Inception: safetensors file; NULL: where it is usually kept */
    struct ecc_item_shape shape;  /* of the images */
    struct ecc_dataset *labelled; /* classifier: what it learns from */
    struct ecc_dataset *fitted;   /* pca: the images that its axes are fitted to */
    size_t axes;                  /* pca: at most this many; 0: ECC_AXES_MOST */
    /* pca: not NULL: the axes are those of statistics of such features, and move from there to
     * the features; nothing is fitted. */
    struct ecc_statistics *statistics;
    size_t batch;                  /* at most this many images at once */
    int threads;                   /* 0: as many as OpenMP would use */
    const struct ecc_watch *watch; /* or NULL */
    /* Processes that all open the same features: what one would learn is learnt once, or NULL. */
    const struct ecc_share *share;
};

struct ecc_features_kind {
    const char *name; /* "inception" */
    enum ecc_status (*open)(struct ecc_features *features,
                            const struct ecc_features_options *options, struct ecc_error *error);
    /* f: [n, size] of x: [n, c, h, w], pixels from 0 to 1; n is at most options.batch. */
    enum ecc_status (*extract)(struct ecc_features *features, float *f, const float *x, size_t n,
                               struct ecc_error *error);
    void (*close)(void *state);
};

struct ecc_features {
    const struct ecc_features_kind *kind;
    void *state;
    struct ecc_item_shape shape; /* of an image */
    size_t size;                 /* features of an image */
    size_t batch;
    double accuracy;            /* of a classifier, on items it did not learn from; 0 for others */
    const struct ecc_pca *axes; /* of pca; NULL for others */
    /* Network, layout, checksum of the weights, how images are resized.  Starts with the kind's
     * name. */
    char identity[ECC_IDENTITY_SIZE];
};

enum ecc_status ecc_features_open(struct ecc_features **features, const char *kind,
                                  const struct ecc_features_options *options,
                                  struct ecc_error *error);
void ecc_features_close(struct ecc_features *features);

/* Any n. */
enum ecc_status ecc_features_extract(struct ecc_features *features, float *f, const float *x,
                                     size_t n, struct ecc_error *error);

#endif
