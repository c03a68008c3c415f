/* knn.c: classification by the majority of the nearest neighbours. */
#include "latent/knn.h"

#include <stdlib.h>
#include <string.h>

/* The lowest of the most frequent classes; count: [classes], zeroed before and after. */
static int32_t most_frequent(size_t *count, const int32_t *values, const size_t *index, size_t k)
{
    int32_t best = values[index[0]];
    for (size_t j = 0; j < k; j++) {
        const int32_t class = values[index[j]];
        count[class]++;
        const bool leads = count[class] > count[best];
        if (leads || (class < best && count[class] == count[best])) best = class;
    }
    for (size_t j = 0; j < k; j++) count[values[index[j]]] = 0;
    return best;
}

/* For one target: predicted: [m], values: [n], index: [m, k]. */
static enum ecc_status vote(int32_t *predicted, const int32_t *values, size_t classes,
                            const size_t *index, size_t m, size_t k, struct ecc_error *error)
{
    size_t *const count = calloc(classes + 1, sizeof *count);
    if (!count) return ecc_fail_memory(error, "the votes");
    for (size_t i = 0; i < m; i++) {
        predicted[i] = most_frequent(count, values, index + i * k, k);
    }
    free(count);
    return ECC_OK;
}

enum ecc_status ecc_knn_vote(int32_t *predicted, const struct ecc_labels *labels,
                             const size_t *index, size_t test_n, size_t k, struct ecc_error *error)
{
    for (size_t t = 0; t < labels->targets; t++) {
        ECC_TRY(vote(predicted + t * test_n, labels->values + t * labels->n, labels->classes[t],
                     index, test_n, k, error));
    }
    return ECC_OK;
}

/* The neighbours of all queries, *index: [m, k], which the caller frees. */
static enum ecc_status find(size_t **index, const struct ecc_labelled *items, const float *queries,
                            size_t m, size_t k, struct ecc_error *error)
{
    const size_t n = items->n;
    const size_t most = k < n ? k : n; /* more are refused by the search */
    *index = m <= SIZE_MAX / sizeof **index / (most + 1) ? malloc((m * most + 1) * sizeof **index)
                                                         : NULL;
    if (!*index) return ecc_fail_memory(error, "the neighbours");
    const enum ecc_status status =
        ecc_neighbours(NULL, *index, queries, m, items->x, n, items->d, k, error);
    if (status == ECC_OK) return ECC_OK;
    free(*index);
    *index = NULL;
    return status;
}

enum ecc_status ecc_knn_predict(int32_t *predicted, const struct ecc_labelled *train,
                                const float *test, size_t test_n, size_t k, struct ecc_error *error)
{
    size_t *index;
    ECC_TRY(find(&index, train, test, test_n, k, error));
    const enum ecc_status status = ecc_knn_vote(predicted, train->labels, index, test_n, k, error);
    free(index);
    return status;
}

enum ecc_status ecc_knn_classify(int32_t *predicted, const float *queries, size_t m,
                                 const float *items, const int32_t *labels, size_t n, size_t d,
                                 size_t classes, size_t k, struct ecc_error *error)
{
    size_t *index;
    const struct ecc_labelled points = {.x = items, .n = n, .d = d};
    ECC_TRY(ecc_labels_in_range(labels, n, classes, error));
    ECC_TRY(find(&index, &points, queries, m, k, error));
    const enum ecc_status status = vote(predicted, labels, classes, index, m, k, error);
    free(index);
    return status;
}
