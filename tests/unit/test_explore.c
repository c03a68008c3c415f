/* test_explore.c: requests taken apart, hosts and rates, and images converted for the explorer. */
#include "testing.h"

#include "data/convert.h"
#include "data/image_file.h"
#include "explore/request.h"
#include "explore/route.h"

#define error (&testing_error)

static void test_targets(void **state)
{
    (void)state;
    struct ecc_request r;
    check_ok(ecc_request_parse(&r, "/", NULL, error));
    assert_string_equal(r.path, "");
    check_ok(ecc_request_parse(&r, "/api/sample?n=5&truncation=1.5", NULL, error));
    assert_string_equal(r.path, "api/sample");
    size_t n = 1, seed = 7;
    double truncation = 0;
    check_ok(ecc_request_count(&r, &n, "n", 1, 10, error));
    check_ok(ecc_request_count(&r, &seed, "seed", 1, 10, error));
    check_ok(ecc_request_number(&r, &truncation, "truncation", 0, 2, error));
    assert_int_equal(n, 5);
    assert_int_equal(seed, 7);
    assert_true(truncation == 1.5);
    check_fails(ecc_request_count(&r, &n, "n", 1, 4, error), ECC_BAD_ARGUMENT, "from 1 to 4");
    check_fails(ecc_request_number(&r, &truncation, "truncation", 0, 1, error), ECC_BAD_ARGUMENT,
                "from 0 to 1");
    static const char *const names[] = {"n", NULL};
    check_fails(ecc_request_check_names(&r, names, error), ECC_BAD_ARGUMENT, "truncation");
    assert_int_equal(n, 5);
}

static void test_bad_targets(void **state)
{
    (void)state;
    struct ecc_request r;
    static const char *const bad[] = {"",          "api",
                                      "http://x/", "/%2e",
                                      "/a b",      "/?",
                                      "/?a",       "/?=1",
                                      "/?a=1&a=2", "/?a=1&",
                                      "/?a=b=c",   "/\\",
                                      "/\xc3\xa9", "/?a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1&i=1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (ecc_request_parse(&r, bad[i], NULL, error) != ECC_BAD_ARGUMENT) {
            fail_msg("'%s' was taken", bad[i]);
        }
    }
    char lengthy[2000] = "/";
    memset(lengthy + 1, 'a', sizeof lengthy - 2);
    lengthy[sizeof lengthy - 1] = '\0';
    check_fails(ecc_request_parse(&r, lengthy, NULL, error), ECC_BAD_ARGUMENT, "longer than");
}

static void test_token(void **state)
{
    (void)state;
    struct ecc_request r;
    check_ok(ecc_request_parse(&r, "/secret/api/about", "secret", error));
    assert_string_equal(r.path, "api/about");
    check_ok(ecc_request_parse(&r, "/secret/", "secret", error));
    assert_string_equal(r.path, "");
    static const char *const wrong[] = {"/",         "/secret",    "/secre/",
                                        "/secretx/", "/api/about", "//secret/"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_ok(ecc_request_parse(&r, wrong[i], "secret", error));
        assert_null(r.path);
    }
}

static void test_bodies(void **state)
{
    (void)state;
    static const unsigned char bytes[] = {0, 0, 128, 63, 0, 0, 0, 192, 0, 0, 128, 127};
    struct ecc_request r = {.body = bytes, .body_size = 8};
    float *rows;
    uint32_t *items;
    size_t n;
    check_ok(ecc_request_rows(&r, &rows, &n, 2, 4, 10, error));
    assert_int_equal(n, 1);
    assert_true(rows[0] == 1 && rows[1] == -2);
    free(rows);
    check_fails(ecc_request_rows(&r, &rows, &n, 2, 4, 1.5F, error), ECC_BAD_ARGUMENT, "number 2");
    check_fails(ecc_request_rows(&r, &rows, &n, 3, 4, 10, error), ECC_BAD_ARGUMENT, "8 bytes");
    check_fails(ecc_request_rows(&r, &rows, &n, 1, 1, 10, error), ECC_BAD_ARGUMENT, "8 bytes");
    r.body_size = 12;
    check_fails(ecc_request_rows(&r, &rows, &n, 3, 4, 10, error), ECC_BAD_ARGUMENT, "number 3");
    assert_null(rows);
    r.body_size = 0;
    check_fails(ecc_request_rows(&r, &rows, &n, 3, 4, 10, error), ECC_BAD_ARGUMENT, "0 bytes");
    static const unsigned char numbers[] = {5, 0, 0, 0, 255, 255, 255, 255};
    r = (struct ecc_request){.body = numbers, .body_size = 8};
    check_fails(ecc_request_items(&r, &items, &n, 6, 4, error), ECC_BAD_ARGUMENT, "4294967295");
    r.body_size = 4;
    check_ok(ecc_request_items(&r, &items, &n, 6, 4, error));
    assert_int_equal(items[0], 5);
    free(items);
}

static void test_hosts(void **state)
{
    (void)state;
    static const char *const ours[] = {"localhost",    "LOCALHOST:8320", "127.0.0.1", "127.0.0.1:1",
                                       "127.3.4.5:80", "[::1]",          "[::1]:8320"};
    static const char *const others[] = {"",
                                         "evil.example",
                                         "localhost.evil.example",
                                         "127.0.0.1.evil",
                                         "localhost:",
                                         "localhost:0",
                                         "localhost:99999",
                                         "localhost:8x",
                                         "[::1",
                                         "[::1]x",
                                         "[::1]:",
                                         "::1",
                                         "128.0.0.1",
                                         "0.0.0.0",
                                         "[::2]",
                                         "machine",
                                         "127.0.0.1@evil",
                                         "localhost/"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        if (!ecc_request_host_allowed(ours[i], true, "machine")) fail_msg("'%s' refused", ours[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (ecc_request_host_allowed(others[i], true, "machine")) fail_msg("'%s' taken", others[i]);
    }
    assert_false(ecc_request_host_allowed(NULL, true, NULL));
    assert_true(ecc_request_host_allowed("192.0.2.7:80", false, "machine"));
    assert_true(ecc_request_host_allowed("[2001:db8::1]", false, NULL));
    assert_true(ecc_request_host_allowed("Machine:8320", false, "machine"));
    assert_false(ecc_request_host_allowed("evil.example", false, "machine"));
    assert_false(ecc_request_host_allowed("machine.evil.example", false, "machine"));
    assert_true(ecc_request_origin_allowed(NULL, "localhost"));
    assert_true(ecc_request_origin_allowed("http://localhost:8320", "localhost:8320"));
    assert_false(ecc_request_origin_allowed("http://localhost:8321", "localhost:8320"));
    assert_false(ecc_request_origin_allowed("https://evil.example", "localhost:8320"));
    assert_false(ecc_request_origin_allowed("null", "null"));
}

/* NULL ends; a name and its value each. */
static bool good_headers(const char *const *list)
{
    struct ecc_request_headers h = {0};
    for (; *list; list += 2) {
        ecc_request_header(&h, list[0], strlen(list[0]), list[1], strlen(list[1]));
    }
    return ecc_request_headers_good(&h);
}

static void test_headers(void **state)
{
    (void)state;
    assert_true(good_headers((const char *const[]){"Host", "localhost", "Content-Length", "3",
                                                   "X-Some_thing.else", "\t\xc3\xa9 ", NULL}));
    assert_false(good_headers((const char *const[]){"Host", "a", "host", "a", NULL}));
    assert_false(
        good_headers((const char *const[]){"Content-Length", "3", "CONTENT-LENGTH", "4", NULL}));
    assert_false(good_headers(
        (const char *const[]){"Content-Length", "3", "Transfer-Encoding", "chunked", NULL}));
    assert_false(good_headers((const char *const[]){"Origin", "a", "Origin", "b", NULL}));
    assert_false(good_headers((const char *const[]){"", "a", NULL}));
    assert_false(good_headers((const char *const[]){"Some Name", "a", NULL}));
    assert_false(good_headers((const char *const[]){"X", "a\rb", NULL}));
    struct ecc_request_headers zero = {0};
    ecc_request_header(&zero, "X", 1, "a\0b", 3);
    assert_false(ecc_request_headers_good(&zero));
}

static void test_rate(void **state)
{
    (void)state;
    struct ecc_rate rate = {.rate = 10, .burst = 5, .left = 5, .last = 100};
    size_t taken = 0;
    for (size_t i = 0; i < 20; i++) taken += ecc_rate_take(&rate, 100);
    assert_int_equal(taken, 5);
    assert_false(ecc_rate_take(&rate, 99)); /* a clock that goes back gives nothing */
    for (size_t i = 0; i < 20; i++) taken += ecc_rate_take(&rate, 99.25);
    assert_int_equal(taken, 7);
    for (size_t i = 0; i < 20; i++) taken += ecc_rate_take(&rate, 1000);
    assert_int_equal(taken, 12);
}

/* Every route is found, and every page; names are their own. */
static void test_table(void **state)
{
    (void)state;
    for (const struct ecc_route *const *route = ecc_routes; *route; route++) {
        assert_ptr_equal(ecc_route_find((*route)->path), *route);
        assert_null(ecc_asset_find((*route)->path));
    }
    assert_non_null(ecc_asset_find(""));
    assert_non_null(ecc_asset_find("main.js"));
    assert_null(ecc_asset_find("index.htm"));
    assert_null(ecc_route_find(""));
}

/* An image of 12.6 million pixels is refused by its header: decoding it would take too long. */
static void check_large_refused(void)
{
    const struct ecc_item_shape shape = {1, 3000, 4200};
    const struct ecc_convert convert = {.shape = {1, 4, 4}};
    float *const pixels = calloc(3000 * 4200, sizeof *pixels), y[16];
    unsigned char *bytes;
    size_t size;
    assert_non_null(pixels);
    check_ok(ecc_image_encode(&bytes, &size, pixels, shape, error));
    const struct ecc_image_file file = {bytes, size, "it"};
    check_fails(ecc_convert_image(&convert, y, &file, error), ECC_BAD_DATA,
                "4200 x 3000 pixels, expected at most 12.5 million");
    free(bytes);
    free(pixels);
}

static void test_convert(void **state)
{
    (void)state;
    const struct ecc_item_shape wide = {1, 8, 12}, small = {1, 4, 4}, colour = {3, 8, 12};
    float x[3 * 8 * 12], y[3 * 8 * 12];
    unsigned char *bytes;
    size_t size;
    for (size_t i = 0; i < 96; i++) x[i] = i % 12 >= 2 && i % 12 < 10 ? (float)(i / 12) / 8 : 1;
    check_ok(ecc_image_encode(&bytes, &size, x, wide, error));
    struct ecc_image_file file = {bytes, size, "it"};
    /* its own size: pixel by pixel */
    struct ecc_convert convert = {.shape = wide};
    check_ok(ecc_convert_image(&convert, y, &file, error));
    for (size_t i = 0; i < 96; i++) assert_true(fabsf(x[i] - y[i]) <= 0.5F / 255 + 1e-6F);
    /* the square in the middle, at half the size: columns 2 to 9 only, rows in between */
    convert.shape = small;
    check_ok(ecc_convert_image(&convert, y, &file, error));
    for (size_t i = 0; i < 16; i++) {
        assert_true(y[i] < 0.9F && fabsf(y[i] - y[i / 4 * 4]) < 0.01F);
        assert_true(i < 4 || y[i] > y[i - 4]);
    }
    convert.invert = true;
    float inverted[16];
    check_ok(ecc_convert_image(&convert, inverted, &file, error));
    for (size_t i = 0; i < 16; i++) assert_true(fabsf(1 - inverted[i] - y[i]) < 1e-6F);
    /* a crop as of the data, for an image of about its size */
    convert = (struct ecc_convert){.shape = small, .crop = 4};
    check_ok(ecc_convert_image(&convert, y, &file, error));
    for (size_t i = 0; i < 16; i++) assert_true(fabsf(y[i] - (float)(i / 4 + 2) / 8) < 0.01F);
    /* colour from grey */
    convert = (struct ecc_convert){.shape = colour};
    check_ok(ecc_convert_image(&convert, y, &file, error));
    for (size_t i = 0; i < 96; i++) assert_true(y[i] == y[96 + i] && y[i] == y[192 + i]);
    /* not square, not its size */
    convert.shape = (struct ecc_item_shape){1, 5, 6};
    check_fails(ecc_convert_image(&convert, y, &file, error), ECC_BAD_DATA, "12 x 8");
    file.size = 20;
    check_fails(ecc_convert_image(&convert, y, &file, error), ECC_BAD_DATA, "'it'");
    check_large_refused();
    file = (struct ecc_image_file){(const unsigned char *)"GIF89a", 6, "it"};
    check_fails(ecc_convert_image(&convert, y, &file, error), ECC_BAD_DATA, "'it' is not a PNG");
    free(bytes);
}

/* A component that varies by little more than rounding, beside the first, is 0 for the map, too, as
 * it is for the encoders of the page and of ONNX. */
static void test_amounts(void **state)
{
    (void)state;
    static const double deviations[] = {2, 4e-6, 1e-6, 0};
    static const bool varies[] = {true, true, false, false};
    struct ecc_space space = {.d = 4};
    struct ecc_components *const c = &space.runs[0].components;
    check_ok(ecc_components_init(c, 4, error));
    float z[4], amounts[4];
    for (size_t k = 0; k < 4; k++) {
        c->axes[k * 4 + k] = 1;
        c->deviations[k] = deviations[k];
        z[k] = (float)(3 * deviations[k]);
    }
    check_ok(ecc_space_amounts(&space, 0, amounts, z, 1, error));
    for (size_t k = 0; k < 4; k++) {
        assert_true(ecc_component_varies(c, k) == varies[k]);
        assert_true(fabsf(amounts[k] - (varies[k] ? 3 : 0)) < 1e-5F);
    }
    ecc_components_release(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_targets), cmocka_unit_test(test_bad_targets),
        cmocka_unit_test(test_token),   cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_hosts),   cmocka_unit_test(test_rate),
        cmocka_unit_test(test_table),   cmocka_unit_test(test_convert),
        cmocka_unit_test(test_headers), cmocka_unit_test(test_amounts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
