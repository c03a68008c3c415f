/*
 * neighbours.c: nearest neighbours by exhaustive search with matrix products, or in few dimensions
 * by a tree (neighbours_tree.c).
 *
 * |x - y|^2 = |x|^2 + |y|^2 - 2 x.y turns the search into a product of matrices, but in float32 its
 * rounding may be larger than the distance.  So the products only give a lower bound of the
 * distance, and whatever could be nearer than the k best so far is computed again, exactly, in
 * double. That is rare: the k best of a growing set are beaten about k log(n/k) times.
 */
#include "math/neighbours.h"

#include "math/neighbours_tree.h"
#include "math/statistics.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum {
    ROWS = 128,    /* of a block of queries */
    COLUMNS = 512, /* of a block of items that are searched for their neighbours */
    RUN = 32,      /* bounds looked at together */
    GROUP = 4,     /* queries whose products are computed together without BLAS */
    DIRECT_D = 32, /* up to here products without BLAS are faster */
};

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- The k best of a query, as a heap -------------------------------------------------------- */

/* Turns a heap into a list, nearest first. */
static void sort_heap(double *best, size_t *index, size_t count)
{
    while (count > 1) {
        count--;
        const double distance = best[count];
        const size_t number = index[count];
        best[count] = best[0];
        index[count] = index[0];
        best[0] = distance;
        index[0] = number;
        ecc_search_sink(best, index, count);
    }
}

void ecc_search_start(struct ecc_search *search, size_t i)
{
    for (size_t j = i * search->k; j < (i + 1) * search->k; j++) {
        search->best[j] = (double)INFINITY;
        search->index[j] = SIZE_MAX;
    }
}

void ecc_search_finish(struct ecc_search *search, size_t i)
{
    sort_heap(search->best + i * search->k, search->index + i * search->k, search->k);
}

/* ---- Preparation ----------------------------------------------------------------------------- */

/* block: [rows, d]: rows of x, centred and scaled. */
static void centre_block(float *block, const struct ecc_search *search, const float *x, size_t rows)
{
    size_t d = search->d;
    float scale = search->scale;
    const float *restrict centre = search->centre;
    for (size_t i = 0; i < rows; i++) {
        const float *restrict from = x + i * d;
        float *restrict to = block + i * d;
        for (size_t k = 0; k < d; k++) to[k] = from[k] * scale - centre[k];
    }
}

/* The same with one coordinate after another, block: [d, COLUMNS]. */
static void centre_across(float *block, const struct ecc_search *search, const float *x,
                          size_t rows)
{
    size_t d = search->d;
    float scale = search->scale;
    for (size_t k = 0; k < d; k++) {
        float *restrict to = block + k * COLUMNS;
        for (size_t i = 0; i < rows; i++) to[i] = x[i * d + k] * scale - search->centre[k];
        for (size_t i = rows; i < COLUMNS; i++) to[i] = 0;
    }
}

static float largest_size(const float *z, size_t count)
{
    float largest = 0;
#pragma omp parallel for reduction(max : largest)
    for (size_t i = 0; i < count; i++) largest = fmaxf(largest, fabsf(z[i]));
    return largest;
}

static float choose_scale(const struct ecc_search *search)
{
    const float largest = search->largest;
    int exponent = 0;
    frexpf(largest, &exponent);
    /* 2^127 is the largest power, so denormal numbers stay far below 1, which is harmless */
    return largest > 0 ? ldexpf(1, exponent < -127 ? 127 : -exponent) : 1;
}

static void compute_reach(float *reach, const struct ecc_search *search, const float *z, size_t n)
{
    size_t d = search->d;
    double scale = (double)search->scale;
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < d; k++) {
            double x = (double)z[i * d + k] * scale - (double)search->centre[k];
            sum += x * x;
        }
        reach[i] = (float)((1 - search->slack) * sum);
    }
}

/* ---- The search ------------------------------------------------------------------------------ */

/*
 * The bound on products below which a pair must be looked at.  A pair is nearer than the best only
 * if reach_i + reach_j - 2 x.y < best: in `slack`, a share of |x|^2 + |y|^2, are d roundings of the
 * product (2 |x||y| <= |x|^2 + |y|^2), those of centring, and a few more.  What underflows is not a
 * share of anything, so it is added here.
 */
static float threshold(const struct ecc_search *search, size_t i)
{
    double scale = (double)search->scale, scaled = search->best[i * search->k] * scale * scale;
    double underflow = 32 * ((double)search->d + 16) * (double)FLT_MIN;
    return nextafterf((float)(scaled - (double)search->query_reach[i] + underflow), INFINITY);
}

ECC_MULTIVERSION
static bool any_below(const float *restrict product, const float *restrict reach, size_t count,
                      float limit)
{
    int any = 0;
    for (size_t j = 0; j < count; j++) any |= reach[j] - 2 * product[j] < limit;
    return any != 0;
}

/* Query i against the items first .. first + count, whose products with it are given. */
static void scan_row(struct ecc_search *search, size_t i, const float *product, size_t first,
                     size_t count)
{
    const float *reach = search->reach + first;
    size_t d = search->d;
    double *const best = search->best + i * search->k;
    size_t *const index = search->index + i * search->k;
    float limit = threshold(search, i);
    for (size_t run = 0; run < count; run += RUN) {
        size_t end = min_size(run + RUN, count);
        if (!any_below(product + run, reach + run, end - run, limit)) continue;
        for (size_t j = run; j < end; j++) {
            if (!(reach[j] - 2 * product[j] < limit)) continue;
            if (search->skip_own && first + j == i) continue;
            double exact =
                ecc_search_distance(search->queries + i * d, search->items + (first + j) * d, d);
            if (exact >= best[0]) continue;
            best[0] = exact;
            index[0] = first + j;
            ecc_search_sink(best, index, search->k);
            limit = threshold(search, i);
        }
    }
}

/* product: [GROUP, COLUMNS] of left: [GROUP, d] and right: [d, COLUMNS], 16 columns at a time. */
ECC_MULTIVERSION
static void multiply_group(float *restrict product, const float *restrict left,
                           const float *restrict right, size_t count, size_t d)
{
    for (size_t j = 0; j < count; j += 16) {
        ecc_f8 a0 = {0}, b0 = {0}, a1 = {0}, b1 = {0}, a2 = {0}, b2 = {0}, a3 = {0}, b3 = {0};
        for (size_t k = 0; k < d; k++) {
            const ecc_f8 a = ecc_load8(right + k * COLUMNS + j);
            const ecc_f8 b = ecc_load8(right + k * COLUMNS + j + 8);
            const float x0 = left[k], x1 = left[d + k], x2 = left[2 * d + k], x3 = left[3 * d + k];
            a0 += x0 * a, b0 += x0 * b;
            a1 += x1 * a, b1 += x1 * b;
            a2 += x2 * a, b2 += x2 * b;
            a3 += x3 * a, b3 += x3 * b;
        }
        float *const to = product + j;
        ecc_store8(to, a0), ecc_store8(to + 8, b0);
        ecc_store8(to + COLUMNS, a1), ecc_store8(to + COLUMNS + 8, b1);
        ecc_store8(to + 2 * COLUMNS, a2), ecc_store8(to + 2 * COLUMNS + 8, b2);
        ecc_store8(to + 3 * COLUMNS, a3), ecc_store8(to + 3 * COLUMNS + 8, b3);
    }
}

/* left: [ROWS, d], right: [COLUMNS, d] or its transpose, product: [ROWS, COLUMNS]. */
static void search_columns(struct ecc_search *search, size_t row, size_t rows, size_t first,
                           const float *left, float *right, float *product)
{
    const size_t d = search->d, count = min_size(COLUMNS, search->n - first);
    const float *const items = search->items + first * d;
    if (d > DIRECT_D) {
        centre_block(right, search, items, count);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)count, (int)d, 1, left,
                    (int)d, right, (int)d, 0, product, COLUMNS);
        for (size_t i = 0; i < rows; i++) {
            scan_row(search, row + i, product + i * COLUMNS, first, count);
        }
        return;
    }
    centre_across(right, search, items, count);
    for (size_t group = 0; group < rows; group += GROUP) {
        multiply_group(product, left + group * d, right, count, d);
        for (size_t i = 0; i < min_size(GROUP, rows - group); i++) {
            scan_row(search, row + group + i, product + i * COLUMNS, first, count);
        }
    }
}

/* The neighbours of a block of queries. */
static void search_block(struct ecc_search *search, size_t row, float *work)
{
    const size_t d = search->d, rows = min_size(ROWS, search->m - row);
    float *const left = work, *const right = left + ROWS * d, *const product = right + COLUMNS * d;
    centre_block(left, search, search->queries + row * d, rows);
    /* missing queries fill the last group */
    for (size_t i = rows * d; i < min_size(rows + GROUP, ROWS) * d; i++) left[i] = 0;
    for (size_t i = row; i < row + rows; i++) ecc_search_start(search, i);
    for (size_t first = 0; first < search->n; first += COLUMNS) {
        search_columns(search, row, rows, first, left, right, product);
    }
    for (size_t i = row; i < row + rows; i++) ecc_search_finish(search, i);
}

static enum ecc_status search_all(struct ecc_search *search, struct ecc_error *error)
{
    size_t d = search->d, blocks = (search->m + ROWS - 1) / ROWS;
    bool failed = false;
#pragma omp parallel
    {
        omp_set_num_threads(1); /* for OpenBLAS, also where our team has one thread */
        float *work = malloc(((ROWS + COLUMNS) * d + ROWS * COLUMNS) * sizeof *work);
#pragma omp for schedule(dynamic)
        for (size_t block = 0; block < blocks; block++) {
            if (work) {
                search_block(search, block * ROWS, work);
            } else {
#pragma omp atomic write
                failed = true;
            }
        }
        free(work);
    }
    return failed ? ecc_fail_memory(error, "blocks of latents") : ECC_OK;
}

/* Finds the centre, and checks that all numbers are finite. */
static enum ecc_status find_centre(struct ecc_search *search, struct ecc_error *error)
{
    const size_t d = search->d;
    double *mean = malloc(d * sizeof *mean);
    if (!mean) return ecc_fail_memory(error, "the mean of the latents");
    enum ecc_status status = ECC_OK;
    if (!search->skip_own) {
        status = ecc_mean_covariance(mean, NULL, search->queries, search->m, d, error);
    }
    if (status == ECC_OK) {
        status = ecc_mean_covariance(mean, NULL, search->items, search->n, d, error);
    }
    for (size_t k = 0; status == ECC_OK && k < d; k++) {
        search->centre[k] = (float)(mean[k] * (double)search->scale);
    }
    free(mean);
    return status;
}

static enum ecc_status prepare(struct ecc_search *search, double *squared, size_t *index,
                               struct ecc_error *error)
{
    const size_t m = search->m, n = search->n, d = search->d, k = search->k;
    search->slack = ((double)d + 16) * (double)FLT_EPSILON / 2;
    search->centre = malloc(d * sizeof *search->centre);
    search->reach = malloc(n * sizeof *search->reach);
    search->query_reach = malloc(m * sizeof *search->query_reach);
    search->best = squared ? squared : malloc(m * k * sizeof *search->best);
    search->index = index ? index : malloc(m * k * sizeof *search->index);
    if (!search->centre || !search->reach || !search->query_reach || !search->best ||
        !search->index) {
        return ecc_fail_memory(error, "the search for neighbours");
    }
    search->largest = fmaxf(largest_size(search->items, n * d),
                            search->skip_own ? 0 : largest_size(search->queries, m * d));
    search->scale = choose_scale(search);
    return find_centre(search, error);
}

static enum ecc_status run_search(struct ecc_search *search, double *squared, size_t *index,
                                  struct ecc_error *error)
{
    const size_t widest = 1000000; /* so that `slack` stays a small share */
    if (search->d == 0 || search->d > widest) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "d is %zu, expected between 1 and %zu", search->d,
                        widest);
    }
    enum ecc_status status = prepare(search, squared, index, error);
    bool done = false;
    if (status == ECC_OK) status = ecc_search_by_tree(search, &done, error);
    if (status == ECC_OK && !done) {
        compute_reach(search->reach, search, search->items, search->n);
        compute_reach(search->query_reach, search, search->queries, search->m);
        status = search_all(search, error);
    }
    free(search->centre);
    free(search->reach);
    free(search->query_reach);
    if (!squared) free(search->best);
    if (!index) free(search->index);
    return status;
}

enum ecc_status ecc_nearest(double *squared, size_t *index, const float *z, size_t n, size_t d,
                            struct ecc_error *error)
{
    if (n < 2) return ecc_fail(error, ECC_BAD_ARGUMENT, "n is %zu, expected at least 2", n);
    struct ecc_search search = {
        .queries = z, .items = z, .m = n, .n = n, .d = d, .k = 1, .skip_own = true};
    return run_search(&search, squared, index, error);
}

enum ecc_status ecc_neighbours(double *squared, size_t *index, const float *queries, size_t m,
                               const float *items, size_t n, size_t d, size_t k,
                               struct ecc_error *error)
{
    if (k == 0 || k > n) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%zu neighbours were asked for among %zu items, expected between 1 and all",
                        k, n);
    }
    if (m == 0)
        return ecc_fail(error, ECC_BAD_ARGUMENT, "there are no items to find neighbours of");
    struct ecc_search search = {.queries = queries, .items = items, .m = m, .n = n, .d = d, .k = k};
    return run_search(&search, squared, index, error);
}
