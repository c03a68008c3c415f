/* test_score.c: statistics of features and their file, the Frechet and the kernel distance: against
 * SciPy, against formulas, and that they rise as images get worse. */
#include "base/rng.h"
#include "data/archive.h"
#include "math/statistics.h"
#include "score/collect.h"
#include "testing.h"

/* ---- Statistics ----------------------------------------------------------------------------- */

/* Features that a line of Python makes as well. */
static float *make_features(size_t n, size_t d, int which)
{
    float *const f = malloc(n * d * sizeof *f);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < d; k++) {
            const double a = (double)((i * 37 + k * k * 11 + i * k * 7) % 101) / 101;
            const double b = (double)((i * 53 + k * 29 + i * i * 3 * (k + 1)) % 97) / 97;
            f[i * d + k] = (float)(which == 0 ? a : b + 0.1 * (double)k);
        }
    }
    return f;
}

static struct ecc_statistics statistics_of(const float *f, size_t n, size_t d, size_t at_once)
{
    struct ecc_feature_sums moments;
    struct ecc_statistics s;
    if (at_once >= n) {
        const struct ecc_feature_rows rows = {f, n, d};
        check_ok(ecc_statistics_fit(&s, &rows, "test", &testing_error));
        return s;
    }
    check_ok(ecc_feature_sums_init(&moments, d, &testing_error));
    for (size_t i = 0; i < n; i += at_once) {
        check_ok(ecc_feature_sums_add(&moments, f + i * d, n - i < at_once ? n - i : at_once,
                                      &testing_error));
    }
    check_ok(ecc_statistics_of(&s, &moments, "test", &testing_error));
    ecc_feature_sums_release(&moments);
    return s;
}

/* Against the two passes of ecc_mean_covariance, near the origin and far from it. */
static void statistics_agree_with_two_passes(void **state)
{
    (void)state;
    enum { N = 1000, D = 300 };
    for (int far = 0; far < 2; far++) {
        float *const f = malloc(sizeof *f * N * D);
        double *const mean = malloc(sizeof *mean * D), *const c = malloc(sizeof *c * D * D);
        ecc_rng_normal_f32(f, 4, 1, 0, (size_t)N * D);
        for (size_t i = 0; far && i < (size_t)N * D; i++) f[i] += 10000;
        check_ok(ecc_mean_covariance(mean, c, f, N, D, &testing_error));
        struct ecc_statistics s = statistics_of(f, N, D, 77);
        assert_int_equal(s.count, N);
        for (size_t k = 0; k < D; k++) check_absolute(s.mean[k], mean[k], 1e-10, "mean");
        for (size_t k = 0; k < (size_t)D * D; k++) {
            check_absolute(s.covariance[k], c[k] * N / (N - 1), 1e-12, "covariance");
        }
        /* how the rows come does not matter, to the last bit */
        struct ecc_statistics whole = statistics_of(f, N, D, N);
        assert_memory_equal(whole.covariance, s.covariance, sizeof *c * D * D);
        ecc_statistics_release(&s);
        ecc_statistics_release(&whole);
        free(f);
        free(mean);
        free(c);
    }
}

static void statistics_refuse(void **state)
{
    (void)state;
    struct ecc_feature_sums moments;
    struct ecc_statistics s;
    const float one[2] = {1, 2}, bad[2] = {1, NAN};
    check_fails(ecc_feature_sums_init(&moments, 5000, &testing_error), ECC_BAD_ARGUMENT, "5000");
    check_ok(ecc_feature_sums_init(&moments, 2, &testing_error));
    check_ok(ecc_feature_sums_add(&moments, one, 1, &testing_error));
    check_fails(ecc_feature_sums_add(&moments, bad, 1, &testing_error), ECC_BAD_DATA,
                "feature 1 of item 1");
    check_fails(ecc_statistics_of(&s, &moments, "x", &testing_error), ECC_BAD_DATA, "1 item,");
    ecc_feature_sums_release(&moments);
}

static void file_comes_back(void **state)
{
    (void)state;
    float *const f = make_features(50, 7, 0);
    struct ecc_statistics s = statistics_of(f, 50, 7, 50), t;
    const char *const path = testing_path("statistics.npz");
    check_ok(ecc_statistics_write(&s, path, &testing_error));
    assert_true(ecc_statistics_is_file(path));
    check_ok(ecc_statistics_read(&t, path, &testing_error));
    assert_int_equal(t.size, 7);
    assert_int_equal(t.count, 50);
    assert_string_equal(t.identity, "test");
    assert_memory_equal(t.mean, s.mean, 7 * sizeof *s.mean);
    assert_memory_equal(t.covariance, s.covariance, 49 * sizeof *s.covariance);
    ecc_statistics_release(&s);
    ecc_statistics_release(&t);
    free(f);
}

static void files_are_checked(void **state)
{
    (void)state;
    const double mu[3] = {1, 2, 3}, sigma[9] = {2, 1, 0, 1, 2, 0, 0, 0, 1};
    const double skew[9] = {2, 1, 0, 0, 2, 0, 0, 0, 1}, below[9] = {-2, 0, 0, 0, 2, 0, 0, 0, 1};
    const double nan[9] = {NAN, 1, 0, 1, 2, 0, 0, 0, 1};
    const int32_t whole[3] = {1, 2, 3};
    const struct {
        struct ecc_archive_item items[2];
        size_t count;
        const char *words; /* NULL: it is fine */
    } cases[] = {
        {{{"mu", ECC_F8, 1, {3}, mu}, {"sigma", ECC_F8, 2, {3, 3}, sigma}}, 2, NULL},
        {{{"mu", ECC_F8, 1, {3}, mu}}, 1, "no array 'sigma'"},
        {{{"mu", ECC_F8, 1, {2}, mu}, {"sigma", ECC_F8, 2, {3, 3}, sigma}}, 2, "expected (2, 2)"},
        {{{"mu", ECC_F8, 2, {1, 3}, mu}, {"sigma", ECC_F8, 2, {3, 3}, sigma}}, 2, "(1, 3)"},
        {{{"mu", ECC_I4, 1, {3}, whole}, {"sigma", ECC_F8, 2, {3, 3}, sigma}}, 2, "another type"},
        {{{"mu", ECC_F8, 1, {3}, mu}, {"sigma", ECC_F8, 2, {3, 3}, skew}}, 2, "not symmetric"},
        {{{"mu", ECC_F8, 1, {3}, mu}, {"sigma", ECC_F8, 2, {3, 3}, below}}, 2, "below 0"},
        {{{"mu", ECC_F8, 1, {3}, mu}, {"sigma", ECC_F8, 2, {3, 3}, nan}}, 2, "not finite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ecc_statistics s;
        const char *const path = testing_path("case.npz");
        check_ok(ecc_archive_write(path, cases[i].items, cases[i].count, &testing_error));
        if (cases[i].words) {
            check_fails(ecc_statistics_read(&s, path, &testing_error), ECC_BAD_DATA,
                        cases[i].words);
        } else {
            check_ok(ecc_statistics_read(&s, path, &testing_error));
            assert_string_equal(s.identity, "");
            assert_int_equal(s.count, 0);
            ecc_statistics_release(&s);
        }
    }
}

/* ---- The Frechet distance ------------------------------------------------------------------- */

/* numpy.cov and scipy.linalg.sqrtm of the same features gave these. */
static void frechet_agrees_with_scipy(void **state)
{
    (void)state;
    const struct {
        size_t n, m, d;
        double expected;
    } cases[] = {{200, 150, 6, 0.611398277116342}, {500, 700, 33, 114.20732865345}};
    for (size_t i = 0; i < 2; i++) {
        const size_t d = cases[i].d;
        float *const x = make_features(cases[i].n, d, 0), *const y =
                                                              make_features(cases[i].m, d, 1);
        struct ecc_statistics a = statistics_of(x, cases[i].n, d, 64);
        struct ecc_statistics b = statistics_of(y, cases[i].m, d, 64);
        struct ecc_frechet there, back;
        check_ok(ecc_frechet_distance(&there, &a, &b, &testing_error));
        check_ok(ecc_frechet_distance(&back, &b, &a, &testing_error));
        check_relative(there.distance, cases[i].expected, 1e-10, "SciPy's");
        check_relative(back.distance, there.distance, 1e-12, "either way");
        ecc_statistics_release(&a);
        ecc_statistics_release(&b);
        free(x);
        free(y);
    }
}

/* Of a set and itself, also where the covariance is far from full rank. */
static void frechet_of_itself_is_zero(void **state)
{
    (void)state;
    const size_t counts[] = {400, 40};
    for (size_t i = 0; i < 2; i++) {
        float *const x = make_features(counts[i], 100, 1);
        struct ecc_statistics a = statistics_of(x, counts[i], 100, 100);
        struct ecc_frechet f;
        check_ok(ecc_frechet_distance(&f, &a, &a, &testing_error));
        check_absolute(f.distance, 0, 1e-10, "distance to itself");
        ecc_statistics_release(&a);
        free(x);
    }
}

/* Diagonal covariances: the sum of (mean difference)^2 + (deviation difference)^2. */
static void frechet_of_diagonals(void **state)
{
    (void)state;
    double mean[2][3] = {{0, 0, 0}, {1, -2, 0}},
           c[2][9] = {{1, 0, 0, 0, 4, 0, 0, 0, 0}, {9, 0, 0, 0, 4, 0, 0, 0, 1}};
    const struct ecc_statistics a = {.size = 3, .mean = mean[0], .covariance = c[0]};
    struct ecc_statistics b = {.size = 3, .mean = mean[1], .covariance = c[1]};
    struct ecc_frechet f;
    check_ok(ecc_frechet_distance(&f, &a, &b, &testing_error));
    check_relative(f.mean, 5, 1e-14, "of the means");
    check_relative(f.spread, 4 + 0 + 1, 1e-14, "of the deviations");
    check_relative(f.distance, 10, 1e-14, "in all");
    b.size = 2;
    check_fails(ecc_frechet_distance(&f, &a, &b, &testing_error), ECC_BAD_DATA, "3 and of 2");
}

/* ---- The kernel distance -------------------------------------------------------------------- */

static double kernel(const float *x, const float *y, size_t d)
{
    double dot = 0;
    for (size_t k = 0; k < d; k++) dot += (double)x[k] * (double)y[k];
    return pow(dot / (double)d + 1, 3);
}

/* The unbiased estimate over whole sets. */
static double whole_mmd(const float *x, size_t n, const float *y, size_t m, size_t d)
{
    double xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) xx += i == j ? 0 : kernel(x + i * d, x + j * d, d);
        for (size_t j = 0; j < m; j++) xy += kernel(x + i * d, y + j * d, d);
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) yy += i == j ? 0 : kernel(y + i * d, y + j * d, d);
    }
    const double a = (double)n, b = (double)m;
    return xx / (a * (a - 1)) + yy / (b * (b - 1)) - 2 * xy / (a * b);
}

static enum ecc_status kid_of(struct ecc_kid *kid, const float *x, size_t n, const float *y,
                              size_t m, size_t d)
{
    const struct ecc_feature_rows a = {x, n, d}, b = {y, m, d};
    return ecc_kid_estimate(kid, &a, &b, 1, &testing_error);
}

static void kid_agrees_with_definition(void **state)
{
    (void)state;
    enum { N = 600, M = 500, D = 10 };
    float x[40 * D], y[40 * D];
    struct ecc_kid kid;
    /* all rows alike: every subset gives the same */
    for (size_t i = 0; i < (size_t)40 * D; i++) {
        x[i] = 0.1F * (float)(i % D);
        y[i] = 1 - x[i];
    }
    const double exact = kernel(x, x, D) + kernel(y, y, D) - 2 * kernel(x, y, D);
    check_ok(kid_of(&kid, x, 40, y, 30, D));
    check_relative(kid.value, exact, 1e-12, "of points");
    check_absolute(kid.deviation, 0, 1e-12, "no deviation");
    assert_int_equal(kid.subset, 15);
    float *const a = make_features(N, D, 0), *const b = make_features(M, D, 1);
    check_ok(kid_of(&kid, a, N, b, M, D));
    check_absolute(kid.value, whole_mmd(a, N, b, M, D), 3 * kid.deviation / 10, "of whole sets");
    assert_true(kid.error > 0);
    /* two samples of one distribution */
    check_ok(kid_of(&kid, a, N / 2, a + N / 2 * D, N / 2, D));
    check_absolute(kid.value, 0, 4 * kid.error, "of the same");
    check_fails(kid_of(&kid, a, 3, b, M, D), ECC_BAD_ARGUMENT, "3 items");
    free(a);
    free(b);
}

/* The standard error is how much the value differs between samples of the same two distributions.
 */
static void kid_error_is_honest(void **state)
{
    (void)state;
    enum { TRIALS = 60, N = 100, D = 5 };
    float x[2 * N * D];
    double values[TRIALS], errors[TRIALS], mean, deviation, error, spread;
    for (size_t t = 0; t < TRIALS; t++) {
        struct ecc_kid kid;
        ecc_rng_normal_f32(x, 5, t, 0, (size_t)2 * N * D);
        for (size_t i = 0; i < (size_t)N * D; i++) x[i] += 0.7F;
        check_ok(kid_of(&kid, x, N, x + N * D, N, D));
        values[t] = kid.value;
        errors[t] = kid.error;
    }
    ecc_mean_deviation(&mean, &deviation, values, TRIALS);
    ecc_mean_deviation(&error, &spread, errors, TRIALS);
    assert_true(error > 0.75 * deviation && error < 1.35 * deviation);
}

/* Each row has the same chance to be kept, however they come. */
static void reservoir_is_fair(void **state)
{
    (void)state;
    enum { MOST = 50, ROWS = 500, ROUNDS = 400 };
    float rows[ROWS];
    size_t kept[2] = {0};
    for (size_t i = 0; i < ROWS; i++) rows[i] = (float)i;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct ecc_reservoir r, s;
        ecc_reservoir_init(&r, 1, MOST, seed);
        ecc_reservoir_init(&s, 1, MOST, seed);
        for (size_t i = 0; i < ROWS; i += 20) {
            check_ok(ecc_reservoir_add(&r, rows + i, 20, &testing_error));
        }
        check_ok(ecc_reservoir_add(&s, rows, ROWS, &testing_error));
        assert_int_equal(ecc_reservoir_kept(&r), MOST);
        assert_memory_equal(r.rows, s.rows, MOST * sizeof *r.rows);
        for (size_t i = 0; i < MOST; i++) kept[r.rows[i] >= ROWS / 2]++;
        ecc_reservoir_release(&r);
        ecc_reservoir_release(&s);
    }
    check_relative((double)kept[0], ROUNDS * MOST / 2, 0.04, "share of the first half");
}

/* ---- Images --------------------------------------------------------------------------------- */

enum { ITEMS = 1500, SIDE = 14, SMALL = SIDE * SIDE };

/* Glyphs at half their size. */
static float *small_glyphs(void)
{
    struct ecc_dataset *data;
    const struct ecc_data_options options = {.items = ITEMS};
    float *const x = malloc(784 * sizeof *x), *const out = calloc((size_t)ITEMS * SMALL, 4);
    check_ok(ecc_dataset_open(&data, "glyphs", &options, &testing_error));
    for (uint32_t i = 0; i < ITEMS; i++) {
        check_ok(ecc_dataset_read(data, x, &i, 1, &testing_error));
        for (size_t p = 0; p < 784; p++) {
            out[i * SMALL + p / 56 * SIDE + p % 28 / 2] += x[p] / 4;
        }
    }
    ecc_dataset_close(data);
    free(x);
    return out;
}

/* Each pixel becomes a mixture of itself and its neighbours to the right and below. */
static void blur(float *x, size_t count, float share)
{
    for (size_t i = 0; i + SIDE < count; i++) {
        x[i] = (1 - share) * x[i] + share / 2 * (x[i + 1] + x[i + SIDE]);
    }
}

static void add_noise(float *x, size_t count, float size)
{
    float *const noise = malloc(count * sizeof *noise);
    ecc_rng_normal_f32(noise, 8, 3, 0, count);
    for (size_t i = 0; i < count; i++) x[i] += size * noise[i];
    free(noise);
}

/* Both distances between a: [n, SMALL] and b by their pixels. */
static void score(double out[2], const float *a, const float *b, size_t n)
{
    struct ecc_features *features;
    struct ecc_collector c[2];
    struct ecc_statistics s[2];
    struct ecc_frechet frechet;
    struct ecc_kid kid;
    const struct ecc_features_options options = {.shape = {1, SIDE, SIDE}, .batch = 64};
    check_ok(ecc_features_open(&features, "pixels", &options, &testing_error));
    for (int k = 0; k < 2; k++) {
        check_ok(ecc_collector_init(&c[k], features, 1, &testing_error));
        check_ok(ecc_collector_add(&c[k], k == 0 ? a : b, n, &testing_error));
        check_ok(ecc_statistics_of(&s[k], &c[k].moments, features->identity, &testing_error));
    }
    check_ok(ecc_frechet_distance(&frechet, &s[0], &s[1], &testing_error));
    check_ok(ecc_collector_kid(&kid, &c[0], &c[1], 1, &testing_error));
    out[0] = frechet.distance;
    out[1] = kid.value;
    for (int k = 0; k < 2; k++) {
        ecc_collector_release(&c[k]);
        ecc_statistics_release(&s[k]);
    }
    ecc_features_close(features);
}

/* Two halves of a set are near each other; blur and noise, the more the worse, take one away. */
static void scores_rise_with_damage(void **state)
{
    (void)state;
    const size_t n = ITEMS / 2, count = n * SMALL;
    float *const whole = small_glyphs(), *const other = whole + count;
    float *const copy = malloc(count * sizeof *copy);
    double halves[2];
    score(halves, whole, other, n);
    for (int kind = 0; kind < 2; kind++) {
        double before[2] = {halves[0], halves[1]}, now[2];
        for (int step = 1; step <= 3; step++) {
            memcpy(copy, other, count * sizeof *copy);
            if (kind == 0) blur(copy, count, 0.2F * (float)step);
            if (kind == 1) add_noise(copy, count, 0.1F * (float)step);
            score(now, whole, copy, n);
            assert_true(now[0] > before[0] && now[1] > before[1]);
            memcpy(before, now, sizeof before);
        }
        assert_true(before[0] > 3 * halves[0]);
        assert_true(before[1] > 10 * fabs(halves[1]));
    }
    free(whole);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_agree_with_two_passes),
        cmocka_unit_test(statistics_refuse),
        cmocka_unit_test(file_comes_back),
        cmocka_unit_test(files_are_checked),
        cmocka_unit_test(frechet_agrees_with_scipy),
        cmocka_unit_test(frechet_of_itself_is_zero),
        cmocka_unit_test(frechet_of_diagonals),
        cmocka_unit_test(kid_agrees_with_definition),
        cmocka_unit_test(kid_error_is_honest),
        cmocka_unit_test(reservoir_is_fair),
        cmocka_unit_test(scores_rise_with_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
