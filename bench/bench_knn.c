/*
 * bench_knn.c: times the search for nearest neighbours.
 *
 * usage: bench_knn ITEMS.npy QUERIES.npy K [INDEX.npy]     prints the best of five, in seconds;
 * INDEX.npy receives the neighbours' numbers, [queries, K] of float64, for comparison with a peer.
 */
#include "base/clock.h"
#include "base/npy.h"
#include "base/text.h"
#include "math/neighbours.h"

#include <math.h>
#include <stdlib.h>

static enum ecc_status measure(double *best, size_t *index, const float *queries, size_t m,
                               const float *items, size_t n, size_t d, size_t k,
                               struct ecc_error *error)
{
    *best = (double)INFINITY;
    for (int round = 0; round < 5; round++) {
        const double start = ecc_seconds();
        ECC_TRY(ecc_neighbours(NULL, index, queries, m, items, n, d, k, error));
        *best = fmin(*best, ecc_seconds() - start);
    }
    return ECC_OK;
}

static enum ecc_status write_index(const char *path, const size_t *index, size_t m, size_t k,
                                   struct ecc_error *error)
{
    double *const numbers = malloc(m * k * sizeof *numbers);
    if (!numbers) return ecc_fail_memory(error, "the neighbours");
    for (size_t i = 0; i < m * k; i++) numbers[i] = (double)index[i];
    const enum ecc_status status = ecc_npy_write_f64(path, numbers, m, k, error);
    free(numbers);
    return status;
}

static enum ecc_status run(char **argv, struct ecc_error *error)
{
    float *items = NULL, *queries = NULL;
    size_t n, m, d, wide, k;
    if (!ecc_parse_size(argv[3], &k)) return ecc_fail(error, ECC_BAD_ARGUMENT, "K is no number");
    enum ecc_status status = ecc_npy_read_f32(&items, &n, &d, argv[1], error);
    if (status == ECC_OK) status = ecc_npy_read_f32(&queries, &m, &wide, argv[2], error);
    if (status == ECC_OK && wide != d) status = ecc_fail(error, ECC_BAD_DATA, "widths differ");
    size_t *const index = status == ECC_OK ? malloc(m * k * sizeof *index) : NULL;
    if (status == ECC_OK && !index) status = ecc_fail_memory(error, "the neighbours");
    double seconds = 0;
    if (status == ECC_OK) status = measure(&seconds, index, queries, m, items, n, d, k, error);
    if (status == ECC_OK) printf("%.4f\n", seconds);
    if (status == ECC_OK && argv[4]) status = write_index(argv[4], index, m, k, error);
    free(items);
    free(queries);
    free(index);
    return status;
}

int main(int argc, char **argv)
{
    struct ecc_error error;
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: bench_knn ITEMS.npy QUERIES.npy K [INDEX.npy]\n");
        return 2;
    }
    if (run(argv, &error) == ECC_OK) return 0;
    fprintf(stderr, "bench_knn: %s\n", error.text);
    return 1;
}
