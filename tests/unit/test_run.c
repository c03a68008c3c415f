/* test_run.c: run directories and their settings. */
#include "base/file.h"
#include "run/json.h"
#include "run/run.h"
#include "testing.h"

#include <unistd.h>

static void write_text(const char *directory, const char *name, const char *text)
{
    char *const path = ecc_path_join(directory, name);
    FILE *const stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
    free(path);
}

static bool exists(const char *directory, const char *name)
{
    char *const path = ecc_path_join(directory, name);
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* A run with a setting of every kind, closed and opened again. */
static struct ecc_run *sample_run(const char *directory)
{
    struct ecc_run *run;
    check_ok(ecc_run_create(&run, directory, false, &testing_error));
    static const double numbers[] = {0.1, -1e300, INFINITY};
    static char first[] = "one", second[] = "zw\xc3\xb6lf", *const texts[] = {first, second};
    ecc_config_set_text(&run->config, "data.name", "mnist:train");
    ecc_config_set_number(&run->config, "train.lambda", 0.1);
    ecc_config_set_number(&run->config, "train.mu", 1);
    ecc_config_set_number(&run->config, "train.target", NAN);
    ecc_config_set_u64(&run->config, "train.seed", UINT64_MAX);
    ecc_config_set_u64(&run->config, "net.latent", 8);
    ecc_config_set_flag(&run->config, "train.events", true);
    ecc_config_set_numbers(&run->config, "data.mean", numbers, 3);
    ecc_config_set_texts(&run->config, "data.names", texts, 2);
    ecc_config_set_text(&run->config, "data.name", "mnist");
    check_ok(ecc_config_write(&run->config, &testing_error));
    ecc_run_close(run);
    check_ok(ecc_run_open(&run, directory, &testing_error));
    return run;
}

static void settings_come_back(void **state)
{
    (void)state;
    struct ecc_run *const run = sample_run(testing_path("deep/er/settings"));
    const struct ecc_config *const config = &run->config;
    const char *text, *list[2];
    double number, three[3];
    uint64_t seed;
    size_t latent, length;
    bool flag;
    check_ok(ecc_config_get_text(config, &text, "data.name", &testing_error));
    assert_string_equal(text, "mnist");
    check_ok(ecc_config_get_number(config, &number, "train.lambda", &testing_error));
    assert_true(number == 0.1);
    check_ok(ecc_config_get_number(config, &number, "train.mu", &testing_error));
    assert_true(number == 1);
    check_ok(ecc_config_get_number(config, &number, "train.target", &testing_error));
    assert_true(isnan(number));
    check_ok(ecc_config_get_u64(config, &seed, "train.seed", &testing_error));
    assert_true(seed == UINT64_MAX);
    check_ok(ecc_config_get_size(config, &latent, "net.latent", &testing_error));
    assert_int_equal(latent, 8);
    check_ok(ecc_config_get_flag(config, &flag, "train.events", &testing_error));
    assert_true(flag);
    check_ok(ecc_config_get_length(config, &length, "data.mean", &testing_error));
    assert_int_equal(length, 3);
    check_ok(ecc_config_get_numbers(config, three, "data.mean", 3, &testing_error));
    assert_true(three[0] == 0.1 && three[1] == -1e300 && isnan(three[2]));
    check_ok(ecc_config_get_texts(config, list, "data.names", 2, &testing_error));
    assert_string_equal(list[1], "zw\xc3\xb6lf");
    assert_true(ecc_config_has(config, "net.latent") && !ecc_config_has(config, "net.depth"));
    ecc_run_close(run);
}

/* What is missing or of another kind: file and key. */
static void wrong_settings_are_named(void **state)
{
    (void)state;
    struct ecc_run *const run = sample_run(testing_path("wrong/settings"));
    const struct ecc_config *const config = &run->config;
    const char *text, *list[2];
    double number, three[3];
    uint64_t seed;
    size_t latent;
    bool flag;
    check_fails(ecc_config_get_number(config, &number, "net.depth", &testing_error), ECC_BAD_DATA,
                "settings/config.json': no \"net.depth\", expected a number");
    check_fails(ecc_config_get_number(config, &number, "data.name", &testing_error), ECC_BAD_DATA,
                "\"data.name\" is '\"mnist\"', expected a number");
    check_fails(ecc_config_get_size(config, &latent, "train.seed", &testing_error), ECC_BAD_DATA,
                "a smaller number");
    check_fails(ecc_config_get_u64(config, &seed, "train.lambda", &testing_error), ECC_BAD_DATA,
                "a whole number");
    check_fails(ecc_config_get_text(config, &text, "train", &testing_error), ECC_BAD_DATA, "text");
    check_fails(ecc_config_get_flag(config, &flag, "train.mu", &testing_error), ECC_BAD_DATA,
                "true or false");
    check_fails(ecc_config_get_numbers(config, three, "data.mean", 2, &testing_error), ECC_BAD_DATA,
                "a list of 2");
    check_fails(ecc_config_get_numbers(config, three, "data.names", 2, &testing_error),
                ECC_BAD_DATA, "a list of numbers");
    check_fails(ecc_config_get_texts(config, list, "data.mean", 3, &testing_error), ECC_BAD_DATA,
                "a list of texts");
    check_fails(ecc_config_get_text(config, &text, "data.name.part", &testing_error), ECC_BAD_DATA,
                "no \"data.name.part\"");
    ecc_run_close(run);
}

static void config_is_readable(void **state)
{
    (void)state;
    struct ecc_config config;
    const char *const path = testing_path("plain.json");
    check_ok(ecc_config_init(&config, path, &testing_error));
    ecc_config_set_number(&config, "train.lambda", 0.1);
    ecc_config_set_numbers(&config, "train.list", (const double[]){1, 2.5}, 2);
    ecc_config_set_text(&config, "name", "a \"b\"");
    check_ok(ecc_config_write(&config, &testing_error));
    unsigned char *bytes;
    size_t size;
    check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
    static const char expected[] =
        "{\n  \"train\": {\n    \"lambda\": 0.1,\n    \"list\": [1, 2.5]\n"
        "  },\n  \"name\": \"a \\\"b\\\"\"\n}\n";
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(bytes, expected, size);
    free(bytes);
    ecc_config_set_text(&config, "bad", "\xff");
    check_fails(ecc_config_write(&config, &testing_error), ECC_BAD_ARGUMENT, "UTF-8");
    ecc_config_release(&config);
}

/* The temporary file of a process that ended while it wrote the checkpoint. */
static void leave_half(char path[400], const char *directory, const char *name)
{
    snprintf(path, 400, "%s/%s.00f1e2d3c4b5a697.part", directory, name);
    FILE *const stream = fopen(path, "wb");
    assert_non_null(stream);
    fclose(stream);
}

static void keeps_an_old_run(void **state)
{
    (void)state;
    struct ecc_run *run, *second;
    const char *const directory = testing_path("old");
    check_ok(ecc_run_create(&run, directory, false, &testing_error));
    check_fails(ecc_run_create(&second, directory, true, &testing_error), ECC_IO,
                "trained by another process");
    assert_null(second);
    check_ok(ecc_config_write(&run->config, &testing_error));
    check_fails(ecc_run_resume(&second, directory, &testing_error), ECC_IO, "another process");
    check_ok(ecc_run_open(&second, directory, &testing_error)); /* reading is free */
    ecc_run_close(second);
    ecc_run_close(run);
    check_fails(ecc_run_create(&run, directory, false, &testing_error), ECC_BAD_ARGUMENT,
                "old' already holds a run");
    write_text(directory, "notes.txt", "mine");
    write_text(directory, "checkpoint", "x");
    write_text(directory, "checkpoint.previous", "x");
    write_text(directory, "checkpoint.123.part", "x");
    write_text(directory, "checkpoint.part", "x");
    char half[400], picture[400];
    leave_half(half, directory, "checkpoint");
    leave_half(picture, directory, "figures/curves.png");
    write_text(directory, "events.out.tfevents.1.host", "x");
    check_ok(ecc_run_resume(&run, directory, &testing_error));
    ecc_run_close(run);
    assert_false(exists(directory, "checkpoint.123.part"));
    assert_int_not_equal(access(half, F_OK), 0);
    assert_int_not_equal(access(picture, F_OK), 0);
    assert_true(exists(directory, "checkpoint") && exists(directory, "checkpoint.part"));
    check_ok(ecc_run_create(&run, directory, true, &testing_error));
    ecc_run_abandon(run); /* as when the new data turn out to be bad: nothing is lost */
    assert_true(exists(directory, "checkpoint") && exists(directory, "config.json"));
    check_ok(ecc_run_remove_old(run, &testing_error));
    ecc_run_close(run);
    assert_true(exists(directory, "notes.txt") && exists(directory, "figures"));
    assert_false(exists(directory, "checkpoint") || exists(directory, "checkpoint.previous"));
    assert_false(exists(directory, "config.json"));
    assert_false(exists(directory, "events.out.tfevents.1.host"));
    write_text(directory, "model.safetensors", "x");
    check_fails(ecc_run_create(&run, directory, false, &testing_error), ECC_BAD_ARGUMENT,
                "holds a run");
}

static void says_what_is_no_run(void **state)
{
    (void)state;
    struct ecc_run *run;
    check_fails(ecc_run_open(&run, testing_path("nowhere"), &testing_error), ECC_BAD_DATA,
                "nowhere' is not a run: it does not exist");
    assert_null(run);
    const char *const directory = testing_path("other");
    check_ok(ecc_make_directory(directory, &testing_error));
    check_fails(ecc_run_open(&run, directory, &testing_error), ECC_BAD_DATA,
                "no config.json in it");
    check_fails(ecc_run_resume(&run, directory, &testing_error), ECC_BAD_DATA, "not a run");
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "config.json', line 1: not JSON"},
        {"[1]", "expected a JSON object"},
        {"{\"a\": 1,\n \"b\": }", "config.json', line 2: not JSON"},
        {"{}", "no \"format\", expected a whole number"},
        {"{\"format\": \"new\"}", "\"format\" is '\"new\"'"},
        {"{\"format\": 7, \"version\": \"3.1\"}", "\"format\" is 7, written by version '3.1'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_text(directory, "config.json", cases[i].text);
        check_fails(ecc_run_open(&run, directory, &testing_error), ECC_BAD_DATA, cases[i].words);
        assert_null(run);
    }
    write_text(testing_path(""), "file", "x");
    check_fails(ecc_run_create(&run, testing_path("file"), true, &testing_error), ECC_IO,
                "not a directory");
    check_fails(ecc_run_create(&run, "/proc/no/run", false, &testing_error), ECC_IO, "cannot");
    /* what would take gigabytes in memory is not even read */
    char *const config = ecc_path_join(directory, "config.json");
    assert_int_equal(truncate(config, 65 << 20), 0);
    check_fails(ecc_run_open(&run, directory, &testing_error), ECC_BAD_DATA,
                "config.json' is larger than 64 MB, which cannot be right");
    free(config);
}

static void json_holds_anything(void **state)
{
    (void)state;
    const double values[] = {1, NAN, -INFINITY, 2.5};
    json_t *const json = json_object();
    ecc_json_number(json, "nan", NAN);
    ecc_json_matrix(json, "matrix", values, 2, 2);
    ecc_json_text(json, "text", "\xc3\xa9");
    ecc_json_text(json, "odd", "a\xff");
    ecc_json_text(json, "none", NULL);
    ecc_json_count(json, "count", 3);
    ecc_json_flag(json, "flag", true);
    char *const text = json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII);
    assert_string_equal(text, "{\"nan\":null,\"matrix\":[[1.0,null],[null,2.5]],"
                              "\"text\":\"\\u00E9\",\"odd\":\"'a\\\\xff'\","
                              "\"none\":null,\"count\":3,\"flag\":true}");
    free(text);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_holds_anything),      cmocka_unit_test(settings_come_back),
        cmocka_unit_test(wrong_settings_are_named), cmocka_unit_test(config_is_readable),
        cmocka_unit_test(keeps_an_old_run),         cmocka_unit_test(says_what_is_no_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
