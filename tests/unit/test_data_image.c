/* test_data_image.c: folders of images and CelebA: decoding, cutting, resizing, labels, the cache;
 * and what is wrong with files. */
#include "testing.h"

#include "data/dataset.h"
#include "data/resize.h"

#include <png.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Folders made by hand ------------------------------------------------------------------- */

static char *folder(const char *name)
{
    char *const path = strdup(testing_path(name));
    mkdir(path, 0777);
    return path;
}

/* A PNG whose pixel (y, x) of channel c is (seed + 10 y + x + 50 c). */
static void write_png(const char *directory, const char *name, size_t width, size_t height,
                      size_t channels, unsigned seed)
{
    uint8_t pixels[64 * 64 * 3];
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            for (size_t c = 0; c < channels; c++) {
                pixels[(y * width + x) * channels + c] = (uint8_t)(seed + 10 * y + x + 50 * c);
            }
        }
    }
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)width,
                     .height = (png_uint_32)height,
                     .format = channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY};
    char path[400];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    assert_true(png_image_write_to_file(&png, path, 0, pixels, 0, NULL));
}

static void write_text(const char *directory, const char *name, const char *text)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static struct ecc_dataset *open_all(const char *path, const struct ecc_data_options *options)
{
    char what[400];
    struct ecc_dataset *data;
    snprintf(what, sizeof what, "%s:all", path);
    check_ok(ecc_dataset_open(&data, what, options, &testing_error));
    return data;
}

static void check_open_fails(const char *path, const struct ecc_data_options *options,
                             const char *words)
{
    struct ecc_dataset *data;
    check_fails(ecc_dataset_open(&data, path, options, &testing_error), ECC_BAD_DATA, words);
}

static void read_one(struct ecc_dataset *data, float *x, uint32_t item)
{
    check_ok(ecc_dataset_read(data, x, &item, 1, &testing_error));
}

/* ---- Resizing ------------------------------------------------------------------------------- */

/* The definition, without regard to speed: every new pixel is the mean of all old ones, weighted by
 * the triangle around its middle. */
static double reference_pixel(const uint8_t *in, size_t from, size_t to, size_t row, size_t column)
{
    const double scale = (double)from / (double)to, reach = scale > 1 ? scale : 1;
    double sum = 0, weights = 0;
    for (size_t y = 0; y < from; y++) {
        for (size_t x = 0; x < from; x++) {
            const double dy = fabs(((double)y + 0.5 - ((double)row + 0.5) * scale) / reach);
            const double dx = fabs(((double)x + 0.5 - ((double)column + 0.5) * scale) / reach);
            const double weight = dx < 1 && dy < 1 ? (1 - dx) * (1 - dy) : 0;
            sum += weight * in[y * from + x];
            weights += weight;
        }
    }
    return sum / weights;
}

static void test_resize(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{70, 64}, {140, 64}, {64, 64}, {9, 4},
                                      {3, 8},   {1, 3},    {50, 1}};
    uint8_t in[140 * 140], out[64 * 64];
    for (size_t i = 0; i < sizeof in; i++) {
        in[i] = (uint8_t)(i * i % 251);
    }
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const size_t from = sizes[k][0], to = sizes[k][1];
        struct ecc_resize resize;
        check_ok(ecc_resize_init(&resize, from, to, 1, &testing_error));
        ecc_resize_run(&resize, out, in, from);
        ecc_resize_release(&resize);
        for (size_t i = 0; i < to * to; i += 7) {
            check_absolute(out[i], reference_pixel(in, from, to, i / to, i % to), 0.51, "pixel");
        }
    }
}

/* ---- Folders -------------------------------------------------------------------------------- */

static void test_flat(void **state)
{
    (void)state;
    char *const path = folder("flat");
    write_png(path, "b.png", 6, 4, 1, 100);
    write_png(path, "a.png", 6, 4, 1, 0);
    write_text(path, "notes.txt", "no image");
    write_text(path, ".hidden", "not even looked at");
    struct ecc_dataset *const data = open_all(path, NULL);
    assert_true(data->count == 2 && data->shape.channels == 1);
    assert_true(data->shape.height == 4 && data->shape.width == 6);
    assert_null(data->labels);
    assert_non_null(strstr(data->remark, "notes.txt"));
    float x[24];
    read_one(data, x, 1);
    assert_true(x[0] == 100 / 255.0F && x[6] == 110 / 255.0F && x[23] == 135 / 255.0F);
    ecc_dataset_close(data);
    free(path);
}

static void test_classes_and_crop(void **state)
{
    (void)state;
    char *const root = folder("classes"), *const cats = folder("classes/cats");
    char *const dogs = folder("classes/dogs");
    write_png(cats, "1.png", 8, 6, 1, 0);
    write_png(dogs, "1.png", 8, 6, 3, 7);  /* one has colour: all are read as colour */
    write_png(dogs, "2.jpeg", 8, 6, 1, 9); /* a PNG, whatever its name says */
    struct ecc_dataset *data = open_all(root, &(struct ecc_data_options){.crop = 2});
    assert_true(data->count == 3 && data->class_count == 2 && data->shape.channels == 3);
    assert_string_equal(data->class_names[1], "dogs");
    assert_true(data->labels[0] == 0 && data->labels[1] == 1 && data->labels[2] == 1);
    float x[12];
    read_one(data, x, 0); /* rows 2-3, columns 3-4 */
    assert_true(x[0] == 23 / 255.0F && x[3] == 34 / 255.0F && x[4] == x[0]);
    read_one(data, x, 1);
    assert_true(x[0] == 30 / 255.0F && x[4] == 80 / 255.0F && x[8] == 130 / 255.0F);
    ecc_dataset_close(data);
    check_open_fails(root, &(struct ecc_data_options){.crop = 7}, "smaller than the crop of 7");
    free(root), free(cats), free(dogs);
}

/* A subfolder without images is not a class, and does not hide the images beside it. */
static void test_empty_subfolders(void **state)
{
    (void)state;
    char *const flat = folder("beside"), *const empty = folder("beside/empty");
    char *const junk = folder("beside/junk"), *const root = folder("some");
    char *const full = folder("some/a"), *const none = folder("some/b"),
                *const last = folder("some/c");
    write_png(flat, "1.png", 6, 4, 1, 0);
    write_png(flat, "2.png", 6, 4, 1, 9);
    write_text(junk, "notes.txt", "no image");
    struct ecc_dataset *data = open_all(flat, NULL);
    assert_true(data->count == 2 && data->class_count == 0 && !data->labels);
    assert_non_null(strstr(data->remark, "2 folders were left out: 'empty', 'junk'"));
    ecc_dataset_close(data);
    write_png(full, "1.png", 6, 4, 1, 0);
    write_png(last, "1.png", 6, 4, 1, 9);
    write_text(none, "notes.txt", "no image");
    data = open_all(root, NULL);
    assert_true(data->count == 2 && data->class_count == 2);
    assert_true(data->labels[0] == 0 && data->labels[1] == 1);
    assert_string_equal(data->class_names[1], "c");
    assert_non_null(strstr(data->remark, "1 subfolder has no images: 'b'"));
    ecc_dataset_close(data);
    free(flat), free(empty), free(junk), free(root), free(full), free(none), free(last);
}

static void test_parts(void **state)
{
    (void)state;
    static const char *const names[] = {"parts",         "parts/train",   "parts/test",
                                        "parts/train/x", "parts/train/y", "parts/test/y"};
    char *paths[6];
    for (size_t i = 0; i < 6; i++) {
        paths[i] = folder(names[i]);
        if (i >= 3) write_png(paths[i], "1.png", 3, 3, 1, (unsigned)i);
    }
    struct ecc_dataset *data;
    char what[320];
    snprintf(what, sizeof what, "%s:test", paths[0]);
    check_ok(ecc_dataset_open(&data, what, NULL, &testing_error));
    assert_true(data->count == 1 && data->class_count == 2 && data->labels[0] == 1);
    float x[9];
    read_one(data, x, 0);
    assert_true(x[0] == 5 / 255.0F);
    ecc_dataset_close(data);
    for (size_t i = 0; i < 6; i++) {
        free(paths[i]);
    }
}

/* A cache too small for all items, or for any, changes only the time. */
static void test_cache(void **state)
{
    (void)state;
    char *const path = folder("cached");
    for (unsigned i = 0; i < 12; i++) {
        char name[20];
        snprintf(name, sizeof name, "%02u.png", i);
        write_png(path, name, 10 + i % 3, 9, i % 2 ? 3 : 1, 5 * i);
    }
    const size_t bytes[] = {0, 1, 3 * 49 * 4};
    float first[12 * 147], x[12 * 147];
    const uint32_t items[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 11, 0};
    for (size_t k = 0; k < 3; k++) {
        struct ecc_dataset *const data =
            open_all(path, &(struct ecc_data_options){.size = 7, .cache_bytes = bytes[k]});
        for (int epoch = 0; epoch < 2; epoch++) {
            check_ok(ecc_dataset_read(data, x, items, 12, &testing_error));
            if (k == 0 && epoch == 0) memcpy(first, x, sizeof first);
            assert_memory_equal(first, x, sizeof first);
        }
        ecc_dataset_close(data);
    }
    free(path);
}

static void test_folder_wrong(void **state)
{
    (void)state;
    char *const empty = folder("empty"), *const mixed = folder("mixed"), *const bad = folder("bad");
    check_open_fails(empty, NULL, "empty' has no PNG, JPEG or WebP images");
    write_text(empty, "a.txt", "words");
    check_open_fails(empty, NULL, "has no PNG, JPEG or WebP images");
    write_png(mixed, "a.png", 4, 4, 1, 0);
    write_png(mixed, "b.png", 4, 4, 1, 0);
    write_png(mixed, "c.png", 5, 4, 1, 0);
    check_open_fails(mixed, NULL, "a.png' is 4 x 4");
    assert_non_null(strstr(testing_error.text, "c.png' is 5 x 4"));
    write_text(bad, "a.png", "words");
    check_open_fails(bad, NULL, "a.png' has the name of an image but is not a PNG, JPEG or WebP");
    write_text(bad, "a.png", "");
    check_open_fails(bad, NULL, "a.png' has the name of an image but is not a PNG, JPEG or WebP");
    write_text(bad, "a.png", "\xff\xd8\xff\xe0 cut off");
    check_open_fails(bad, NULL, "cannot read the JPEG file");
    assert_non_null(strstr(testing_error.text, "a.png':"));
    free(empty), free(mixed), free(bad);
}

/* ---- Broken images -------------------------------------------------------------------------- */

static long file_size(const char *path)
{
    struct stat information;
    assert_int_equal(stat(path, &information), 0);
    return (long)information.st_size;
}

/* Files that end early, words in place of an image: left out, and the rest is as without them. */
static void test_left_out(void **state)
{
    (void)state;
    char *const path = folder("cut");
    char file[300];
    write_png(path, "a.png", 40, 40, 3, 3);
    write_png(path, "b.png", 40, 40, 3, 3);
    write_png(path, "c.png", 40, 40, 3, 99);
    write_text(path, "d.jpg", "words");
    write_text(path, "e.webp", "");
    write_text(path, "f.PNG", "\x89PNG\r\n\x1a\n");
    snprintf(file, sizeof file, "%s/b.png", path);
    assert_int_equal(truncate(file, file_size(file) - 30), 0);
    struct ecc_dataset *const data = open_all(path, NULL);
    assert_int_equal(data->count, 2);
    assert_string_equal(data->remark,
                        "4 images cannot be read and were left out (--strict stops instead): "
                        "'b.png', 'd.jpg', 'e.webp' and 1 more");
    float x[40 * 40 * 3];
    read_one(data, x, 1);
    assert_true(x[0] == 99 / 255.0F);
    snprintf(file, sizeof file, "%s/a.png", path);
    unlink(file);
    check_fails(ecc_dataset_read(data, x, (const uint32_t[]){0}, 1, &testing_error), ECC_IO,
                "a.png");
    ecc_dataset_close(data);
    check_open_fails(path, &(struct ecc_data_options){.strict = true}, "cannot read the PNG file");
    assert_non_null(strstr(testing_error.text, "b.png':"));
    free(path);
}

/* Bytes after the end do no harm: such a file is whole. */
static void test_bytes_after_the_end(void **state)
{
    (void)state;
    char *const path = folder("longer");
    char file[300];
    write_png(path, "a.png", 8, 8, 1, 3);
    snprintf(file, sizeof file, "%s/a.png", path);
    FILE *const stream = fopen(file, "ab");
    fputs("a note of the camera's maker", stream);
    fclose(stream);
    struct ecc_dataset *const data = open_all(path, &(struct ecc_data_options){.strict = true});
    assert_true(data->count == 1 && !data->remark);
    ecc_dataset_close(data);
    free(path);
}

/* Overwrites bytes in the middle of a file. */
static void damage(const char *path, long at)
{
    FILE *const stream = fopen(path, "r+b");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, at, SEEK_SET), 0);
    fputs("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", stream);
    fclose(stream);
}

/* Start and end are good, something between is not: this shows only when the item is read. */
static void test_damaged_inside(void **state)
{
    (void)state;
    char *const path = folder("damaged");
    char file[300], text[ECC_DAMAGE_TEXT];
    uint8_t noise[64 * 64];
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)(i * i * 2654435761U >> 7);
    png_image png = {
        .version = PNG_IMAGE_VERSION, .width = 64, .height = 64, .format = PNG_FORMAT_GRAY};
    for (int i = 0; i < 2; i++) {
        snprintf(file, sizeof file, "%s/%d.png", path, i);
        assert_true(png_image_write_to_file(&png, file, 0, noise, 0, NULL));
    }
    damage(file, file_size(file) / 2);
    struct ecc_dataset *data = open_all(path, &(struct ecc_data_options){.cache_bytes = 1});
    assert_true(data->count == 2 && !data->remark);
    float good[64 * 64], x[64 * 64];
    read_one(data, good, 0);
    assert_string_equal(ecc_dataset_damage(text, data), "");
    for (int i = 0; i < 2; i++) read_one(data, x, 1); /* twice, counted once */
    assert_string_equal(ecc_dataset_damage(text, data),
                        "1 image is damaged inside and was read as far as possible, with grey in "
                        "place of the rest (--strict stops instead): '1.png'");
    assert_memory_equal(x, good, 64 * 4 * sizeof *x); /* the first rows at least */
    assert_true(x[64 * 64 - 1] == 128 / 255.0F);
    ecc_dataset_close(data);
    data = open_all(path, &(struct ecc_data_options){.strict = true});
    check_fails(ecc_dataset_read(data, x, (const uint32_t[]){1}, 1, &testing_error), ECC_BAD_DATA,
                "cannot read the PNG file");
    assert_non_null(strstr(testing_error.text, "1.png':"));
    ecc_dataset_close(data);
    free(path);
}

/* ---- CelebA --------------------------------------------------------------------------------- */

/* The head of list_attr_celeba.txt, then `rows`, each giving a line's name and the first attribute;
 * the others are -1. */
static void write_attributes(const char *directory, const char *head, size_t names,
                             const char *const *rows)
{
    char text[20000], *end = text;
    end += sprintf(end, "%s\n", head);
    for (size_t i = 0; i < names; i++) {
        end += sprintf(end, "Attribute%zu ", i);
    }
    end += sprintf(end, "\n");
    for (; *rows; rows++) {
        end += sprintf(end, "%s", *rows);
        for (size_t i = 1; i < 40; i++) {
            end += sprintf(end, " -1");
        }
        end += sprintf(end, "\r\n");
    }
    write_text(directory, "list_attr_celeba.txt", text);
}

static void test_celeba(void **state)
{
    (void)state;
    char *const root = folder("faces"), *const img = folder("faces/img");
    static const char *const rows[] = {"3.png  1", "1.png -1", "9.png 1", "2.png 1", NULL};
    for (unsigned i = 1; i <= 4; i++) { /* 4 is not listed, 9 does not exist */
        char name[20];
        snprintf(name, sizeof name, "%u.png", i);
        write_png(img, name, 45, 55, 3, i);
    }
    write_attributes(root, "202599", 40, rows);
    struct ecc_dataset *data = open_all(root, NULL);
    assert_true(data->count == 3 && data->attribute_count == 40);
    assert_true(data->shape.height == 64 && data->shape.width == 64 && data->shape.channels == 3);
    assert_true(data->attributes[0] == 0 && data->attributes[40] == 1 && data->attributes[80] == 1);
    assert_string_equal(data->attribute_names[39], "Attribute39");
    assert_non_null(strstr(data->remark, "announces 202599 rows, but there are 4"));
    assert_non_null(strstr(data->remark, "3 of the 4 listed images"));
    assert_non_null(strstr(data->remark, "left out: 1 file not in"));
    ecc_dataset_close(data);
    char what[320];
    snprintf(what, sizeof what, "%s:test", root); /* the last by name */
    check_ok(ecc_dataset_open(&data, what, NULL, &testing_error));
    assert_int_equal(data->count, 1);
    ecc_dataset_close(data);
    write_text(root, "list_eval_partition.txt", "1.png 2\n2.png 0\n3.png 2\n");
    check_ok(ecc_dataset_open(&data, what, NULL, &testing_error));
    assert_true(data->count == 2 && data->attributes[0] == 0 && data->attributes[40] == 1);
    ecc_dataset_close(data);
    write_text(img, "1.png", "words"); /* the first cannot be read: the others are cut as ever */
    data = open_all(root, NULL);
    assert_true(data->count == 2 && data->attributes[0] == 1);
    assert_non_null(strstr(data->remark, "1 image cannot be read and was left out"));
    ecc_dataset_close(data);
    write_text(root, "list_eval_partition.txt", "1.png 2\n2.png 5\n");
    check_open_fails(root, NULL, "list_eval_partition.txt', line 2: found '5'");
    write_attributes(root, "4", 39, rows);
    check_open_fails(root, NULL, "line 2: expected the names of 40 attributes");
    static const char *const wrong[] = {"3.png 1", "1.png 7", NULL};
    write_attributes(root, "4", 40, wrong);
    check_open_fails(root, NULL, "line 4: found '7', expected -1");
    static const char *const none[] = {"8.png 1", NULL};
    write_attributes(root, "1", 40, none);
    check_open_fails(root, NULL, "none of the images");
    free(root), free(img);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resize),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_classes_and_crop),
        cmocka_unit_test(test_empty_subfolders),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_folder_wrong),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_bytes_after_the_end),
        cmocka_unit_test(test_damaged_inside),
        cmocka_unit_test(test_celeba),
    };
    return cmocka_run_group_tests_name("data_image", tests, NULL, NULL);
}
