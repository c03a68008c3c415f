/* test_pca_features.c: scores by principal components of the pixels: both ways to fit the axes,
 * against plain sums in double, the axes in a statistics file, and what has none. */
#include "base/rng.h"
#include "data/archive.h"
#include "score/collect.h"
#include "score/pixel_axes.h"
#include "testing.h"

enum { N = 120, SIDE = 18, PIXELS = 3 * SIDE * SIDE }; /* few enough for the covariance */

/* Colour images of 12 patterns of falling size; those of `wide` have 100 more columns, all 0.5. */
static float *make_images(size_t n, size_t width, uint64_t seed, float shift)
{
    enum { PATTERNS = 12 };
    float *const x = malloc(n * 3 * SIDE * width * sizeof *x);
    float *const weights = malloc(n * PATTERNS * sizeof *weights);
    ecc_rng_normal_f32(weights, seed, 1, 0, n * PATTERNS);
    for (size_t i = 0; i < n * 3 * SIDE * width; i++) {
        const size_t item = i / (3 * SIDE * width), row = i / width % (3 * SIDE);
        double value = 0.5 + (double)shift;
        for (size_t k = 0; k < PATTERNS; k++) {
            const double wave =
                sin((double)((k + 1) * row) / 9 + (double)((i % width) * (k + 3)) / 7);
            value += 0.06 / (double)(k + 1) * (double)weights[item * PATTERNS + k] * wave;
        }
        x[i] = i % width < SIDE ? (float)value : 0.5F;
    }
    free(weights);
    return x;
}

static struct ecc_dataset *lend(const char *name, const float *x, size_t n, size_t width)
{
    struct ecc_dataset *data;
    char all[100];
    const struct ecc_array_data array = {
        .x = x, .n = n, .channels = 3, .height = SIDE, .width = width};
    check_ok(ecc_data_lend(name, &array, &testing_error));
    snprintf(all, sizeof all, "memory:%s:all", name);
    check_ok(ecc_dataset_open(&data, all, NULL, &testing_error));
    return data;
}

/* By the covariance of pixels and by the products of images: the same axes. */
static void both_ways_agree(void **state)
{
    (void)state;
    enum { WIDE = SIDE + 100, MANY = 3 * SIDE * WIDE };
    float *const x = make_images(N, SIDE, 4, 0), *const y = make_images(N, WIDE, 4, 0);
    struct ecc_dataset *const narrow = lend("narrow", x, N, SIDE), *const wide =
                                                                       lend("wide", y, N, WIDE);
    struct ecc_pixel_axes a, b;
    check_ok(ecc_pixel_axes_fit(&a, narrow, 8, NULL, &testing_error));
    check_ok(ecc_pixel_axes_fit(&b, wide, 8, NULL, &testing_error));
    assert_true(a.pca.d == 8 && b.pca.d == 8 && a.items == N && b.items == N);
    assert_true(a.pca.size == PIXELS && b.pca.size == MANY);
    check_relative(a.share, b.share, 1e-5, "share of the variance");
    assert_true(a.share > 0.9 && a.share < 1);
    for (size_t k = 0; k < 8; k++) {
        double dot = 0, length = 0;
        check_relative(a.pca.eigenvalues[k], b.pca.eigenvalues[k], 1e-5, "eigenvalue");
        for (size_t i = 0; i < PIXELS; i++) {
            const size_t there = i / SIDE * WIDE + i % SIDE;
            dot += (double)a.pca.axes[k * PIXELS + i] * (double)b.pca.axes[k * MANY + there];
        }
        for (size_t i = 0; i < MANY; i++) {
            length += (double)b.pca.axes[k * MANY + i] * (double)b.pca.axes[k * MANY + i];
        }
        check_absolute(fabs(dot), 1, 1e-4, "the same axis");
        check_absolute(length, 1, 1e-5, "its length");
    }
    ecc_pca_release(&a.pca);
    ecc_pca_release(&b.pca);
    ecc_dataset_close(narrow);
    ecc_dataset_close(wide);
    ecc_data_return("narrow");
    ecc_data_return("wide");
    free(x);
    free(y);
}

static struct ecc_features *open_pca(const struct ecc_features_options *options)
{
    struct ecc_features *features;
    check_ok(ecc_features_open(&features, "pca", options, &testing_error));
    assert_non_null(features->axes);
    assert_int_equal(features->size, features->axes->d);
    return features;
}

static struct ecc_statistics statistics_of(struct ecc_features *features, const float *x, size_t n)
{
    struct ecc_collector collector;
    struct ecc_statistics s;
    check_ok(ecc_collector_init(&collector, features, 1, &testing_error));
    check_ok(ecc_collector_add(&collector, x, n, &testing_error));
    check_ok(ecc_statistics_of(&s, &collector.moments, features->identity, &testing_error));
    ecc_collector_release(&collector);
    return s;
}

/* f: [n, d] in double, from the axes as they are published. */
static void project(double *f, const struct ecc_pca *p, const float *x, size_t n)
{
    for (size_t i = 0; i < n * p->d; i++) {
        f[i] = 0;
        for (size_t k = 0; k < p->size; k++) {
            f[i] += (double)p->axes[i % p->d * p->size + k] *
                    ((double)x[i / p->d * p->size + k] - (double)p->mean[k]);
        }
    }
}

/* Features and the distance of the means against plain sums; with axes of its own, a set has mean 0
 * and a diagonal covariance, the eigenvalues. */
static void features_are_projections(void **state)
{
    (void)state;
    float *const x = make_images(N, SIDE, 4, 0), *const y = make_images(N, SIDE, 5, 0.05F);
    struct ecc_dataset *const data = lend("x", x, N, SIDE);
    const struct ecc_features_options options = {
        .shape = {3, SIDE, SIDE}, .batch = 50, .fitted = data};
    struct ecc_features *const features = open_pca(&options);
    const size_t d = features->size;
    assert_int_equal(d, 12); /* of 30, the rest does not vary */
    double *const plain = malloc(N * d * sizeof *plain), distance = 0;
    float *const f = malloc(N * d * sizeof *f);
    check_ok(ecc_features_extract(features, f, y, N, &testing_error));
    project(plain, features->axes, y, N);
    for (size_t i = 0; i < N * d; i++) check_absolute((double)f[i], plain[i], 1e-5, "feature");
    struct ecc_statistics a = statistics_of(features, x, N), b = statistics_of(features, y, N);
    for (size_t k = 0; k < d; k++) {
        double mean = 0;
        for (size_t i = 0; i < N; i++) mean += plain[i * d + k] / N;
        distance += mean * mean;
        check_absolute(a.mean[k], 0, 1e-5, "mean");
        check_relative(a.covariance[k * d + k] * (N - 1) / N, features->axes->eigenvalues[k], 1e-3,
                       "variance");
        if (k > 0) check_absolute(a.covariance[k], 0, 1e-4 * a.covariance[0], "covariance");
    }
    struct ecc_frechet frechet;
    check_ok(ecc_frechet_distance(&frechet, &a, &b, &testing_error));
    check_relative(frechet.mean, distance, 1e-4, "distance of the means");
    check_ok(ecc_frechet_distance(&frechet, &a, &a, &testing_error));
    check_absolute(frechet.distance, 0, 1e-10, "from itself");
    ecc_statistics_release(&a);
    ecc_statistics_release(&b);
    ecc_features_close(features);
    ecc_dataset_close(data);
    ecc_data_return("x");
    free(x);
    free(y);
    free(f);
    free(plain);
}

/* ---- In a file ------------------------------------------------------------------------------ */

/* Statistics and axes come back, and images get the same features along them. */
static void axes_come_back(void **state)
{
    (void)state;
    float *const x = make_images(N, SIDE, 4, 0);
    struct ecc_dataset *const data = lend("x", x, N, SIDE);
    struct ecc_features_options options = {
        .shape = {3, SIDE, SIDE}, .batch = 50, .fitted = data, .axes = 5};
    struct ecc_features *const first = open_pca(&options);
    struct ecc_statistics s = statistics_of(first, x, N), lent = s, back, other;
    const char *const path = testing_path("axes.npz");
    assert_int_equal(s.size, 5);
    assert_non_null(strstr(s.identity, "pca 3x18x18, 5 components of 120 images, "));
    assert_int_equal(s.pca.d, 0);
    lent.pca = *first->axes;
    check_ok(ecc_statistics_write(&lent, path, &testing_error));
    check_ok(ecc_statistics_read(&back, path, &testing_error));
    assert_string_equal(back.identity, s.identity);
    assert_true(back.pca.d == 5 && back.pca.size == PIXELS && !back.pca.eigenvalues);
    assert_memory_equal(back.pca.axes, first->axes->axes, 5 * PIXELS * sizeof(float));
    options.fitted = NULL;
    options.statistics = &back;
    struct ecc_features *const second = open_pca(&options);
    assert_int_equal(back.pca.d, 0); /* they moved */
    other = statistics_of(second, x, N);
    assert_memory_equal(other.covariance, s.covariance, 25 * sizeof(double));
    struct ecc_features *none;
    check_fails(ecc_features_open(&none, "pca", &options, &testing_error), ECC_BAD_DATA,
                "another size");
    ecc_statistics_release(&s);
    ecc_statistics_release(&back);
    ecc_statistics_release(&other);
    ecc_features_close(first);
    ecc_features_close(second);
    ecc_dataset_close(data);
    ecc_data_return("x");
    free(x);
}

/* A file of two components of three pixels, one thing about it changed. */
static void files_are_checked(void **state)
{
    (void)state;
    static float centre[3] = {0.5F, 0.25F, 1}, axes[6] = {1, 0, 0, 0, 0.6F, 0.8F};
    static float infinite[6] = {1, 0, 0, 0, INFINITY, 0};
    const double mean[2] = {0}, covariance[4] = {1, 0, 0, 1};
    const struct ecc_pca pca = {.size = 3, .d = 2, .mean = centre, .axes = axes};
    char identity[60] = "pca 3x1x1, test, ";
    ecc_pixel_axes_name(&pca, identity + strlen(identity));
    const struct ecc_archive_item good[] = {
        {"mu", ECC_F8, 1, {2}, mean},
        {"sigma", ECC_F8, 2, {2, 2}, covariance},
        {"identity", ECC_U1, 1, {strlen(identity)}, identity},
        {"centre", ECC_F4, 1, {3}, centre},
        {"axes", ECC_F4, 2, {2, 3}, axes},
    };
    const struct {
        size_t which; /* of the items; their number: none */
        struct ecc_archive_item item;
        const char *sentence; /* NULL: it can be read */
    } cases[] = {
        {5, {0}, NULL},
        {2, {"identity", ECC_U1, 1, {10}, "pixels 3x1"}, NULL}, /* whose axes mean nothing */
        {2, {"identity", ECC_U1, 1, {10}, "pca 3x1x1,"}, "checksum"},
        {3, {"centre", ECC_F4, 1, {2}, centre}, "do not fit"},
        {3, {"centre", ECC_F4, 2, {3, 1}, centre}, "do not fit"},
        {3, {"centre", ECC_F8, 1, {2}, mean}, "'centre' is not of finite"},
        {3, {"middle", ECC_F4, 1, {3}, centre}, "no array 'centre'"},
        {4, {"axes", ECC_F4, 2, {1, 3}, axes}, "do not fit"},
        {4, {"axes", ECC_F4, 2, {3, 2}, axes}, "do not fit"},
        {4, {"axes", ECC_F4, 1, {6}, axes}, "do not fit"},
        {4, {"axes", ECC_F4, 2, {2, 3}, infinite}, "'axes' is not of finite"},
        {4, {"axles", ECC_F4, 2, {2, 3}, axes}, "no array 'axes'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ecc_archive_item items[6];
        struct ecc_statistics s;
        const char *const path = testing_path("checked.npz");
        memcpy(items, good, sizeof good);
        items[cases[i].which] = cases[i].item;
        check_ok(ecc_archive_write(path, items, 5, &testing_error));
        if (cases[i].sentence) {
            check_fails(ecc_statistics_read(&s, path, &testing_error),
                        strstr(cases[i].sentence, "no array") ? testing_error.status : ECC_BAD_DATA,
                        cases[i].sentence);
            assert_true(!s.mean && !s.pca.axes && !s.pca.mean);
        } else {
            check_ok(ecc_statistics_read(&s, path, &testing_error));
            assert_int_equal(s.pca.d, i == 0 ? 2 : 0);
        }
        ecc_statistics_release(&s);
    }
}

/* ---- What has no axes ----------------------------------------------------------------------- */

static bool stop(void *context, const struct ecc_work *work)
{
    (void)context;
    return work->done < 100;
}

static void few_and_equal_images(void **state)
{
    (void)state;
    float *const x = make_images(N, SIDE, 4, 0);
    struct ecc_pixel_axes axes;
    static const size_t counts[] = {2, 3, 10, 50}, sizes[] = {1, 1, 2, 12};
    for (size_t i = 0; i < 4; i++) {
        struct ecc_dataset *const few = lend("few", x, counts[i], SIDE);
        check_ok(ecc_pixel_axes_fit(&axes, few, 256, NULL, &testing_error));
        assert_int_equal(axes.pca.d, sizes[i]);
        assert_true(axes.share > 0 && axes.share <= 1);
        ecc_pca_release(&axes.pca);
        ecc_dataset_close(few);
    }
    const struct ecc_watch watch = {.on_work = stop};
    struct ecc_dataset *data = lend("many", x, N, SIDE);
    check_fails(ecc_pixel_axes_fit(&axes, data, 9, &watch, &testing_error), ECC_INTERRUPTED, "100");
    const struct ecc_features_options other = {.shape = {3, 8, 8}, .batch = 5, .fitted = data};
    struct ecc_features *none;
    check_fails(ecc_features_open(&none, "pca", &other, &testing_error), ECC_BAD_DATA, "3 x 18 x");
    ecc_dataset_close(data);
    for (size_t i = 0; i < (size_t)N * PIXELS; i++) x[i] = 0.3F;
    data = lend("equal", x, N, SIDE);
    check_fails(ecc_pixel_axes_fit(&axes, data, 9, NULL, &testing_error), ECC_BAD_DATA, "the same");
    assert_null(axes.pca.axes);
    ecc_dataset_close(data);
    data = lend("one", x, 1, SIDE);
    check_fails(ecc_pixel_axes_fit(&axes, data, 9, NULL, &testing_error), ECC_BAD_DATA, "1 image,");
    ecc_dataset_close(data);
    const struct ecc_features_options empty = {.shape = {3, 8, 8}, .batch = 5};
    check_fails(ecc_features_open(&none, "pca", &empty, &testing_error), ECC_BAD_ARGUMENT, "none");
    static const char *const names[] = {"few", "many", "equal", "one"};
    for (size_t i = 0; i < 4; i++) ecc_data_return(names[i]);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_agree),      cmocka_unit_test(features_are_projections),
        cmocka_unit_test(axes_come_back),       cmocka_unit_test(files_are_checked),
        cmocka_unit_test(few_and_equal_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
