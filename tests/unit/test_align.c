/* test_align.c: alignments of encodings whose relation is known, and ordinary components. */
#include "testing.h"

#include "base/rng.h"
#include "latent/align_pair.h"
#include "math/lapack.h"
#include "math/statistics.h"

#include <omp.h>

enum { N = 4000, M = 500, D = 5 };

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) fail_msg("out of memory");
    return memory;
}

/* Encodings with variances 1, 1/2, 1/3, ... */
static float *make_encodings(size_t n, uint64_t stream)
{
    float *const z = need(n * D, sizeof *z);
    ecc_rng_normal_f32(z, 8, stream, 0, n * D);
    for (size_t i = 0; i < n * D; i++) z[i] /= sqrtf(1 + (float)(i % D));
    return z;
}

/* b = a q^T + noise */
static float *transform(const float *a, const double *q, size_t n, double noise, uint64_t stream)
{
    float *const b = need(n * D, sizeof *b);
    ecc_rng_normal_f32(b, 8, stream, 0, n * D);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < D; k++) {
            double sum = noise * (double)b[i * D + k];
            for (size_t j = 0; j < D; j++) sum += q[k * D + j] * (double)a[i * D + j];
            b[i * D + k] = (float)sum;
        }
    }
    return b;
}

static struct ecc_alignment align_transformed(const double *q, double noise)
{
    float *const train = make_encodings(N, 1), *const test = make_encodings(M, 2);
    float *const train_b = transform(train, q, N, noise, 3);
    float *const test_b = transform(test, q, M, noise, 4);
    struct ecc_alignment l;
    check_ok(ecc_align(&l, train, train_b, N, test, test_b, M, D, &testing_error));
    free(train), free(test), free(train_b), free(test_b);
    return l;
}

static void random_rotation(double q[D * D], uint64_t stream)
{
    double a[D * D], values[D], vt[D * D];
    ecc_rng_normal(a, 2, stream, 0, (size_t)D * D);
    check_ok(ecc_singular_values(q, values, vt, a, D, &testing_error));
}

static void test_same_encodings(void **state)
{
    (void)state;
    double q[D * D] = {0};
    for (size_t k = 0; k < D; k++) q[k * D + k] = 1;
    struct ecc_alignment l = align_transformed(q, 0);
    check_absolute(l.angle_raw, 0, 1e-3, "raw angle");
    check_absolute(l.angle_aligned, 0, 1e-3, "aligned angle");
    check_absolute(l.angle_procrustes, 0, 1e-3, "rotated angle");
    check_absolute(l.cka, 1, 1e-6, "CKA");
    for (size_t k = 0; k < D; k++) {
        assert_int_equal(l.partner[k], k);
        check_absolute(l.correlation[k], 1, 1e-6, "correlation");
    }
    assert_int_equal(ecc_align_verdict(&l), ECC_SAME_COMPONENTS);
    ecc_alignment_release(&l);
}

/* The alignment finds any order and signs, even with noise. */
static void test_permuted_and_flipped(void **state)
{
    (void)state;
    static const size_t order[D] = {3, 0, 4, 1, 2}; /* component order[k] of a becomes k of b */
    static const double sign[D] = {-1, 1, 1, -1, -1};
    double q[D * D] = {0};
    for (size_t k = 0; k < D; k++) q[k * D + order[k]] = sign[k];
    struct ecc_alignment l = align_transformed(q, 0.05);
    for (size_t k = 0; k < D; k++) {
        assert_int_equal(l.partner[order[k]], k);
        assert_true(l.sign[order[k]] == sign[k]);
        assert_true(l.correlation[k] > 0.95);
        for (size_t j = 0; j < D; j++) {
            check_absolute(fabs(l.after[k * D + j]), k == j, 0.15, "correlation after");
            check_absolute(l.after[k * D + j], l.sign[j] * l.before[k * D + l.partner[j]], 0,
                           "columns moved");
        }
    }
    assert_true(l.angle_raw > 60 && l.angle_aligned < 10 && l.cka > 0.95);
    assert_int_equal(ecc_align_verdict(&l), ECC_SAME_COMPONENTS);
    ecc_alignment_release(&l);
}

static void test_rotated(void **state)
{
    (void)state;
    double q[D * D];
    random_rotation(q, 7);
    struct ecc_alignment l = align_transformed(q, 0.01);
    assert_true(l.angle_procrustes < 3 && l.angle_aligned > l.angle_procrustes + 10);
    assert_true(l.cka > 0.99);
    assert_int_equal(ecc_align_verdict(&l), ECC_SAME_SPACE);
    ecc_alignment_release(&l);
}

static void test_unrelated(void **state)
{
    (void)state;
    const double q[D * D] = {0};
    struct ecc_alignment l = align_transformed(q, 1);
    check_absolute(l.angle_raw, 90, 5, "raw angle");
    check_absolute(l.angle_procrustes, 90, 5, "rotated angle");
    assert_true(l.cka < 0.1);
    assert_int_equal(ecc_align_verdict(&l), ECC_DIFFERENT_SPACES);
    ecc_alignment_release(&l);
}

/* A component of b that has nothing to do with its partner is named, however close the rest is. */
static void test_one_without_a_partner(void **state)
{
    (void)state;
    for (size_t lost = 0; lost < D; lost++) {
        double q[D * D] = {0};
        for (size_t k = 0; k < D; k++) q[k * D + k] = k != lost;
        struct ecc_alignment l = align_transformed(q, 0.1);
        for (size_t k = 0; k < D; k++) assert_int_equal(ecc_align_matched(&l, k), k != lost);
        const enum ecc_verdict verdict = ecc_align_verdict(&l);
        /* the first has most of the variance: without it the space is another */
        assert_int_equal(verdict, l.cka >= 0.8 && l.angle_procrustes <= 30 ? ECC_MOST_COMPONENTS
                                                                           : ECC_SOME_COMPONENTS);
        assert_int_equal(verdict == ECC_SOME_COMPONENTS, lost == 0);
        ecc_alignment_release(&l);
    }
}

/* A rotation and so much noise that the spaces are no longer the same: not simply different. */
static void test_similar(void **state)
{
    (void)state;
    double q[D * D];
    random_rotation(q, 7);
    double noise = 0.1;
    struct ecc_alignment l = align_transformed(q, noise);
    for (; l.cka >= 0.75; noise += 0.1) {
        ecc_alignment_release(&l);
        l = align_transformed(q, noise);
    }
    assert_true(l.cka > 0.5);
    for (size_t k = 0; k < D; k++) l.correlation[k] = fmin(l.correlation[k], 0.69);
    assert_int_equal(ecc_align_verdict(&l), ECC_RELATED_SPACES);
    ecc_alignment_release(&l);
}

/* Two components turned into each other by 45 degrees: the same space, and both are named. */
static void test_two_rotated(void **state)
{
    (void)state;
    double q[D * D] = {0};
    for (size_t k = 0; k < D; k++) q[k * D + k] = 1;
    q[2 * D + 2] = q[2 * D + 3] = q[3 * D + 3] = sqrt(0.5);
    q[3 * D + 2] = -sqrt(0.5);
    struct ecc_alignment l = align_transformed(q, 0.1);
    assert_int_equal(ecc_align_verdict(&l), ECC_SAME_SPACE);
    for (size_t k = 0; k < D; k++) {
        if (k != 2 && k != 3) assert_true(ecc_align_matched(&l, k));
    }
    assert_false(ecc_align_matched(&l, 2) && ecc_align_matched(&l, 3));
    ecc_alignment_release(&l);
}

/* Noise in a component that hardly varies is no reason to call two runs different. */
static void test_small_components_do_not_count(void **state)
{
    (void)state;
    double q[D * D] = {0};
    for (size_t k = 0; k + 1 < D; k++) q[k * D + k] = 1;
    float *const a = make_encodings(N, 1), *const b = transform(a, q, N, 0.02, 3);
    for (size_t i = 0; i < N; i++) a[i * D + D - 1] *= 0.05F;
    struct ecc_alignment l;
    check_ok(ecc_align(&l, a, b, N, a, b, N, D, &testing_error));
    assert_true(fabs(l.correlation[D - 1]) < 0.5 && ecc_align_matched(&l, D - 1));
    assert_int_equal(ecc_align_verdict(&l), ECC_SAME_COMPONENTS);
    ecc_alignment_release(&l);
    free(a), free(b);
}

static void test_angles(void **state)
{
    (void)state;
    const float a[] = {1, 0, 1, 0, 3, 0, 0, 0}, b[] = {0, 2, 1, 1, -1, 0, 1, 1};
    check_absolute(ecc_mean_angle(a, b, 1, 2), 90, 1e-12, "right angle");
    check_absolute(ecc_mean_angle(a, b, 2, 2), 67.5, 1e-12, "mean of 90 and 45");
    check_absolute(ecc_mean_angle(a, b, 3, 2), 105, 1e-12, "and 180");
    check_absolute(ecc_mean_angle(a + 6, b + 6, 1, 2), 90, 1e-12, "with nothing");
    struct ecc_alignment l;
    check_fails(ecc_align(&l, a, b, 4, a, b, 1, 2, &testing_error), ECC_BAD_ARGUMENT,
                "1 test items");
    /* a component that does not vary has no correlation */
    float still[N * 2] = {0}, moving[N * 2];
    ecc_rng_normal_f32(moving, 1, 1, 0, (size_t)N * 2);
    for (size_t i = 0; i < N; i++) still[2 * i] = moving[2 * i];
    check_ok(ecc_align(&l, still, moving, N, still, moving, M, 2, &testing_error));
    check_absolute(l.correlation[0], 1, 1e-6, "the one that varies");
    check_absolute(l.correlation[1], 0, 0, "the one that does not");
    ecc_alignment_release(&l);
}

/* ---- Ordinary components -------------------------------------------------------------------- */

/* Items of a few strong directions and noise: [n, size]. */
static float *make_items(size_t n, size_t size, size_t rank)
{
    float *const x = need(n * size, sizeof *x);
    float *const axes = need(rank * size, sizeof *axes), *const z = need(n * rank, sizeof *z);
    ecc_rng_normal_f32(x, 3, 1, 0, n * size);
    ecc_rng_normal_f32(axes, 3, 2, 0, rank * size);
    ecc_rng_normal_f32(z, 3, 3, 0, n * rank);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < size; k++) {
            float sum = 0.3F * x[i * size + k] + 5;
            for (size_t r = 0; r < rank; r++) {
                sum += z[i * rank + r] * axes[r * size + k] / (float)(r + 1);
            }
            x[i * size + k] = sum;
        }
    }
    free(axes), free(z);
    return x;
}

static void check_pca(size_t n, size_t size, size_t d)
{
    float *const x = make_items(n, size, 4);
    struct ecc_pca pca;
    check_ok(ecc_pca_fit(&pca, x, n, size, d, &testing_error));
    float *const z = need(n * d, sizeof *z);
    ecc_pca_project(&pca, z, x, n);
    double *const mean = need(d + d * d, sizeof *mean), *const covariance = mean + d;
    check_ok(ecc_mean_covariance(mean, covariance, z, n, d, &testing_error));
    /* components are uncorrelated, centred, and have their eigenvalues as variances */
    for (size_t i = 0; i < d; i++) {
        check_absolute(mean[i], 0, 1e-2, "mean");
        check_relative(covariance[i * d + i], pca.eigenvalues[i], 1e-3, "variance");
        if (i > 0) assert_true(pca.eigenvalues[i] <= pca.eigenvalues[i - 1]);
        for (size_t j = 0; j < d; j++) {
            double dot = 0;
            for (size_t k = 0; k < size; k++) {
                dot += (double)pca.axes[i * size + k] * (double)pca.axes[j * size + k];
            }
            check_absolute(dot, i == j, 1e-4, "product of axes");
            if (i != j) check_absolute(covariance[i * d + j], 0, 1e-3 * pca.eigenvalues[0], "off");
        }
    }
    /* the error of the restored items is the variance of the components left out */
    float *const back = need(n * size, sizeof *back);
    ecc_pca_restore(&pca, back, z, n);
    double lost = 0, kept = 0, all = 0;
    for (size_t i = 0; i < n * size; i++) {
        const double off = (double)back[i] - (double)x[i];
        const double from_mean = (double)x[i] - (double)pca.mean[i % size];
        lost += off * off / (double)n;
        all += from_mean * from_mean / (double)n;
    }
    for (size_t i = 0; i < d; i++) kept += pca.eigenvalues[i];
    check_absolute(lost, all - kept, 1e-3 * all, "variance left out");
    free(back);
    free(x), free(z), free(mean);
    ecc_pca_release(&pca);
}

static void test_pca(void **state)
{
    (void)state;
    check_pca(500, 3, 3);
    check_pca(800, 60, 5);
    check_pca(300, 1500, 4); /* by iteration */
}

/* Iteration finds what the whole covariance gives; threads do not matter. */
static void test_wide_pca_is_exact(void **state)
{
    (void)state;
    enum { ITEMS = 200, WIDE = 1100, KEPT = 4 };
    float *const x = make_items(ITEMS, WIDE, 4);
    double *const mean = need(WIDE + (size_t)WIDE * WIDE, sizeof *mean);
    double *const values = need(WIDE, sizeof *values);
    check_ok(ecc_mean_covariance(mean, mean + WIDE, x, ITEMS, WIDE, &testing_error));
    check_ok(ecc_eigen_symmetric(values, NULL, mean + WIDE, WIDE, &testing_error));
    struct ecc_pca pca, other;
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    check_ok(ecc_pca_fit(&pca, x, ITEMS, WIDE, KEPT, &testing_error));
    omp_set_num_threads(3);
    check_ok(ecc_pca_fit(&other, x, ITEMS, WIDE, KEPT, &testing_error));
    omp_set_num_threads(threads);
    for (size_t k = 0; k < KEPT; k++) {
        check_relative(pca.eigenvalues[k], values[k], 1e-4, "eigenvalue");
    }
    assert_memory_equal(pca.axes, other.axes, (size_t)KEPT * WIDE * sizeof *pca.axes);
    ecc_pca_release(&pca);
    ecc_pca_release(&other);
    check_ok(ecc_pca_fit(&pca, x, 100, 2, 7, &testing_error));
    assert_int_equal(pca.d, 2);
    ecc_pca_release(&pca);
    check_fails(ecc_pca_fit(&pca, x, 0, 2, 2, &testing_error), ECC_BAD_ARGUMENT, "0 items");
    free(x), free(mean), free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_encodings),
        cmocka_unit_test(test_permuted_and_flipped),
        cmocka_unit_test(test_rotated),
        cmocka_unit_test(test_one_without_a_partner),
        cmocka_unit_test(test_similar),
        cmocka_unit_test(test_two_rotated),
        cmocka_unit_test(test_small_components_do_not_count),
        cmocka_unit_test(test_unrelated),
        cmocka_unit_test(test_angles),
        cmocka_unit_test(test_pca),
        cmocka_unit_test(test_wide_pca_is_exact),
    };
    return cmocka_run_group_tests_name("align", tests, NULL, NULL);
}
