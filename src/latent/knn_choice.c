/* knn_choice.c: how many neighbours to ask by default, and their mean. */
#include "latent/knn.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 15, LEAST_OF_A_MEAN = 9 };

static size_t nearest_odd(double value)
{
    return 1 + 2 * (size_t)(value / 2);
}

static int compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* sizes: items of each class of each target; returns how many are not empty, sorted first. */
static size_t count_sizes(size_t *sizes, size_t room, const struct ecc_labels *labels)
{
    size_t first = 0, kept = 0;
    for (size_t t = 0; t < labels->targets; t++) {
        for (size_t i = 0; i < labels->n; i++)
            sizes[first + (size_t)labels->values[t * labels->n + i]]++;
        first += labels->classes[t];
    }
    for (size_t i = 0; i < room; i++) {
        if (sizes[i] > 0) sizes[kept++] = sizes[i];
    }
    qsort(sizes, kept, sizeof *sizes, compare_sizes);
    return kept;
}

enum ecc_status ecc_knn_choose(size_t *k, const struct ecc_labels *labels, struct ecc_error *error)
{
    size_t room = 0;
    for (size_t t = 0; t < labels->targets; t++) room += labels->classes[t];
    size_t *const sizes = calloc(room + 1, sizeof *sizes);
    if (!sizes) return ecc_fail_memory(error, "the sizes of the classes");
    const size_t kept = count_sizes(sizes, room, labels);
    const size_t first_quarter = kept > 0 ? (kept - 1) / 4 : 0;
    const double quartile = kept > 0 ? (double)sizes[first_quarter] : 1;
    *k = nearest_odd(sqrt(quartile) / 2);
    if (*k > MOST) *k = MOST;
    free(sizes);
    return ECC_OK;
}

size_t ecc_knn_choose_mean(size_t n)
{
    size_t k = nearest_odd(cbrt((double)n));
    if (k < LEAST_OF_A_MEAN) k = LEAST_OF_A_MEAN;
    if (k > MOST) k = MOST;
    return k < n ? k : n;
}

void ecc_knn_mean(double *predicted, const double *values, const size_t *index, size_t test_n,
                  size_t k)
{
    for (size_t i = 0; i < test_n; i++) {
        double sum = 0;
        for (size_t j = 0; j < k; j++) sum += values[index[i * k + j]];
        predicted[i] = sum / (double)k;
    }
}
