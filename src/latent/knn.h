/* knn.h: classification by the majority of the nearest neighbours. */
#ifndef ECC_LATENT_KNN_H
#define ECC_LATENT_KNN_H

#include "latent/labelled.h"

/*
 * predicted: [targets, test_n], the most frequent class among the k items of `train` that are
 * nearest to each row of test: [test_n, train->d]; of equally frequent classes the lowest, as in
 * scikit-learn's KNeighborsClassifier.  Distances are exact (ecc_neighbours).  Fails with
 * ECC_BAD_ARGUMENT when there are fewer than k items to choose from.
 */
enum ecc_status ecc_knn_predict(int32_t *predicted, const struct ecc_labelled *train,
                                const float *test, size_t test_n, size_t k,
                                struct ecc_error *error);

/* The same if the neighbours are known, index: [test_n, k], for example for several k. */
enum ecc_status ecc_knn_vote(int32_t *predicted, const struct ecc_labels *labels,
                             const size_t *index, size_t test_n, size_t k, struct ecc_error *error);

/*
 * How many neighbours suit these labels: the odd number nearest to half the square root of the
 * lower quartile of the class sizes (of two to four classes: the smallest), from 1 to 15.
 * docs/classify.md has the comparison that led to it.
 */
enum ecc_status ecc_knn_choose(size_t *k, const struct ecc_labels *labels, struct ecc_error *error);

/* How many suit the mean of n known numbers: the odd number nearest to the cube root of n, from 9
 * to 15, and at most n. */
size_t ecc_knn_choose_mean(size_t n);

/* predicted: [test_n], the mean of the values: [n] of the neighbours, index: [test_n, k]. */
void ecc_knn_mean(double *predicted, const double *values, const size_t *index, size_t test_n,
                  size_t k);

#endif
