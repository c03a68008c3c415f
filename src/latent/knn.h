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

#endif
