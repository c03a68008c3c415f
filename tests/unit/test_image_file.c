/* test_image_file.c: WebP files, and photos that EXIF says are stored turned or mirrored. */
#include "testing.h"

#include "data/exif.h"
#include "data/image_file.h"

#include <jpeglib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <webp/encode.h>

static struct ecc_error *const error = &testing_error;

/* ---- EXIF ----------------------------------------------------------------------------------- */

/* The APP1 marker of a photo with this orientation, after another tag. */
static size_t make_exif(unsigned char out[64], int orientation, bool big_endian)
{
    static const unsigned char little[] = {'I', 'I', '*', 0, 8, 0, 0,   0, 2, 0, 0x0f, 1,
                                           2,   0,   1,   0, 0, 0, 'x', 0, 0, 0, 0x12, 1,
                                           3,   0,   1,   0, 0, 0, 0,   0, 0, 0};
    static const unsigned char big[] = {'M', 'M', 0, '*', 0, 0, 0,   8, 0, 2, 1, 0x0f,
                                        0,   2,   0, 0,   0, 1, 'x', 0, 0, 0, 1, 0x12,
                                        0,   3,   0, 0,   0, 1, 0,   0, 0, 0};
    memcpy(out, "Exif\0", 6);
    memcpy(out + 6, big_endian ? big : little, sizeof little);
    out[6 + 30 + big_endian] = (unsigned char)orientation;
    return 6 + sizeof little;
}

static void test_orientation(void **state)
{
    (void)state;
    unsigned char exif[64];
    for (int orientation = 0; orientation <= 9; orientation++) {
        const int expected = orientation >= 1 && orientation <= 8 ? orientation : 1;
        for (int big = 0; big <= 1; big++) {
            const size_t size = make_exif(exif, orientation, big);
            assert_int_equal(ecc_exif_orientation(exif, size), expected);
        }
    }
    /* cut off anywhere: never read beyond the end, which the sanitizers would see */
    const size_t size = make_exif(exif, 6, false);
    for (size_t n = 0; n < size; n++) {
        unsigned char *const cut = malloc(n ? n : 1);
        memcpy(cut, exif, n);
        assert_int_equal(ecc_exif_orientation(cut, n), 1);
        free(cut);
    }
    exif[6 + 4] = 0xff; /* the list is outside */
    assert_int_equal(ecc_exif_orientation(exif, size), 1);
    make_exif(exif, 6, false);
    exif[6 + 8 + 2 + 12 + 2] = 4; /* not a short */
    assert_int_equal(ecc_exif_orientation(exif, size), 1);
}

enum { WIDE = 24, HIGH = 16 };

/* Where row 0 and column 0 of the stored image are when it is shown, as EXIF 2.3 defines it. */
static const struct sides {
    char row, column;
} sides[9] = {{0},        {'t', 'l'}, {'t', 'r'}, {'b', 'r'}, {'b', 'l'},
              {'l', 't'}, {'r', 't'}, {'r', 'b'}, {'l', 'b'}};

/* What is seen: smooth, and different in every corner. */
static uint8_t seen(size_t y, size_t x)
{
    return (uint8_t)(20 + 5 * y + 6 * x);
}

static void write_jpeg(const char *path, const uint8_t *pixels, size_t width, size_t height,
                       const unsigned char *exif, size_t exif_size)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr manager;
    FILE *const stream = fopen(path, "wb");
    assert_non_null(stream);
    jpeg.err = jpeg_std_error(&manager);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, stream);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = 1;
    jpeg.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 98, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    if (exif_size) jpeg_write_marker(&jpeg, JPEG_APP0 + 1, exif, (unsigned)exif_size);
    while (jpeg.next_scanline < height) {
        JSAMPROW row = (uint8_t *)pixels + jpeg.next_scanline * width;
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    fclose(stream);
}

/* The stored pixels of a photo that looks like `seen`. */
static void write_photo(const char *path, int orientation)
{
    const struct sides side = sides[orientation];
    const bool upright = side.row == 't' || side.row == 'b';
    const size_t rows = upright ? HIGH : WIDE, columns = upright ? WIDE : HIGH;
    uint8_t pixels[WIDE * HIGH];
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            const size_t down = side.row == 'b' || side.row == 'r' ? rows - 1 - i : i;
            const size_t across = side.column == 'b' || side.column == 'r' ? columns - 1 - j : j;
            pixels[i * columns + j] = upright ? seen(down, across) : seen(across, down);
        }
    }
    unsigned char exif[64];
    write_jpeg(path, pixels, columns, rows, exif, make_exif(exif, orientation, orientation % 2));
}

/* All eight look the same once they are read. */
static void test_turned(void **state)
{
    (void)state;
    char folder[300], path[400];
    snprintf(folder, sizeof folder, "%s", testing_path("photos"));
    mkdir(folder, 0777);
    for (int orientation = 1; orientation <= 8; orientation++) {
        snprintf(path, sizeof path, "%s/%d.jpg", folder, orientation);
        write_photo(path, orientation);
    }
    struct ecc_dataset *data;
    snprintf(path, sizeof path, "%s:all", folder);
    check_ok(ecc_dataset_open(&data, path, NULL, error));
    assert_true(data->count == 8 && data->shape.width == WIDE && data->shape.height == HIGH);
    assert_string_equal(data->remark, "7 photos were turned as their EXIF orientation says");
    float x[WIDE * HIGH];
    for (uint32_t item = 0; item < 8; item++) {
        check_ok(ecc_dataset_read(data, x, &item, 1, error));
        for (size_t i = 0; i < WIDE * HIGH; i++) {
            check_absolute(255 * (double)x[i], seen(i / WIDE, i % WIDE), 4, path);
        }
    }
    ecc_dataset_close(data);
    snprintf(path, sizeof path, "%s/1.jpg", folder);
    unlink(path);
    for (int orientation = 3; orientation <= 8; orientation++) {
        snprintf(path, sizeof path, "%s/%d.jpg", folder, orientation);
        unlink(path);
    }
    check_ok(ecc_dataset_open(&data, folder, NULL, error));
    assert_string_equal(data->remark, "1 photo was turned as its EXIF orientation says");
    ecc_dataset_close(data);
}

/* A header longer than what is read first, as with thumbnails: found all the same. */
static void test_long_header(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s", testing_path("long.jpg"));
    unsigned char *const exif = calloc(60000, 1);
    const uint8_t pixels[8 * 8] = {0};
    make_exif(exif, 5, true);
    write_jpeg(path, pixels, 8, 8, exif, 60000);
    struct ecc_image_info info;
    check_ok(ecc_image_probe(&info, path, error));
    assert_true(info.width == 8 && info.orientation == 5);
    free(exif);
}

/* ---- WebP ----------------------------------------------------------------------------------- */

static struct ecc_image decode(const uint8_t *bytes, size_t size, size_t channels)
{
    struct ecc_image image;
    const struct ecc_image_file file = {bytes, size, "x.webp"};
    check_ok(ecc_image_decode(&image, &file, channels, error));
    return image;
}

static void test_webp(void **state)
{
    (void)state;
    enum { W = 19, H = 7 };
    uint8_t rgb[H * W * 3], rgba[H * W * 4], *bytes;
    for (size_t i = 0; i < sizeof rgb; i++) rgb[i] = (uint8_t)(i * i % 251);
    for (size_t i = 0; i < sizeof rgba; i++) rgba[i] = (uint8_t)(i * 7 % 256);
    size_t size = WebPEncodeLosslessRGB(rgb, W, H, W * 3, &bytes);
    struct ecc_image image = decode(bytes, size, 3);
    assert_true(image.width == W && image.height == H);
    assert_memory_equal(image.pixels, rgb, sizeof rgb);
    free(image.pixels);
    image = decode(bytes, size, 1); /* as JPEG makes grey of colours */
    for (size_t i = 0; i < (size_t)W * H; i++) {
        const double grey = 0.299 * rgb[3 * i] + 0.587 * rgb[3 * i + 1] + 0.114 * rgb[3 * i + 2];
        check_absolute(image.pixels[i], grey, 0.501, "grey");
    }
    free(image.pixels);
    for (size_t n = 0; n < size; n += 5) { /* cut off */
        struct ecc_image_file file = {bytes, n, "x.webp"};
        check_fails(ecc_image_decode(&image, &file, 3, error), ECC_BAD_DATA, "'x.webp'");
        assert_null(image.pixels);
    }
    WebPFree(bytes);
    size = WebPEncodeLosslessRGBA(rgba, W, H, W * 4, &bytes); /* on white */
    image = decode(bytes, size, 3);
    for (size_t i = 0; i < (size_t)W * H; i++) {
        const double share = rgba[4 * i + 3] / 255.0, expected = 255 + share * (rgba[4 * i] - 255);
        check_absolute(image.pixels[3 * i], expected, 0.501, "blended");
    }
    free(image.pixels);
    WebPFree(bytes);
    size = WebPEncodeRGB(rgb, W, H, W * 3, 80, &bytes); /* lossy */
    image = decode(bytes, size, 3);
    assert_true(image.width == W && image.height == H);
    free(image.pixels);
    WebPFree(bytes);
}

/* With `mend`, what is there is decoded and the rest is grey. */
static void test_mend(void **state)
{
    (void)state;
    enum { SIDE = 64 };
    uint8_t pixels[SIDE * SIDE], rgb[SIDE * SIDE * 3], *bytes;
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (uint8_t)(i * i * 2654435761U >> 9);
    for (size_t i = 0; i < sizeof rgb; i++) rgb[i] = pixels[i / 3];
    char path[300];
    snprintf(path, sizeof path, "%s", testing_path("mend.jpg"));
    write_jpeg(path, pixels, SIDE, SIDE, NULL, 0);
    FILE *const stream = fopen(path, "rb");
    uint8_t jpeg[20000];
    const size_t jpeg_size = fread(jpeg, 1, sizeof jpeg, stream);
    fclose(stream);
    const size_t webp_size = WebPEncodeRGB(rgb, SIDE, SIDE, SIDE * 3, 90, &bytes);
    for (size_t k = 0; k < 2; k++) {
        const size_t size = k ? webp_size : jpeg_size;
        struct ecc_image_file file = {k ? bytes : jpeg, size * 2 / 3, "x", .mend = true};
        struct ecc_image image;
        check_ok(ecc_image_decode(&image, &file, 1, error));
        assert_true(image.damaged && image.width == SIDE);
        double off = 0;
        for (size_t i = 0; i < SIDE * 8; i++) off += fabs((double)image.pixels[i] - pixels[i]);
        assert_true(off / (SIDE * 8) < 40); /* JPEG and WebP blur noise; grey would be 64 off */
        /* the last rows vary no more */
        const uint8_t *const last = image.pixels + SIDE * (SIDE - 1);
        for (size_t i = 8; i < SIDE; i++) assert_true(abs(last[i] - last[i - 1]) <= 8);
        free(image.pixels);
        file.mend = false;
        check_fails(ecc_image_decode(&image, &file, 1, error), ECC_BAD_DATA, "'x'");
        file.size = size;
        check_ok(ecc_image_decode(&image, &file, 1, error));
        assert_false(image.damaged);
        free(image.pixels);
    }
    WebPFree(bytes);
}

static void test_webp_animation(void **state)
{
    (void)state;
    /* the header of an animation of 4 x 3 pixels */
    static const unsigned char bytes[] = "RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x03\0\0\x02\0";
    struct ecc_image_info info;
    const struct ecc_image_file file = {bytes, sizeof bytes, "x.webp"};
    check_fails(ecc_image_probe_bytes(&info, &file, error), ECC_BAD_DATA,
                "cannot read the WebP file 'x.webp': 'animations are not supported'");
}

static void test_names(void **state)
{
    (void)state;
    assert_true(ecc_image_is_named("a/b.JPG") && ecc_image_is_named("b.webp"));
    assert_false(ecc_image_is_named("b.gif") || ecc_image_is_named("png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orientation), cmocka_unit_test(test_turned),
        cmocka_unit_test(test_long_header), cmocka_unit_test(test_webp),
        cmocka_unit_test(test_mend),        cmocka_unit_test(test_webp_animation),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests_name("image_file", tests, NULL, NULL);
}
