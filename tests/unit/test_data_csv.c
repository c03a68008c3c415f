/* test_data_csv.c: text tables: what is understood, and the messages for what is not. */
#include "testing.h"

#include "data/csv.h"
#include "data/dataset.h"

#include <unistd.h>

static enum ecc_status parse(struct ecc_csv *csv, const char *text, const char *label)
{
    const size_t size = strlen(text);
    char *const copy = malloc(size + 1);
    memcpy(copy, text, size);
    const enum ecc_status status = ecc_csv_parse(csv, copy, size, label, "t.csv", &testing_error);
    free(copy);
    return status;
}

static void check_parse_fails(const char *text, const char *label, const char *words)
{
    struct ecc_csv csv;
    check_fails(parse(&csv, text, label), ECC_BAD_DATA, words);
    assert_non_null(strstr(testing_error.text, "t.csv"));
    assert_null(csv.values);
}

static void test_plain(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1,2.5\n-3,4e2\n",
        "a,b\n1,2.5\n-3,4e2\n",
        ("\xef\xbb\xbf"
         "a,b\r\n1,2.5\r\n-3,4e2"),
        "a;b\n 1 ; 2.5\n\n-3;4e2\n",
        "a\tb\n1\t2.5\n-3\t4e2\n",
        "1   2.5\n  -3 4e2  \n",
        "\"a\",\"b\"\n\"1\",2.5\n-3,\"4e2\"\n\n",
        "\n\n1,2.5\n-3,+4e2\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ecc_csv csv;
        check_ok(parse(&csv, texts[i], "none"));
        assert_int_equal(csv.rows, 2);
        assert_int_equal(csv.columns, 2);
        const double expected[] = {1, 2.5, -3, 400};
        assert_memory_equal(csv.values, expected, sizeof expected);
        assert_null(csv.labels);
        if (csv.names) assert_string_equal(csv.names[1], "b");
        ecc_csv_release(&csv);
    }
}

static void test_labels(void **state)
{
    (void)state;
    struct ecc_csv csv;
    /* words are labels unless the caller says otherwise */
    check_ok(parse(&csv, "5,1,rose\n6,2,\"lily\"\n7,3,rose\n", NULL));
    assert_int_equal(csv.columns, 2);
    assert_true(csv.label_guessed && csv.class_count == 2 && !csv.names);
    assert_string_equal(csv.class_names[0], "lily");
    assert_true(csv.labels[0] == 1 && csv.labels[1] == 0 && csv.labels[2] == 1);
    ecc_csv_release(&csv);
    /* by name, in front, numbers in the order of their values */
    check_ok(parse(&csv, "Label,x\n10,1\n9,2\n10,3\n", NULL));
    assert_true(!csv.label_guessed && csv.columns == 1 && csv.values[2] == 3);
    assert_string_equal(csv.label_name, "Label");
    assert_string_equal(csv.class_names[0], "9");
    assert_true(csv.labels[0] == 1 && csv.labels[1] == 0);
    ecc_csv_release(&csv);
    check_ok(parse(&csv, "a,kind,b\n1,x,2\n3,y,4\n", "kind"));
    assert_true(csv.columns == 2 && csv.values[1] == 2 && csv.class_count == 2);
    assert_string_equal(csv.names[1], "b");
    ecc_csv_release(&csv);
    check_ok(parse(&csv, "1,x,2\n3,y,4\n", "2")); /* by number where there is no header */
    assert_int_equal(csv.columns, 2);
    ecc_csv_release(&csv);
    /* a last column of many distinct numbers, or of fractions, is not a label */
    check_ok(parse(&csv, "1,2\n2,3\n3,4\n", NULL));
    assert_true(csv.columns == 2 && !csv.labels && csv.values[5] == 4);
    ecc_csv_release(&csv);
    check_ok(parse(&csv, "1,0.5\n2,0.5\n3,1\n4,1\n", NULL));
    assert_true(csv.columns == 2 && !csv.labels);
    ecc_csv_release(&csv);
    check_ok(parse(&csv, "1,0\n2,0\n3,1\n4,1\n", NULL));
    assert_true(csv.columns == 1 && csv.class_count == 2);
    ecc_csv_release(&csv);
}

/* A first line unlike all others, as in spambase. */
static void test_odd_header(void **state)
{
    (void)state;
    struct ecc_csv csv;
    check_ok(parse(&csv, "1,2\n1,2,3\n4,5,7\n", NULL));
    assert_true(csv.odd_header == 2 && csv.rows == 2 && csv.columns == 3 && !csv.names);
    ecc_csv_release(&csv);
}

static void test_wrong(void **state)
{
    (void)state;
    check_parse_fails("", NULL, "is empty");
    check_parse_fails("\n \n", NULL, "is empty");
    check_parse_fails("a,b\n", "b", "header but no rows");
    check_parse_fails("a,b\n1,2\n3,NA\n5,6.5\n", NULL,
                      "line 3, column 2 ('b'): the value is missing");
    check_parse_fails("a,b,c\n1,,3\n4,5,6\n", NULL, "line 2, column 2 ('b'): the value is missing");
    check_parse_fails("1,2,3\n\n\n1,nan,3\n1,2,3\n", NULL,
                      "line 4, column 2: the value is missing");
    check_parse_fails("1,2,3\n1,inf,3\n1,2,3\n", NULL, "'inf' is not a finite number");
    check_parse_fails("1,2,3\n1,1e999,3\n1,2,3\n", NULL, "not a finite number");
    check_parse_fails("1,2,3\n1,red,3\n1,2,3\n", NULL, "line 2, column 2: 'red' is not");
    check_parse_fails("a,b,class\n1,2,\n1,2,3\n", NULL, "line 2, column 3 ('class'): the value");
    check_parse_fails("1,x\n\n2,\n3,x\n", NULL, "line 3, column 2: the value is missing");
    check_parse_fails("a,b\n1,2\n1,2,3\n1,2\n", NULL, "line 3 has 3 columns, expected 2");
    check_parse_fails("1,2\n1,2\n1,\"2\n3,4\n", NULL, "line 3: a quote is never closed");
    check_parse_fails("1,2\n\"1\"x,2\n", NULL, "line 2: 'x' follows a closing quote");
    check_parse_fails("a,b\n1,2\n", "c", "has no column 'c'");
    check_parse_fails("1,2\n3,4\n", "species", "no header, so give the column's number");
    check_parse_fails("class\na\nb\n", "class", "no columns of numbers");
    struct ecc_csv csv;
    char text[] = "1,2\n3,\0\n";
    check_fails(ecc_csv_parse(&csv, text, sizeof text - 1, NULL, "t.csv", &testing_error),
                ECC_BAD_DATA, "byte 6 is 0");
}

static const char *write_text(const char *name, const char *text)
{
    const char *const path = testing_path(name);
    FILE *const stream = fopen(path, "w");
    fputs(text, stream);
    fclose(stream);
    return path;
}

static void test_dataset(void **state)
{
    (void)state;
    struct ecc_dataset *data;
    char path[300], what[310];
    snprintf(path, sizeof path, "%s",
             write_text("flowers.csv", "a,b,kind\n1,2,x\n3,2,y\n5,2,x\n7,2,y\n"));
    snprintf(what, sizeof what, "%s:all", path);
    check_ok(ecc_dataset_open(&data, what, NULL, &testing_error));
    assert_true(data->is_table && data->count == 4 && data->shape.channels == 2);
    float x[8];
    check_ok(ecc_dataset_read(data, x, (const uint32_t[]){0, 1, 2, 3}, 4, &testing_error));
    check_absolute((double)x[0], -3 / sqrt(5), 1e-6, "first value");
    assert_true(x[1] == 0 && x[3] == 0);
    assert_string_equal(data->scaling.names[0], "a");
    assert_string_equal(data->class_names[data->labels[3]], "y");
    ecc_dataset_close(data);
    /* other names than those of the run */
    double means[2] = {0, 0}, deviations[2] = {1, 1};
    char a[] = "a", c[] = "c", *names[2] = {a, c};
    const struct ecc_scaling scaling = {2, means, deviations, names};
    check_fails(ecc_dataset_open(&data, what, &(struct ecc_data_options){.scaling = &scaling},
                                 &testing_error),
                ECC_BAD_DATA, "column 2 is named 'b', expected 'c'");
    check_fails(ecc_dataset_open(&data, write_text("huge.csv", "1,1e308\n2,-1e308\n3,1e308\n"),
                                 NULL, &testing_error),
                ECC_BAD_DATA, "column 2 are too large");
}

static void check_table(const char *directory, const char *name, size_t count, size_t columns,
                        size_t classes)
{
    char path[300];
    struct ecc_dataset *data;
    snprintf(path, sizeof path, "%s/%s:all", directory, name);
    check_ok(ecc_dataset_open(&data, path, NULL, &testing_error));
    assert_int_equal(data->count, count);
    assert_int_equal(data->shape.channels, columns);
    assert_int_equal(data->class_count, classes);
    ecc_dataset_close(data);
}

/* ---- Tables as they are published ----------------------------------------------------------- */

/* A value of row i and column k, the same each time. */
static unsigned hashed(size_t i, size_t k, unsigned below)
{
    uint32_t x = (uint32_t)(i * 7919 + k + 1) * UINT32_C(0x9e3779b9);
    x = (x ^ x >> 16) * UINT32_C(0x7feb352d);
    return (x ^ x >> 15) % below;
}

/* Columns named by a word and their number, and the last one's name. */
static void put_header(FILE *stream, const char *word, size_t columns, const char *last)
{
    for (size_t k = 1; k <= columns; k++) fprintf(stream, "%s%zu,", word, k);
    fprintf(stream, "%s\n", last);
}

/* Genes: few rows of many fractions with four digits; classes 1 to 4. */
static void write_genes(const char *path)
{
    FILE *const stream = fopen(path, "w");
    put_header(stream, "gene", 2308, "CLASS");
    for (size_t i = 0; i < 83; i++) {
        for (size_t k = 0; k < 2308; k++) fprintf(stream, "%g,", hashed(i, k, 200000) / 1e4);
        fprintf(stream, "%zu\n", 1 + i % 4);
    }
    fclose(stream);
}

/* Digits: whole numbers to 16 under names with a blank; column 1 is always 0. */
static void write_blocks(const char *path, size_t rows)
{
    FILE *const stream = fopen(path, "w");
    put_header(stream, "Block ", 64, "Class");
    for (size_t i = 0; i < rows; i++) {
        fprintf(stream, "0,");
        for (size_t k = 1; k < 64; k++) fprintf(stream, "%u,", hashed(i, k, 17));
        fprintf(stream, "%u\n", hashed(i, 64, 10));
    }
    fclose(stream);
}

/* Mail: a first line that counts to 56 over 58 columns, mostly zeros, two columns of large numbers,
 * and a class without a name. */
static void write_mail(const char *path)
{
    FILE *const stream = fopen(path, "w");
    put_header(stream, "", 55, "56");
    for (size_t i = 0; i < 4601; i++) {
        for (size_t k = 0; k < 55; k++) {
            fprintf(stream, "%g,", hashed(i, k, 5) ? 0 : hashed(i, k + 58, 500) / 100.0);
        }
        fprintf(stream, "%u,%u,%d\n", 1 + hashed(i, 55, 900), 1 + hashed(i, 56, 15000), i < 1813);
    }
    fclose(stream);
}

/* The twin of test_shared: tables of the same shapes and habits. */
static void test_published_kinds(void **state)
{
    (void)state;
    char directory[300];
    snprintf(directory, sizeof directory, "%s", testing_path(""));
    write_genes(testing_path("genes.csv"));
    write_blocks(testing_path("blocks.tra"), 3823);
    write_blocks(testing_path("blocks.tes"), 1797);
    write_mail(testing_path("mail.data"));
    check_table(directory, "genes.csv", 83, 2308, 4);
    check_table(directory, "blocks.tra", 3823, 64, 10);
    check_table(directory, "blocks.tes", 1797, 64, 10);
    check_table(directory, "mail.data", 4601, 57, 2);
}

static void test_shared(void **state)
{
    (void)state;
    static const char tables[] = ECC_SHARED "/data/tables";
    if (access(tables, R_OK) != 0) {
        print_message("skipped: %s is not there\n", tables);
        skip();
    }
    check_table(tables, "SRBCT.csv", 83, 2308, 4);
    check_table(tables, "optdigits.tra", 3823, 64, 10);
    check_table(tables, "optdigits.tes", 1797, 64, 10);
    check_table(tables, "spambase.data", 4601, 57, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),      cmocka_unit_test(test_labels),
        cmocka_unit_test(test_odd_header), cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_dataset),    cmocka_unit_test(test_published_kinds),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests_name("data_csv", tests, NULL, NULL);
}
