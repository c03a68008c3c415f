/* test_classifier.c: a classifier of glyphs learns, is kept and found again, and its features tell
 * good images from bad ones. */
#include "base/rng.h"
#include "score/classifier.h"
#include "score/collect.h"
#include "testing.h"

#include <dirent.h>
#include <sys/stat.h>

enum { ITEMS = 400, PIXELS = 784 };

static struct ecc_dataset *glyphs(const char *what, size_t items)
{
    struct ecc_dataset *data;
    const struct ecc_data_options options = {.items = items};
    check_ok(ecc_dataset_open(&data, what, &options, &testing_error));
    return data;
}

static size_t steps;

static bool count_steps(void *context, const struct ecc_work *work)
{
    steps = work->done;
    return !context || steps < 3;
}

static char remark[600];

static void keep_remark(void *context, const char *sentence)
{
    (void)context;
    snprintf(remark, sizeof remark, "%s", sentence);
}

static struct ecc_features *open_classifier(struct ecc_dataset *data)
{
    const struct ecc_watch watch = {.on_work = count_steps, .on_remark = keep_remark};
    const struct ecc_features_options options = {
        .shape = {1, 28, 28}, .labelled = data, .batch = 50, .threads = 1, .watch = &watch};
    struct ecc_features *features;
    steps = 0;
    remark[0] = '\0';
    check_ok(ecc_features_open(&features, "classifier", &options, &testing_error));
    return features;
}

/* The one file in the cache. */
static const char *kept_file(void)
{
    static char path[500];
    const char *const directory = testing_path("cache/eccentric");
    DIR *const folder = opendir(directory);
    assert_non_null(folder);
    path[0] = '\0';
    for (const struct dirent *e; (e = readdir(folder));) {
        if (e->d_name[0] == '.') continue;
        assert_true(path[0] == '\0');
        snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
    }
    closedir(folder);
    return path;
}

static void learns_and_is_kept(void **state)
{
    (void)state;
    struct ecc_dataset *const data = glyphs("glyphs", ITEMS);
    struct ecc_features *const first = open_classifier(data);
    assert_int_equal(steps, 3 * 20);
    assert_string_equal(remark, "");
    assert_int_equal(first->size, ECC_CLASSIFIER_FEATURES);
    assert_true(first->accuracy > 0.9);
    assert_non_null(strstr(first->identity, "10 classes, 360 items"));
    struct ecc_features *const again = open_classifier(data);
    assert_int_equal(steps, 0); /* not trained */
    assert_string_equal(again->identity, first->identity);
    float *const x = malloc(120 * PIXELS * sizeof *x), *const f = malloc(2 * 120 * 128 * sizeof *f);
    uint32_t items[120];
    for (uint32_t i = 0; i < 120; i++) items[i] = i;
    check_ok(ecc_dataset_read(data, x, items, 120, &testing_error));
    check_ok(ecc_features_extract(first, f, x, 120, &testing_error));
    check_ok(ecc_features_extract(again, f + 120 * 128, x, 120, &testing_error));
    assert_memory_equal(f, f + 120 * 128, 120 * 128 * sizeof *f);
    ecc_features_close(first);
    ecc_features_close(again);
    /* a damaged file does no harm: it is trained again, to the same weights */
    FILE *const file = fopen(kept_file(), "wb");
    fputs("nonsense", file);
    fclose(file);
    struct ecc_features *const mended = open_classifier(data);
    assert_non_null(strstr(remark, "trained again"));
    assert_true(steps > 0);
    float *const g = malloc(120 * 128 * sizeof *g);
    check_ok(ecc_features_extract(mended, g, x, 120, &testing_error));
    assert_memory_equal(f, g, 120 * 128 * sizeof *g);
    ecc_features_close(mended);
    free(x);
    free(f);
    free(g);
    ecc_dataset_close(data);
}

/* Features of glyphs it has not seen, whole, blurred and noisy. */
static void judges_images(void **state)
{
    (void)state;
    struct ecc_dataset *const data = glyphs("glyphs", ITEMS), *const test =
                                                                  glyphs("glyphs:test", 0);
    struct ecc_features *const features = open_classifier(data);
    enum { N = 500 };
    float *const x = malloc(sizeof *x * PIXELS), *const noise = malloc(sizeof *noise * PIXELS);
    double distance[3];
    struct ecc_statistics reference = {0};
    for (int damage = -1; damage < 3; damage++) {
        struct ecc_collector c;
        struct ecc_statistics s;
        check_ok(ecc_collector_init(&c, features, 1, &testing_error));
        for (uint32_t i = 0; i < N; i++) {
            const uint32_t item = damage < 0 ? i : N + i;
            check_ok(ecc_dataset_read(test, x, &item, 1, &testing_error));
            ecc_rng_normal_f32(noise, 5, i, 0, PIXELS);
            for (size_t p = 0; damage > 0 && p < PIXELS; p++) {
                x[p] += 0.15F * (float)damage * noise[p];
            }
            check_ok(ecc_collector_add(&c, x, 1, &testing_error));
        }
        check_ok(ecc_statistics_of(&s, &c.moments, features->identity, &testing_error));
        ecc_collector_release(&c);
        if (damage < 0) {
            reference = s;
            continue;
        }
        struct ecc_frechet f;
        check_ok(ecc_frechet_distance(&f, &s, &reference, &testing_error));
        distance[damage] = f.distance;
        ecc_statistics_release(&s);
    }
    assert_true(distance[1] > 2 * distance[0] && distance[2] > 1.5 * distance[1]);
    ecc_statistics_release(&reference);
    ecc_features_close(features);
    ecc_dataset_close(data);
    ecc_dataset_close(test);
    free(x);
    free(noise);
}

static void refuses(void **state)
{
    (void)state;
    struct ecc_features *features;
    struct ecc_features_options options = {.shape = {1, 28, 28}, .batch = 10, .threads = 1};
    check_fails(ecc_features_open(&features, "classifier", &options, &testing_error),
                ECC_BAD_ARGUMENT, "none were given");
    struct ecc_dataset *const data = glyphs("glyphs", 40), *const more = glyphs("glyphs", 300);
    options.labelled = data;
    check_fails(ecc_features_open(&features, "classifier", &options, &testing_error), ECC_BAD_DATA,
                "40 labelled items");
    options.shape.height = 32;
    check_fails(ecc_features_open(&features, "classifier", &options, &testing_error), ECC_BAD_DATA,
                "1 x 28 x 28");
    check_fails(ecc_features_open(&features, "taste", &options, &testing_error), ECC_BAD_ARGUMENT,
                "taste");
    const struct ecc_watch watch = {count_steps, NULL, &steps};
    options.shape.height = 28;
    options.labelled = more;
    options.watch = &watch;
    check_fails(ecc_features_open(&features, "classifier", &options, &testing_error),
                ECC_INTERRUPTED, "after 3 of");
    ecc_dataset_close(data);
    ecc_dataset_close(more);
}

/* Layers for any size of image. */
static void layers_fit(void **state)
{
    (void)state;
    const struct ecc_item_shape shapes[] = {{1, 1, 1},   {3, 5, 2},    {1, 28, 28},
                                            {3, 64, 64}, {3, 90, 300}, {1, 4000, 8}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct ecc_net_spec *spec;
        check_ok(ecc_classifier_spec(&spec, shapes[i], 7, &testing_error));
        ecc_net_spec_free(spec);
    }
}

int main(void)
{
    setenv("XDG_CACHE_HOME", testing_path("cache"), 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learns_and_is_kept),
        cmocka_unit_test(judges_images),
        cmocka_unit_test(refuses),
        cmocka_unit_test(layers_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
