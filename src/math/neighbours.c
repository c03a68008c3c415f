/*
 * neighbours.c: nearest neighbours by exhaustive search with matrix products.
 *
 * |x - y|^2 = |x|^2 + |y|^2 - 2 x.y turns the search into a product of matrices, but in float32
 * its rounding may be larger than the distance.  So the products only bound the distance from
 * below, and whatever could be nearer than the best so far is computed anew, exactly, in double.
 * Few are: the best of a growing set is beaten about log n times.
 */
#include "math/neighbours.h"

#include "math/statistics.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum {
    ROWS = 128,    /* of a block of items whose neighbours are sought */
    COLUMNS = 512, /* of a block of items among which they are sought */
    RUN = 32,      /* bounds looked at together */
};

struct search {
    const float *z; /* [n, d] */
    size_t n, d;
    float scale;   /* a power of two that brings all numbers into [-1, 1] */
    float *centre; /* [d]: about the mean, times scale */
    double slack;  /* the share of |x|^2 + |y|^2 by which rounding may falsify the bound */
    float *reach;  /* [n]: (1 - slack) |x|^2 */
    double *best;  /* [n]: squared distance to the nearest so far */
    size_t *index; /* [n]: and which it is */
};

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The definition; the differences of two floats are all but exact in double. */
static double squared_distance(const float *x, const float *y, size_t d)
{
    double sum = 0;
    for (size_t k = 0; k < d; k++) {
        double difference = (double)x[k] - (double)y[k];
        sum += difference * difference;
    }
    return sum;
}

/* block: [rows, d]: rows from `first`, centred and scaled. */
static void centre_block(float *block, const struct search *search, size_t first, size_t rows)
{
    size_t d = search->d;
    float scale = search->scale;
    const float *restrict centre = search->centre;
    for (size_t i = 0; i < rows; i++) {
        const float *restrict z = search->z + (first + i) * d;
        float *restrict to = block + i * d;
        for (size_t k = 0; k < d; k++) to[k] = z[k] * scale - centre[k];
    }
}

static float choose_scale(const float *z, size_t count)
{
    float largest = 0;
#pragma omp parallel for reduction(max : largest)
    for (size_t i = 0; i < count; i++) largest = fmaxf(largest, fabsf(z[i]));
    int exponent = 0;
    frexpf(largest, &exponent);
    /* 2^127 is the largest there is, so denormal numbers stay far below 1, which does no harm */
    return largest > 0 ? ldexpf(1, exponent < -127 ? 127 : -exponent) : 1;
}

static void compute_reach(struct search *search)
{
    size_t n = search->n, d = search->d;
    double scale = (double)search->scale;
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < d; k++) {
            double x = (double)search->z[i * d + k] * scale - (double)search->centre[k];
            sum += x * x;
        }
        search->reach[i] = (float)((1 - search->slack) * sum);
    }
}

/*
 * The bound on products below which a pair must be looked at.  A pair is nearer than the best only
 * if reach_i + reach_j - 2 x.y < best: in `slack`, a share of |x|^2 + |y|^2, are d roundings of
 * the product (2 |x||y| <= |x|^2 + |y|^2), those of centring, and a few more.  What underflows
 * is no share of anything, and is added here.
 */
static float threshold(const struct search *search, size_t i)
{
    double scale = (double)search->scale, scaled = search->best[i] * scale * scale;
    double underflow = 32 * ((double)search->d + 16) * (double)FLT_MIN;
    return nextafterf((float)(scaled - (double)search->reach[i] + underflow), INFINITY);
}

static bool any_below(const float *restrict product, const float *restrict reach, size_t count,
                      float limit)
{
    int any = 0;
    for (size_t j = 0; j < count; j++) any |= reach[j] - 2 * product[j] < limit;
    return any != 0;
}

/* Row i against the items first .. first + count, whose products with it are given. */
static void scan_row(struct search *search, size_t i, const float *product, size_t first,
                     size_t count)
{
    const float *reach = search->reach + first;
    size_t d = search->d;
    float limit = threshold(search, i);
    for (size_t run = 0; run < count; run += RUN) {
        size_t end = min_size(run + RUN, count);
        if (!any_below(product + run, reach + run, end - run, limit)) continue;
        for (size_t j = run; j < end; j++) {
            if (first + j == i || !(reach[j] - 2 * product[j] < limit)) continue;
            double exact = squared_distance(search->z + i * d, search->z + (first + j) * d, d);
            if (exact >= search->best[i]) continue;
            search->best[i] = exact;
            search->index[i] = first + j;
            limit = threshold(search, i);
        }
    }
}

/* The neighbours of a block of rows.  left: [ROWS, d], right: [COLUMNS, d], product:
 * [ROWS, COLUMNS]. */
static void search_block(struct search *search, size_t row, float *left, float *right,
                         float *product)
{
    size_t n = search->n, d = search->d, rows = min_size(ROWS, n - row);
    centre_block(left, search, row, rows);
    for (size_t i = row; i < row + rows; i++) search->best[i] = (double)INFINITY;
    for (size_t first = 0; first < n; first += COLUMNS) {
        size_t count = min_size(COLUMNS, n - first);
        centre_block(right, search, first, count);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)count, (int)d, 1, left,
                    (int)d, right, (int)d, 0, product, COLUMNS);
        for (size_t i = 0; i < rows; i++)
            scan_row(search, row + i, product + i * COLUMNS, first, count);
    }
}

static enum ecc_status search_all(struct search *search, struct ecc_error *error)
{
    size_t n = search->n, d = search->d, blocks = (n + ROWS - 1) / ROWS;
    bool failed = false;
#pragma omp parallel
    {
        omp_set_num_threads(1); /* for OpenBLAS, also where our team has one thread */
        float *work = malloc(((ROWS + COLUMNS) * d + ROWS * COLUMNS) * sizeof *work);
#pragma omp for schedule(dynamic)
        for (size_t block = 0; block < blocks; block++) {
            if (work) {
                search_block(search, block * ROWS, work, work + ROWS * d,
                             work + (ROWS + COLUMNS) * d);
            } else {
#pragma omp atomic write
                failed = true;
            }
        }
        free(work);
    }
    return failed ? ecc_fail_memory(error, "blocks of latents") : ECC_OK;
}

static enum ecc_status find_centre(struct search *search, struct ecc_error *error)
{
    double *mean = malloc(search->d * sizeof *mean);
    if (!mean) return ecc_fail_memory(error, "the mean of the latents");
    enum ecc_status status =
        ecc_mean_covariance(mean, NULL, search->z, search->n, search->d, error);
    for (size_t k = 0; status == ECC_OK && k < search->d; k++)
        search->centre[k] = (float)(mean[k] * (double)search->scale);
    free(mean);
    return status;
}

static enum ecc_status prepare(struct search *search, double *squared, size_t *index,
                               struct ecc_error *error)
{
    size_t n = search->n, d = search->d;
    search->slack = ((double)d + 16) * (double)FLT_EPSILON / 2;
    search->scale = choose_scale(search->z, n * d);
    search->centre = malloc(d * sizeof *search->centre);
    search->reach = malloc(n * sizeof *search->reach);
    search->best = squared ? squared : malloc(n * sizeof *search->best);
    search->index = index ? index : malloc(n * sizeof *search->index);
    if (!search->centre || !search->reach || !search->best || !search->index)
        return ecc_fail_memory(error, "the search for neighbours");
    ECC_TRY(find_centre(search, error));
    compute_reach(search);
    return ECC_OK;
}

enum ecc_status ecc_nearest(double *squared, size_t *index, const float *z, size_t n, size_t d,
                            struct ecc_error *error)
{
    const size_t widest = 1000000; /* so that `slack` stays a small share */
    if (n < 2) return ecc_fail(error, ECC_BAD_ARGUMENT, "n is %zu, expected at least 2", n);
    if (d == 0 || d > widest) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "d is %zu, expected between 1 and %zu", d, widest);
    }
    struct search search = {.z = z, .n = n, .d = d};
    enum ecc_status status = prepare(&search, squared, index, error);
    if (status == ECC_OK) status = search_all(&search, error);
    free(search.centre);
    free(search.reach);
    if (!squared) free(search.best);
    if (!index) free(search.index);
    return status;
}
