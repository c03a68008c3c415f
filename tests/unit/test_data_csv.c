/* test_data_csv.c: text tables: cells, headers, numbers and encodings, and the messages for what is
 * wrong.  What columns become is in test_data_table.c. */
#include "testing.h"

#include "data/csv.h"
#include "data/dataset.h"
#include "data/encoding.h"
#include "data/formats.h"
#include "data/numbers.h"

#include <unistd.h>

static enum ecc_status cut(struct ecc_csv *csv, const char *text, const char *label)
{
    const size_t size = strlen(text);
    char *const copy = malloc(size + 1);
    memcpy(copy, text, size);
    return ecc_csv_init(csv, copy, size, label, "t.csv", &testing_error);
}

/* Rows joined by '/', cells by '|'. */
static void check_cells(const char *text, const char *expected, const char *names)
{
    struct ecc_csv csv;
    char joined[500] = "", header[200] = "";
    check_ok(cut(&csv, text, NULL));
    for (size_t row = 0; row < csv.rows; row++) {
        for (size_t i = 0; i < csv.columns; i++) {
            strcat(joined, i ? "|" : row ? "/" : "");
            strcat(joined, ecc_csv_cell(&csv, row, i));
        }
    }
    for (size_t i = 0; i < csv.columns; i++) {
        strcat(header, i ? "|" : "");
        strcat(header, csv.names[i]);
    }
    assert_string_equal(joined, expected);
    assert_string_equal(header, names);
    ecc_csv_release(&csv);
}

static void test_cells(void **state)
{
    (void)state;
    static const char two[] = "column 1|column 2";
    check_cells("1,2.5\n-3,4e2\n", "1|2.5/-3|4e2", two);
    check_cells("a,b\n1,2.5\n-3,4e2\n", "1|2.5/-3|4e2", "a|b");
    check_cells("\xef\xbb\xbf"
                "a,b\r\n1,2.5\r\n-3,4e2",
                "1|2.5/-3|4e2", "a|b");
    check_cells("a;b\n 1 ; 2.5\n\n-3;4e2\n", "1|2.5/-3|4e2", "a|b");
    check_cells("a\tb\n1\t2.5\n-3\t4e2\n", "1|2.5/-3|4e2", "a|b");
    check_cells("a|b\n1|2.5\n-3|4e2\n", "1|2.5/-3|4e2", "a|b");
    check_cells("1   2.5\n  -3 4e2  \n", "1|2.5/-3|4e2", two);
    check_cells("\"a\",\"b\"\n\"1\",2.5\n-3,\"4e2\"\n\n", "1|2.5/-3|4e2", "a|b");
    check_cells("\n\n1,2.5\n-3,+4e2\n", "1|2.5/-3|+4e2", two);
    check_cells("a,b\r1,2.5\r-3,4e2\r", "1|2.5/-3|4e2", "a|b"); /* old Macs */
    check_cells("sep=;\na,x;b\n1;2\n", "1|2", "a,x|b");         /* Excel's own line */
    /* quoted delimiters, quotes and line ends */
    check_cells("a,b\n\"x, \"\"y\"\"\nz\",2\n", "x, \"y\"\nz|2", "a|b");
    /* decimal commas are as regular as the semicolons */
    check_cells("1,5;2,5\n3,5;4,5\n", "1,5|2,5/3,5|4,5", two);
    check_cells("id,genres\n1,a|b\n2,a|b\n", "1|a|b/2|a|b", "id|genres");
    /* delimiters at the end of rows, and of all lines */
    check_cells("a,b\n1,2,\n3,4,\n", "1|2/3|4", "a|b");
    check_cells("a,b,\n1,2,\n3,4,\n", "1|2|/3|4|", "a|b|column 3");
}

static void test_headers(void **state)
{
    (void)state;
    /* the first number of a column may be missing */
    check_cells("a,b\n,NA\n1,2\n", "|NA/1|2", "a|b");
    check_cells("when,x\n2020-01-01,1\n", "2020-01-01|1", "when|x");
    check_cells("5,1,rose\n6,2,lily\n", "5|1|rose/6|2|lily", "column 1|column 2|column 3");
    /* tables of words: names are not among what is below */
    check_cells("colour,size\nred,big\nred,small\nblue,big\n", "red|big/red|small/blue|big",
                "colour|size");
    check_cells("red,big\nred,small\nblue,big\n", "red|big/red|small/blue|big",
                "column 1|column 2");
    /* row names of R: an empty name, or none at all */
    check_cells("\"\",\"a\"\n\"1\",5\n\"2\",6\n", "1|5/2|6", "column 1|a");
    check_cells("\"a\" \"b\"\n\"r1\" 5 6\n\"r2\" 7 8\n", "r1|5|6/r2|7|8", "column 1|a|b");
    /* names that come twice */
    check_cells("a,a,a.1,b\n1,2,3,4\n", "1|2|3|4", "a|a.1|a.1.1|b");
    /* a first line unlike all others, as in spambase */
    struct ecc_csv csv;
    check_ok(cut(&csv, "1,2\n1,2,3\n4,5,7\n", NULL));
    assert_true(csv.odd_header == 2 && csv.rows == 2 && csv.columns == 3 && !csv.has_header);
    ecc_csv_release(&csv);
}

static void check_cut_fails(const char *text, const char *words)
{
    struct ecc_csv csv;
    check_fails(cut(&csv, text, NULL), ECC_BAD_DATA, words);
    assert_non_null(strstr(testing_error.text, "t.csv"));
    assert_null(csv.text);
}

static void test_wrong_text(void **state)
{
    (void)state;
    check_cut_fails("", "is empty");
    check_cut_fails("\n \n", "is empty");
    check_cut_fails("a,b\n", "header but no rows");
    check_cut_fails("1,2\n1,2\n1,\"2\n3,4\n", "line 3: a quote is never closed");
    enum { CELLS = 2000001 };
    char *const wide = malloc(2 * CELLS + 1);
    assert_non_null(wide);
    for (size_t i = 0; i < CELLS; i++) memcpy(wide + 2 * i, "1,", 3);
    check_cut_fails(wide, "line 1 has more than 2 million cells, expected a table");
    free(wide);
    check_cut_fails("1,2\n\"1\"x,2\n", "line 2: 'x' follows a closing quote");
    struct ecc_csv csv;
    check_ok(cut(&csv, "a,b\n1,2\n1,2,3\n1,2\n1\n", NULL));
    assert_true(csv.rows == 2 && csv.ragged.count == 2);
    assert_string_equal(csv.ragged.text, "line 3 has 3 cells, expected 2; line 5 has 1 cell, "
                                         "expected 2");
    ecc_csv_release(&csv);
}

/* ---- Numbers -------------------------------------------------------------------------------- */

static void check_number(const char *text, char decimal, double expected)
{
    double value;
    if (!ecc_number_read(text, decimal, &value)) fail_msg("'%s' was not read", text);
    if (value != expected) fail_msg("'%s' was read as %.17g", text, value);
}

static void check_not(const char *text, char decimal)
{
    double value;
    if (ecc_number_read(text, decimal, &value)) fail_msg("'%s' was read as %g", text, value);
}

static void test_numbers(void **state)
{
    (void)state;
    check_number("12", '.', 12);
    check_number("-1.5", '.', -1.5);
    check_number("+.5e3", '.', 500);
    check_number("5.", '.', 5);
    check_number("1,5", ',', 1.5);
    check_number("-2,5e-1", ',', -0.25);
    check_number("1,234,567.89", '.', 1234567.89);
    check_number("1.234.567,89", ',', 1234567.89);
    check_number("1'234.5", '.', 1234.5);
    check_number("1 234,5", ',', 1234.5);
    check_number("1\xc2\xa0"
                 "234,5",
                 ',', 1234.5);
    check_number("1\xe2\x80\xaf"
                 "234,5",
                 ',', 1234.5);
    check_number("\xe2\x88\x92"
                 "3",
                 '.', -3);
    check_number("12.5%", '.', 12.5);
    check_number("12,5 %", ',', 12.5);
    check_number("$1,000", '.', 1000);
    check_number("-$5", '.', -5);
    check_number("3,50 \xe2\x82\xac", ',', 3.5);
    check_number("1.234", '.', 1.234);
    check_number("1.234", ',', 1234);
    static const char *const wrong[] = {"",        "-",     ".",       "1e",    "e5",    "1.2.3",
                                        "0x10",    "nan",   "inf",     "1e999", "1 2",   "1,23",
                                        "1,2345",  "0,123", "12,34.5", "--1",   "1.5.0", "5 apples",
                                        "1,234e5", "$",     "%",       "1-2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) check_not(wrong[i], '.');
    /* the short way gives what the C library gives */
    for (unsigned i = 0; i < 200000; i++) {
        char text[60];
        const unsigned a = i * 2654435761U, b = (i + 77) * 2246822519U;
        snprintf(text, sizeof text, "%s%u.%0*ue%d", i % 2 ? "-" : "", a >> (i % 32), (int)(i % 9),
                 b >> (i % 30), (int)(i % 50) - 25);
        check_number(text, '.', strtod(text, NULL));
    }
}

static void test_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum ecc_cell_shape shape;
        int decimals;
    } cases[] = {
        {"", ECC_CELL_MISSING, 0},
        {"NA", ECC_CELL_MISSING, 0},
        {"#N/A", ECC_CELL_MISSING, 0},
        {"\\N", ECC_CELL_MISSING, 0},
        {"null", ECC_CELL_MISSING, 0},
        {"None", ECC_CELL_MISSING, 0},
        {"?", ECC_CELL_MISSING, 0},
        {"k.A.", ECC_CELL_MISSING, 0},
        {"#NV", ECC_CELL_MISSING, 0},
        {"\xe2\x80\x93", ECC_CELL_MISSING, 0},
        {"kg", ECC_CELL_WORD, 0},
        {".", ECC_CELL_MISSING, 0},
        {"-", ECC_CELL_MISSING, 0},
        {"12", ECC_CELL_WHOLE, 0},
        {"-12", ECC_CELL_WHOLE, 0},
        {"1e5", ECC_CELL_WHOLE, 0},
        {"1.5", ECC_CELL_POINT, 1},
        {"0.123", ECC_CELL_POINT, 3},
        {"1.5e-3", ECC_CELL_POINT, 4},
        {"1,234.5", ECC_CELL_POINT, 1},
        {"1,5", ECC_CELL_COMMA, 1},
        {"0,123", ECC_CELL_COMMA, 3},
        {"1.234,5", ECC_CELL_COMMA, 1},
        {"1.234.567", ECC_CELL_COMMA, 0},
        {"1,234,567", ECC_CELL_POINT, 0},
        {"1.234", ECC_CELL_POINT_GROUP, 3},
        {"-12.345", ECC_CELL_POINT_GROUP, 3},
        {"1,234", ECC_CELL_COMMA_GROUP, 0},
        {"1234.567", ECC_CELL_POINT, 3},
        {"1'234", ECC_CELL_WHOLE, 0},
        {"inf", ECC_CELL_INFINITE, 0},
        {"-Infinity", ECC_CELL_INFINITE, 0},
        {"1e999", ECC_CELL_INFINITE, 0},
        {"red", ECC_CELL_WORD, 0},
        {"2020-01-01", ECC_CELL_WORD, 0},
        {"1.2.2020", ECC_CELL_WORD, 0},
        {"12%", ECC_CELL_WHOLE, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int decimals;
        const enum ecc_cell_shape shape = ecc_cell_shape(cases[i].text, &decimals);
        if (shape != cases[i].shape || decimals != cases[i].decimals) {
            fail_msg("'%s' has shape %d and %d decimals", cases[i].text, (int)shape, decimals);
        }
    }
}

/* ---- Encodings and formats ------------------------------------------------------------------ */

static void check_text(const char *bytes, size_t size, const char *expected, const char *encoding)
{
    struct ecc_plain_text out;
    unsigned char *const copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    check_ok(ecc_plain_text_init(&out, copy, size, &testing_error));
    assert_int_equal(out.size, strlen(expected));
    assert_memory_equal(out.text, expected, out.size);
    if (encoding) assert_string_equal(out.encoding, encoding);
    if (!encoding) assert_null(out.encoding);
    free(out.text);
}

static void test_encodings(void **state)
{
    (void)state;
    check_text("", 0, "", NULL);
    check_text("a;\xc3\xa4", 4, "a;\xc3\xa4", NULL);
    check_text("\xff\xfe"
               "a\0\xe4\0\xac\x20",
               8, "a\xc3\xa4\xe2\x82\xac", "UTF-16");
    check_text("\xfe\xff"
               "\0a\0\xe4\x20\xac",
               8, "a\xc3\xa4\xe2\x82\xac", "UTF-16");
    check_text("a\0;\0b\0\n\0", 8, "a;b\n", "UTF-16"); /* without a mark */
    check_text("\0a\0;\0b\0\n", 8, "a;b\n", "UTF-16");
    check_text("\xff\xfe\x3d\xd8\x00\xde", 6, "\xf0\x9f\x98\x80", "UTF-16"); /* a pair */
    check_text("\xff\xfe\x3d\xd8"
               "a\0",
               6,
               "\xef\xbf\xbd"
               "a",
               "UTF-16");
    check_text("M\xfcller \x80", 8, "M\xc3\xbcller \xe2\x82\xac", "Windows-1252");
}

static void check_format(const char *bytes, size_t size, const char *path, const char *words)
{
    check_fails(ecc_formats_refuse((const unsigned char *)bytes, size, path, &testing_error),
                ECC_BAD_DATA, words);
}

static void test_formats(void **state)
{
    (void)state;
    check_format("PK\3\4....", 8, "t.xlsx", "is an Excel workbook");
    check_format("PK\3\4....", 8, "t.zip", "is a zip archive");
    check_format("\x89HDF\r\n\x1a\n", 8, "t.mat", "MATLAB 7.3");
    check_format("\x89HDF\r\n\x1a\n", 8, "t.h5", "HDF5");
    check_format("MATLAB 5.0 MAT-file", 19, "t.mat", "MATLAB");
    check_format("PAR1....", 8, "t.parquet", "read_parquet");
    check_format("ARROW1..", 8, "t.feather", "read_feather");
    check_format("$FL2@(#)", 8, "t.sav", "SPSS");
    check_format("X\n\0\0\0\3", 6, "t.rds", "readRDS");
    check_format("%PDF-1.4", 8, "t.pdf", "PDF");
    check_format("<!DOCTYPE HTML>", 15, "t.csv", "web page");
    check_format("{\"a\": 1}", 8, "t.json", "JSON");
    check_format("a\1\0b", 4, "t.mat", "MATLAB file");
    check_format("a,\1\0b", 5, "t.csv", "byte 3 is 0");
    check_ok(ecc_formats_refuse((const unsigned char *)"a,b\n", 4, "t.csv", &testing_error));
    check_ok(ecc_formats_refuse((const unsigned char *)"a\0,\0", 4, "t.csv", &testing_error));
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
    check_table(directory, "blocks.tra", 3823, 63, 10);
    check_table(directory, "blocks.tes", 1797, 63, 10);
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
    check_table(tables, "optdigits.tra", 3823, 62, 10);
    check_table(tables, "optdigits.tes", 1797, 61, 10);
    check_table(tables, "spambase.data", 4601, 57, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),      cmocka_unit_test(test_headers),
        cmocka_unit_test(test_wrong_text), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_shapes),     cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_formats),    cmocka_unit_test(test_published_kinds),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests_name("data_csv", tests, NULL, NULL);
}
