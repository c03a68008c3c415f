/* statistics.c: mean and covariance by blocks of rows, and what a spectrum says. */
#include "math/statistics.h"

#include <cblas.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/*
 * The covariance is a sum over slices of rows for each pair of tiles of columns.  How it is cut
 * depends on n and d alone, each piece is computed by one thread with a one-thread BLAS, and the
 * slices are added in order, so the result does not depend on the number of threads.
 */
enum {
    TILE = 512,           /* columns; d up to this is one tile */
    BLOCK = 256 * TILE,   /* numbers that are converted to double at a time */
    SLICE_ROWS = 2048,    /* at least, so that adding the slices is little work */
    MOST_SLICES = 32,     /* for as many threads when d is small */
    SLICE_BYTES = 1 << 25 /* of all slices together */
};

struct plan {
    const float *z;
    size_t n, d, slices, tiles;
    double *sum; /* [slices, d, d], or [slices, d] for the mean */
};

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static struct plan plan_slices(const float *z, size_t n, size_t d, size_t slice_bytes)
{
    size_t slices = min_size(min_size(n / SLICE_ROWS, SLICE_BYTES / slice_bytes), MOST_SLICES);
    return (struct plan){
        .z = z, .n = n, .d = d, .slices = slices > 0 ? slices : 1, .tiles = (d + TILE - 1) / TILE};
}

/* The first row of slice i; slice i ends where i + 1 begins. */
static size_t slice_start(const struct plan *plan, size_t i)
{
    return plan->n / plan->slices * i + min_size(i, plan->n % plan->slices);
}

static void add_slices(double *total, const double *sum, size_t slices, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double value = sum[k];
        for (size_t i = 1; i < slices; i++) value += sum[i * count + k];
        total[k] = value;
    }
}

static enum ecc_status report_bad(const float *z, size_t n, size_t d, struct ecc_error *error)
{
    size_t at = 0;
    while (at < n * d - 1 && isfinite(z[at])) at++;
    return ecc_fail(error, ECC_BAD_DATA, "row %zu, column %zu is %g, expected a finite number",
                    at / d, at % d, (double)z[at]);
}

/* to: [columns] = the sums of these columns over a slice.  Summed on the stack, since the sums of
 * neighbouring slices may share a cache line. */
static void sum_columns(double *to, const struct plan *plan, size_t slice, size_t column,
                        size_t columns)
{
    double sum[TILE] = {0};
    for (size_t row = slice_start(plan, slice); row < slice_start(plan, slice + 1); row++) {
        const float *z = plan->z + row * plan->d + column;
        for (size_t k = 0; k < columns; k++) sum[k] += (double)z[k];
    }
    memcpy(to, sum, columns * sizeof *to);
}

static enum ecc_status compute_mean(double *mean, const float *z, size_t n, size_t d,
                                    struct ecc_error *error)
{
    struct plan plan = plan_slices(z, n, d, d * sizeof(double));
    plan.sum = calloc(plan.slices, d * sizeof *plan.sum);
    if (!plan.sum) return ecc_fail_memory(error, "the sums of the latents");
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < plan.slices; i++) {
        for (size_t k = 0; k < d; k += TILE)
            sum_columns(plan.sum + i * d + k, &plan, i, k, min_size(TILE, d - k));
    }
    add_slices(mean, plan.sum, plan.slices, d);
    free(plan.sum);
    for (size_t k = 0; k < d; k++) {
        /* sums of floats cannot overflow a double, so this comes from a bad one */
        if (!isfinite(mean[k])) return report_bad(z, n, d, error);
        mean[k] /= (double)n;
    }
    return ECC_OK;
}

/* block: [rows, columns] = z[row.., column..] - mean, in double. */
static void centre_block(double *block, const struct plan *plan, const double *mean, size_t row,
                         size_t rows, size_t column, size_t columns)
{
    for (size_t i = 0; i < rows; i++) {
        const float *restrict z = plan->z + (row + i) * plan->d + column;
        double *restrict to = block + i * columns;
        for (size_t k = 0; k < columns; k++) to[k] = (double)z[k] - mean[column + k];
    }
}

/* Adds to the slice's sum the products of the columns of tile a with those of tile b >= a.
 * left, right: [BLOCK] */
static void add_tile_pair(const struct plan *plan, const double *mean, size_t slice, size_t a,
                          size_t b, double *left, double *right)
{
    size_t d = plan->d, end = slice_start(plan, slice + 1);
    size_t na = min_size(TILE, d - a * TILE), nb = min_size(TILE, d - b * TILE);
    double *sum = plan->sum + slice * d * d + a * TILE * d + b * TILE;
    size_t most = BLOCK / na, rows;
    for (size_t row = slice_start(plan, slice); row < end; row += rows) {
        rows = min_size(most, end - row);
        centre_block(left, plan, mean, row, rows, a * TILE, na);
        if (a == b) {
            cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, (int)na, (int)rows, 1, left, (int)na,
                        1, sum, (int)d);
        } else {
            centre_block(right, plan, mean, row, rows, b * TILE, nb);
            cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)na, (int)nb, (int)rows, 1,
                        left, (int)na, right, (int)nb, 1, sum, (int)d);
        }
    }
}

/* Pair number `pair` of tiles a <= b: row a of the triangle has tiles - a of them. */
static void tile_pair(size_t *a, size_t *b, size_t pair, size_t tiles)
{
    for (*a = 0; pair >= tiles - *a; ++*a) pair -= tiles - *a;
    *b = *a + pair;
}

static enum ecc_status sum_products(const struct plan *plan, const double *mean,
                                    struct ecc_error *error)
{
    size_t pairs = plan->tiles * (plan->tiles + 1) / 2, items = pairs * plan->slices;
    bool failed = false;
#pragma omp parallel
    {
        omp_set_num_threads(1); /* for OpenBLAS, also where our team has one thread */
        double *blocks = malloc((plan->tiles > 1 ? 2 : 1) * BLOCK * sizeof *blocks);
#pragma omp for schedule(dynamic)
        for (size_t item = 0; item < items; item++) {
            size_t a, b;
            tile_pair(&a, &b, item % pairs, plan->tiles);
            if (blocks) {
                add_tile_pair(plan, mean, item / pairs, a, b, blocks, blocks + BLOCK);
            } else {
#pragma omp atomic write
                failed = true;
            }
        }
        free(blocks);
    }
    return failed ? ecc_fail_memory(error, "blocks of the covariance") : ECC_OK;
}

/* Divides by n and copies the upper triangle to the lower. */
static void finish_covariance(double *covariance, size_t n, size_t d)
{
    for (size_t i = 0; i < d; i++) {
        for (size_t j = i; j < d; j++) {
            covariance[i * d + j] /= (double)n;
            covariance[j * d + i] = covariance[i * d + j];
        }
    }
}

enum ecc_status ecc_mean_covariance(double *mean, double *covariance, const float *z, size_t n,
                                    size_t d, struct ecc_error *error)
{
    const size_t largest = 32000; /* as for the eigenproblem: d * d * 8 bytes are 8 GB */
    if (n == 0 || d == 0 || (covariance && d > largest)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%zu rows of %zu numbers have no covariance: expected at least one row of "
                        "1 to %zu numbers",
                        n, d, largest);
    }
    ECC_TRY(compute_mean(mean, z, n, d, error));
    if (!covariance) return ECC_OK;
    struct plan plan = plan_slices(z, n, d, d * d * sizeof(double));
    double *sum = plan.slices > 1 ? calloc(plan.slices, d * d * sizeof *sum) : covariance;
    if (!sum) return ecc_fail_memory(error, "the slices of the covariance");
    if (plan.slices == 1) memset(sum, 0, d * d * sizeof *sum);
    plan.sum = sum;
    enum ecc_status status = sum_products(&plan, mean, error);
    if (plan.slices > 1) {
        add_slices(covariance, sum, plan.slices, d * d);
        free(sum);
    }
    finish_covariance(covariance, n, d);
    return status;
}

void ecc_mean_deviation(double *mean, double *deviation, const double *x, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) squares += (x[i] - *mean) * (x[i] - *mean);
    *deviation = sqrt(squares / (double)n);
}

double ecc_root_sum_squares(const float *x, size_t count)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++) squares += (double)x[i] * (double)x[i];
    return sqrt(squares);
}

double ecc_mean_length(const float *z, size_t n, size_t d)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += ecc_root_sum_squares(z + i * d, d);
    return sum / (double)n;
}

double ecc_spectrum_trace(const double *eigenvalues, size_t d)
{
    double sum = 0;
    for (size_t i = 0; i < d; i++) sum += eigenvalues[i];
    return sum;
}

double ecc_spectrum_eccentricity(const double *eigenvalues, size_t d)
{
    double mean, deviation;
    ecc_mean_deviation(&mean, &deviation, eigenvalues, d);
    return deviation / mean;
}

double ecc_spectrum_effective_rank(const double *eigenvalues, size_t d)
{
    double total = 0, entropy = 0;
    for (size_t i = 0; i < d; i++) total += fmax(eigenvalues[i], 0);
    for (size_t i = 0; i < d; i++) {
        double share = eigenvalues[i] / total;
        if (share > 0) entropy -= share * log(share);
    }
    return total > 0 ? exp(entropy) : (double)NAN;
}
