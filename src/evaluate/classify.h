/*
 * classify.h: how well latents separate classes (eccentric_evaluate.h): what the files of the
 * classification share.
 *
 *     classify_items.c    the items to learn from and the items to classify
 *     classify_classes.c  their labels, matched by name
 *     classify_views.c    the same items as latents, as pixels and as ordinary components
 *     classify_errors.c   errors: each row, each view, each repeat
 *     classify_confusion.c  which classes are taken for which
 *     classify_numbers.c  numbers predicted by neighbours and by trees
 *     classify_stumps.c   what single components tell
 */
#ifndef ECC_EVALUATE_CLASSIFY_H
#define ECC_EVALUATE_CLASSIFY_H

#include "eccentric_evaluate.h"

#include "model/labels.h"
#include "model/model.h"

/* The items in one view; their number and size are in the result's view. */
struct ecc_classify_points {
    float *train, *test; /* [items, d], [test_items, d] */
    const struct ecc_labels *train_labels, *test_labels;
    const struct ecc_quantities *train_numbers, *test_numbers;
    struct ecc_labels own[2]; /* for a view that holds only some of the items */
    struct ecc_quantities own_numbers[2];
};

/* A classification in progress. */
struct ecc_classify_work {
    struct ecc_classification *result;
    struct ecc_model *model;
    const struct ecc_classify_options *options;
    const struct ecc_watch *watch;

    struct ecc_dataset *train, *test;   /* the same one when validating */
    uint32_t *train_items, *test_items; /* of them; NULL: all */
    bool has_classes;                   /* or attributes, and they are wanted */
    struct ecc_labels train_labels, test_labels;
    struct ecc_quantities train_numbers, test_numbers;
    struct ecc_classify_points points[ECC_VIEWS];
    size_t done, total; /* repeats */
};

/* Fills in the numbers of labelled items and the depths that the options ask for, or their
 * defaults. */
size_t ecc_classify_label_counts(const struct ecc_classify_options *options);
size_t ecc_classify_labels(const struct ecc_classify_work *work, size_t i);
size_t ecc_classify_depth_counts(const struct ecc_classify_options *options);
size_t ecc_classify_depth(const struct ecc_classify_options *options, size_t i);

enum ecc_status ecc_classify_open_items(struct ecc_classify_work *work, struct ecc_error *error);
enum ecc_status ecc_classify_take_labels(struct ecc_classify_work *work, struct ecc_error *error);
enum ecc_status ecc_classify_make_views(struct ecc_classify_work *work, struct ecc_error *error);
/* Keeps as many items of the pixels as trees can use. */
enum ecc_status ecc_classify_thin_out(struct ecc_classify_work *work, struct ecc_error *error);
/* Rotates the latents to the run's principal components, which stumps use one at a time. */
enum ecc_status ecc_classify_turn(struct ecc_classify_work *work, struct ecc_error *error);
enum ecc_status ecc_classify_measure(struct ecc_classify_work *work, struct ecc_error *error);
/* The numbers by neighbours; then, once the latents are rotated and the pixels thinned out, by
 * trees. */
enum ecc_status ecc_classify_start_numbers(struct ecc_classify_work *work, struct ecc_error *error);
enum ecc_status ecc_classify_by_trees(struct ecc_classify_work *work, struct ecc_error *error);
enum ecc_status ecc_classify_confusion(struct ecc_classify_work *work, struct ecc_error *error);
enum ecc_status ecc_classify_find_stumps(struct ecc_classify_work *work, struct ecc_error *error);

#endif
