/* test_fingerprint.c: the hash, fingerprints of sources, and rows of a source found again in
 * another part of it. */
#include "testing.h"

#include "data/array_data.h"
#include "data/fingerprint.h"

#include <sys/stat.h>
#include <unistd.h>

/* ---- The hash ------------------------------------------------------------------------------- */

static void the_hash_is_xxh64(void **state)
{
    (void)state;
    const char *const text = "Nobody inspects the spammish repetition";
    assert_true(ecc_hash_of("", 0) == 0xef46db3751d8e999);
    assert_true(ecc_hash_of("a", 1) == 0xd24ec4f1a98c6e5b);
    assert_true(ecc_hash_of("abc", 3) == 0x44bc2cf5ad770999);
    assert_true(ecc_hash_of(text, strlen(text)) == 0xfbcea83c8a378bf1);
}

static void bytes_may_come_in_any_pieces(void **state)
{
    (void)state;
    unsigned char bytes[200];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 37);
    for (size_t size = 0; size < sizeof bytes; size++) {
        for (size_t piece = 1; piece < 70; piece += 3) {
            struct ecc_hash hash;
            ecc_hash_start(&hash);
            for (size_t at = 0; at < size; at += piece) {
                ecc_hash_add(&hash, bytes + at, size - at < piece ? size - at : piece);
            }
            assert_true(ecc_hash_end(&hash) == ecc_hash_of(bytes, size));
        }
    }
}

/* ---- Sources -------------------------------------------------------------------------------- */

static uint64_t fingerprint(const char *what, const struct ecc_data_options *options)
{
    struct ecc_dataset *data;
    check_ok(ecc_dataset_open(&data, what, options, &testing_error));
    const uint64_t value = data->fingerprint;
    ecc_dataset_close(data);
    return value;
}

static const char *part(const char *path, const char *split)
{
    static char what[400];
    snprintf(what, sizeof what, "%s:%s", path, split);
    return what;
}

/* 40 rows; `odd` is the first cell. */
static const char *write_table(const char *name, double odd)
{
    static char path[300];
    snprintf(path, sizeof path, "%s", testing_path(name));
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 40; i++) fprintf(file, "%g,%d.5,%d.25\n", i ? i : odd, 3 * i, i * i);
    fclose(file);
    return path;
}

static void a_file_has_one_fingerprint_whatever_is_opened(void **state)
{
    (void)state;
    const char *const path = write_table("a.csv", 1);
    const struct ecc_data_options few = {.items = 5}, none = {.label = "none"};
    const uint64_t whole = fingerprint(path, NULL);
    assert_true(whole != 0);
    assert_true(fingerprint(part(path, "test"), NULL) == whole);
    assert_true(fingerprint(part(path, "all"), &few) == whole);
    assert_true(fingerprint(path, &none) == whole);
    assert_true(fingerprint(write_table("b.csv", 1), NULL) == whole);
    assert_true(fingerprint(write_table("b.csv", 2), NULL) != whole);
}

/* A hole makes a large file of few bytes; only blocks of it are read. */
static void large_files_are_read_here_and_there(void **state)
{
    (void)state;
    const char *const path = testing_path("large");
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), (off_t)3 << 30), 0);
    fclose(file);
    struct ecc_hash hash;
    ecc_hash_start(&hash);
    assert_true(ecc_fingerprint_add_file(&hash, path));
    assert_int_equal(hash.total, 8 + (256 << 20));
    assert_false(ecc_fingerprint_add_file(&hash, "/dev/null"));
    assert_false(ecc_fingerprint_add_file(&hash, testing_path("absent")));
    unlink(path);
}

static void glyphs_and_arrays_have_theirs(void **state)
{
    (void)state;
    const struct ecc_data_options one = {.items = 3, .seed = 1}, two = {.items = 3, .seed = 2};
    assert_true(fingerprint("glyphs", &one) == fingerprint("glyphs:test", &one));
    assert_true(fingerprint("glyphs", &one) != fingerprint("glyphs", &two));
    float x[60] = {0};
    for (size_t i = 0; i < 60; i++) x[i] = (float)i;
    const struct ecc_array_data array = {
        .x = x, .n = 20, .channels = 1, .height = 1, .width = 3, .is_table = true};
    check_ok(ecc_data_lend("rows", &array, &testing_error));
    const uint64_t before = fingerprint("memory:rows", NULL);
    assert_true(fingerprint("memory:rows:test", NULL) == before && before != 0);
    x[59] = 7;
    assert_true(fingerprint("memory:rows", NULL) != before);
    ecc_data_return("rows");
}

/* ---- Rows found again ----------------------------------------------------------------------- */

static struct ecc_row_choice choice_of(const char *what, const struct ecc_data_options *options)
{
    struct ecc_dataset *data;
    check_ok(ecc_dataset_open(&data, what, options, &testing_error));
    const struct ecc_row_choice choice = ecc_dataset_choice(data);
    ecc_dataset_close(data);
    return choice;
}

/* How many items of `what` are among the chosen rows; each must be the same item there. */
static size_t count_common(const char *what, const struct ecc_data_options *options,
                           const char *other, const struct ecc_data_options *other_options)
{
    struct ecc_dataset *data, *chosen;
    const struct ecc_row_choice choice = choice_of(other, other_options);
    check_ok(ecc_dataset_open(&data, what, options, &testing_error));
    check_ok(ecc_dataset_open(&chosen, other, other_options, &testing_error));
    const size_t size = ecc_shape_size(data->shape);
    size_t *const places = malloc(data->count * sizeof *places), found = 0;
    float *const x = malloc(2 * size * sizeof *x);
    ecc_dataset_places(data, places, &choice);
    for (size_t i = 0; i < data->count; i++) {
        if (places[i] == SIZE_MAX) continue;
        const uint32_t here = (uint32_t)i, there = (uint32_t)places[i];
        check_ok(ecc_dataset_read(data, x, &here, 1, &testing_error));
        check_ok(ecc_dataset_read(chosen, x + size, &there, 1, &testing_error));
        assert_memory_equal(x, x + size, size * sizeof *x);
        found++;
    }
    free(places);
    free(x);
    ecc_dataset_close(data);
    ecc_dataset_close(chosen);
    return found;
}

static void rows_of_a_table_are_found_again(void **state)
{
    (void)state;
    double mean[3] = {0}, deviation[3] = {1, 1, 1};
    const struct ecc_scaling as_it_is = {.columns = 3, .mean = mean, .deviation = deviation};
    const struct ecc_data_options all = {.label = "none", .scaling = &as_it_is};
    struct ecc_data_options few = all;
    few.items = 25;
    char train[400], test[400], whole[400];
    const char *const path = write_table("rows.csv", 1);
    snprintf(train, sizeof train, "%s:train", path);
    snprintf(test, sizeof test, "%s:test", path);
    snprintf(whole, sizeof whole, "%s:all", path);
    assert_int_equal(count_common(train, &all, train, &all), 36);
    assert_int_equal(count_common(test, &all, train, &all), 0);
    assert_int_equal(count_common(train, &all, test, &all), 0);
    assert_int_equal(count_common(whole, &all, train, &all), 36);
    assert_int_equal(count_common(whole, &all, test, &all), 4);
    assert_int_equal(count_common(test, &all, whole, &all), 4);
    assert_int_equal(count_common(train, &all, train, &few), 25);
    assert_int_equal(count_common(train, &all, whole, &few) + count_common(test, &all, whole, &few),
                     25);
}

/* Sources that open only the part that was asked for. */
static void rows_of_parts_are_found_again(void **state)
{
    (void)state;
    const struct ecc_data_options few = {.items = 30, .seed = 1},
                                  whole = {.items = 60010, .seed = 1};
    assert_int_equal(count_common("glyphs", &few, "glyphs", &few), 30);
    assert_int_equal(count_common("glyphs:test", &few, "glyphs", &few), 0);
    assert_int_equal(count_common("glyphs:test", &few, "glyphs:all", &few), 0);
    assert_int_equal(count_common("glyphs:train", &few, "glyphs:all", &few), 30);
    assert_int_equal(count_common("glyphs:test", &few, "glyphs:all", &whole), 10);
    assert_int_equal(count_common("glyphs:all", &few, "glyphs:train", &few), 30);
    assert_int_equal(count_common("glyphs:all", &whole, "glyphs:test", &few), 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_is_xxh64),
        cmocka_unit_test(bytes_may_come_in_any_pieces),
        cmocka_unit_test(a_file_has_one_fingerprint_whatever_is_opened),
        cmocka_unit_test(large_files_are_read_here_and_there),
        cmocka_unit_test(glyphs_and_arrays_have_theirs),
        cmocka_unit_test(rows_of_a_table_are_found_again),
        cmocka_unit_test(rows_of_parts_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
