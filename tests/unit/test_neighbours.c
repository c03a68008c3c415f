/*
 * test_neighbours.c: neighbours in few dimensions, where a tree of boxes is searched, against a
 * plain search: the same numbers in the same order and the same distances to the last bit.
 */
#include "testing.h"

#include "base/rng.h"
#include "math/neighbours.h"
#include "math/neighbours_product.h"
#include "math/neighbours_tree.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { N = 1500, M = 140, D_MOST = 9, STEP = 9 };

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) fail_msg("out of memory");
    return memory;
}

struct near {
    double squared;
    size_t index;
};

static int compare(const void *a, const void *b)
{
    const struct near *const x = a, *const y = b;
    if (x->squared != y->squared) return x->squared < y->squared ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* The neighbours of x by the definition, all: [n]. */
static void plain_search(struct near *all, const float *x, const float *items, size_t n, size_t d)
{
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t c = 0; c < d; c++) {
            const double difference = (double)x[c] - (double)items[j * d + c];
            sum += difference * difference;
        }
        all[j] = (struct near){.squared = sum, .index = j};
    }
    qsort(all, n, sizeof *all, compare);
}

static void check_neighbours(const float *queries, size_t m, const float *items, size_t n, size_t d,
                             size_t k)
{
    double *const squared = need(m * k, sizeof *squared);
    size_t *const index = need(m * k, sizeof *index);
    struct near *const all = need(n, sizeof *all);
    check_ok(ecc_neighbours(squared, index, queries, m, items, n, d, k, &testing_error));
    for (size_t i = m % STEP; i < m; i += STEP) {
        plain_search(all, queries + i * d, items, n, d);
        for (size_t j = 0; j < k; j++) {
            assert_int_equal(index[i * k + j], all[j].index);
            assert_true(squared[i * k + j] == all[j].squared);
        }
    }
    free(squared), free(index), free(all);
}

/* The same if the tree is used in any case. */
static void check_tree(const float *queries, size_t m, const float *items, size_t n, size_t d,
                       size_t k, struct ecc_search search)
{
    double *const squared = need(2 * m * k, sizeof *squared), *const best = squared + m * k;
    size_t *const index = need(2 * m * k, sizeof *index), *const number = index + m * k;
    bool done = false;
    search.queries = queries, search.items = items, search.m = m, search.n = n, search.d = d;
    search.k = k, search.best = best, search.index = number;
    check_ok(ecc_neighbours(squared, index, queries, m, items, n, d, k, &testing_error));
    check_ok(ecc_search_by_tree(&search, &done, &testing_error));
    assert_true(done);
    assert_memory_equal(squared, best, m * k * sizeof *best);
    assert_memory_equal(index, number, m * k * sizeof *index);
    free(squared), free(index);
}

static void check_nearest(const float *z, size_t n, size_t d)
{
    double *const squared = need(n, sizeof *squared);
    size_t *const index = need(n, sizeof *index);
    struct near *const all = need(n, sizeof *all);
    check_ok(ecc_nearest(squared, index, z, n, d, &testing_error));
    for (size_t i = 0; i < n; i += 10 * STEP) {
        plain_search(all, z + i * d, z, n, d);
        const struct near *const other = all[0].index == i ? all + 1 : all;
        assert_int_equal(index[i], other->index);
        assert_true(squared[i] == other->squared);
    }
    free(squared), free(index), free(all);
}

/* ---- Points of all kinds --------------------------------------------------------------------- */

/* Each changes points: [n, d] that are normal. */
static void leave(float *z, size_t n, size_t d)
{
    (void)z, (void)n, (void)d;
}

static void make_equal(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++) z[i] = 0.1F;
}

static void make_half_equal(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++) {
        if (i % 2) memcpy(z + i * d, z + d, d * sizeof *z);
    }
}

/* Many equal points, and many that are equally far. */
static void round_off(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++) z[i] = rintf(z[i]);
}

static void put_on_a_line(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++) z[i] = z[i / d * d] * (float)(1 + i % d);
}

static void put_on_an_axis(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++) z[i] = i % d ? -0.0F : z[i];
}

static void gather(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++) z[i] = 100 * (float)(i / d % 3) + 1e-4F * z[i];
}

static void put_far(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++) z[i] = 1e4F + 2e-3F * z[i];
}

static void let_one_out(float *z, size_t n, size_t d)
{
    z[n / 2 * d] = 1e6F;
}

static void let_one_far_out(float *z, size_t n, size_t d)
{
    z[n / 2 * d + d - 1] = -1e30F;
}

static void make_huge(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++) z[i] *= 5e37F;
}

static void make_small(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++) z[i] *= 1e-30F;
}

static void make_tiny(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++) z[i] *= 1e-43F;
}

static void make_huge_and_tiny(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++) z[i] *= i % d ? 1e-20F : 1e25F;
}

static void sort_out(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++) z[i] = (float)(i / d);
}

static void put_on_a_sphere(float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++) {
        float sum = 0;
        for (size_t k = 0; k < d; k++) sum += z[i * d + k] * z[i * d + k];
        for (size_t k = 0; k < d; k++) z[i * d + k] /= sqrtf(sum);
    }
}

typedef void change(float *z, size_t n, size_t d);
static change *const kinds[] = {
    leave,         make_equal,         make_half_equal, round_off,
    put_on_a_line, put_on_an_axis,     gather,          put_far,
    let_one_out,   let_one_far_out,    make_huge,       make_small,
    make_tiny,     make_huge_and_tiny, sort_out,        put_on_a_sphere,
};

static float *make_points(size_t n, size_t d, change *kind, uint64_t stream)
{
    float *const z = need(n * d, sizeof *z);
    ecc_rng_normal_f32(z, 11, stream, 0, n * d);
    kind(z, n, d);
    return z;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void test_points_of_all_kinds(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof kinds / sizeof *kinds; t++) {
        for (size_t d = 1; d <= D_MOST; d++) {
            float *const items = make_points(N, d, kinds[t], 2 * d);
            float *const queries = make_points(M, d, kinds[t], 2 * d + 1);
            check_neighbours(queries, M, items, N, d, 15);
            check_neighbours(items, M, items, N, d, d % 2 ? 1 : 90);
            check_nearest(items, N, d);
            free(items), free(queries);
        }
    }
}

/* Every number of items from one leaf to several, and numbers of neighbours up to all. */
static void test_sizes(void **state)
{
    (void)state;
    float *const items = make_points(N, 3, round_off, 1), *const queries =
                                                              make_points(M, 3, leave, 2);
    for (size_t n = 240; n < 300; n++) check_neighbours(queries, M, items, n, 3, 1 + n % 17);
    for (size_t n = 1; n < 10; n++) check_neighbours(queries, M, items, n, 3, n);
    for (size_t k = 1; k < N; k = k * 3 + 1) check_neighbours(queries, M, items, N, 3, k);
    free(items), free(queries);
}

/* Queries far from all items, and amid items that are all about equally far. */
static void test_queries_elsewhere(void **state)
{
    (void)state;
    for (size_t d = 2; d <= 4; d++) {
        float *const items = make_points(N, d, put_on_a_sphere, d);
        float *const queries = make_points(M, d, leave, d + 10);
        for (size_t i = 0; i < M * d; i++) queries[i] *= 1e-6F;
        check_neighbours(queries, M, items, N, d, 15);
        for (size_t i = 0; i < M * d; i++) queries[i] *= 1e10F;
        check_neighbours(queries, M, items, N, d, 15);
        free(items), free(queries);
    }
}

/* Whether the tree is used, for these points as items and queries. */
static bool is_used(const float *queries, const float *items, size_t n, size_t d)
{
    double best[M];
    size_t index[M];
    bool done = false;
    struct ecc_search search = {.queries = queries,
                                .items = items,
                                .m = M,
                                .n = n,
                                .d = d,
                                .k = 1,
                                .best = best,
                                .index = index,
                                .largest = 10,
                                .scale = 0.0625F};
    check_ok(ecc_search_by_tree(&search, &done, &testing_error));
    return done;
}

static void test_choice(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    float *const items = make_points(MANY, D_MOST, leave, 5);
    float *const equal = make_points(MANY, 2, make_equal, 5);
    float *const sphere = make_points(MANY, 4, put_on_a_sphere, 5);
    float *const centre = need((size_t)M * 4, sizeof *centre);
    assert_true(is_used(items, items, MANY, 2) && is_used(items, items, MANY, 4));
    assert_false(is_used(items, items, MANY, D_MOST));
    assert_false(is_used(items, items, 100, 2));
    assert_true(is_used(equal, equal, MANY, 2)); /* ties are not looked at one by one */
    for (size_t i = 0; i < (size_t)M * 4; i++) centre[i] = 1e-9F * (float)i;
    assert_false(is_used(centre, sphere, MANY, 4)); /* no box can be skipped */
    free(items), free(equal), free(sphere), free(centre);
}

/* Even where it does not pay. */
static void test_tree_in_any_case(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof kinds / sizeof *kinds; t++) {
        for (size_t d = 1; d <= ECC_TREE_D; d++) {
            float *const items = make_points(N, d, kinds[t], d);
            float *const queries = make_points(M, d, leave, d + 100);
            float largest = 0;
            for (size_t i = 0; i < N * d; i++) largest = fmaxf(largest, fabsf(items[i]));
            for (size_t i = 0; i < M * d; i++) largest = fmaxf(largest, fabsf(queries[i]));
            const struct ecc_search search = {
                .always_tree = true, .largest = largest, .scale = ldexpf(1, -1 - ilogbf(largest))};
            check_tree(queries, M, items, N, d, 15, search);
            check_tree(items, M, items, N, d, 40, search);
            check_tree(queries, 1, items, 20, d, 20, search);
            free(items), free(queries);
        }
    }
}

static void test_any_threads(void **state)
{
    (void)state;
    enum { D = 3, K = 7, MANY = 9000 };
    float *const items = make_points(MANY, D, round_off, 50);
    float *const queries = make_points(MANY, D, leave, 51);
    size_t *const index = need((size_t)2 * MANY * K, sizeof *index), *const again =
                                                                         index + MANY * K;
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    check_ok(ecc_neighbours(NULL, index, queries, MANY, items, MANY, D, K, &testing_error));
    omp_set_num_threads(3);
    check_ok(ecc_neighbours(NULL, again, queries, MANY, items, MANY, D, K, &testing_error));
    omp_set_num_threads(threads);
    assert_memory_equal(index, again, MANY * K * sizeof *index);
    items[5 * D + 1] = NAN;
    check_fails(ecc_neighbours(NULL, index, queries, MANY, items, MANY, D, K, &testing_error),
                ECC_BAD_DATA, "row 5, column 1 is nan");
    free(items), free(queries), free(index);
}

/* Every version that this processor has finds the groups in which something is near. */
static void test_products(void **state)
{
    (void)state;
    enum { GROUPS = 5, ROWS = GROUPS * ECC_PANEL_GROUP, D = 11 };
    float *const left = make_points(ROWS, D, round_off, 60);
    float *const right = make_points(D, ECC_PANEL, round_off, 61);
    float product[ECC_PANEL_GROUP * ECC_PANEL], reach[ECC_PANEL] = {0}, limit[ROWS];
    for (size_t i = 0; i < ROWS; i++) limit[i] = -1e6F;
    limit[8] = limit[29] = 1e6F;
    const struct ecc_search_panel panel = {product, left, right, reach, limit, GROUPS, D};
    ecc_panel_find *ways[ECC_PANEL_WAYS];
    const size_t count = ecc_panel_ways(ways);
    for (size_t w = 0; w < count; w++) {
        memset(product, 0, sizeof product);
        assert_int_equal(ways[w](&panel, 0), 1);
        for (size_t i = 0; i < ECC_PANEL_GROUP * ECC_PANEL; i++) {
            float sum = 0;
            for (size_t k = 0; k < D; k++) {
                sum += left[(ECC_PANEL_GROUP + i / ECC_PANEL) * D + k] *
                       right[k * ECC_PANEL + i % ECC_PANEL];
            }
            assert_true(product[i] == sum); /* whole numbers */
        }
        assert_int_equal(ways[w](&panel, 2), 4);
        assert_int_equal(ways[w](&panel, GROUPS), GROUPS);
    }
    free(left), free(right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_of_all_kinds),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_queries_elsewhere),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_tree_in_any_case),
        cmocka_unit_test(test_any_threads),
        cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
