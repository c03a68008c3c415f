/* knn.c: classification by the majority of the nearest neighbours. */
#include "latent/knn.h"

#include "math/neighbours.h"

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

enum ecc_status ecc_knn_vote(int32_t *predicted, const struct ecc_labels *labels,
                             const size_t *index, size_t test_n, size_t k, struct ecc_error *error)
{
    for (size_t t = 0; t < labels->targets; t++) {
        size_t *const count = calloc(labels->classes[t] + 1, sizeof *count);
        if (!count) return ecc_fail_memory(error, "the votes");
        const int32_t *const values = labels->values + t * labels->n;
        for (size_t i = 0; i < test_n; i++) {
            predicted[t * test_n + i] = most_frequent(count, values, index + i * k, k);
        }
        free(count);
    }
    return ECC_OK;
}

enum ecc_status ecc_knn_predict(int32_t *predicted, const struct ecc_labelled *train,
                                const float *test, size_t test_n, size_t k, struct ecc_error *error)
{
    size_t *const index = malloc((test_n * k + 1) * sizeof *index);
    if (!index) return ecc_fail_memory(error, "the neighbours");
    enum ecc_status status =
        ecc_neighbours(NULL, index, test, test_n, train->x, train->n, train->d, k, error);
    if (status == ECC_OK) {
        status = ecc_knn_vote(predicted, train->labels, index, test_n, k, error);
    }
    free(index);
    return status;
}
