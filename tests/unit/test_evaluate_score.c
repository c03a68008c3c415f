/* test_evaluate_score.c: scores of images by the library: the numbers of the command, the same
 * whether an operand is a name or an open model, 0 for the same images. */
#include "eccentric_evaluate.h"

#include "base/npy.h"
#include "data/dataset.h"
#include "testing.h"

#include <jansson.h>

static const char *run; /* a directory */

/* What `eccentric ARGUMENTS` prints. */
static json_t *command(const char *arguments)
{
    char line[2000];
    snprintf(line, sizeof line, "%s %s --quiet --threads 1 --json", ECC_PROGRAM, arguments);
    FILE *const output = popen(line, "r");
    assert_non_null(output);
    json_t *const json = json_loadf(output, 0, NULL);
    if (!json) fail_msg("no JSON from: %s", line);
    assert_int_equal(pclose(output), 0);
    return json;
}

static int set_up(void **state)
{
    (void)state;
    char arguments[600];
    run = strdup(testing_path("run"));
    setenv("XDG_CACHE_HOME", testing_path("cache"), 1);
    snprintf(arguments, sizeof arguments,
             "train glyphs --items 260 --epochs 1 --batch 50 --latent 3 --validation 0 --out %s",
             run);
    json_decref(command(arguments));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free((void *)(uintptr_t)run);
    return 0;
}

static struct ecc_score_options options_of(enum ecc_score_features features, size_t items)
{
    struct ecc_score_options options = ecc_score_defaults();
    options.features = features;
    options.items = items;
    options.train_items = 100;
    options.threads = 1;
    return options;
}

static struct ecc_score_table score(struct ecc_score_operand a, struct ecc_score_operand b,
                                    const struct ecc_score_options *options)
{
    struct ecc_score_table table;
    const struct ecc_score_operand operands[] = {a, b};
    check_ok(ecc_score_images(&table, operands, 2, options, NULL, &testing_error));
    return table;
}

static double number(const json_t *json, const char *key)
{
    const json_t *const value = json_object_get(json, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void check_number(const json_t *json, const char *key, double value)
{
    if (isnan(value) && isnan(number(json, key))) return;
    check_relative(value, number(json, key), 1e-13, key);
}

static void equals_the_command(void **state)
{
    (void)state;
    struct {
        const char *arguments;
        struct ecc_score_options options;
    } cases[] = {
        {"--items 200 --train-items 100", options_of(ECC_FEATURES_AUTO, 200)},
        {"--items 200 --train-items 100 --from mixture --gaussians 2",
         options_of(ECC_FEATURES_AUTO, 200)},
        {"--features pixels --items 200 -n 150 --seed 7 --kid no --from sphere",
         options_of(ECC_FEATURES_PIXELS, 200)},
    };
    cases[1].options.from = ECC_SAMPLE_MIXTURE;
    cases[1].options.gaussians = 2;
    cases[2].options.from = ECC_SAMPLE_SPHERE;
    cases[2].options.count = 150;
    cases[2].options.seed = 7;
    cases[2].options.kid = false;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char arguments[800];
        snprintf(arguments, sizeof arguments, "fid %s glyphs:test %s", run, cases[i].arguments);
        json_t *const json = command(arguments);
        struct ecc_score_table t =
            score((struct ecc_score_operand){.name = run},
                  (struct ecc_score_operand){.name = "glyphs:test"}, &cases[i].options);
        const struct ecc_score *const s = &t.scores[0];
        assert_int_equal(t.count, 1);
        assert_string_equal(t.identity, json_string_value(json_object_get(json, "features")));
        assert_int_equal(s->has_kid, json_object_get(json, "kid") != NULL);
        check_number(json, "fid", s->frechet.distance);
        check_number(json, "fid_means", s->frechet.mean);
        check_number(json, "fid_covariances", s->frechet.spread);
        if (s->has_kid) check_number(json, "kid", s->kid.value);
        if (s->has_kid) check_number(json, "kid_error", s->kid.error);
        check_number(json, "items_a", (double)s->items);
        check_number(json, "items_b", (double)t.reference_items);
        check_number(json, "lambda", s->lambda);
        check_number(json, "eccentricity", s->eccentricity);
        check_number(json, "trace", s->trace);
        check_number(json, "latent", (double)s->latent);
        ecc_score_table_release(&t);
        json_decref(json);
    }
}

/* A model that is open gives what its directory gives, and stays open. */
static void open_model_scores_the_same(void **state)
{
    (void)state;
    struct ecc_score_options options = options_of(ECC_FEATURES_AUTO, 200);
    const struct ecc_score_operand test = {.name = "glyphs:test"};
    struct ecc_model *model;
    check_ok(ecc_model_open(&model, run, NULL, &testing_error));
    struct ecc_score_table a = score((struct ecc_score_operand){.name = run}, test, &options);
    struct ecc_score_table b = score((struct ecc_score_operand){.model = model}, test, &options);
    options.count = 200; /* nothing else says how many */
    struct ecc_score_table c = score((struct ecc_score_operand){"mine", model},
                                     (struct ecc_score_operand){NULL, model}, &options);
    assert_string_equal(a.identity, b.identity);
    assert_string_equal(a.scores[0].name, b.scores[0].name);
    assert_true(a.scores[0].kind == ECC_SCORE_RUN && b.scores[0].kind == ECC_SCORE_RUN);
    assert_memory_equal(&a.scores[0].frechet, &b.scores[0].frechet, sizeof a.scores[0].frechet);
    assert_memory_equal(&a.scores[0].kid, &b.scores[0].kid, sizeof a.scores[0].kid);
    assert_string_equal(a.scores[0].regularizer, "eccentric");
    assert_true(a.scores[0].eccentricity > 0 && a.scores[0].lambda > 0);
    assert_string_equal(c.scores[0].name, "mine");
    assert_true(c.scores[0].frechet.distance < a.scores[0].frechet.distance / 5);
    float z[3] = {0}, x[784];
    check_ok(ecc_model_decode(model, x, z, 1, &testing_error));
    ecc_score_table_release(&a);
    ecc_score_table_release(&b);
    ecc_score_table_release(&c);
    ecc_model_close(model);
}

static char remark[600];

static void keep_remark(void *context, const char *sentence)
{
    (void)context;
    snprintf(remark, sizeof remark, "%s", sentence);
}

/* Grey images of 5x5 pixels; the name of their file with ":all". */
static const char *make_images(const char *name, uint8_t brightness)
{
    enum { N = 120, SIZE = 25 };
    uint8_t pixels[N * SIZE];
    for (size_t i = 0; i < sizeof pixels; i++) {
        pixels[i] = (uint8_t)(i * i * 31 % 101 + i * 17 % 59 + brightness);
    }
    const struct ecc_array array = {ECC_U1, 3, {N, 5, 5}, sizeof pixels, pixels};
    const char *const path = testing_path(name);
    check_ok(ecc_npy_write(path, &array, &testing_error));
    char *const all = malloc(strlen(path) + sizeof ":all");
    sprintf(all, "%s:all", path);
    return all;
}

/* Images against themselves and against their statistics in a file. */
static void same_images_have_no_distance(void **state)
{
    (void)state;
    const char *const x = make_images("x.npy", 0), *const y = make_images("y.npy", 50);
    char *const saved = strdup(testing_path("x.npz"));
    const struct ecc_score_operand operands[] = {{.name = saved}, {.name = y}, {.name = x}};
    const struct ecc_watch watch = {.on_remark = keep_remark};
    struct ecc_score_options options = options_of(ECC_FEATURES_PIXELS, 0);
    struct ecc_score_table t;
    options.save = saved;
    check_ok(ecc_score_images(&t, operands + 2, 1, &options, &watch, &testing_error));
    assert_true(t.count == 0 && t.reference_items == 120 && t.feature_count == 25);
    ecc_score_table_release(&t);
    options.save = NULL;
    options.features = ECC_FEATURES_AUTO; /* the file says which */
    check_ok(ecc_score_images(&t, operands, 3, &options, &watch, &testing_error));
    assert_string_equal(t.identity, "pixels 1x5x5");
    check_absolute(t.scores[0].frechet.distance, 0, 1e-12, "from the file");
    check_relative(t.scores[1].frechet.mean, 25 * 50.0 * 50 / 255 / 255, 1e-5, "of brighter ones");
    assert_true(!t.scores[0].has_kid && t.scores[1].has_kid); /* a file has none */
    assert_string_equal(t.scores[1].warning, "");
    assert_string_equal(remark, "");
    ecc_score_table_release(&t);
    options.features = ECC_FEATURES_PIXELS;
    t = score(operands[2], operands[2], &options);
    check_absolute(t.scores[0].frechet.distance, 0, 1e-12, "from itself");
    ecc_score_table_release(&t);
    options.items = 20; /* fewer than features */
    check_ok(ecc_score_images(&t, operands, 3, &options, &watch, &testing_error));
    assert_non_null(strstr(t.scores[1].warning, "20 items for 25 features"));
    assert_string_equal(remark, t.scores[1].warning);
    ecc_score_table_release(&t);
    free((void *)(uintptr_t)x);
    free((void *)(uintptr_t)y);
    free(saved);
}

/* Images that the caller lends give what the same images in a file give. */
static void images_in_memory(void **state)
{
    (void)state;
    enum { N = 90 };
    struct ecc_dataset *data;
    const struct ecc_data_options first = {.items = N, .seed = 1}; /* the seed of the run */
    uint32_t items[N];
    float *const x = malloc(sizeof *x * N * 784);
    check_ok(ecc_dataset_open(&data, "glyphs:test", &first, &testing_error));
    for (uint32_t i = 0; i < N; i++) items[i] = i;
    check_ok(ecc_dataset_read(data, x, items, N, &testing_error));
    ecc_dataset_close(data);
    const struct ecc_array_data array = {.x = x, .n = N, .channels = 1, .height = 28, .width = 28};
    check_ok(ecc_data_lend("test", &array, &testing_error));
    struct ecc_score_options options = options_of(ECC_FEATURES_CLASSIFIER, N);
    options.train = "glyphs";
    const struct ecc_score_operand model = {.name = run};
    struct ecc_score_table a =
        score(model, (struct ecc_score_operand){.name = "glyphs:test"}, &options);
    struct ecc_score_table b =
        score(model, (struct ecc_score_operand){.name = "memory:test:all"}, &options);
    assert_string_equal(a.identity, b.identity);
    assert_memory_equal(&a.scores[0].frechet, &b.scores[0].frechet, sizeof a.scores[0].frechet);
    assert_memory_equal(&a.scores[0].kid, &b.scores[0].kid, sizeof a.scores[0].kid);
    ecc_data_return("test");
    ecc_score_table_release(&a);
    ecc_score_table_release(&b);
    free(x);
}

static bool stop(void *context, const struct ecc_work *work)
{
    (void)context;
    return work->done < 200;
}

static void refuses(void **state)
{
    (void)state;
    struct ecc_score_options options = options_of(ECC_FEATURES_PIXELS, 300);
    struct ecc_score_operand operands[] = {{.name = "glyphs:test"}, {.name = "glyphs:test"}};
    struct ecc_score_table t;
    const struct ecc_watch watch = {.on_work = stop};
    check_fails(ecc_score_images(&t, operands, 2, &options, &watch, &testing_error),
                ECC_INTERRUPTED, "after 200 of 300 images");
    assert_true(t.count == 0 && !t.scores && !t.reference);
    check_fails(ecc_score_images(&t, operands, 0, &options, NULL, &testing_error), ECC_BAD_ARGUMENT,
                "no operands");
    operands[0].name = NULL;
    check_fails(ecc_score_images(&t, operands, 2, &options, NULL, &testing_error), ECC_BAD_ARGUMENT,
                "neither a name nor a model");
    operands[0].name = "/nowhere.npy";
    check_fails(ecc_score_images(&t, operands, 2, &options, NULL, &testing_error), ECC_IO,
                "/nowhere.npy");
    operands[0].name = "glyphs:test";
    options.features = (enum ecc_score_features)5;
    check_fails(ecc_score_images(&t, operands, 2, &options, NULL, &testing_error), ECC_BAD_ARGUMENT,
                "features");
    ecc_score_table_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_command),
        cmocka_unit_test(open_model_scores_the_same),
        cmocka_unit_test(same_images_have_no_distance),
        cmocka_unit_test(images_in_memory),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
