/*
 * labelled.h: what classifiers learn from: points and their labels.
 *
 * One target with several classes (a digit), or many targets of 0 and 1 (attributes of a face);
 * classifiers treat both alike.
 */
#ifndef ECC_LATENT_LABELLED_H
#define ECC_LATENT_LABELLED_H

#include "base/status.h"

struct ecc_labels {
    size_t n, targets;
    int32_t *values;    /* [targets, n], classes from 0 */
    size_t *classes;    /* [targets] how many there are */
    bool attributes;    /* many targets of 0 and 1, with names */
    const char **names; /* [targets], borrowed, or NULL */
};

/* Allocates the arrays for `n` and `targets`, zeroed. */
enum ecc_status ecc_labels_init(struct ecc_labels *labels, struct ecc_error *error);
void ecc_labels_release(struct ecc_labels *labels);

/* Fails unless both have the same targets; `classes` of both become the larger of the two. */
enum ecc_status ecc_labels_match(struct ecc_labels *train, struct ecc_labels *test,
                                 struct ecc_error *error);

/* Points with their labels, borrowed. */
struct ecc_labelled {
    const float *x; /* [n, d] */
    size_t n, d;
    const struct ecc_labels *labels;
};

/* A copy of these rows; the caller frees x and releases the labels.  d may be 0: labels only. */
enum ecc_status ecc_labelled_copy(float **x, struct ecc_labels *labels,
                                  const struct ecc_labelled *from, const uint32_t *rows,
                                  size_t count, struct ecc_error *error);

enum ecc_subset { ECC_SUBSET_BALANCED = 0, ECC_SUBSET_UNIFORM };

/* Draws `count` of the n rows from (seed, stream), rows: [count], ascending.  Balanced: the same
 * number of each class, except for a remainder and classes that have too few; only if there is one
 * target.  count <= n. */
enum ecc_status ecc_labels_draw(uint32_t *rows, size_t count, const struct ecc_labels *labels,
                                enum ecc_subset kind, uint64_t seed, uint64_t stream,
                                struct ecc_error *error);

/* Fails unless values: [n] are classes from 0 to classes - 1. */
enum ecc_status ecc_labels_in_range(const int32_t *values, size_t n, size_t classes,
                                    struct ecc_error *error);

/* The most frequent class of each target, the lowest if there are several: majority: [targets]. */
enum ecc_status ecc_labels_majority(int32_t *majority, const struct ecc_labels *labels,
                                    struct ecc_error *error);

/* The share of wrong predictions of one target; predicted: [labels->n]. */
double ecc_labels_error(const struct ecc_labels *labels, size_t target, const int32_t *predicted);

#endif
