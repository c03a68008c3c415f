/* test_run_metrics.c: rows of metrics, continued after a resume without gap or repetition. */
#include "base/file.h"
#include "run/metrics.h"
#include "testing.h"

#include <sys/stat.h>
#include <unistd.h>

static char *slurp(const char *directory, const char *name)
{
    char *const path = ecc_path_join(directory, name);
    unsigned char *bytes;
    size_t size;
    check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
    char *const text = realloc(bytes, size + 1);
    text[size] = '\0';
    free(path);
    return text;
}

static void check_file(const char *directory, const char *name, const char *expected)
{
    char *const text = slurp(directory, name);
    assert_string_equal(text, expected);
    free(text);
}

static void append(struct ecc_metrics *metrics, uint64_t step)
{
    const struct ecc_metric row[] = {{"loss", 1.0 / (double)step}, {"eccentricity", 0.1}};
    check_ok(ecc_metrics_append(metrics, step, row, 2, &testing_error));
}

static const char *new_directory(const char *name)
{
    const char *const directory = testing_path(name);
    check_ok(ecc_make_directory(directory, &testing_error));
    return directory;
}

static void rows_and_columns(void **state)
{
    (void)state;
    const char *const directory = new_directory("rows");
    struct ecc_metrics *metrics;
    check_ok(ecc_metrics_create(&metrics, directory, &testing_error));
    append(metrics, 2);
    append(metrics, 3);
    check_file(directory, "metrics.jsonl",
               "{\"step\": 2, \"loss\": 0.5, \"eccentricity\": 0.1}\n"
               "{\"step\": 3, \"loss\": 0.3333333333333333, \"eccentricity\": 0.1}\n");
    /* a row with other names */
    const struct ecc_metric other[] = {{"test/mse", 1e-5}, {"loss", NAN}};
    check_ok(ecc_metrics_append(metrics, 3, other, 2, &testing_error));
    append(metrics, 4);
    check_file(directory, "metrics.csv",
               "step,loss,eccentricity,test/mse\n2,0.5,0.1,\n3,0.3333333333333333,0.1,\n"
               "3,,,1e-05\n4,0.25,0.1,\n");
    const struct ecc_metric bad[] = {{"a\"b", 1}}, twice[] = {{"a", 1}, {"a", 2}},
                            step[] = {{"step", 1}};
    check_fails(ecc_metrics_append(metrics, 5, bad, 1, &testing_error), ECC_BAD_ARGUMENT, "name");
    check_fails(ecc_metrics_append(metrics, 5, twice, 2, &testing_error), ECC_BAD_ARGUMENT,
                "twice");
    check_fails(ecc_metrics_append(metrics, 5, step, 1, &testing_error), ECC_BAD_ARGUMENT,
                "'step'");
    check_fails(ecc_metrics_append(metrics, 3, other, 2, &testing_error), ECC_BAD_ARGUMENT,
                "step 3 after those of step 4");
    check_ok(ecc_metrics_sync(metrics, &testing_error));
    ecc_metrics_close(metrics);
    struct ecc_metrics_table table;
    check_ok(ecc_metrics_read(&table, directory, &testing_error));
    assert_int_equal(table.rows, 4);
    assert_int_equal(table.columns, 4);
    assert_string_equal(table.names[3], "test/mse");
    assert_true(table.values[4] == 3 && table.values[5] == 1.0 / 3 && isnan(table.values[9]));
    ecc_metrics_table_release(&table);
}

/* Cut off at any byte, and resumed from any step: the files are those of a run never killed. */
static void resumes_without_a_trace(void **state)
{
    (void)state;
    const char *const directory = new_directory("resume");
    enum { rows = 5 };
    struct ecc_metrics *metrics;
    check_ok(ecc_metrics_create(&metrics, directory, &testing_error));
    for (uint64_t step = 1; step <= rows; step++) append(metrics, step);
    ecc_metrics_close(metrics);
    char *const json = slurp(directory, "metrics.jsonl"), *const csv =
                                                              slurp(directory, "metrics.csv");
    char *const json_path = ecc_path_join(directory, "metrics.jsonl");
    char *const csv_path = ecc_path_join(directory, "metrics.csv");
    for (size_t cut = strlen(json) / 2; cut <= strlen(json); cut++) {
        assert_int_equal(truncate(json_path, (off_t)cut), 0);
        assert_int_equal(truncate(csv_path, (off_t)(cut / 3)), 0);
        const uint64_t step = cut % 3; /* of the checkpoint, which was written after its rows */
        check_ok(ecc_metrics_resume(&metrics, directory, step, &testing_error));
        for (uint64_t next = step + 1; next <= rows; next++) append(metrics, next);
        ecc_metrics_close(metrics);
        check_file(directory, "metrics.jsonl", json);
        check_file(directory, "metrics.csv", csv);
    }
    assert_int_equal(remove(csv_path), 0);
    check_ok(ecc_metrics_resume(&metrics, directory, rows, &testing_error));
    ecc_metrics_close(metrics);
    check_file(directory, "metrics.csv", csv);
    assert_int_equal(remove(json_path), 0);
    check_ok(ecc_metrics_resume(&metrics, directory, 0, &testing_error));
    ecc_metrics_close(metrics);
    check_file(directory, "metrics.csv", "");
    free(json), free(csv), free(json_path), free(csv_path);
}

static void reports_what_is_wrong(void **state)
{
    (void)state;
    struct ecc_metrics *metrics;
    struct ecc_metrics_table table;
    check_fails(ecc_metrics_create(&metrics, testing_path("absent"), &testing_error), ECC_IO,
                "No such file");
    assert_null(metrics);
    check_fails(ecc_metrics_read(&table, testing_path("absent"), &testing_error), ECC_IO,
                "No such file");
    const char *const directory = new_directory("wrong");
    char *const path = ecc_path_join(directory, "metrics.jsonl");
    FILE *const stream = fopen(path, "w");
    fputs("{\"step\": 1, \"loss\": 2}\n{\"step\": 2, \"loss\": \"many\"}\n{\"step\": 3}\n", stream);
    fclose(stream);
    check_fails(ecc_metrics_read(&table, directory, &testing_error), ECC_BAD_DATA,
                "metrics.jsonl', line 2");
    check_ok(ecc_metrics_resume(&metrics, directory, 9, &testing_error));
    ecc_metrics_close(metrics);
    check_file(directory, "metrics.jsonl", "{\"step\": 1, \"loss\": 2}\n");
    free(path);
}

/* No row is that long: refused without being parsed, however much follows. */
static void a_line_of_more_than_a_megabyte(void **state)
{
    (void)state;
    struct ecc_metrics_table table;
    const char *const directory = new_directory("long");
    char *const path = ecc_path_join(directory, "metrics.jsonl");
    for (int more = 0; more < 2; more++) {
        FILE *const stream = fopen(path, "w");
        fprintf(stream, "{\"step\": 1}\n{\"step\": 2%*s}\n", (1 << 20) - 12 + more, "");
        fclose(stream);
        const enum ecc_status status = ecc_metrics_read(&table, directory, &testing_error);
        if (more) check_fails(status, ECC_BAD_DATA, "metrics.jsonl', line 2");
        if (!more) check_ok(status);
        if (!more) ecc_metrics_table_release(&table);
    }
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_columns),
        cmocka_unit_test(resumes_without_a_trace),
        cmocka_unit_test(reports_what_is_wrong),
        cmocka_unit_test(a_line_of_more_than_a_megabyte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
