/* test_data.c: data sets from idx, npy and npz files: their parts, labels and values; and every way
 * in which the files can be wrong. */
#include "testing.h"

#include "base/npy.h"
#include "data/dataset.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- Files made by hand --------------------------------------------------------------------- */

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *const stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    fclose(stream);
}

static void write_gzip(const char *path, const void *bytes, size_t size)
{
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, (unsigned)size), size);
    gzclose(file);
}

static void join(char out[300], const char *directory, const char *name)
{
    snprintf(out, 300, "%s/%s", directory, name);
}

struct idx_bytes {
    unsigned char bytes[4096];
    size_t size;
};

static struct idx_bytes make_idx(size_t rank, const size_t *shape, unsigned first)
{
    struct idx_bytes file = {{0, 0, 8, (unsigned char)rank}, 4};
    size_t total = 1;
    for (size_t i = 0; i < rank; i++) {
        total *= shape[i];
        for (int shift = 24; shift >= 0; shift -= 8) {
            file.bytes[file.size++] = (unsigned char)(shape[i] >> shift);
        }
    }
    for (size_t i = 0; i < total; i++) {
        file.bytes[file.size++] = (unsigned char)(first + i);
    }
    return file;
}

/* A directory of four idx files: `train` images of 2 x 3 and 2 for testing.  Returns its path. */
static const char *make_set(const char *name, size_t train, bool gzipped)
{
    static char directory[300];
    char path[300];
    snprintf(directory, sizeof directory, "%s", testing_path(name));
    mkdir(directory, 0777);
    const size_t counts[2] = {train, 2};
    const char *const parts[2] = {"train", "t10k"};
    for (size_t p = 0; p < 2; p++) {
        const struct idx_bytes images =
            make_idx(3, (const size_t[]){counts[p], 2, 3}, (unsigned)(100 * p));
        const struct idx_bytes labels = make_idx(1, &counts[p], (unsigned)p);
        char file[60];
        snprintf(file, sizeof file, "%s-images-idx3-ubyte%s", parts[p], gzipped ? ".gz" : "");
        join(path, directory, file);
        (gzipped ? write_gzip : write_bytes)(path, images.bytes, images.size);
        snprintf(file, sizeof file, "%s-labels%cidx1-ubyte", parts[p], gzipped ? '.' : '-');
        join(path, directory, file);
        write_bytes(path, labels.bytes, labels.size);
    }
    return directory;
}

static struct ecc_dataset *open_part(const char *path, const char *part,
                                     const struct ecc_data_options *options)
{
    char what[400];
    struct ecc_dataset *data;
    snprintf(what, sizeof what, "%s%s%s", path, *part ? ":" : "", part);
    check_ok(ecc_dataset_open(&data, what, options, &testing_error));
    return data;
}

static void check_open_fails(const char *path, enum ecc_status status, const char *words)
{
    struct ecc_dataset *data;
    check_fails(ecc_dataset_open(&data, path, NULL, &testing_error), status, words);
    assert_null(data);
}

/* ---- idx ------------------------------------------------------------------------------------ */

static void test_idx_parts(void **state)
{
    (void)state;
    for (int gzipped = 0; gzipped < 2; gzipped++) {
        const char *const path = make_set(gzipped ? "set_gz" : "set", 5, gzipped);
        struct ecc_dataset *data = open_part(path, "", NULL);
        assert_int_equal(data->count, 5);
        assert_int_equal(data->shape.height * 10 + data->shape.width, 23);
        assert_int_equal(data->class_count, 5);
        float x[12];
        check_ok(ecc_dataset_read(data, x, (const uint32_t[]){4, 0}, 2, &testing_error));
        assert_true(x[0] == 24 / 255.0F && x[5] == 29 / 255.0F && x[6] == 0);
        assert_int_equal(data->labels[4], 4);
        ecc_dataset_close(data);

        data = open_part(path, "test", NULL);
        assert_int_equal(data->count, 2);
        check_ok(ecc_dataset_read(data, x, (const uint32_t[]){1}, 1, &testing_error));
        assert_true(x[0] == 106 / 255.0F && data->labels[1] == 2);
        ecc_dataset_close(data);

        data = open_part(path, "all", &(struct ecc_data_options){.items = 6});
        assert_int_equal(data->count, 6);
        check_ok(ecc_dataset_read(data, x, (const uint32_t[]){5}, 1, &testing_error));
        assert_true(x[0] == 100 / 255.0F && data->labels[5] == 1);
        check_fails(ecc_dataset_read(data, x, (const uint32_t[]){6}, 1, &testing_error),
                    ECC_BAD_ARGUMENT, "item 6 does not exist");
        ecc_dataset_close(data);
    }
}

/* Spoils one file of a fresh set and checks the message. */
static void check_spoilt(const char *name, const char *file, const void *bytes, size_t size,
                         const char *words)
{
    char path[300], what[320];
    const char *const directory = make_set(name, 5, false);
    join(path, directory, file);
    write_bytes(path, bytes, size);
    snprintf(what, sizeof what, "%s:all", directory);
    check_open_fails(what, ECC_BAD_DATA, words);
    assert_non_null(strstr(testing_error.text, file));
}

static void test_idx_wrong(void **state)
{
    (void)state;
    const struct idx_bytes good = make_idx(3, (const size_t[]){5, 2, 3}, 0);
    unsigned char changed[4096];
    const char *const images = "train-images-idx3-ubyte";
    check_spoilt("w1", images, "", 0, "has 0 bytes");
    check_spoilt("w2", images, good.bytes, 9, "truncated in its header: 9 bytes of 16");
    check_spoilt("w3", images, good.bytes, good.size - 1, "there are 29 bytes");
    memcpy(changed, good.bytes, good.size);
    changed[good.size] = 0;
    check_spoilt("w4", images, changed, good.size + 1, "is too long");
    changed[2] = 0x0d;
    check_spoilt("w5", images, changed, good.size, "byte 2");
    check_spoilt("w6", images, "PK\3\4, not what you think", 20, "is not an idx file");
    memset(changed, 0xff, 40);
    memcpy(changed, good.bytes, 4);
    check_spoilt("w7", images, changed, 40, "truncated");
    const struct idx_bytes labels = make_idx(1, (const size_t[]){4}, 0);
    check_spoilt("w8", "train-labels-idx1-ubyte", labels.bytes, labels.size,
                 "4 labels, but there are 5 images");
    check_spoilt("w9", images, labels.bytes, labels.size, "does not hold images");
    const struct idx_bytes wide = make_idx(3, (const size_t[]){2, 2, 4}, 0);
    check_spoilt("w10", "t10k-images-idx3-ubyte", wide.bytes, wide.size, "different sizes");
    const struct idx_bytes none = make_idx(3, (const size_t[]){0, 2, 4}, 0);
    check_spoilt("w11", images, none.bytes, none.size, "does not hold images");
    const struct idx_bytes table = make_idx(3, (const size_t[]){5, 1, 1}, 0);
    check_spoilt("w12", "train-labels-idx1-ubyte", table.bytes, table.size,
                 "does not hold labels: it has 3 dimensions, expected 1");
    for (unsigned char rank = 0; rank < 6; rank += 5) {
        memcpy(changed, good.bytes, good.size);
        changed[3] = rank;
        check_spoilt(rank ? "w13" : "w14", images, changed, good.size,
                     "the number of dimensions, is");
    }
    memcpy(changed, good.bytes, good.size);
    changed[1] = 1;
    check_spoilt("w15", images, changed, good.size, "it starts with bytes 00 01");
}

/* Small packed, large unpacked: it is not unpacked beyond what its header announces. */
static void test_idx_bomb(void **state)
{
    (void)state;
    enum { SIZE = 1 << 24 };
    unsigned char *const bytes = calloc(1, SIZE);
    const struct idx_bytes small = make_idx(3, (const size_t[]){80, 4, 4}, 0);
    memcpy(bytes, small.bytes, small.size);
    char path[300], what[320];
    const char *const directory = make_set("bomb", 5, true);
    join(path, directory, "train-images-idx3-ubyte.gz");
    write_gzip(path, bytes, SIZE);
    snprintf(what, sizeof what, "%s:all", directory);
    check_open_fails(what, ECC_BAD_DATA, "announces 1296 bytes, and more follow");
    free(bytes);
}

static void test_idx_gzip_wrong(void **state)
{
    (void)state;
    unsigned char packed[4096];
    char path[300];
    const char *const directory = make_set("set_packed", 5, true);
    join(path, directory, "train-images-idx3-ubyte.gz");
    FILE *const stream = fopen(path, "rb");
    const size_t size = fread(packed, 1, sizeof packed, stream);
    fclose(stream);
    write_bytes(path, packed, size - 10);
    check_open_fails(directory, ECC_BAD_DATA, "train-images-idx3-ubyte.gz' is truncated");
    packed[size - 6] ^= 1;
    write_bytes(path, packed, size);
    check_open_fails(directory, ECC_BAD_DATA, "corrupt near packed byte");
    unlink(path);
    check_open_fails(directory, ECC_BAD_DATA, "has no training images");
}

static void test_idx_names(void **state)
{
    (void)state;
    char path[300];
    const char *const directory = make_set("set_names", 5, false);
    const struct idx_bytes other = make_idx(3, (const size_t[]){1, 2, 3}, 0);
    join(path, directory, "train-images-idx3-ubyte.gz"); /* the raw one is taken */
    write_bytes(path, "not looked at", 13);
    ecc_dataset_close(open_part(directory, "", NULL));
    join(path, directory, "letters-train-images.idx3-ubyte");
    write_bytes(path, other.bytes, other.size);
    check_open_fails(directory, ECC_BAD_DATA, "keep each set");
    join(path, directory, "train-images-idx3-ubyte.gz");
    unlink(path);
    join(path, directory, "train-images-idx3-ubyte");
    unlink(path);
    join(path, directory, "train-labels-idx1-ubyte");
    unlink(path);
    struct ecc_dataset *const data = open_part(directory, "all", NULL);
    assert_int_equal(data->count, 3);
    assert_null(data->labels); /* there are none for the letters */
    assert_non_null(strstr(data->remark, "labels"));
    ecc_dataset_close(data);
}

/* ---- Names and splits ----------------------------------------------------------------------- */

static void test_names(void **state)
{
    (void)state;
    char root[300], where[400];
    snprintf(root, sizeof root, "%s", testing_path("named"));
    mkdir(root, 0777);
    setenv("ECCENTRIC_DATA", root, 1);
    setenv("HOME", root, 1);
    check_open_fails("mnist", ECC_IO, "scripts/get_data.sh mnist");
    check_open_fails("celeba:test", ECC_IO, "list_attr_celeba.txt");
    make_set("named/mnist", 4, false);
    struct ecc_dataset *data;
    check_ok(ecc_dataset_open(&data, "mnist:test", NULL, &testing_error));
    assert_int_equal(data->count, 2);
    assert_string_equal(data->name, "mnist:test");
    ecc_dataset_close(data);
    check_open_fails("mnist:tset", ECC_BAD_ARGUMENT, "'tset', expected train, test or all");
    check_open_fails("absent:tset", ECC_IO, "cannot open 'absent:tset'");
    snprintf(where, sizeof where, "%s/a:test", root); /* a path may have a colon */
    mkdir(where, 0777);
    check_open_fails(where, ECC_BAD_DATA, "has no PNG, JPEG or WebP");
}

/* ---- npy and npz ---------------------------------------------------------------------------- */

static const char *save_array(const char *name, enum ecc_dtype dtype, size_t rank,
                              const size_t *shape, const void *items)
{
    struct ecc_array array = {.dtype = dtype, .rank = rank, .count = 1, .data = (void *)items};
    for (size_t i = 0; i < rank; i++) {
        array.shape[i] = shape[i];
        array.count *= shape[i];
    }
    const char *const path = testing_path(name);
    check_ok(ecc_npy_write(path, &array, &testing_error));
    return path;
}

/* Item 1 of a file, of any part. */
static struct ecc_dataset *read_second(float *x, const char *path, size_t c, size_t h, size_t w)
{
    struct ecc_dataset *const data = open_part(path, "all", NULL);
    assert_int_equal(data->shape.channels, c);
    assert_int_equal(data->shape.height, h);
    assert_int_equal(data->shape.width, w);
    check_ok(ecc_dataset_read(data, x, (const uint32_t[]){1}, 1, &testing_error));
    return data;
}

static void test_npy_images(void **state)
{
    (void)state;
    uint8_t bytes[2 * 5 * 6 * 3];
    int64_t whole[2 * 5 * 6 * 3];
    float pixels[2 * 5 * 6 * 3], x[90];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)i;
        whole[i] = (int64_t)i;
        pixels[i] = (float)i / 255.0F;
    }
    const size_t grey[] = {6, 5, 6}, last[] = {2, 5, 6, 3}, first[] = {2, 3, 5, 6};
    ecc_dataset_close(read_second(x, save_array("g.npy", ECC_U1, 3, grey, bytes), 1, 5, 6));
    assert_true(x[0] == 30 / 255.0F && x[29] == 59 / 255.0F);
    const enum ecc_dtype dtypes[] = {ECC_U1, ECC_I8, ECC_F4};
    const void *const items[] = {bytes, whole, pixels};
    for (size_t k = 0; k < 3; k++) {
        ecc_dataset_close(
            read_second(x, save_array("l.npy", dtypes[k], 4, last, items[k]), 3, 5, 6));
        assert_true(x[0] == 90 / 255.0F && x[1] == 93 / 255.0F && x[30] == 91 / 255.0F);
        ecc_dataset_close(
            read_second(x, save_array("f.npy", dtypes[k], 4, first, items[k]), 3, 5, 6));
        assert_true(x[0] == 90 / 255.0F && x[1] == 91 / 255.0F && x[30] == 120 / 255.0F);
    }
    pixels[40] = 1.5F;
    check_open_fails(save_array("o.npy", ECC_F4, 3, grey, pixels), ECC_BAD_DATA,
                     "image 1 has a pixel of 1.5");
    pixels[40] = NAN;
    check_open_fails(save_array("n.npy", ECC_F4, 3, grey, pixels), ECC_BAD_DATA, "image 1");
    whole[0] = 256;
    check_open_fails(save_array("i.npy", ECC_I8, 3, grey, whole), ECC_BAD_DATA, "from 0 to 255");
    check_open_fails(save_array("v.npy", ECC_U1, 1, grey, bytes), ECC_BAD_DATA, "shape (6,)");
    check_open_fails(save_array("z.npy", ECC_U1, 3, (const size_t[]){0, 2, 2}, bytes), ECC_BAD_DATA,
                     "shape (0, 2, 2)");
}

/* Mean and deviation of a column over all items of a data set. */
static void column_moments(double *mean, double *deviation, struct ecc_dataset *data, size_t column)
{
    double sum = 0, square = 0;
    float *const x = malloc(ecc_shape_size(data->shape) * sizeof *x);
    for (uint32_t i = 0; i < data->count; i++) {
        check_ok(ecc_dataset_read(data, x, &i, 1, &testing_error));
        sum += (double)x[column];
        square += (double)x[column] * (double)x[column];
    }
    free(x);
    *mean = sum / (double)data->count;
    *deviation = sqrt(square / (double)data->count - *mean * *mean);
}

static void test_table(void **state)
{
    (void)state;
    enum { ROWS = 200, COLUMNS = 3 };
    double values[ROWS * COLUMNS], mean, deviation;
    for (size_t i = 0; i < ROWS; i++) {
        values[i * COLUMNS] = 1e6 + (double)(i * 7919 % 101);
        values[i * COLUMNS + 1] = 5; /* constant */
        values[i * COLUMNS + 2] = 1e-9 * (double)(i % 7);
    }
    const size_t shape[] = {ROWS, COLUMNS};
    char path[300];
    snprintf(path, sizeof path, "%s", save_array("table.npy", ECC_F8, 2, shape, values));
    struct ecc_dataset *const train = open_part(path, "", NULL), *test, *again;
    assert_true(train->is_table && train->count == 180);
    assert_non_null(strstr(train->remark, "1 of 3 columns is constant"));
    for (size_t column = 0; column < COLUMNS; column++) {
        column_moments(&mean, &deviation, train, column);
        check_absolute(mean, 0, 1e-5, "mean");
        check_absolute(deviation, column == 1 ? 0 : 1, 1e-5, "deviation");
    }
    /* the test part is what is left, scaled the same way; "all" is fitted to everything */
    test = open_part(path, "test", NULL);
    assert_int_equal(test->count, 20);
    check_relative(test->scaling.mean[0], train->scaling.mean[0], 1e-15, "mean of training rows");
    again = open_part(path, "all", NULL);
    assert_int_equal(again->count, 200);
    column_moments(&mean, &deviation, again, 0);
    check_absolute(mean, 0, 1e-5, "mean of all");
    ecc_dataset_close(again);
    /* the scaling of a run is used as it is */
    double means[3] = {1, 2, 3}, deviations[3] = {1, 2, 4};
    struct ecc_scaling scaling = {3, means, deviations, NULL};
    again = open_part(path, "all", &(struct ecc_data_options){.scaling = &scaling});
    float x[3];
    check_ok(ecc_dataset_read(again, x, (const uint32_t[]){0}, 1, &testing_error));
    check_absolute((double)x[1], (5 - 2) / 2.0, 1e-6, "scaled value");
    ecc_dataset_close(again);
    scaling.columns = 2;
    struct ecc_dataset *none;
    check_fails(ecc_dataset_open(&none, path, &(struct ecc_data_options){.scaling = &scaling},
                                 &testing_error),
                ECC_BAD_DATA, "has 3 columns, expected 2");
    ecc_dataset_close(train);
    ecc_dataset_close(test);
    values[7] = INFINITY;
    check_open_fails(save_array("infinite.npy", ECC_F8, 2, shape, values), ECC_BAD_DATA,
                     "row 2, column 1 is infinite");
    values[7] = NAN; /* a missing cell: left out of the mean, and said */
    again = open_part(save_array("gap.npy", ECC_F8, 2, shape, values), "all", NULL);
    check_ok(ecc_dataset_read(again, x, (const uint32_t[]){2}, 1, &testing_error));
    assert_true(isnan(x[1]) && isfinite(x[0]) && isfinite(again->scaling.mean[1]));
    assert_non_null(strstr(again->remark, "missing cells: 1 ("));
    ecc_dataset_close(again);
}

static void test_one_item(void **state)
{
    (void)state;
    const uint8_t bytes[4] = {1, 2, 3, 4};
    char path[300], what[320];
    snprintf(path, sizeof path, "%s",
             save_array("one.npy", ECC_U1, 3, (const size_t[]){1, 2, 2}, bytes));
    struct ecc_dataset *const data = open_part(path, "", NULL);
    assert_int_equal(data->count, 1);
    ecc_dataset_close(data);
    snprintf(what, sizeof what, "%s:test", path);
    check_open_fails(what, ECC_BAD_DATA, "no items in its test part");
}

static void test_npy_wrong(void **state)
{
    (void)state;
    const char *const path = testing_path("broken.npy");
    write_bytes(path, "", 0);
    check_open_fails(path, ECC_BAD_DATA, "broken.npy");
    write_bytes(path, "\x93NUMPY\1\0", 8);
    check_open_fails(path, ECC_BAD_DATA, "broken.npy");
    check_open_fails(testing_path("absent.npy"), ECC_IO, "No such file");
    const char *const zip = testing_path("broken.npz");
    write_bytes(zip, "PK", 2);
    check_open_fails(zip, ECC_BAD_DATA, "the zip directory at the end is missing");
}

static void put(unsigned char **at, size_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) *(*at)++ = (unsigned char)(value >> 8 * i);
}

/* What the header of a member and its entry in the directory share, from the version on. */
static void put_member(unsigned char **at, const unsigned char *data, size_t size)
{
    put(at, 20, 2);
    put(at, 0, 8); /* flags, stored, time */
    put(at, crc32_z(0, data, size), 4);
    put(at, size, 4);
    put(at, size, 4);
    put(at, 5, 2); /* length of the name */
    put(at, 0, 2);
}

/* A zip file of one stored member, x.npy. */
static void write_zip(const char *path, const unsigned char *data, size_t size)
{
    unsigned char *const bytes = calloc(1, size + 200), *at = bytes;
    put(&at, 0x04034b50, 4);
    put_member(&at, data, size);
    memcpy(at, "x.npy", 5);
    memcpy(at + 5, data, size);
    at += 5 + size;
    const size_t directory = (size_t)(at - bytes);
    put(&at, 0x02014b50, 4);
    put(&at, 20, 2);
    put_member(&at, data, size);
    at += 14; /* comment, disk, attributes, offset: 0 */
    memcpy(at, "x.npy", 5);
    at += 5;
    const size_t end = (size_t)(at - bytes);
    put(&at, 0x06054b50, 4);
    put(&at, 0, 4);
    put(&at, 0x00010001, 4); /* one entry */
    put(&at, end - directory, 4);
    put(&at, directory, 4);
    put(&at, 0, 2);
    write_bytes(path, bytes, (size_t)(at - bytes));
    free(bytes);
}

static void test_npz_bomb(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    unsigned char *const data = calloc(1, SIZE);
    const size_t header = ecc_npy_format(data, ECC_F4, 2, (const size_t[]){40, 2});
    for (size_t i = 0; i < 320; i += 4) data[header + i + 2] = (unsigned char)(i / 2 % 128);
    write_zip(testing_path("right.npz"), data, header + 320);
    struct ecc_dataset *const right = open_part(testing_path("right.npz"), "all", NULL);
    assert_int_equal(right->count, 40);
    ecc_dataset_close(right);
    write_zip(testing_path("bomb.npz"), data, SIZE);
    check_open_fails(testing_path("bomb.npz"), ECC_BAD_DATA, "longer than the array in it");
    free(data);
}

/* ---- MNIST's four files --------------------------------------------------------------------- */

/* Fewer than 65,536 glyphs as two files of `directory`, under MNIST's names for a part. */
static void write_digits(const char *directory, struct ecc_dataset *glyphs, const char *part)
{
    const size_t count = glyphs->count;
    unsigned char *const images = malloc(16 + count * 784), *const labels = malloc(8 + count);
    memcpy(images, (const unsigned char[16]){0, 0, 8, 3, 0, 0, 0, 0, 0, 0, 0, 28, 0, 0, 0, 28}, 16);
    memcpy(labels, (const unsigned char[8]){0, 0, 8, 1}, 8);
    images[6] = labels[6] = (unsigned char)(count >> 8);
    images[7] = labels[7] = (unsigned char)count;
    for (uint32_t i = 0; i < count; i++) {
        float x[784];
        check_ok(ecc_dataset_read(glyphs, x, &i, 1, &testing_error));
        for (size_t k = 0; k < 784; k++) {
            images[16 + i * 784 + k] = (unsigned char)lrintf(255 * x[k]);
        }
        labels[8 + i] = (unsigned char)glyphs->labels[i];
    }
    char path[300], name[60];
    snprintf(name, sizeof name, "%s-images-idx3-ubyte.gz", part);
    join(path, directory, name);
    write_gzip(path, images, 16 + count * 784);
    snprintf(name, sizeof name, "%s-labels-idx1-ubyte.gz", part);
    join(path, directory, name);
    write_gzip(path, labels, 8 + count);
    free(images);
    free(labels);
}

static void check_same_items(struct ecc_dataset *a, struct ecc_dataset *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->class_count, 10);
    assert_memory_equal(a->labels, b->labels, a->count * sizeof *a->labels);
    for (uint32_t i = 0; i < a->count; i++) {
        float x[784], y[784];
        check_ok(ecc_dataset_read(a, x, &i, 1, &testing_error));
        check_ok(ecc_dataset_read(b, y, &i, 1, &testing_error));
        assert_memory_equal(x, y, sizeof x);
    }
}

/* The twin of test_mnist, with digits that the test makes. */
static void test_digits(void **state)
{
    (void)state;
    char directory[300];
    snprintf(directory, sizeof directory, "%s", testing_path("digits"));
    mkdir(directory, 0777);
    const struct ecc_data_options some[2] = {{.items = 3000}, {.items = 500}};
    struct ecc_dataset *const train = open_part("glyphs", "", &some[0]);
    struct ecc_dataset *const test = open_part("glyphs", "test", &some[1]);
    write_digits(directory, train, "train");
    write_digits(directory, test, "t10k");
    struct ecc_dataset *const read_train = open_part(directory, "", NULL);
    struct ecc_dataset *const read_test = open_part(directory, "test", NULL);
    check_same_items(read_train, train);
    check_same_items(read_test, test);
    ecc_dataset_close(train), ecc_dataset_close(test);
    ecc_dataset_close(read_train), ecc_dataset_close(read_test);
}

static void test_mnist(void **state)
{
    (void)state;
    if (access(ECC_SHARED "/data/mnist", R_OK) != 0) {
        print_message("skipped: %s/data/mnist is not there\n", ECC_SHARED);
        skip();
    }
    struct ecc_dataset *data = open_part(ECC_SHARED "/data/mnist", "", NULL);
    assert_int_equal(data->count, 60000);
    const int32_t first[] = {5, 0, 4, 1, 9};
    assert_memory_equal(data->labels, first, sizeof first);
    double sum = 0;
    float x[784];
    for (uint32_t i = 0; i < 60000; i++) {
        check_ok(ecc_dataset_read(data, x, &i, 1, &testing_error));
        for (size_t k = 0; k < 784; k++) {
            sum += (double)x[k];
        }
    }
    check_relative(sum / 60000 / 784, 0.1306604762738429, 1e-6, "mean pixel of MNIST");
    ecc_dataset_close(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idx_parts),      cmocka_unit_test(test_idx_wrong),
        cmocka_unit_test(test_idx_gzip_wrong), cmocka_unit_test(test_idx_names),
        cmocka_unit_test(test_names),          cmocka_unit_test(test_npy_images),
        cmocka_unit_test(test_table),          cmocka_unit_test(test_one_item),
        cmocka_unit_test(test_npy_wrong),      cmocka_unit_test(test_digits),
        cmocka_unit_test(test_mnist),          cmocka_unit_test(test_idx_bomb),
        cmocka_unit_test(test_npz_bomb),
    };
    return cmocka_run_group_tests_name("data", tests, NULL, NULL);
}
