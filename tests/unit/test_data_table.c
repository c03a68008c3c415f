/* test_data_table.c: what the columns of text tables become: kinds, labels, gaps, scaling, and the
 * schema of a run applied to other tables. */
#include "testing.h"

#include "data/dataset.h"

static char path[300], what[310];

static void write_bytes(const char *text, size_t size)
{
    snprintf(path, sizeof path, "%s", testing_path("t.csv"));
    snprintf(what, sizeof what, "%s:all", path);
    FILE *const stream = fopen(path, "w");
    fwrite(text, 1, size, stream);
    fclose(stream);
}

static struct ecc_dataset *open_with(const char *text, const struct ecc_data_options *options)
{
    struct ecc_dataset *data;
    write_bytes(text, strlen(text));
    check_ok(ecc_dataset_open(&data, what, options, &testing_error));
    return data;
}

static void check_open_fails(const char *text, const struct ecc_data_options *options,
                             const char *words)
{
    struct ecc_dataset *data;
    write_bytes(text, strlen(text));
    check_fails(ecc_dataset_open(&data, what, options, &testing_error), ECC_BAD_DATA, words);
    assert_null(data);
}

/* Row i of `count`, with a number in every %d of the format. */
static const char *repeat(const char *header, size_t count,
                          void (*put)(char *out, size_t size, size_t row))
{
    static char text[100000];
    size_t used = (size_t)snprintf(text, sizeof text, "%s\n", header);
    for (size_t i = 0; i < count; i++) {
        put(text + used, sizeof text - used, i);
        used += strlen(text + used);
    }
    return text;
}

static const struct ecc_column *column(const struct ecc_dataset *data, const char *name)
{
    for (size_t i = 0; i < data->schema->count; i++) {
        if (strcmp(data->schema->columns[i].name, name) == 0) return &data->schema->columns[i];
    }
    fail_msg("no column %s", name);
    return NULL;
}

static void check_value(struct ecc_dataset *data, uint32_t item, const char *name, double expected)
{
    float x[200];
    check_ok(ecc_dataset_read(data, x, &item, 1, &testing_error));
    const double value = ecc_schema_value(column(data, name), x);
    if (isnan(expected) ? !isnan(value) : !(fabs(value - expected) <= 1e-4 * fabs(expected) + 1e-4))
        fail_msg("item %u has %s = %g, expected %g", item, name, value, expected);
}

static void check_cell(struct ecc_dataset *data, uint32_t item, const char *name,
                       const char *expected)
{
    float x[200];
    char text[80];
    check_ok(ecc_dataset_read(data, x, &item, 1, &testing_error));
    assert_string_equal(ecc_schema_cell(text, sizeof text, column(data, name), x), expected);
}

static void check_left_out(const struct ecc_dataset *data, const char *name, const char *reason)
{
    assert_int_equal(column(data, name)->kind, ECC_COLUMN_LEFT_OUT);
    assert_string_equal(column(data, name)->reason, reason);
}

static void check_remark(const struct ecc_dataset *data, const char *words)
{
    if (!data->remark || !strstr(data->remark, words)) {
        fail_msg("no \"%s\" in: %s", words, data->remark ? data->remark : "(none)");
    }
}

/* ---- Kinds ---------------------------------------------------------------------------------- */

static void put_kinds(char *out, size_t size, size_t i)
{
    static const char *const colours[] = {"red", "green", "blue"};
    snprintf(out, size, "%zu,%g,%s,%s,2020-01-%02zu,\"text %zu, more\",7,,%s\n", i + 1,
             0.5 + (double)(i * i % 17), i % 5 == 2 ? "" : colours[i % 3], i % 2 ? "yes" : "no",
             i % 28 + 1, i * i, i % 3 ? "cat" : "dog");
}

static void test_kinds(void **state)
{
    (void)state;
    struct ecc_dataset *const data =
        open_with(repeat("id,size,colour,old,when,note,unit,nothing,kind", 40, put_kinds), NULL);
    assert_true(data->count == 40 && data->shape.channels == 1 + 3 + 2 + 1);
    check_left_out(data, "id", "an id: different in every row");
    check_left_out(data, "unit", "constant");
    check_left_out(data, "nothing", "empty");
    check_left_out(data, "note", "a different word in every row");
    assert_true(column(data, "size")->kind == ECC_COLUMN_NUMBER &&
                column(data, "size")->decimals == 1);
    assert_true(column(data, "colour")->kind == ECC_COLUMN_CATEGORY &&
                column(data, "colour")->level_count == 3 && column(data, "colour")->gaps == 8);
    assert_true(column(data, "when")->kind == ECC_COLUMN_DATE &&
                column(data, "when")->date_order == 'Y');
    assert_true(data->class_count == 2 && data->labels[0] == 1);
    assert_string_equal(data->scaling.names[1], "colour=blue");
    check_value(data, 3, "size", 9.5);
    check_cell(data, 3, "size", "9.5");
    check_cell(data, 3, "colour", "red");
    check_cell(data, 3, "old", "yes");
    check_cell(data, 3, "when", "2020-01-04");
    check_cell(data, 2, "colour", ""); /* missing */
    check_remark(data, "dates are read as days: when");
    check_remark(data, "missing cells in the training rows: 8, in colour (8)");
    check_remark(data, "the last column, 'kind', is used as labels");
    /* variances of a category's features sum to 1 */
    double variance = 0;
    for (size_t k = 0; k < 3; k++) {
        double sum = 0;
        size_t n = 0;
        for (uint32_t i = 0; i < data->count; i++) {
            float x[200];
            check_ok(ecc_dataset_read(data, x, &i, 1, &testing_error));
            if (isnan(x[1 + k])) continue;
            sum += (double)(x[1 + k] * x[1 + k]);
            n++;
        }
        variance += sum / (double)n;
    }
    check_absolute(variance, 1, 1e-5, "variance of a category");
    ecc_dataset_close(data);
}

static void put_levels(char *out, size_t size, size_t i)
{
    /* mostly one of 10 towns, sometimes one of 40 villages */
    char town[40];
    snprintf(town, sizeof town, i % 4 ? "town %zu" : "village %zu", i % 4 ? i % 10 : i % 40);
    snprintf(out, size, "%g,%s,%s\n", (double)(i % 13) + 0.25, town,
             i % 50 == 7 ? "n/k"
             : i % 3     ? "1"
                         : "2");
}

static void test_rare_levels(void **state)
{
    (void)state;
    const struct ecc_data_options none = {.label = "none"};
    struct ecc_dataset *data = open_with(repeat("x,place,mixed", 200, put_levels), &none);
    const struct ecc_column *const place = column(data, "place");
    assert_true(place->kind == ECC_COLUMN_CATEGORY && place->level_count == 20 &&
                place->distinct == 20);
    assert_int_equal(column(data, "mixed")->kind, ECC_COLUMN_CATEGORY); /* words among numbers */
    check_remark(data, "words among numbers make categories: mixed");
    ecc_dataset_close(data);
}

static void put_towns(char *out, size_t size, size_t i)
{
    snprintf(out, size, "%g,%s%zu\n", (double)(i % 13) + 0.25, i % 3 ? "t" : "v",
             i % 3 ? i % 10 : i % 60);
}

static void test_many_levels(void **state)
{
    (void)state;
    const struct ecc_data_options none = {.label = "none"};
    struct ecc_dataset *data = open_with(repeat("x,place", 300, put_towns), &none);
    const struct ecc_column *const place = column(data, "place");
    assert_true(place->level_count == 20 && place->distinct == 30);
    check_remark(data, "cells with a rare or new level");
    ecc_dataset_close(data);
}

static void test_constants(void **state)
{
    (void)state;
    struct ecc_dataset *const data =
        open_with("a,b,c,d\n1,0.00,x,5\n1.0,-0.00,x,6\n1,0,x,8\n,,,7\n", NULL);
    assert_int_equal(data->shape.channels, 1);
    check_left_out(data, "a", "constant");
    check_left_out(data, "b", "constant");
    check_left_out(data, "c", "constant");
    ecc_dataset_close(data);
}

static void check_dates(const char *text, const char *first)
{
    struct ecc_dataset *const data = open_with(text, NULL);
    check_cell(data, 0, "when", first);
    ecc_dataset_close(data);
}

static void test_dates(void **state)
{
    (void)state;
    check_dates("when,x\n2020-03-01,1\n2020-03-02,5\n", "2020-03-01");
    check_dates("when;x\n1.3.2020;1\n02.03.2020;5\n", "2020-03-01");
    check_dates("when,x\n3/1/2020,1\n12/31/2020,5\n", "2020-03-01");
    check_dates("when,x\n1/3/2020,1\n31/12/2020,5\n", "2020-03-01");
    check_dates("when,x\n2020-03-01 06:30,1\n2020-03-02 18:00,5\n", "2020-03-01 06:30:00");
    check_dates("when,x\n06:30,1\n18:00,5\n", "06:30:00");
    struct ecc_dataset *data = open_with("when,x\n1/3/2020,1\n2/12/2020,5\n", NULL);
    check_left_out(data, "when", "dates with the day or the month first: both fit");
    ecc_dataset_close(data);
    /* a run knows what is first; a table with dates of another kind is read by those */
    data = open_with("when,x\n1/3/2020,1\n31/12/2020,5\n", NULL);
    const struct ecc_data_options run = {.schema = data->schema, .scaling = &data->scaling};
    struct ecc_dataset *other = open_with("when,x\n1/3/2020,1\n2/12/2020,5\n", &run);
    check_cell(other, 1, "when", "2020-12-02");
    ecc_dataset_close(other);
    other = open_with("when,x\n2020-12-02,1\n2.12.2020,5\n", &run);
    check_cell(other, 0, "when", "2020-12-02");
    check_cell(other, 1, "when", "2020-12-02");
    ecc_dataset_close(other);
    ecc_dataset_close(data);
}

/* ---- Numbers -------------------------------------------------------------------------------- */

static void test_decimals(void **state)
{
    (void)state;
    struct ecc_dataset *data = open_with("a;b\n1,5;1.234,5\n2,25;7\n3;1.000\n", NULL);
    check_value(data, 0, "a", 1.5);
    check_value(data, 0, "b", 1234.5);
    check_value(data, 2, "b", 1000);
    assert_true(column(data, "a")->decimals == 2 && column(data, "b")->decimals == 1);
    ecc_dataset_close(data);
    data = open_with("a,b\n\"1,234\",1\n\"12,345.50\",2\n1,3\n", NULL);
    check_value(data, 0, "a", 1234);
    check_value(data, 1, "a", 12345.5);
    ecc_dataset_close(data);
    /* nothing tells: said */
    data = open_with("a;b\n1,234;1\n5,678;2\n1,111;3\n", NULL);
    check_value(data, 0, "a", 1.234);
    check_remark(data, "such as 1,234 are read as fractions (--decimal point: as thousands)");
    ecc_dataset_close(data);
    const struct ecc_data_options point = {.decimal = ECC_DECIMAL_POINT};
    data = open_with("a;b\n1,234;1\n5,678;2\n1,111;3\n", &point);
    check_value(data, 0, "a", 1234);
    ecc_dataset_close(data);
    data = open_with("a\tb\n1.234\t1\n5.678\t2\n1.111\t3\n", NULL);
    check_value(data, 0, "a", 1.234);
    check_remark(data, "such as 1.234 are read as fractions (--decimal comma: as thousands)");
    ecc_dataset_close(data);
}

static void test_gaps(void **state)
{
    (void)state;
    struct ecc_dataset *const data =
        open_with("a,b\n1,2\nNA,3\n,4\n7,?\n8,null\n9,inf\n2,1e999\n3,NaN\n4,9\n", NULL);
    const struct ecc_column *const a = column(data, "a"), *const b = column(data, "b");
    assert_true(a->gaps == 2 && b->gaps == 5);
    check_absolute(a->mean, 34 / 7.0, 1e-12, "mean of what is there");
    check_value(data, 1, "a", (double)NAN);
    check_value(data, 8, "b", 9);
    check_remark(data, "infinite cells, which count as missing: 2");
    float x[2] = {NAN, 3};
    ecc_fill_missing(x, 2);
    assert_true(x[0] == 0 && x[1] == 3);
    ecc_dataset_close(data);
}

static void put_outlier(char *out, size_t size, size_t i)
{
    snprintf(out, size, "%g,%d,%s\n", i == 50 ? 1e6 : (double)(i % 11) + 0.5, i > 90,
             i % 2 ? "x" : "y");
}

static void test_robust(void **state)
{
    (void)state;
    const struct ecc_data_options robust = {.scaler = ECC_SCALER_ROBUST, .label = "none"};
    struct ecc_dataset *const data = open_with(repeat("a,b,c", 100, put_outlier), &robust);
    const struct ecc_column *const a = column(data, "a");
    assert_true(a->mean == 5.5 && a->clip == 10);
    check_absolute(a->deviation, 6 / 1.349, 1e-9, "interquartile range");
    float x[4];
    check_ok(ecc_dataset_read(data, x, (const uint32_t[]){50}, 1, &testing_error));
    assert_true(x[0] == 10); /* the outlier ends there */
    /* nearly constant: mean and deviation; categories as always */
    check_absolute(column(data, "b")->mean, 0.09, 1e-12, "mean");
    check_absolute(column(data, "c")->shares[0], 0.5, 1e-12, "share");
    ecc_dataset_close(data);
}

/* ---- Labels --------------------------------------------------------------------------------- */

static void check_label(const char *text, const char *label, const char *name, size_t classes)
{
    struct ecc_dataset *const data = open_with(text, &(struct ecc_data_options){.label = label});
    assert_int_equal(data->labels != NULL, name != NULL);
    assert_int_equal(data->class_count, classes);
    if (name) assert_int_equal(column(data, name)->kind, ECC_COLUMN_LABEL);
    ecc_dataset_close(data);
}

static void put_wine(char *out, size_t size, size_t i)
{
    snprintf(out, size, "%zu,%g,%zu\n", i / 20 + 1, (double)(i * 7 % 31) / 4, i * 37 % 211);
}

static void put_price(char *out, size_t size, size_t i)
{
    snprintf(out, size, "%g,%g\n", (double)(i * 7 % 31) / 4, (double)(i * 37 % 211) / 8);
}

static void test_labels(void **state)
{
    (void)state;
    check_label("5,1,rose\n6,2,\"lily\"\n7,3,rose\n8,2,lily\n", NULL, "column 3", 2);
    check_label("Label,x\n10,1\n9,2\n10,3\n", NULL, "Label", 2);
    check_label("a,kind,b\n1,x,2\n3,y,4\n", "kind", "kind", 2);
    check_label("a,kind,b\n1,x,2\n3,y,4\n", "2", "kind", 2);
    check_label("kind,a,b\nx,1,2\ny,3,4\n", "first", "kind", 2);
    check_label("a,b,kind\n1,2,x\n3,4,y\n", "last", "kind", 2);
    check_label("1,x,2\n3,y,4\n", "2", "column 2", 2);
    /* a last column of many different numbers, or of fractions, is not a label */
    check_label("1,2\n2,3\n3,4\n", NULL, NULL, 0);
    check_label("1,0.5\n2,0.5\n3,1\n4,1\n", NULL, NULL, 0);
    check_label("1,0\n2,0\n3,1\n4,1\n", NULL, "column 2", 2);
    check_label("1,0\n2,0\n3,1\n4,1\n", "none", NULL, 0);
    check_label("x,y\n1,0.5\n2,3\n3,1\n4,1\n", NULL, NULL, 0); /* coordinates */
    /* in front: words, or a count of classes */
    check_label("k,a\nr,0.5\nb,1.5\nr,2.5\nb,3.25\n", NULL, "k", 2);
    check_label(repeat("k,a,b", 60, put_wine), NULL, "k", 3);
    /* numbers by value */
    struct ecc_dataset *data = open_with("x,class\n1,10\n2,9\n3,10\n", NULL);
    assert_string_equal(data->class_names[0], "9");
    assert_true(data->labels[0] == 1 && data->labels[1] == 0);
    ecc_dataset_close(data);
    /* missing ones */
    data = open_with("x,class\n1,a\n2,\n3,b\n", NULL);
    assert_true(data->count == 3 && data->labels[1] == -1 && data->class_count == 2);
    check_remark(data, "rows without a label: 1");
    ecc_dataset_close(data);
    /* a number to predict */
    data = open_with(repeat("a,target", 60, put_price), NULL);
    assert_true(!data->labels && data->number_count == 1 && data->numbers[1] == 37 / 8.0);
    assert_string_equal(data->number_names[0], "target");
    assert_int_equal(column(data, "target")->kind, ECC_COLUMN_TARGET);
    ecc_dataset_close(data);
}

static void test_choice(void **state)
{
    (void)state;
    static const char text[] = "a,\"b, c\",d,e\n1,2,5,4\n3,1,6,8\n4,8,7,1\n";
    struct ecc_dataset *data =
        open_with(text, &(struct ecc_data_options){.columns = "A,\"b, c\"", .label = "none"});
    assert_true(data->shape.channels == 2);
    check_left_out(data, "d", "not in --columns");
    ecc_dataset_close(data);
    data = open_with(text, &(struct ecc_data_options){.drop = "b, c", .label = "none"});
    assert_true(data->shape.channels == 3);
    check_left_out(data, "b, c", "--drop");
    ecc_dataset_close(data);
    data = open_with(text, &(struct ecc_data_options){.drop = "1,4", .label = "none"});
    assert_true(data->shape.channels == 2);
    ecc_dataset_close(data);
    check_open_fails("length,width,mass\n1,2,3\n4,5,6\n",
                     &(struct ecc_data_options){.columns = "widht"},
                     "has no column 'widht' (--columns); the closest names are: width");
    check_open_fails("1,2\n3,4\n", &(struct ecc_data_options){.label = "species"},
                     "no header, so give the column's number");
    check_open_fails("a,b\n1,2\n3,4\n", &(struct ecc_data_options){.drop = "a,b", .label = "none"},
                     "no columns to learn from: a (--drop), b (--drop)");
}

/* ---- What is wrong -------------------------------------------------------------------------- */

static void put_wrong(char *out, size_t size, size_t i)
{
    snprintf(out, size,
             i == 7             ? "%g,1\n"
             : i == 4 || i > 90 ? "x%g,2,3\n"
                                : "%g,2%g,3\n",
             (double)i + 0.5, (double)i);
}

static void test_problems(void **state)
{
    (void)state;
    check_open_fails("a,b\n1,2\n1,2,3\n1,3\n", NULL,
                     "line 3 has 3 cells, expected 2; correct the lines: a cell that holds the "
                     "delimiter needs quotes");
    check_open_fails(repeat("age,b,c", 100, put_wrong), NULL, "has 11 problems: line 9 has 2");
    assert_non_null(strstr(testing_error.text, "line 6, column 'age': 'x4.5' is not a number; "));
    assert_non_null(strstr(testing_error.text, "; and 6 more; correct the lines"));
    assert_non_null(strstr(testing_error.text, "leave columns out: --drop 'age'"));
    check_open_fails("class\na\nb\n", NULL, "no columns to learn from: class (label)");
    check_open_fails("1,1e308\n2,-1e308\n3,1e308\n", NULL, "'column 2' are too large");
}

/* ---- The schema of a run -------------------------------------------------------------------- */

static void test_schema(void **state)
{
    (void)state;
    struct ecc_dataset *const data =
        open_with(repeat("id,size,colour,old,when,note,unit,nothing,kind", 40, put_kinds), NULL);
    const struct ecc_data_options run = {.schema = data->schema, .scaling = &data->scaling};
    /* other order, more columns, a level and a class that are new, no label for one */
    struct ecc_dataset *other =
        open_with("kind,extra,when,old,colour,size\nrat,1,2021-01-01,no,pink,\n"
                  "dog,2,2020-01-02,yes,red,9.5\n,3,2020-01-02,yes,,1\n",
                  &run);
    assert_true(other->count == 3 && other->shape.channels == data->shape.channels);
    assert_true(other->labels[0] == 2 && other->labels[1] == 1 && other->labels[2] == -1);
    assert_string_equal(other->class_names[2], "rat");
    check_cell(other, 1, "colour", "red");
    check_value(other, 1, "size", 9.5);
    check_value(other, 0, "size", (double)NAN);
    check_cell(other, 0, "when", "2021-01-01");
    check_remark(other, "that are not used: extra");
    check_remark(other, "none of the known: colour (1)");
    check_remark(other, "classes that the run does not know: 1, 'rat'");
    float x[8];
    check_ok(ecc_dataset_read(other, x, (const uint32_t[]){0}, 1, &testing_error));
    check_absolute((double)x[1],
                   -column(data, "colour")->shares[0] / column(data, "colour")->deviation, 1e-6,
                   "a new level");
    ecc_dataset_close(other);
    check_open_fails("size,kind\n1,cat\n2,dog\n", &run,
                     "lacks 3 of the 4 columns that the run needs: colour, old, when; it has: "
                     "size, kind");
    check_open_fails("colour,old,when,size\nred,yes,2020-01-01,big\n", &run,
                     "line 2, column 'size': 'big' is not a number");
    ecc_dataset_close(data);
    /* without a header, by place; the label may be missing */
    struct ecc_dataset *const plain = open_with("1,5,a\n2,6,b\n4,8,a\n5,1,b\n", NULL);
    const struct ecc_data_options places = {.schema = plain->schema, .scaling = &plain->scaling};
    other = open_with("2,6\n4,8\n", &places);
    assert_true(other->count == 2 && !other->labels);
    ecc_dataset_close(other);
    ecc_dataset_close(plain);
}

/* Runs of version 0.1 have a scaling and no schema. */
static void test_old_runs(void **state)
{
    (void)state;
    double means[2] = {1, 2}, deviations[2] = {2, 4};
    char a[] = "a", b[] = "b", c[] = "c", *names[2] = {a, b}, *others[2] = {a, c};
    const struct ecc_scaling scaling = {2, means, deviations, names, 0};
    static const char text[] = "a,b,kind\n1,2,x\n3,2,y\n5,2,x\n7,2,y\n";
    struct ecc_dataset *data = open_with(text, &(struct ecc_data_options){.scaling = &scaling});
    assert_true(!data->schema && data->shape.channels == 2 && data->class_count == 2);
    float x[2];
    check_ok(ecc_dataset_read(data, x, (const uint32_t[]){3}, 1, &testing_error));
    assert_true(x[0] == 3 && x[1] == 0);
    ecc_dataset_close(data);
    const struct ecc_scaling wrong = {2, means, deviations, others, 0};
    check_open_fails(text, &(struct ecc_data_options){.scaling = &wrong},
                     "column 2 is named 'b', expected 'c'");
    const struct ecc_scaling nameless = {2, means, deviations, NULL, 0};
    data = open_with("1,2,x\n3,2,y\n", &(struct ecc_data_options){.scaling = &nameless});
    assert_true(data->shape.channels == 2 && data->class_count == 2);
    ecc_dataset_close(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),       cmocka_unit_test(test_rare_levels),
        cmocka_unit_test(test_many_levels), cmocka_unit_test(test_constants),
        cmocka_unit_test(test_dates),       cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_gaps),        cmocka_unit_test(test_robust),
        cmocka_unit_test(test_labels),      cmocka_unit_test(test_choice),
        cmocka_unit_test(test_problems),    cmocka_unit_test(test_schema),
        cmocka_unit_test(test_old_runs),
    };
    return cmocka_run_group_tests_name("data_table", tests, NULL, NULL);
}
