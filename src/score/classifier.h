/*
 * classifier.h: a small convolutional classifier that learns the labels of a data set: features
 * for grey digits and other images that Inception has never seen.
 *
 * It depends on the items and labels alone, never on the seed of a command, so that all scores of
 * one data set use the same features.
 */
#ifndef ECC_SCORE_CLASSIFIER_H
#define ECC_SCORE_CLASSIFIER_H

#include "nn/net.h"
#include "score/features.h"

enum {
    ECC_CLASSIFIER_FEATURES = 128, /* units of the last hidden layer */
    ECC_CLASSIFIER_BATCH = 100,
    ECC_CLASSIFIER_SEED = 1,
    ECC_CLASSIFIER_LEAST = 50, /* labelled items to learn from */
};

struct ecc_classifier {
    struct ecc_net_spec *spec;
    struct ecc_net *net; /* planned for inference */
    size_t classes;
    size_t trained;  /* items it learned from */
    size_t held_out; /* items that its accuracy is measured on */
    double accuracy; /* share of those that it classifies correctly */
    uint32_t sum;    /* checksum of its weights */
};

/* The layers, for images of this shape. */
enum ecc_status ecc_classifier_spec(struct ecc_net_spec **spec, struct ecc_item_shape shape,
                                    size_t classes, struct ecc_error *error);

/* Trains on nine tenths of the labelled items and measures the accuracy on the rest.  flat receives
 * the weights, as ecc_net_export fills it. */
enum ecc_status ecc_classifier_train(struct ecc_classifier *c, float *flat,
                                     struct ecc_dataset *data, int threads,
                                     const struct ecc_watch *watch, struct ecc_error *error);

/* ---- In a file: classifier_file.c ----------------------------------------------------------- */

/* Where the classifier of this data is kept: in $XDG_CACHE_HOME/eccentric or ~/.cache/eccentric,
 * under a name that follows from labels, a sample of the items, and the layers.  *path is the
 * caller's to free; NULL when neither variable is set. */
enum ecc_status ecc_classifier_path(char **path, const struct ecc_classifier *c,
                                    struct ecc_dataset *data, struct ecc_error *error);

enum ecc_status ecc_classifier_write(const struct ecc_classifier *c, const float *flat,
                                     const char *path, struct ecc_error *error);
enum ecc_status ecc_classifier_read(struct ecc_classifier *c, float *flat, const char *path,
                                    struct ecc_error *error);

#endif
