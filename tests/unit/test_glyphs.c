/* test_glyphs.c: the built-in digits are the same no matter how they are drawn, and their factors
 * are true. */
#include "testing.h"

#include "base/clock.h"
#include "data/dataset.h"
#include "data/glyph.h"

#include <omp.h>

enum { PIXELS = ECC_GLYPH_SIDE * ECC_GLYPH_SIDE };

static struct ecc_dataset *open_glyphs(const char *what, size_t items, uint64_t seed)
{
    struct ecc_dataset *data;
    const struct ecc_data_options options = {.items = items, .seed = seed};
    check_ok(ecc_dataset_open(&data, what, &options, &testing_error));
    return data;
}

static void read_item(struct ecc_dataset *data, float *x, uint32_t item)
{
    check_ok(ecc_dataset_read(data, x, &item, 1, &testing_error));
}

/* Item i depends on (seed, i) alone: not on how many are drawn, in which part, or by how many
 * threads. */
static void test_reproducible(void **state)
{
    (void)state;
    struct ecc_dataset *const few = open_glyphs("glyphs", 50, 3);
    omp_set_num_threads(3);
    struct ecc_dataset *const more = open_glyphs("glyphs", 700, 3);
    struct ecc_dataset *const all = open_glyphs("glyphs:all", 60010, 3);
    struct ecc_dataset *const test = open_glyphs("glyphs:test", 10, 3);
    struct ecc_dataset *const other = open_glyphs("glyphs", 50, 4);
    float a[PIXELS], b[PIXELS];
    size_t different = 0;
    for (uint32_t i = 0; i < 50; i++) {
        read_item(few, a, i);
        read_item(more, b, i);
        assert_memory_equal(a, b, sizeof a);
        assert_int_equal(few->labels[i], all->labels[i]);
        read_item(other, b, i);
        different += memcmp(a, b, sizeof a) != 0;
    }
    assert_int_equal(different, 50);
    for (uint32_t i = 0; i < 10; i++) {
        read_item(test, a, i);
        read_item(all, b, 60000 + i);
        assert_memory_equal(a, b, sizeof a);
        assert_memory_equal(test->factors + i * ECC_GLYPH_FACTORS,
                            all->factors + (60000 + i) * ECC_GLYPH_FACTORS,
                            ECC_GLYPH_FACTORS * sizeof(float));
    }
    ecc_dataset_close(few), ecc_dataset_close(more), ecc_dataset_close(all);
    ecc_dataset_close(test), ecc_dataset_close(other);
}

static void test_all(void **state)
{
    (void)state;
    const double start = ecc_seconds();
    struct ecc_dataset *const data = open_glyphs("glyphs:all", 0, 1);
    print_message("70,000 glyphs in %.2f s\n", ecc_seconds() - start);
    assert_true(data->count == 70000 && data->class_count == 10);
    assert_int_equal(data->factor_count, ECC_GLYPH_FACTORS);
    size_t counts[10] = {0};
    double ink = 0, border = 0;
    float x[PIXELS];
    for (uint32_t i = 0; i < data->count; i++) {
        counts[data->labels[i]]++;
        read_item(data, x, i);
        for (size_t k = 0; k < PIXELS; k++) {
            const size_t row = k / ECC_GLYPH_SIDE, column = k % ECC_GLYPH_SIDE;
            ink += (double)x[k];
            if (row % 27 == 0 || column % 27 == 0) border += (double)x[k];
        }
    }
    for (size_t i = 0; i < 10; i++) {
        check_relative((double)counts[i], 7000, 0.05, "items of a class");
    }
    check_absolute(ink / 70000 / PIXELS, 0.138, 0.003, "mean ink"); /* MNIST: 0.131 */
    assert_true(border < 0.005 * ink);                              /* almost nothing is cut off */
    ecc_dataset_close(data);
}

static double correlation(const double *a, const double *b, size_t n)
{
    double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < n; i++) {
        ma += a[i] / (double)n, mb += b[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        aa += (a[i] - ma) * (a[i] - ma), bb += (b[i] - mb) * (b[i] - mb);
        ab += (a[i] - ma) * (b[i] - mb);
    }
    return ab / sqrt(aa * bb);
}

/* Moments of the drawn ink follow its factors. */
static void test_factors_are_true(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    static double ink[MOST], lean[MOST], down[MOST], factor[3][MOST];
    struct ecc_dataset *const data = open_glyphs("glyphs", 20000, 5);
    size_t n = 0;
    for (uint32_t i = 0; i < data->count && n < MOST; i++) {
        const float *const f = data->factors + i * ECC_GLYPH_FACTORS;
        if (data->labels[i] != 1 || f[ECC_GLYPH_STYLE] > 0.5F) continue; /* bare strokes */
        float x[PIXELS];
        read_item(data, x, i);
        double sum = 0, mx = 0, my = 0, xy = 0, yy = 0;
        for (size_t k = 0; k < PIXELS; k++) {
            const double value = (double)x[k];
            sum += value, mx += value * (double)(k % 28), my += value * (double)(k / 28);
        }
        for (size_t k = 0; k < PIXELS; k++) {
            const double dx = (double)(k % 28) - mx / sum, dy = (double)(k / 28) - my / sum;
            xy += (double)x[k] * dx * dy, yy += (double)x[k] * dy * dy;
        }
        ink[n] = sum, lean[n] = -xy / yy, down[n] = my / sum;
        factor[0][n] = (double)f[ECC_GLYPH_THICKNESS];
        factor[1][n] = (double)f[ECC_GLYPH_SLANT];
        factor[2][n] = (double)f[ECC_GLYPH_SHIFT_Y];
        n++;
    }
    assert_true(n > 500);
    assert_true(correlation(ink, factor[0], n) > 0.97);
    assert_true(correlation(lean, factor[1], n) > 0.9);
    assert_true(correlation(down, factor[2], n) > 0.9);
    ecc_dataset_close(data);
}

/* Every stroke has as many points as it says, and none but the last rows of a table are zeros. */
static void test_shapes(void **state)
{
    (void)state;
    for (size_t digit = 0; digit < ECC_GLYPH_CLASSES; digit++) {
        for (size_t style = 0; style < ECC_GLYPH_STYLES; style++) {
            size_t total = 0;
            for (size_t s = 0; s < ECC_GLYPH_STROKES; s++) {
                const struct ecc_glyph_stroke *const stroke =
                    &ecc_glyph_shapes[digit][style].strokes[s];
                total += stroke->count;
                assert_true(stroke->count <= ECC_GLYPH_POINTS && stroke->count != 1);
                for (size_t i = 0; i < ECC_GLYPH_POINTS; i++) {
                    const struct ecc_glyph_point *const p = &stroke->points[i];
                    const bool zero = p->x == 0 && p->y == 0 && p->open_x == 0 && p->curl_x == 0;
                    assert_true(i < stroke->count ? i == 0 || !zero : zero);
                }
            }
            assert_true(total >= 4 && total <= 40); /* random numbers for the tremor of so many */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reproducible),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_factors_are_true),
        cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests_name("glyphs", tests, NULL, NULL);
}
