/* test_array_data.c: arrays of the caller and the same numbers in a file give the same data set:
 * items, labels, parts, scaling and remarks; and errors are reported the same way. */
#include "testing.h"

#include "base/npy.h"
#include "data/array_data.h"
#include "data/source.h"
#include "data/thin.h"

enum { ROWS = 57, COLUMNS = 4, SIDE = 6 };

static const char *const parts[] = {"", ":test", ":all"};

static struct ecc_dataset *open_file(const char *path, enum ecc_split split, size_t items)
{
    char what[400];
    struct ecc_dataset *data;
    snprintf(what, sizeof what, "%s%s", path, parts[split]);
    check_ok(
        ecc_dataset_open(&data, what, &(struct ecc_data_options){.items = items}, &testing_error));
    return data;
}

static struct ecc_dataset *open_array(const struct ecc_array_data *array, enum ecc_split split,
                                      size_t items)
{
    struct ecc_dataset *data;
    check_ok(ecc_dataset_from_array(&data, array, split, &(struct ecc_data_options){.items = items},
                                    &testing_error));
    return data;
}

static void check_same_names(char *const *a, char *const *b, size_t count)
{
    assert_int_equal(!a, !b);
    for (size_t i = 0; a && i < count; i++) {
        assert_string_equal(a[i], b[i]);
    }
}

static void check_same_items(struct ecc_dataset *a, struct ecc_dataset *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(&a->shape, &b->shape, sizeof a->shape);
    const size_t size = ecc_shape_size(a->shape);
    float *const x = malloc(size * sizeof *x), *const y = malloc(size * sizeof *y);
    for (uint32_t i = 0; i < a->count; i++) {
        check_ok(ecc_dataset_read(a, x, &i, 1, &testing_error));
        check_ok(ecc_dataset_read(b, y, &i, 1, &testing_error));
        assert_memory_equal(x, y, size * sizeof *x);
    }
    free(x);
    free(y);
}

static void check_same(struct ecc_dataset *a, struct ecc_dataset *b)
{
    check_same_items(a, b);
    assert_int_equal(a->is_table, b->is_table);
    assert_int_equal(!a->labels, !b->labels);
    if (a->labels) assert_memory_equal(a->labels, b->labels, a->count * sizeof *a->labels);
    assert_int_equal(a->class_count, b->class_count);
    check_same_names(a->class_names, b->class_names, a->class_count);
    const struct ecc_scaling *const s = &a->scaling, *const t = &b->scaling;
    assert_int_equal(s->columns, t->columns);
    if (s->columns) {
        assert_memory_equal(s->mean, t->mean, s->columns * sizeof *s->mean);
        assert_memory_equal(s->deviation, t->deviation, s->columns * sizeof *s->deviation);
    }
    check_same_names(s->names, t->names, s->columns);
    assert_int_equal(!a->remark, !b->remark);
    if (a->remark) assert_string_equal(a->remark, b->remark);
    ecc_dataset_close(a);
    ecc_dataset_close(b);
}

/* Every part, whole and limited. */
static void check_parts(const char *path, const struct ecc_array_data *array)
{
    for (int split = ECC_SPLIT_TRAIN; split <= ECC_SPLIT_ALL; split++) {
        const size_t limits[] = {0, 3};
        for (size_t i = 0; i < 2; i++) {
            check_same(open_file(path, split, limits[i]), open_array(array, split, limits[i]));
        }
    }
}

/* ---- Tables --------------------------------------------------------------------------------- */

static void fill_table(float *cells, int32_t *labels)
{
    for (size_t i = 0; i < ROWS; i++) {
        labels[i] = (int32_t)(i * 7 % 3);
        for (size_t j = 0; j < COLUMNS; j++) { /* the last column is constant */
            cells[i * COLUMNS + j] = j == COLUMNS - 1 ? 2 : (float)(i * (j + 3) % 17) / 8 - 1;
        }
    }
}

static void test_csv(void **state)
{
    (void)state;
    static const char *const columns[] = {"a", "b", "c", "d"}, *const classes[] = {"u", "v", "w"};
    float cells[ROWS * COLUMNS];
    int32_t labels[ROWS];
    fill_table(cells, labels);
    for (size_t i = 0; i < ROWS; i++)
        cells[i * COLUMNS + 3] = (float)(i * i % 5); /* not constant */
    const char *const path = testing_path("same.csv");
    FILE *const stream = fopen(path, "w");
    assert_non_null(stream);
    fputs("a,b,c,d,label\n", stream);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++) {
            fprintf(stream, "%.9g,", (double)cells[i * COLUMNS + j]);
        }
        fprintf(stream, "%s\n", classes[labels[i]]);
    }
    fclose(stream);
    const struct ecc_array_data array = {.x = cells,
                                         .n = ROWS,
                                         .channels = 1,
                                         .height = 1,
                                         .width = COLUMNS,
                                         .is_table = true,
                                         .labels = labels,
                                         .classes = 3,
                                         .class_names = classes,
                                         .column_names = columns};
    check_parts(path, &array);
    struct ecc_dataset *const data = open_array(&array, ECC_SPLIT_TEST, 0);
    assert_string_equal(data->name, "memory:test");
    assert_string_equal(data->source->name, "memory");
    assert_null(data->remark);
    ecc_dataset_close(data);
}

static void test_npy_table(void **state)
{
    (void)state;
    float cells[ROWS * COLUMNS];
    int32_t labels[ROWS];
    fill_table(cells, labels);
    const char *const path = testing_path("same.npy");
    check_ok(ecc_npy_write_f32(path, cells, ROWS, COLUMNS, &testing_error));
    struct ecc_array_data array = {
        .x = cells, .n = ROWS, .channels = 1, .height = 1, .width = COLUMNS, .is_table = true};
    check_parts(path, &array);
    /* double precision */
    double wide[ROWS * COLUMNS];
    for (size_t i = 0; i < ROWS * COLUMNS; i++) wide[i] = (double)cells[i];
    struct ecc_array_data doubles = array;
    doubles.x = NULL;
    doubles.cells = wide;
    check_parts(path, &doubles);

    /* the scaling of a run is used, and its column names are checked */
    double means[COLUMNS] = {1, 2, 3, 4}, deviations[COLUMNS] = {1, 2, 4, 8};
    char letters[COLUMNS][2] = {"a", "b", "c", "d"};
    char *names[COLUMNS] = {letters[0], letters[1], letters[2], letters[3]};
    const struct ecc_scaling scaling = {COLUMNS, means, deviations, names};
    const struct ecc_data_options options = {.scaling = &scaling};
    struct ecc_dataset *data;
    check_ok(ecc_dataset_from_array(&data, &array, ECC_SPLIT_ALL, &options, &testing_error));
    float x[COLUMNS];
    check_ok(ecc_dataset_read(data, x, (const uint32_t[]){0}, 1, &testing_error));
    assert_true(x[3] == (2 - 4) / 8.0F);
    ecc_dataset_close(data);
    static const char *const columns[] = {"a", "b", "x", "d"};
    array.column_names = columns;
    check_fails(ecc_dataset_from_array(&data, &array, ECC_SPLIT_ALL, &options, &testing_error),
                ECC_BAD_DATA, "'memory': column 3 is named 'x', expected 'c'");
    assert_null(data);
}

/* ---- Images --------------------------------------------------------------------------------- */

static void test_npy_images(void **state)
{
    (void)state;
    enum { CHANNELS = 3, SIZE = CHANNELS * SIDE * SIDE };
    static float pixels[ROWS * SIZE];
    for (size_t i = 0; i < ROWS * SIZE; i++) {
        pixels[i] = (float)(i * 31 % 257) / 256;
    }
    const struct ecc_array file = {.dtype = ECC_F4,
                                   .rank = 4,
                                   .shape = {ROWS, CHANNELS, SIDE, SIDE},
                                   .count = ROWS * SIZE,
                                   .data = pixels};
    const char *const path = testing_path("pictures.npy");
    check_ok(ecc_npy_write(path, &file, &testing_error));
    const struct ecc_array_data array = {
        .x = pixels, .n = ROWS, .channels = CHANNELS, .height = SIDE, .width = SIDE};
    check_parts(path, &array);
}

/* ---- Lent ----------------------------------------------------------------------------------- */

static void test_lent(void **state)
{
    (void)state;
    float cells[ROWS * COLUMNS];
    int32_t labels[ROWS];
    fill_table(cells, labels);
    const struct ecc_array_data array = {
        .x = cells, .n = ROWS, .channels = 1, .height = 1, .width = COLUMNS, .is_table = true};
    check_ok(ecc_data_lend("mine", &array, &testing_error));
    for (int split = ECC_SPLIT_TRAIN; split <= ECC_SPLIT_ALL; split++) {
        struct ecc_dataset *const data = open_file("memory:mine", split, 0);
        char name[40];
        snprintf(name, sizeof name, "memory:mine%s", parts[split]);
        assert_string_equal(data->name, name);
        check_same(data, open_array(&array, split, 0));
    }
    /* what is for files is not ignored in silence */
    struct ecc_dataset *cut;
    const struct ecc_data_options options = {.crop = 4, .size = 8, .label = "a"};
    check_ok(ecc_dataset_open(&cut, "memory:mine", &options, &testing_error));
    assert_true(cut->remark && strstr(cut->remark, "crop") && strstr(cut->remark, "size") &&
                strstr(cut->remark, "label"));
    ecc_dataset_close(cut);
    ecc_data_return("mine");
    struct ecc_array_data wrong = array;
    wrong.n = 0;
    check_fails(ecc_data_lend("mine", &wrong, &testing_error), ECC_BAD_ARGUMENT, "'memory:mine'");
    struct ecc_dataset *data;
    check_fails(ecc_dataset_open(&data, "memory:mine", NULL, &testing_error), ECC_IO, "lend it");
}

/* ---- What is wrong -------------------------------------------------------------------------- */

static void check_array_fails(const struct ecc_array_data *array, enum ecc_status status,
                              const char *words)
{
    struct ecc_dataset *data;
    check_fails(ecc_dataset_from_array(&data, array, ECC_SPLIT_TRAIN, NULL, &testing_error), status,
                words);
    assert_null(data);
}

static void test_wrong_items(void **state)
{
    (void)state;
    float x[12] = {0.5F, 1};
    struct ecc_array_data array = {
        .x = x, .n = 3, .channels = 1, .height = 2, .width = 2, .name = "mine"};
    x[5] = 1.5F;
    check_array_fails(&array, ECC_BAD_DATA,
                      "'mine': image 1 has a pixel of 1.5, expected float32 from 0 to 1");
    x[5] = NAN;
    check_array_fails(&array, ECC_BAD_DATA, "'mine': image 1 has a pixel of nan");
    array.is_table = true;
    check_array_fails(&array, ECC_BAD_ARGUMENT, "shape (3, 1, 2, 2), expected [n, 1, 1, columns]");
    array.height = 1;
    array.width = 4;
    x[5] = INFINITY;
    check_array_fails(&array, ECC_BAD_DATA,
                      "'mine': row 1, column 1 is infinite, expected a number, or NaN");
    static const char *const names[4] = {"a", "b", NULL, "d"};
    array.column_names = names;
    check_array_fails(&array, ECC_BAD_ARGUMENT, "'mine' has no name for column 2");
    array.n = 0;
    check_array_fails(&array, ECC_BAD_ARGUMENT, "each at least 1");
    array.n = SIZE_MAX / 2;
    check_array_fails(&array, ECC_NO_MEMORY, "");
    array.n = 3;
    array.x = NULL;
    check_array_fails(&array, ECC_BAD_ARGUMENT, "'mine' has no array of shape (3, 1, 1, 4)");
}

static void test_wrong_labels(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"};
    const float x[4] = {0};
    int32_t labels[4] = {0, 1, 4, 1};
    struct ecc_array_data array = {
        .x = x, .n = 4, .channels = 1, .height = 1, .width = 1, .labels = labels, .classes = 2};
    check_array_fails(&array, ECC_BAD_DATA, "'memory' has label 4, expected labels below 2");
    labels[2] = -1;
    check_array_fails(&array, ECC_BAD_DATA, "label 2 is -1, expected a whole number from 0");
    labels[2] = 0;
    array.classes = 0;
    array.class_names = names;
    check_array_fails(&array, ECC_BAD_ARGUMENT, "class names, which need labels");
    array.classes = 2;
    struct ecc_dataset *data = open_array(&array, ECC_SPLIT_ALL, 0);
    assert_string_equal(data->class_names[1], "b");
    ecc_dataset_close(data);
    static const char *const gap[] = {"a", NULL};
    array.class_names = gap;
    check_array_fails(&array, ECC_BAD_ARGUMENT, "'memory' has no name for class 1");
    array.class_names = NULL;
    array.classes = (size_t)1 << 32; /* its square is 0 */
    check_array_fails(&array, ECC_BAD_ARGUMENT, "4294967296 classes, expected at most 100000");
    array.classes = 7; /* more than there are labels of */
    data = open_array(&array, ECC_SPLIT_ALL, 0);
    assert_int_equal(data->class_count, 7);
    ecc_dataset_close(data);
}

/* Of each class its share, at least one, spread over its items; the rest of an item stays with
 * it. */
static void test_thin(void **state)
{
    (void)state;
    enum { N = 200 };
    float x[N];
    int32_t labels[N];
    double numbers[N];
    const char *const names[] = {"number"};
    for (size_t i = 0; i < N; i++) {
        x[i] = (float)i / N;
        labels[i] = i == 120 ? 2 : i % 4 == 0;
        numbers[i] = (double)i;
    }
    const struct ecc_array_data array = {.x = x,
                                         .n = N,
                                         .channels = 1,
                                         .height = 1,
                                         .width = 1,
                                         .labels = labels,
                                         .numbers = numbers,
                                         .number_count = 1,
                                         .number_names = names,
                                         .name = "thin"};
    for (size_t n = 1; n <= N + 1; n += n < 25 ? 1 : 29) {
        struct ecc_dataset *data;
        uint32_t kept[N + 1];
        size_t counts[3] = {0};
        check_ok(ecc_dataset_from_array(&data, &array, ECC_SPLIT_ALL, NULL, &testing_error));
        check_ok(ecc_dataset_thin(data, kept, n, &testing_error));
        assert_int_equal(data->count, n < N ? n : N);
        for (uint32_t i = 0; i < data->count; i++) {
            float pixel;
            check_ok(ecc_dataset_read(data, &pixel, &i, 1, &testing_error));
            assert_true(i == 0 || kept[i] > kept[i - 1]);
            assert_true(pixel == x[kept[i]] && data->numbers[i] == numbers[kept[i]]);
            assert_int_equal(data->labels[i], labels[kept[i]]);
            counts[data->labels[i]]++;
        }
        if (n >= 3) assert_int_equal(counts[2], 1);
        if (n >= 5) assert_in_range(counts[1], data->count * 49 / N - 1, data->count * 49 / N + 1);
        ecc_dataset_close(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),          cmocka_unit_test(test_npy_table),
        cmocka_unit_test(test_thin),         cmocka_unit_test(test_npy_images),
        cmocka_unit_test(test_lent),         cmocka_unit_test(test_wrong_items),
        cmocka_unit_test(test_wrong_labels),
    };
    return cmocka_run_group_tests_name("array_data", tests, NULL, NULL);
}
