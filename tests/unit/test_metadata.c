/* test_metadata.c: rows of a table found for images and other items, and what they bring. */
#include "testing.h"

#include "base/text.h"
#include "data/item_labels.h"
#include "data/metadata.h"

static const struct ecc_data_source no_source = {.name = "none"};

/* Opens text as metadata for items: paths: [count] below "dir/", or NULL. */
static struct ecc_dataset *open_items(const char *text, const char *const *paths, size_t count,
                                      const struct ecc_data_options *options, uint8_t **test)
{
    static const struct ecc_data_options none = {0};
    struct ecc_metadata metadata;
    struct ecc_data_request request = {.path = "dir", .options = options ? options : &none};
    struct ecc_dataset *const data = calloc(1, sizeof *data);
    assert_non_null(data);
    data->source = &no_source;
    data->count = count;
    data->fingerprint = 1;
    const size_t size = strlen(text);
    char *const copy = malloc(size + 1);
    memcpy(copy, text, size);
    check_ok(ecc_metadata_parse(&metadata, copy, size, "dir/m.csv", &testing_error));
    bool found = true;
    if (paths) {
        check_ok(ecc_metadata_match(&metadata, &found, data, (char *const *)paths, "dir",
                                    &testing_error));
    } else {
        check_ok(ecc_metadata_order(&metadata, data, &testing_error));
    }
    if (found) check_ok(ecc_metadata_apply(&metadata, data, &request, &testing_error));
    ecc_metadata_release(&metadata);
    if (test)
        *test = request.test;
    else
        free(request.test);
    return data;
}

static void check_labels(const struct ecc_dataset *data, const char *expected)
{
    char found[200] = "";
    for (size_t i = 0; i < data->count; i++) {
        strcat(found, data->labels[i] < 0 ? "-" : data->class_names[data->labels[i]]);
        strcat(found, i + 1 < data->count ? " " : "");
    }
    assert_string_equal(found, expected);
}

static void close_items(struct ecc_dataset *data)
{
    pthread_mutex_init(&data->lock, NULL);
    ecc_dataset_close(data);
}

static const char *const files[] = {"dir/a.png", "dir/sub/b.jpg", "dir/sub/c.v2.webp"};

/* By path, by name, by name without its ending, in any order of the rows. */
static void test_names(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "file_name,label\nsub/c.v2.webp,z\na.png,x\nsub/b.jpg,y\n",
        "label;FileName\nx;./a.png\ny;sub\\b.jpg\nz;/sub/c.v2.webp\n",
        "image\tlabel\nb.jpg\ty\nc.v2.webp\tz\na.png\tx\n",
        "id,label\nb,y\nc.v2,z\na,x\n",
        "label,whatever\ny,/far/away/b.png\nz,C:\\old\\c.v2.tif\nx,a\n",
        "note,label,more\nhello,x,a.png\nhello,y,b.jpg\nhello,z,c.v2.webp\n",
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct ecc_dataset *const data = open_items(ways[i], files, 3, NULL, NULL);
        check_labels(data, "x y z");
        close_items(data);
    }
}

/* A name that two files have is none, but their paths are; nor is a file named twice. */
static void test_ambiguous(void **state)
{
    (void)state;
    static const char *const same[] = {"dir/cats/1.png", "dir/dogs/1.png", "dir/dogs/2.png"};
    struct ecc_dataset *data =
        open_items("file,label\n1.png,x\n2.png,y\n2.png,z\n9.png,q\n", same, 3, NULL, NULL);
    check_labels(data, "- - y");
    assert_string_equal(data->remark, "2 of 3 images have no row in 'm.csv'\n"
                                      "2 rows of 'm.csv' name no image that is here\n"
                                      "1 row of 'm.csv' names an image again and was not used");
    close_items(data);
    data =
        open_items("file,label\ncats/1.png,x\ndogs/1.png,y\ndogs/2.png,z\n", same, 3, NULL, NULL);
    check_labels(data, "x y z");
    assert_null(data->remark);
    close_items(data);
    data = open_items("file,label\nfar.png,x\n", same, 3, NULL, NULL);
    assert_null(data->labels);
    close_items(data);
}

static void test_columns(void **state)
{
    (void)state;
    struct ecc_dataset *const data = open_items("path,age,happy,male,tall,note,score\n"
                                                "a.png,30.5,yes,1,NA,one,-1\n"
                                                "b.jpg,,no,-1,1,two,1\n"
                                                "c.v2.webp,1e2,YES,1,0,three,7\n",
                                                files, 3, NULL, NULL);
    assert_null(data->labels);
    assert_int_equal(data->attribute_count, 2);
    assert_string_equal(data->attribute_names[0], "happy");
    assert_string_equal(data->attribute_names[1], "male");
    assert_memory_equal(data->attributes, ((uint8_t[]){1, 1, 0, 0, 1, 1}), 6);
    assert_int_equal(data->number_count, 3);
    assert_string_equal(data->number_names[0], "age");
    assert_string_equal(data->number_names[1], "tall"); /* a gap: not an attribute */
    assert_string_equal(data->number_names[2], "score");
    const double *const x = data->numbers;
    assert_true(x[0] == 30.5 && isnan(x[1]) && x[2] == -1);
    assert_true(isnan(x[3]) && x[4] == 1 && x[5] == 1 && x[6] == 100 && x[7] == 0 && x[8] == 7);
    assert_non_null(strstr(data->remark,
                           "1 column of 'm.csv' holds more than 40 different words, or none twice, "
                           "and is not used (--label NAME makes one the labels): 'note'"));
    assert_int_equal(data->word_count, 0);
    close_items(data);
}

/* A few different words are kept, sorted, with gaps; more than 40, or all different, are not. */
static void test_words(void **state)
{
    (void)state;
    enum { ROWS = 84 };
    char text[4000] = "index,town,forty,more,empty\n";
    for (int i = 0; i < ROWS; i++) {
        static const char *const towns[] = {"Ulm", "", "Bonn", "n/a"};
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%s,w%02d,w%02d,\n", i,
                 towns[i % 4], i % 40, i % 41);
    }
    struct ecc_dataset *const data = open_items(text, NULL, ROWS, NULL, NULL);
    assert_int_equal(data->word_count, 2);
    assert_string_equal(data->words[0].name, "town");
    assert_int_equal(data->words[0].level_count, 2);
    assert_string_equal(data->words[0].levels[0], "Bonn");
    assert_string_equal(data->words[0].levels[1], "Ulm");
    assert_memory_equal(data->words[0].of, ((uint8_t[]){1, 255, 0, 255, 1}), 5);
    assert_string_equal(data->words[1].name, "forty");
    assert_int_equal(data->words[1].level_count, 40);
    for (int i = 0; i < ROWS; i++) assert_int_equal(data->words[1].of[i], i % 40);
    assert_string_equal(data->remark,
                        "2 columns of words are known of the items (--label NAME makes one the "
                        "labels): 'town', 'forty'\n"
                        "2 columns of 'm.csv' hold more than 40 different words, or none twice, "
                        "and are not used: 'more', 'empty'");
    close_items(data);
}

static void test_label(void **state)
{
    (void)state;
    static const char *const text = "path,kind,target\na.png,dog,1.5\nb.jpg,,2\nc.v2.webp,cat,3\n";
    struct ecc_dataset *data = open_items(text, files, 3, NULL, NULL);
    assert_true(!data->labels && data->number_count == 1); /* fractions are not classes */
    assert_string_equal(data->number_names[0], "target");
    close_items(data);
    data = open_items(text, files, 3, &(struct ecc_data_options){.label = "KIND"}, NULL);
    check_labels(data, "dog - cat");
    close_items(data);
    data = open_items(text, files, 3, &(struct ecc_data_options){.label = "none"}, NULL);
    assert_null(data->labels);
    close_items(data);
}

static void test_parts(void **state)
{
    (void)state;
    uint8_t *test;
    struct ecc_dataset *const data =
        open_items("path,split\na.png,train\nb.jpg,Test\nc.v2.webp,val\n", files, 3, NULL, &test);
    assert_memory_equal(test, ((uint8_t[]){0, 1, 0}), 3);
    assert_true(data->fingerprint != 1); /* the parts are part of what the data is */
    free(test);
    close_items(data);
}

static void test_order(void **state)
{
    (void)state;
    struct ecc_dataset *data = open_items("class\nx\ny\nz\n", NULL, 3, NULL, NULL);
    check_labels(data, "x y z");
    close_items(data);
    data = open_items("index,class\n2,z\n0,x\n1,y\n", NULL, 3, NULL, NULL);
    check_labels(data, "x y z");
    close_items(data);
    data = open_items("class,ID\nz,3\nx,1\n", NULL, 3, NULL, NULL); /* from 1, one missing */
    check_labels(data, "x - z");
    assert_string_equal(data->remark, "1 of 3 items has no row in 'dir/m.csv'");
    close_items(data);
    data = open_items("id,class\n70,x\n80,y\n90,z\n", NULL, 3, NULL, NULL); /* does not count */
    check_labels(data, "x y z");
    assert_true(data->number_count == 1 && data->numbers[2] == 90);
    close_items(data);
}

static void test_wrong(void **state)
{
    (void)state;
    struct ecc_metadata metadata;
    struct ecc_dataset data = {.count = 4};
    char *text = strdup("class\nx\ny\n");
    check_ok(ecc_metadata_parse(&metadata, text, strlen(text), "m.csv", &testing_error));
    check_fails(ecc_metadata_order(&metadata, &data, &testing_error), ECC_BAD_DATA,
                "'m.csv' has 2 rows, but there are 4 items");
    ecc_metadata_release(&metadata);
    text = strdup("a,b\n1,2\n1,2,3\n");
    check_fails(ecc_metadata_parse(&metadata, text, strlen(text), "m.csv", &testing_error),
                ECC_BAD_DATA, "line 3 has 3 cells");
    ecc_metadata_release(&metadata);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),   cmocka_unit_test(test_ambiguous),
        cmocka_unit_test(test_columns), cmocka_unit_test(test_words),
        cmocka_unit_test(test_label),   cmocka_unit_test(test_parts),
        cmocka_unit_test(test_order),   cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests_name("metadata", tests, NULL, NULL);
}
