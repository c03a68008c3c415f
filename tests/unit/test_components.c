/* test_components.c: components of latents with a known covariance, their signs, coordinates, their
 * file, and lists of them. */
#include "base/file.h"
#include "base/rng.h"
#include "data/archive.h"
#include "model/components.h"
#include "testing.h"

enum { N = 20000, D = 4 };

/* Latents with axes that are rotated in two planes, deviations 3, 2, 1, 0.5, mean (5, -1, 0, 2). */
static const double deviations[D] = {3, 2, 1, 0.5}, mean[D] = {5, -1, 0, 2};

static void true_axes(double axes[D][D])
{
    memset(axes, 0, sizeof(double) * D * D);
    const double c = cos(0.7), s = sin(0.7);
    axes[0][0] = c, axes[0][1] = s;
    axes[1][0] = -s, axes[1][1] = c;
    axes[2][2] = c, axes[2][3] = s;
    axes[3][2] = -s, axes[3][3] = c;
}

/* Along each axis a skewed variable of mean 0 and variance 1: a squared normal. */
static float *make_latents(double sign)
{
    float *const z = malloc(sizeof *z * N * D);
    double *const normal = malloc(sizeof *normal * N * D), axes[D][D];
    true_axes(axes);
    ecc_rng_normal(normal, 3, 1, 0, (size_t)N * D);
    for (size_t i = 0; i < N; i++) {
        double point[D] = {mean[0], mean[1], mean[2], mean[3]};
        for (size_t k = 0; k < D; k++) {
            const double u = normal[i * D + k], skewed = (u * u - 1) / sqrt(2);
            for (size_t j = 0; j < D; j++) point[j] += sign * deviations[k] * skewed * axes[k][j];
        }
        for (size_t j = 0; j < D; j++) z[i * D + j] = (float)point[j];
    }
    free(normal);
    return z;
}

static void test_known_covariance(void **state)
{
    (void)state;
    double axes[D][D];
    true_axes(axes);
    for (int sign = -1; sign <= 1; sign += 2) {
        struct ecc_components c;
        float *const z = make_latents(sign);
        check_ok(ecc_components_fit(&c, z, N, D, &testing_error));
        assert_int_equal(c.count, N);
        for (size_t k = 0; k < D; k++) {
            double dot = 0;
            for (size_t j = 0; j < D; j++) dot += c.axes[k * D + j] * axes[k][j];
            /* the third moment decides the sign: it follows the data */
            check_absolute(dot, sign, 0.01, "axis along the true one, with its sign");
            check_relative(c.eigenvalues[k], deviations[k] * deviations[k], 0.08, "eigenvalue");
            check_relative(c.deviations[k], sqrt(c.eigenvalues[k]), 1e-12, "deviation");
            check_relative(c.skewness[k], sqrt(8), 0.15, "skewness of a squared normal");
            check_absolute(c.mean[k], mean[k], 0.08, "mean");
        }
        double sum = 0;
        for (size_t k = 0; k < D; k++) sum += c.explained[k];
        check_relative(sum, 1, 1e-12, "explained variance in all");
        check_relative(c.trace, 9 + 4 + 1 + 0.25, 0.05, "trace");
        assert_true(c.effective_rank > 1 && c.effective_rank < D);
        ecc_components_release(&c);
        free(z);
    }
}

static void test_coordinates(void **state)
{
    (void)state;
    struct ecc_components c;
    float *const z = make_latents(1), *const p = malloc(sizeof *p * N * D);
    check_ok(ecc_components_fit(&c, z, N, D, &testing_error));
    check_ok(ecc_components_project(&c, p, z, N, &testing_error));
    for (size_t k = 0; k < D; k++) {
        double sum = 0, square = 0;
        for (size_t i = 0; i < N; i++) {
            sum += (double)p[i * D + k];
            square += (double)p[i * D + k] * (double)p[i * D + k];
        }
        check_absolute(sum / N, 0, 1e-5, "mean of a coordinate");
        check_relative(square / N, c.eigenvalues[k], 1e-5, "variance of a coordinate");
    }
    check_ok(ecc_components_restore(&c, p, p, N, &testing_error));
    for (size_t i = 0; i < (size_t)N * D; i++)
        check_absolute((double)p[i], (double)z[i], 1e-4, "z");
    ecc_components_release(&c);
    free(z);
    free(p);
}

static void test_degenerate(void **state)
{
    (void)state;
    /* one latent, and latents along a line: eigenvalues of 0, none below, signs by the other rule
     */
    const float line[] = {1, 1, 2, 2, 3, 3};
    struct ecc_components c;
    check_ok(ecc_components_fit(&c, line, 3, 2, &testing_error));
    check_relative(c.axes[0] + c.axes[1], sqrt(2), 1e-9, "axis along the line, positive");
    assert_true(c.eigenvalues[1] >= 0 && c.eigenvalues[1] < 1e-12);
    ecc_components_release(&c);
    check_ok(ecc_components_fit(&c, line, 1, 2, &testing_error));
    assert_true(c.trace == 0 && c.explained[0] == 0 && isnan(c.eccentricity));
    ecc_components_release(&c);
    const float bad[] = {1, NAN};
    check_fails(ecc_components_fit(&c, bad, 1, 2, &testing_error), ECC_BAD_DATA, "");
}

static void test_file(void **state)
{
    (void)state;
    struct ecc_components c, read;
    uint32_t sum;
    const char *const path = testing_path("components.npz");
    float *const z = make_latents(1);
    check_ok(ecc_components_fit(&c, z, N, D, &testing_error));
    check_ok(ecc_components_write(&c, 0xdeadbeef, path, &testing_error));
    check_ok(ecc_components_read(&read, &sum, path, &testing_error));
    assert_true(sum == 0xdeadbeef && read.count == N && read.d == D);
    assert_memory_equal(c.axes, read.axes, sizeof(double) * D * D);
    assert_memory_equal(c.mean, read.mean, sizeof(double) * D * 5);
    assert_true(c.eccentricity == read.eccentricity);
    ecc_components_release(&read);

    /* any single changed byte is noticed or harmless; a truncated file is always noticed */
    unsigned char *bytes;
    size_t size;
    check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
    for (size_t cut = 0; cut < size; cut += 97) {
        FILE *const stream = fopen(testing_path("cut.npz"), "wb");
        assert_non_null(stream);
        fwrite(bytes, 1, cut, stream);
        fclose(stream);
        assert_int_not_equal(
            ecc_components_read(&read, &sum, testing_path("cut.npz"), &testing_error), ECC_OK);
    }
    for (size_t at = 0; at < size; at += 31) {
        bytes[at] ^= 0x55;
        FILE *const stream = fopen(testing_path("cut.npz"), "wb");
        assert_non_null(stream);
        fwrite(bytes, 1, size, stream);
        fclose(stream);
        bytes[at] ^= 0x55;
        if (ecc_components_read(&read, &sum, testing_path("cut.npz"), &testing_error) == ECC_OK) {
            assert_memory_equal(c.axes, read.axes, sizeof(double) * D * D);
            ecc_components_release(&read);
        }
    }
    free(bytes);
    ecc_components_release(&c);
    free(z);
}

static void test_lists(void **state)
{
    (void)state;
    size_t *list, count;
    check_ok(ecc_components_parse(&list, &count, "p3,p1,P5-p7,2", 8, &testing_error));
    const size_t expected[] = {2, 0, 4, 5, 6, 1};
    assert_int_equal(count, 6);
    assert_memory_equal(list, expected, sizeof expected);
    free(list);
    static const char *const bad[] = {"",    "p0",  "p9",     "p3-p2",
                                      "p1-", "-p2", "p1,,p2", "p1-p9",
                                      "q1",  "p",   "p1 ",    "p99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_fails(ecc_components_parse(&list, &count, bad[i], 8, &testing_error),
                    ECC_BAD_ARGUMENT, "expected p1 to p8");
    }
    check_fails(ecc_components_parse(&list, &count, "p1-p3,p2", 8, &testing_error),
                ECC_BAD_ARGUMENT, "p2 is named twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_covariance),
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
