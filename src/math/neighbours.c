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

#include "math/neighbours_product.h"
#include "math/neighbours_tree.h"
#include "math/statistics.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum {
    ROWS = 128,       /* of a block of queries with BLAS */
    PANEL_ROWS = 480, /* and without; a multiple of ECC_PANEL_GROUP */
    COLUMNS = 512,    /* of a block of items that are searched for their neighbours */
    RUN = 32,         /* bounds looked at together, a bit each */
    DIRECT_D = 1024,  /* up to here products without BLAS are faster */
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

/* The same with one coordinate after another, panel: [d, ECC_PANEL]. */
static void centre_across(float *panel, const struct ecc_search *search, const float *x,
                          size_t rows)
{
    size_t d = search->d;
    float scale = search->scale;
    const float *restrict centre = search->centre;
    for (size_t i = 0; i < rows; i++) {
        const float *restrict from = x + i * d;
        float *restrict to = panel + i;
        for (size_t k = 0; k < d; k++) to[k * ECC_PANEL] = from[k] * scale - centre[k];
    }
    for (size_t i = rows; i < ECC_PANEL; i++) {
        for (size_t k = 0; k < d; k++) panel[k * ECC_PANEL + i] = 0;
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

/* A bit for each of RUN pairs that must be looked at. */
ECC_MULTIVERSION
static uint32_t pairs_below(const float *restrict product, const float *restrict reach, float limit)
{
    uint32_t below = 0;
    for (size_t j = 0; j < RUN; j++) below |= (uint32_t)(reach[j] - 2 * product[j] < limit) << j;
    return below;
}

/* The same of fewer. */
static uint32_t few_below(const float *product, const float *reach, size_t count, float limit)
{
    uint32_t below = 0;
    for (size_t j = 0; j < count; j++) below |= (uint32_t)(reach[j] - 2 * product[j] < limit) << j;
    return below;
}

/* Query i against the items first .. first + count, whose products with it are given.  The limit is
 * its threshold, before and after. */
static void scan_row(struct ecc_search *search, size_t i, float *limit, const float *product,
                     size_t first, size_t count)
{
    const float *reach = search->reach + first;
    size_t d = search->d;
    double *const best = search->best + i * search->k;
    size_t *const index = search->index + i * search->k;
    for (size_t run = 0; run < count; run += RUN) {
        uint32_t below = run + RUN <= count
                             ? pairs_below(product + run, reach + run, *limit)
                             : few_below(product + run, reach + run, count - run, *limit);
        for (; below; below &= below - 1) {
            const size_t j = run + (size_t)__builtin_ctz(below);
            if (!(reach[j] - 2 * product[j] < *limit)) continue; /* it has sunk since */
            if (search->skip_own && first + j == i) continue;
            double exact =
                ecc_search_distance(search->queries + i * d, search->items + (first + j) * d, d);
            if (exact >= best[0]) continue;
            best[0] = exact;
            index[0] = first + j;
            ecc_search_sink(best, index, search->k);
            *limit = threshold(search, i);
        }
    }
}

/* left: [ROWS, d], right: [COLUMNS, d], product: [ROWS, COLUMNS]. */
static void search_columns(struct ecc_search *search, size_t row, size_t rows, size_t first,
                           const float *left, float *right, float *product)
{
    const size_t d = search->d, count = min_size(COLUMNS, search->n - first);
    centre_block(right, search, search->items + first * d, count);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)count, (int)d, 1, left,
                (int)d, right, (int)d, 0, product, COLUMNS);
    for (size_t i = 0; i < rows; i++) {
        float limit = threshold(search, row + i);
        scan_row(search, row + i, &limit, product + i * COLUMNS, first, count);
    }
}

/* The neighbours of a block of queries, with BLAS. */
static void search_block(struct ecc_search *search, size_t row, size_t rows, float *work)
{
    const size_t d = search->d;
    float *const left = work, *const right = left + ROWS * d, *const product = right + COLUMNS * d;
    centre_block(left, search, search->queries + row * d, rows);
    for (size_t first = 0; first < search->n; first += COLUMNS) {
        search_columns(search, row, rows, first, left, right, product);
    }
}

/* Looks closer at a group of queries in which some pair may be near. */
static void scan_group(struct ecc_search *search, const struct ecc_search_panel *panel,
                       float *limit, size_t row, size_t rows, size_t group, size_t first)
{
    const size_t start = group * ECC_PANEL_GROUP, end = min_size(start + ECC_PANEL_GROUP, rows);
    const size_t count = min_size(ECC_PANEL, search->n - first);
    for (size_t i = start; i < end; i++) {
        const float *const product = panel->product + (i - start) * ECC_PANEL;
        scan_row(search, row + i, limit + i, product, first, count);
    }
}

/* The neighbours of a block of queries, without BLAS. */
static void search_panels(struct ecc_search *search, size_t row, size_t rows, float *work)
{
    const size_t d = search->d, groups = (rows + ECC_PANEL_GROUP - 1) / ECC_PANEL_GROUP;
    const size_t filled = groups * ECC_PANEL_GROUP;
    float *const left = work, *const right = left + filled * d,
                 *const limit = right + ECC_PANEL * d;
    float product[ECC_PANEL_GROUP * ECC_PANEL];
    ecc_panel_find *ways[ECC_PANEL_WAYS];
    const size_t fastest = ecc_panel_ways(ways) - 1;
    centre_block(left, search, search->queries + row * d, rows);
    for (size_t i = rows * d; i < filled * d; i++) left[i] = 0;
    for (size_t i = 0; i < filled; i++) limit[i] = i < rows ? INFINITY : -INFINITY;
    for (size_t first = 0; first < search->n; first += ECC_PANEL) {
        const struct ecc_search_panel panel = {.product = product,
                                               .left = left,
                                               .right = right,
                                               .reach = search->reach + first,
                                               .limit = limit,
                                               .groups = groups,
                                               .d = d};
        centre_across(right, search, search->items + first * d,
                      min_size(ECC_PANEL, search->n - first));
        for (size_t group = 0; (group = ways[fastest](&panel, group)) < groups; group++) {
            scan_group(search, &panel, limit, row, rows, group, first);
        }
    }
}

/* How many queries a thread takes at a time: few of few, so that every thread has some. */
static size_t block_rows(const struct ecc_search *search)
{
    if (search->d > DIRECT_D) return ROWS;
    const size_t share = search->m / (8 * (size_t)omp_get_max_threads()) + 1;
    const size_t groups = (share + ECC_PANEL_GROUP - 1) / ECC_PANEL_GROUP;
    return min_size((groups > 8 ? groups : 8) * ECC_PANEL_GROUP, PANEL_ROWS);
}

static void search_rows(struct ecc_search *search, size_t row, size_t rows, float *work)
{
    for (size_t i = row; i < row + rows; i++) ecc_search_start(search, i);
    (search->d > DIRECT_D ? search_block : search_panels)(search, row, rows, work);
    for (size_t i = row; i < row + rows; i++) ecc_search_finish(search, i);
}

static enum ecc_status search_all(struct ecc_search *search, struct ecc_error *error)
{
    const size_t d = search->d, rows = block_rows(search), blocks = (search->m + rows - 1) / rows;
    const size_t floats =
        d > DIRECT_D ? (ROWS + COLUMNS) * d + ROWS * COLUMNS : (rows + ECC_PANEL) * d + rows;
    bool failed = false;
#pragma omp parallel
    {
        omp_set_num_threads(1); /* for OpenBLAS, also where our team has one thread */
        float *work = malloc(floats * sizeof *work);
#pragma omp for schedule(dynamic)
        for (size_t block = 0; block < blocks; block++) {
            if (work) {
                search_rows(search, block * rows, min_size(rows, search->m - block * rows), work);
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
    search->reach = calloc(n + ECC_PANEL, sizeof *search->reach); /* a panel may end beyond */
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
