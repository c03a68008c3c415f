/* test_math.c: quadrature, eigenproblems, statistics and neighbours against plain references. */
#include "testing.h"

#include "base/rng.h"
#include "math/distribution.h"
#include "math/lapack.h"
#include "math/neighbours.h"
#include "math/quadrature.h"
#include "math/statistics.h"

#include <float.h>
#include <omp.h>

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) fail_msg("out of memory");
    return memory;
}

/* Normal numbers of some size around an offset. */
static float *make_latents(size_t n, size_t d, double offset, double size, uint64_t stream)
{
    float *z = need(n * d, sizeof *z);
    double *x = need(n * d, sizeof *x);
    ecc_rng_normal(x, 5, stream, 0, n * d);
    for (size_t i = 0; i < n * d; i++) z[i] = (float)(offset + size * x[i]);
    free(x);
    return z;
}

/* ---- Quadrature ----------------------------------------------------------------------------- */

static double power_of_t(double x, void *k)
{
    return pow((1 + x) / 2, *(int *)k);
}

static double power(double t, void *k)
{
    return pow(t, *(int *)k);
}

/* E[t^k] for Beta(p, q) */
static double beta_moment(double p, double q, int k)
{
    double product = 1;
    for (int i = 0; i < k; i++) product *= (p + i) / (p + q + i);
    return product;
}

static void test_gauss_jacobi_is_exact(void **state)
{
    (void)state;
    static const double exponents[] = {-0.9, -0.5, 0, 0.5, 3, 30.5, 5000};
    for (size_t i = 0; i < 49; i++) {
        double alpha = exponents[i / 7], beta = exponents[i % 7];
        for (size_t n = 1; n <= 24; n++) {
            struct ecc_quadrature rule;
            check_ok(ecc_quadrature_jacobi_init(&rule, n, alpha, beta, &testing_error));
            for (int k = 0; k < 2 * (int)n; k++) {
                check_absolute(ecc_quadrature_mean(&rule, power_of_t, &k),
                               beta_moment(beta + 1, alpha + 1, k), 1e-13, "moment");
            }
            ecc_quadrature_release(&rule);
        }
    }
}

static void test_gauss_jacobi_nodes(void **state)
{
    (void)state;
    struct ecc_quadrature rule; /* alpha = beta = -1/2: Chebyshev, all weights equal */
    check_ok(ecc_quadrature_jacobi_init(&rule, 1000, -0.5, -0.5, &testing_error));
    for (size_t i = 0; i < rule.n; i++) {
        double angle = 3.14159265358979323846 * ((double)(rule.n - i) - 0.5) / 1000;
        check_absolute(rule.node[i], cos(angle), 1e-14, "node");
        check_relative(rule.weight[i], 1e-3, 1e-9, "weight");
    }
    ecc_quadrature_release(&rule);
    check_ok(ecc_quadrature_jacobi_init(&rule, 400, 5e4, 5e4, &testing_error));
    for (size_t i = 0; i < rule.n; i++) /* weights far out underflow, but to 0 */
        assert_true(isfinite(rule.weight[i]) && rule.weight[i] >= 0);
    ecc_quadrature_release(&rule);
    check_fails(ecc_quadrature_jacobi_init(&rule, 0, 0, 0, &testing_error), ECC_BAD_ARGUMENT,
                "0 nodes");
    check_fails(ecc_quadrature_jacobi_init(&rule, 5, -1, 0, &testing_error), ECC_BAD_ARGUMENT,
                "alpha is -1");
}

static double reciprocal(double t, void *s)
{
    return 1 / (1 + *(double *)s * t);
}

static void test_beta_mean(void **state)
{
    (void)state;
    static const double shapes[] = {0.3, 0.5, 1, 1.5, 7, 100, 5e4};
    for (size_t i = 0; i < 49; i++) {
        double p = shapes[i / 7], q = shapes[i % 7];
        double tolerance = 2e-14 + 1e-15 * fmax(p, q) / fmin(p, q);
        for (int k = 0; k < 12; k++) {
            check_relative(ecc_quadrature_beta_mean(p, q, power, &k), beta_moment(p, q, k),
                           tolerance, "moment");
        }
    }
    for (double s = 1e-8; s < 1e40; s *= 7) { /* closed forms: the circle, the uniform density */
        check_relative(ecc_quadrature_beta_mean(0.5, 0.5, reciprocal, &s), 1 / sqrt(1 + s), 1e-14,
                       "mean of 1/(1+st) for Beta(1/2, 1/2)");
        check_relative(ecc_quadrature_beta_mean(1, 1, reciprocal, &s), log1p(s) / s, 1e-14,
                       "mean of 1/(1+st) for Beta(1, 1)");
    }
}

/* ---- Eigenproblems -------------------------------------------------------------------------- */

static double *make_symmetric(size_t d, uint64_t stream)
{
    double *a = need(d * d, sizeof *a);
    ecc_rng_normal(a, 7, stream, 0, d * d);
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < i; j++) a[i * d + j] = a[j * d + i];
    }
    return a;
}

static void check_decomposition(const double *a, const double *values, const double *v, size_t d)
{
    double tolerance = 1e-14 * (double)d * 4;
    for (size_t i = 0; i < d; i++) {
        if (i > 0) assert_true(values[i] <= values[i - 1]);
        for (size_t j = 0; j < d; j++) {
            double dot = 0, rebuilt = 0;
            for (size_t k = 0; k < d; k++) {
                dot += v[i * d + k] * v[j * d + k];
                rebuilt += values[k] * v[k * d + i] * v[k * d + j];
            }
            check_absolute(dot, i == j, tolerance, "orthonormal rows");
            check_absolute(rebuilt, a[i * d + j], tolerance * 4, "sum of lambda v v^T");
        }
    }
}

/* The bits of ecc_eigen_symmetric without vectors. */
static void check_in_place(const double *values, const double *a, size_t d)
{
    size_t doubles;
    check_ok(ecc_eigenvalues_work(&doubles, d, &testing_error));
    double *copy = need(d * d, sizeof *copy), *work = need(doubles, sizeof *work);
    double *found = need(d, sizeof *found);
    memcpy(copy, a, d * d * sizeof *copy);
    check_ok(ecc_eigenvalues_in_place(found, copy, d, work, doubles, &testing_error));
    assert_memory_equal(found, values, d * sizeof *found);
    free(copy), free(work), free(found);
}

static void test_eigen_symmetric(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 8, 64, 150};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t d = sizes[s];
        double *a = make_symmetric(d, s), *copy = make_symmetric(d, s);
        double *values = need(d, sizeof *values), *alone = need(d, sizeof *alone);
        double *vectors = need(d * d, sizeof *vectors);
        for (size_t i = 0; i < d; i++) {
            for (size_t j = 0; j < i; j++)
                copy[i * d + j] = (double)NAN; /* the lower triangle must not be read */
        }
        check_ok(ecc_eigen_symmetric(values, vectors, copy, d, &testing_error));
        check_decomposition(a, values, vectors, d);
        check_ok(ecc_eigen_symmetric(alone, NULL, copy, d, &testing_error));
        for (size_t i = 0; i < d; i++)
            check_absolute(alone[i], values[i], 1e-12, "eigenvalue without vectors");
        check_in_place(alone, copy, d);
        check_ok(ecc_eigen_symmetric(alone, copy, copy, d, &testing_error));
        check_decomposition(a, alone, copy, d);
        free(a), free(copy), free(values), free(alone), free(vectors);
    }
}

static void test_eigen_errors(void **state)
{
    (void)state;
    double a[4] = {1, (double)NAN, 0, 1}, values[2];
    check_fails(ecc_eigen_symmetric(values, NULL, a, 2, &testing_error), ECC_BAD_DATA,
                "row 0, column 1");
    check_fails(ecc_eigen_symmetric(values, NULL, a, 0, &testing_error), ECC_BAD_ARGUMENT,
                "0 rows");
    check_fails(ecc_eigen_symmetric(values, NULL, a, 1u << 20, &testing_error), ECC_BAD_ARGUMENT,
                "1048576 rows");
    check_fails(ecc_eigen_tridiagonal(a, a, 0, &testing_error), ECC_BAD_ARGUMENT, "0 rows");
}

static void test_cholesky(void **state)
{
    (void)state;
    /* of L = {{2, 0, 0}, {1, 3, 0}, {-1, 2, 1}}; what is above the diagonal is not read */
    double a[9] = {4, 9, 9, 2, 10, 9, -2, 5, 6};
    const double l[9] = {2, 0, 0, 1, 3, 0, -1, 2, 1};
    check_ok(ecc_cholesky(a, 3, &testing_error));
    for (size_t i = 0; i < 9; i++) check_absolute(a[i], l[i], 1e-14, "factor");
    double indefinite[4] = {1, 0, 2, 1}, bad[4] = {1, 0, (double)NAN, 1};
    check_fails(ecc_cholesky(indefinite, 2, &testing_error), ECC_NUMERIC, "not positive definite");
    check_fails(ecc_cholesky(bad, 2, &testing_error), ECC_NUMERIC, "not positive definite");
    check_fails(ecc_cholesky(a, 0, &testing_error), ECC_BAD_ARGUMENT, "0 rows");
}

static void test_eigen_tridiagonal(void **state)
{
    (void)state;
    enum { N = 100 };
    double diagonal[N], off[N];
    for (int i = 0; i < N; i++) diagonal[i] = 2, off[i] = -1;
    check_ok(ecc_eigen_tridiagonal(diagonal, off, N, &testing_error));
    for (int i = 0; i < N; i++) {
        double expected = 2 - 2 * cos(3.14159265358979323846 * (i + 1) / (N + 1));
        check_absolute(diagonal[i], expected, 1e-14, "eigenvalue of the second difference");
    }
}

/* ---- Mean, covariance, spectrum ------------------------------------------------------------- */

/* The definition in long double. */
static void plain_covariance(double *mean, double *covariance, const float *z, size_t n, size_t d)
{
    long double *m = need(d, sizeof *m);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < d; k++) m[k] += (long double)z[i * d + k] / (long double)n;
    }
    for (size_t k = 0; k < d; k++) {
        mean[k] = (double)m[k];
        for (size_t l = 0; l < d; l++) {
            long double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += ((long double)z[i * d + k] - m[k]) * ((long double)z[i * d + l] - m[l]);
            covariance[k * d + l] = (double)(sum / (long double)n);
        }
    }
    free(m);
}

static void check_covariance(size_t n, size_t d, double offset, double size)
{
    float *z = make_latents(n, d, offset, size, n + d);
    double *mean = need(d, sizeof *mean), *plain_mean = need(d, sizeof *mean);
    double *covariance = need(d * d, sizeof *mean), *plain = need(d * d, sizeof *mean);
    plain_covariance(plain_mean, plain, z, n, d);
    check_ok(ecc_mean_covariance(mean, covariance, z, n, d, &testing_error));
    for (size_t k = 0; k < d; k++)
        check_absolute(mean[k], plain_mean[k], 1e-14 * (fabs(offset) + size), "mean");
    for (size_t k = 0; k < d * d; k++)
        check_absolute(covariance[k], plain[k], 1e-14 * size * size, "covariance");
    free(z), free(mean), free(plain_mean), free(covariance), free(plain);
}

static void test_covariance(void **state)
{
    (void)state;
    check_covariance(1, 3, 0, 1);
    check_covariance(2, 1, 5, 1);
    check_covariance(1000, 8, 0, 1);
    check_covariance(1000, 37, 1e4, 1);
    check_covariance(1000, 5, -1e4, 0.01);
    check_covariance(20000, 10, 1e4, 1); /* several slices */
    check_covariance(70, 600, 1, 1);     /* several tiles */
    check_covariance(500, 3, 0, 1e-15);
    check_covariance(500, 3, 0, 1e30);
}

static void test_covariance_in_threads(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{9000, 24}, {5000, 530}};
    int threads = omp_get_max_threads();
    for (size_t s = 0; s < 2; s++) {
        size_t n = shapes[s][0], d = shapes[s][1];
        float *z = make_latents(n, d, 1, 1, s);
        double *result = need(2 * (d + 1) * d, sizeof *result), *again = result + (d + 1) * d;
        omp_set_num_threads(1);
        check_ok(ecc_mean_covariance(result, result + d, z, n, d, &testing_error));
        for (int count = 2; count <= 5; count++) {
            omp_set_num_threads(count);
            check_ok(ecc_mean_covariance(again, again + d, z, n, d, &testing_error));
            assert_int_equal(omp_get_max_threads(), count); /* the caller's setting is kept */
            assert_memory_equal(result, again, (d + 1) * d * sizeof *result);
        }
        free(z), free(result);
    }
    omp_set_num_threads(threads);
}

static void test_statistics_errors(void **state)
{
    (void)state;
    float z[6] = {1, 2, 3, 4, INFINITY, 6};
    double mean[2], covariance[4];
    check_fails(ecc_mean_covariance(mean, covariance, z, 3, 2, &testing_error), ECC_BAD_DATA,
                "row 2, column 0 is inf");
    check_fails(ecc_mean_covariance(mean, covariance, z, 0, 2, &testing_error), ECC_BAD_ARGUMENT,
                "0 rows of 2");
    check_fails(ecc_mean_covariance(mean, covariance, z, 1, 0, &testing_error), ECC_BAD_ARGUMENT,
                "1 rows of 0");
}

static void test_spectrum(void **state)
{
    (void)state;
    double equal[5] = {3, 3, 3, 3, 3}, line[5] = {7, 0, 0, 0, -1e-17}, two[4] = {1, 1, 3, 3};
    double mean, deviation;
    check_absolute(ecc_spectrum_eccentricity(equal, 5), 0, 0, "eccentricity of a sphere");
    check_absolute(ecc_spectrum_eccentricity(line, 5), 2, 1e-14, "of a line: sqrt(d - 1)");
    check_absolute(ecc_spectrum_eccentricity(two, 4), 0.5, 1e-15, "1 / 2, divided by d");
    check_absolute(ecc_spectrum_trace(two, 4), 8, 0, "trace");
    check_absolute(ecc_spectrum_effective_rank(equal, 5), 5, 1e-14, "rank of a sphere");
    check_absolute(ecc_spectrum_effective_rank(line, 5), 1, 1e-14, "rank of a line");
    ecc_mean_deviation(&mean, &deviation, two, 4);
    check_absolute(mean, 2, 0, "mean");
    check_absolute(deviation, 1, 0, "deviation");
}

/* ---- Neighbours ----------------------------------------------------------------------------- */

/* By definition: the first of the nearest. */
static void plain_nearest(double *squared, size_t *index, const float *z, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++) {
        squared[i] = (double)INFINITY;
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < d; k++) {
                double difference = (double)z[i * d + k] - (double)z[j * d + k];
                sum += difference * difference;
            }
            if (j != i && sum < squared[i]) squared[i] = sum, index[i] = j;
        }
    }
}

static void check_nearest(const float *z, size_t n, size_t d)
{
    double *squared = need(2 * n, sizeof *squared), *plain = squared + n;
    size_t *index = need(2 * n, sizeof *index), *plain_index = index + n;
    plain_nearest(plain, plain_index, z, n, d);
    check_ok(ecc_nearest(squared, index, z, n, d, &testing_error));
    for (size_t i = 0; i < n; i++) {
        check_relative(squared[i], plain[i], 1e-15 * (double)(d + 8), "squared distance");
        assert_int_equal(index[i], plain_index[i]);
    }
    free(squared), free(index);
}

static void check_nearest_random(size_t n, size_t d, double offset, double size)
{
    float *z = make_latents(n, d, offset, size, 3 * n + d);
    check_nearest(z, n, d);
    free(z);
}

static void test_nearest(void **state)
{
    (void)state;
    static const size_t dims[] = {1, 2, 3, 8, 64, 200};
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        check_nearest_random(2, dims[i], 0, 1);
        check_nearest_random(5, dims[i], 0, 1);
        check_nearest_random(700, dims[i], 0, 1); /* more than one block each way */
        check_nearest_random(300, dims[i], 1e4, 1);
        check_nearest_random(300, dims[i], 1e4, 0.002); /* many exact ties on the float grid */
        check_nearest_random(300, dims[i], 0, 1e37);
        check_nearest_random(300, dims[i], 0, 1e-38);
        check_nearest_random(300, dims[i], 0, 1e-43);
    }
}

/* Two tight clusters far apart, where |x|^2 + |y|^2 - 2 x.y in float32 is nothing but rounding. */
static void test_nearest_in_clusters(void **state)
{
    (void)state;
    enum { N = 400, D = 16 };
    float *z = make_latents(N, D, 0, 1e-4, 99);
    for (size_t i = 0; i < N; i += 2) {
        for (size_t k = 0; k < D; k++) z[i * D + k] += 100;
    }
    check_nearest(z, N, D);
    for (size_t i = 0; i < N; i++) /* one enormous column, one tiny */
        z[i * D] = 1e30f, z[i * D + 1] *= 1e-20f;
    check_nearest(z, N, D);
    free(z);
}

/* A constant column so large that, scaled with it, squares of the others partly underflow. */
static void test_nearest_near_underflow(void **state)
{
    (void)state;
    enum { N = 400, D = 16 };
    for (float large = 1e18f; large < 1e25f; large *= 3) {
        float *z = make_latents(N, D, 0, 1, 7);
        for (size_t i = 0; i < N; i++) z[i * D] = large;
        check_nearest(z, N, D);
        free(z);
    }
}

static void test_nearest_with_duplicates(void **state)
{
    (void)state;
    enum { N = 600, D = 20 };
    float *z = make_latents(N, D, 3, 1, 42);
    memcpy(z + 599 * D, z + 10 * D, D * sizeof *z);
    memcpy(z + 300 * D, z + 10 * D, D * sizeof *z);
    check_nearest(z, N, D);
    double squared[N];
    size_t index[N];
    check_ok(ecc_nearest(squared, index, z, N, D, &testing_error));
    check_absolute(squared[599], 0, 0, "distance of a duplicate");
    assert_true(index[10] == 300 && index[300] == 10 && index[599] == 10);
    for (size_t i = 0; i < (size_t)N * D; i++) z[i] = 0.1f;
    check_nearest(z, N, D);
    free(z);
}

static void test_nearest_options(void **state)
{
    (void)state;
    enum { N = 500, D = 9 };
    float *z = make_latents(N, D, 0, 1, 8);
    double squared[N], only[N];
    size_t index[N], only_index[N];
    int threads = omp_get_max_threads();
    check_ok(ecc_nearest(squared, index, z, N, D, &testing_error));
    omp_set_num_threads(1);
    check_ok(ecc_nearest(only, NULL, z, N, D, &testing_error));
    omp_set_num_threads(3);
    check_ok(ecc_nearest(NULL, only_index, z, N, D, &testing_error));
    omp_set_num_threads(threads);
    assert_memory_equal(squared, only, sizeof squared);
    assert_memory_equal(index, only_index, sizeof index);
    check_fails(ecc_nearest(only, NULL, z, 1, D, &testing_error), ECC_BAD_ARGUMENT, "n is 1");
    check_fails(ecc_nearest(only, NULL, z, 3, 0, &testing_error), ECC_BAD_ARGUMENT, "d is 0");
    z[7 * D + 2] = NAN;
    check_fails(ecc_nearest(only, NULL, z, N, D, &testing_error), ECC_BAD_DATA,
                "row 7, column 2 is nan");
    free(z);
}

/* ---- Distributions -------------------------------------------------------------------------- */

/* Values of SciPy 1.17: scipy.special.betainc, scipy.stats.f.ppf, numpy.quantile. */
static void test_distributions(void **state)
{
    (void)state;
    check_relative(ecc_beta_share(0.5, 0.5, 0.3), 0.36901011956554536, 1e-13, "I_0.3");
    check_relative(ecc_beta_share(4, 30000, 1e-4), 0.352835326933907, 1e-10, "I_0.0001");
    check_relative(ecc_beta_share(32, 10, 0.9), 0.9938937211665047, 1e-13, "I_0.9");
    assert_true(ecc_beta_share(2, 3, 0) == 0 && ecc_beta_share(2, 3, 1) == 1);
    static const double CASES[][4] = {
        {0.95, 2, 100, 3.08729589274893},   {0.99, 8, 153, 2.629481067632589},
        {0.95, 64, 20, 1.9402530405272125}, {0.99, 1, 1, 4052.1806954768217},
        {0.5, 3, 7, 0.870944253187285},     {0.95, 4, 59996, 2.3720802774237084},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        check_relative(ecc_f_quantile(CASES[i][0], CASES[i][1], CASES[i][2]), CASES[i][3], 1e-9,
                       "a quantile of F");
    }
    double values[] = {7, 1, 4, 2};
    check_relative(ecc_sample_quantile(values, 4, 0.95), 6.55, 1e-13, "a quantile");
    check_relative(ecc_sample_quantile(values, 4, 0), 1, 1e-13, "the least");
    check_relative(ecc_sample_quantile(values, 4, 1), 7, 1e-13, "the largest");
    assert_true(isnan(ecc_sample_quantile(values, 0, 0.5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gauss_jacobi_is_exact),
        cmocka_unit_test(test_gauss_jacobi_nodes),
        cmocka_unit_test(test_beta_mean),
        cmocka_unit_test(test_eigen_symmetric),
        cmocka_unit_test(test_eigen_errors),
        cmocka_unit_test(test_cholesky),
        cmocka_unit_test(test_eigen_tridiagonal),
        cmocka_unit_test(test_covariance),
        cmocka_unit_test(test_covariance_in_threads),
        cmocka_unit_test(test_statistics_errors),
        cmocka_unit_test(test_spectrum),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_nearest_in_clusters),
        cmocka_unit_test(test_nearest_near_underflow),
        cmocka_unit_test(test_nearest_with_duplicates),
        cmocka_unit_test(test_nearest_options),
        cmocka_unit_test(test_distributions),
    };
    return cmocka_run_group_tests_name("math", tests, NULL, NULL);
}
