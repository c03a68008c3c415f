/* test_assignment.c: the Hungarian problem against all permutations, against SciPy and by its
 * invariances; singular values; the k nearest neighbours against plain search. */
#include "testing.h"

#include "base/rng.h"
#include "math/lapack.h"
#include "math/neighbours.h"

#include <float.h>
#include <omp.h>

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) fail_msg("out of memory");
    return memory;
}

/* ---- Assignment ----------------------------------------------------------------------------- */

/* The least sum over rows `row` and later, by trying everything. */
static double least_sum(const double *value, size_t rows, size_t columns, size_t row, unsigned used)
{
    if (row == rows) return 0;
    double least = (double)INFINITY;
    for (size_t j = 0; j < columns; j++) {
        if (used >> j & 1U) continue;
        least = fmin(least, value[row * columns + j] +
                                least_sum(value, rows, columns, row + 1, used | 1U << j));
    }
    return least;
}

static void check_is_one_to_one(const size_t *column, size_t rows, size_t columns)
{
    bool *const used = need(columns, sizeof *used);
    for (size_t i = 0; i < rows; i++) {
        assert_true(column[i] < columns && !used[column[i]]);
        used[column[i]] = true;
    }
    free(used);
}

static void check_against_all(const double *value, size_t rows, size_t columns)
{
    size_t column[8];
    double total, negative[64];
    check_ok(ecc_assignment(column, &total, value, rows, columns, false, &testing_error));
    check_is_one_to_one(column, rows, columns);
    check_absolute(total, least_sum(value, rows, columns, 0, 0), 1e-12, "least total");
    for (size_t i = 0; i < rows * columns; i++) negative[i] = -value[i];
    check_ok(ecc_assignment(column, &total, value, rows, columns, true, &testing_error));
    check_is_one_to_one(column, rows, columns);
    check_absolute(total, -least_sum(negative, rows, columns, 0, 0), 1e-12, "greatest total");
}

static void test_against_all_permutations(void **state)
{
    (void)state;
    double value[64];
    for (size_t columns = 1; columns <= 7; columns++) {
        for (size_t rows = 1; rows <= columns; rows++) {
            for (uint64_t trial = 0; trial < 20; trial++) {
                ecc_rng_normal(value, trial, columns * 10 + rows, 0, rows * columns);
                /* half of them with many ties */
                for (size_t i = 0; trial % 2 && i < rows * columns; i++) value[i] = rint(value[i]);
                check_against_all(value, rows, columns);
            }
        }
    }
    ecc_rng_normal(value, 1, 88, 0, 64);
    check_against_all(value, 8, 8);
}

/*
 * SciPy's linear_sum_assignment on the same matrices gives these totals:
 *     i, j = numpy.ogrid[:n, :n]; c = ((i*i*7919 + j*j*104729 + i*j*1299709 + 17) % 1000003) /
 * 1000003 rows, columns = scipy.optimize.linear_sum_assignment(c, maximize); c[rows, columns].sum()
 */
static void check_against_scipy(size_t n, double least, double greatest)
{
    double *const value = need(n * n, sizeof *value);
    size_t *const column = need(n, sizeof *column);
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++) {
            const uint64_t number = i * i * 7919 + j * j * 104729 + i * j * 1299709 + 17;
            value[i * n + j] = (double)(number % 1000003) / 1000003;
        }
    }
    double total;
    check_ok(ecc_assignment(column, &total, value, n, n, false, &testing_error));
    check_is_one_to_one(column, n, n);
    check_relative(total, least, 1e-12, "least total");
    check_ok(ecc_assignment(column, &total, value, n, n, true, &testing_error));
    check_is_one_to_one(column, n, n);
    check_relative(total, greatest, 1e-12, "greatest total");
    free(value), free(column);
}

static void test_against_scipy(void **state)
{
    (void)state;
    check_against_scipy(50, 1.7782266653200043, 48.22476232571302);
    check_against_scipy(1000, 1.7583937248188255, 998.3247960256119);
}

/* Whatever is added to a row or a column, the same assignment is best. */
static void test_ignores_what_all_share(void **state)
{
    (void)state;
    enum { N = 60 };
    double *const value = need(N * N, sizeof *value), shift[2 * N];
    size_t first[N], second[N];
    ecc_rng_normal(value, 3, 1, 0, N * N);
    ecc_rng_normal(shift, 3, 2, 0, (size_t)2 * N);
    check_ok(ecc_assignment(first, NULL, value, N, N, true, &testing_error));
    for (size_t i = 0; i < (size_t)N * N; i++) value[i] += 10 * shift[i / N] - 7 * shift[N + i % N];
    check_ok(ecc_assignment(second, NULL, value, N, N, true, &testing_error));
    assert_memory_equal(first, second, sizeof first);
    free(value);
}

static void test_assignment_refuses(void **state)
{
    (void)state;
    double value[6] = {1, 2, 3, 4, 5, 6};
    size_t column[3];
    check_fails(ecc_assignment(column, NULL, value, 3, 2, false, &testing_error), ECC_BAD_ARGUMENT,
                "3 rows and 2 columns");
    check_fails(ecc_assignment(column, NULL, value, 0, 2, false, &testing_error), ECC_BAD_ARGUMENT,
                "0 rows");
    value[4] = NAN;
    check_fails(ecc_assignment(column, NULL, value, 2, 3, false, &testing_error), ECC_BAD_DATA,
                "row 1, column 1");
    value[4] = -DBL_MAX; /* finite, but sums of such entries are not */
    check_fails(ecc_assignment(column, NULL, value, 2, 3, false, &testing_error), ECC_BAD_DATA,
                "row 1, column 1");
}

/* ---- Singular values ------------------------------------------------------------------------ */

static void check_orthogonal(const double *q, size_t d)
{
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++) {
            double dot = 0;
            for (size_t k = 0; k < d; k++) dot += q[i * d + k] * q[j * d + k];
            check_absolute(dot, i == j ? 1 : 0, 1e-12, "product of rows");
        }
    }
}

static void test_singular_values(void **state)
{
    (void)state;
    static const size_t dims[] = {1, 2, 5, 64};
    for (size_t t = 0; t < 4; t++) {
        const size_t d = dims[t];
        double *const a = need(3 * d * d + d, sizeof *a);
        double *const u = a + d * d, *const vt = u + d * d, *const s = vt + d * d;
        ecc_rng_normal(a, 9, t, 0, d * d);
        if (d == 5) memcpy(a, a + d, d * sizeof *a); /* of rank 4 */
        check_ok(ecc_singular_values(u, s, vt, a, d, &testing_error));
        check_orthogonal(u, d);
        check_orthogonal(vt, d);
        for (size_t i = 0; i < d * d; i++) {
            double sum = 0;
            for (size_t k = 0; k < d; k++) sum += u[i / d * d + k] * s[k] * vt[k * d + i % d];
            check_absolute(sum, a[i], 1e-12 * (double)d, "u s vt");
        }
        for (size_t k = 0; k + 1 < d; k++) assert_true(s[k] >= s[k + 1] && s[k + 1] >= 0);
        free(a);
    }
    double bad[4] = {1, 2, NAN, 4}, space[4];
    check_fails(ecc_singular_values(space, space, space, bad, 2, &testing_error), ECC_BAD_DATA,
                "row 1, column 0");
    check_fails(ecc_singular_values(space, space, space, bad, 0, &testing_error), ECC_BAD_ARGUMENT,
                "0 rows");
}

/* ---- Neighbours ----------------------------------------------------------------------------- */

struct candidate {
    double squared;
    size_t index;
};

static int compare(const void *a, const void *b)
{
    const struct candidate *const x = a, *const y = b;
    if (x->squared != y->squared) return x->squared < y->squared ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void check_neighbours(const float *queries, size_t m, const float *items, size_t n, size_t d,
                             size_t k)
{
    double *const squared = need(m * k, sizeof *squared);
    size_t *const index = need(m * k, sizeof *index);
    struct candidate *const all = need(n, sizeof *all);
    check_ok(ecc_neighbours(squared, index, queries, m, items, n, d, k, &testing_error));
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            all[j] = (struct candidate){.index = j};
            for (size_t c = 0; c < d; c++) {
                const double difference = (double)queries[i * d + c] - (double)items[j * d + c];
                all[j].squared += difference * difference;
            }
        }
        qsort(all, n, sizeof *all, compare);
        for (size_t j = 0; j < k; j++) {
            check_relative(squared[i * k + j], all[j].squared, 1e-13, "squared distance");
            assert_int_equal(index[i * k + j], all[j].index);
        }
    }
    free(squared), free(index), free(all);
}

static float *make_points(size_t n, size_t d, float offset, float size, bool rounded,
                          uint64_t stream)
{
    float *const z = need(n * d, sizeof *z);
    ecc_rng_normal_f32(z, 6, stream, 0, n * d);
    for (size_t i = 0; i < n * d; i++) z[i] = offset + size * (rounded ? rintf(z[i]) : z[i]);
    return z;
}

static void test_neighbours_against_plain_search(void **state)
{
    (void)state;
    static const size_t dims[] = {1, 2, 5, 8, 16, 33, 100};
    for (size_t t = 0; t < sizeof dims / sizeof *dims; t++) {
        const size_t d = dims[t];
        for (size_t kind = 0; kind < 4; kind++) {
            /* plain, far from the origin, with many ties, and tiny */
            const float offset = kind == 1 ? 1000.0F : 0.0F, size = kind == 3 ? 1e-30F : 1.0F;
            float *const items = make_points(1100, d, offset, size, kind == 2, 2 * t);
            float *const queries = make_points(150, d, offset, size, kind == 2, 2 * t + 1);
            check_neighbours(queries, 150, items, 1100, d, 15);
            check_neighbours(queries, 3, items, 1, d, 1);
            check_neighbours(queries, 2, items, 700, d, 700);
            check_neighbours(items, 5, items, 300, d, 4);
            free(items), free(queries);
        }
    }
}

static void test_neighbours_on_any_threads(void **state)
{
    (void)state;
    enum { N = 700, M = 300, D = 9, K = 7 };
    float *const items = make_points(N, D, 0, 1, false, 50);
    float *const queries = make_points(M, D, 0, 1, false, 51);
    size_t *const index = need((size_t)2 * M * K, sizeof *index);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    check_ok(ecc_neighbours(NULL, index, queries, M, items, N, D, K, &testing_error));
    omp_set_num_threads(3);
    check_ok(ecc_neighbours(NULL, index + M * K, queries, M, items, N, D, K, &testing_error));
    omp_set_num_threads(threads);
    assert_memory_equal(index, index + M * K, M * K * sizeof *index);
    check_fails(ecc_neighbours(NULL, index, queries, M, items, 6, D, K, &testing_error),
                ECC_BAD_ARGUMENT, "7 neighbours were asked for among 6 items");
    check_fails(ecc_neighbours(NULL, index, queries, 0, items, N, D, K, &testing_error),
                ECC_BAD_ARGUMENT, "no items");
    queries[5 * D + 1] = INFINITY;
    check_fails(ecc_neighbours(NULL, index, queries, M, items, N, D, K, &testing_error),
                ECC_BAD_DATA, "row 5, column 1");
    free(items), free(queries), free(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_permutations),
        cmocka_unit_test(test_against_scipy),
        cmocka_unit_test(test_ignores_what_all_share),
        cmocka_unit_test(test_assignment_refuses),
        cmocka_unit_test(test_singular_values),
        cmocka_unit_test(test_neighbours_against_plain_search),
        cmocka_unit_test(test_neighbours_on_any_threads),
    };
    return cmocka_run_group_tests_name("assignment", tests, NULL, NULL);
}
