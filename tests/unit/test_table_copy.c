/* test_table_copy.c: a text table with some cells filled keeps every other byte. */
#include "base/file.h"
#include "data/table_copy.h"
#include "testing.h"

static const char *write_file(const char *name, const char *text)
{
    const char *const path = testing_path(name);
    FILE *const out = fopen(path, "wb");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    return path;
}

/* Opens a table, fills all that is missing with x: [features], standardised, and compares. */
static void check_filled(const char *text, const float *x, const char *expected)
{
    struct ecc_dataset *data;
    struct ecc_table_copy *copy;
    char path[400], out[400];
    snprintf(path, sizeof path, "%s", write_file("table.csv", text));
    snprintf(out, sizeof out, "%s", testing_path("filled.csv"));
    char *const all = ecc_data_part_name(path, "all");
    const struct ecc_data_options options = {.label = "none"};
    check_ok(ecc_dataset_open(&data, all, &options, &testing_error));
    free(all);
    float *const rows = malloc(data->count * data->schema->features * sizeof *rows);
    uint32_t *const items = malloc(data->count * sizeof *items);
    for (uint32_t i = 0; i < data->count; i++) items[i] = i;
    check_ok(ecc_dataset_read(data, rows, items, data->count, &testing_error));
    check_ok(ecc_table_copy_open(&copy, path, data->schema, &testing_error));
    assert_int_equal(ecc_table_copy_rows(copy), data->count);
    for (size_t c = data->schema->count; c-- > 0;) { /* in any order */
        const struct ecc_column *const column = &data->schema->columns[c];
        for (size_t i = 0; i < data->count && column->features > 0; i++) {
            if (!isnan(rows[i * data->schema->features + column->first])) continue;
            check_ok(ecc_table_copy_fill(copy, i, c, x, &testing_error));
        }
    }
    check_ok(ecc_table_copy_write(copy, out, &testing_error));
    ecc_table_copy_close(copy);
    unsigned char *bytes;
    size_t size;
    check_ok(ecc_file_read(&bytes, &size, out, &testing_error));
    if (size != strlen(expected) || memcmp(bytes, expected, size) != 0) {
        fail_msg("got:\n%.*s\nexpected:\n%s", (int)size, (const char *)bytes, expected);
    }
    free(bytes);
    free(rows);
    free(items);
    ecc_dataset_close(data);
}

/* Quotes, blanks, line ends, a mark at the start, words for what is missing. */
static void all_other_bytes_stay(void **state)
{
    (void)state;
    static const float mean[8] = {0};
    check_filled("a,b\n1,2.5\n3,\n,4.5\n2,3.5\n", mean, "a,b\n1,2.5\n3,3.5\n2,4.5\n2,3.5\n");
    check_filled("\xef\xbb\xbf\"a\" , b\r\n 1,\"2.5\"\r\n3,NA\r\n\"\",4.5\r\n2 ,  \r\n", mean,
                 "\xef\xbb\xbf\"a\" , b\r\n 1,\"2.5\"\r\n3,3.5\r\n\"2\",4.5\r\n2 ,3.5\r\n");
    check_filled("a\tb\n1\t\n3\t4.25\n2\t5.25", mean, "a\tb\n1\t4.75\n3\t4.25\n2\t5.25");
}

/* A decimal comma, dates with the day first, words; in quotes where they are needed. */
static void cells_are_written_as_their_column_is(void **state)
{
    (void)state;
    static const float mean[8] = {0, 0, 1, -1};
    check_filled("x;day;where\n1,5;01.02.2020;here\n2,5;03.02.2020;there\n;02.02.2020;\n2,0;;here\n"
                 "2,0;02.02.2020;there\n",
                 mean,
                 "x;day;where\n1,5;01.02.2020;here\n2,5;03.02.2020;there\n2,0;02.02.2020;here\n"
                 "2,0;02.02.2020;here\n2,0;02.02.2020;there\n");
    check_filled("x,y\n\"1,5\",1\n\"2,5\",2\n,3\n\"2,0\",5\n", mean,
                 "x,y\n\"1,5\",1\n\"2,5\",2\n\"2,0\",3\n\"2,0\",5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_other_bytes_stay),
        cmocka_unit_test(cells_are_written_as_their_column_is),
    };
    return cmocka_run_group_tests_name("table_copy", tests, NULL, NULL);
}
