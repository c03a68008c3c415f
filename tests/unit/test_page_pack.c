/* test_page_pack.c: what counts is the size of packed bytes, and parts come back in order. */
#include "explore/page_pack.h"
#include "testing.h"

#include <zlib.h>

enum { PLENTY = 1 << 20, MOST = 20000 };

/* Unpacked: [size], and no more. */
static void check_unpacked(const unsigned char *packed, size_t packed_size,
                           const unsigned char *expected, size_t size)
{
    unsigned char *const got = malloc(size + 1);
    z_stream stream = {.next_in = (unsigned char *)packed,
                       .avail_in = (uInt)packed_size,
                       .next_out = got,
                       .avail_out = (uInt)size + 1};
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.total_out, size);
    assert_memory_equal(got, expected, size);
    inflateEnd(&stream);
    free(got);
}

static unsigned char *make_bytes(bool repeating)
{
    unsigned char *const bytes = malloc(PLENTY);
    uint32_t state = 1;
    for (size_t i = 0; i < PLENTY; i++) {
        state = 1664525 * state + 1013904223;
        bytes[i] = repeating ? (unsigned char)(i % 7) : (unsigned char)(state >> 24);
    }
    return bytes;
}

/* Far more bytes than the limit, of which little remains. */
static void packs_what_repeats(void **state)
{
    (void)state;
    unsigned char *const bytes = make_bytes(true), *packed;
    size_t size;
    const struct ecc_page_part parts[] = {{bytes, 5}, {bytes + 5, 0}, {bytes + 5, PLENTY - 5}};
    check_ok(ecc_page_pack(&packed, &size, parts, 3, MOST, &testing_error));
    assert_true(size < MOST);
    check_unpacked(packed, size, bytes, PLENTY);
    free(packed);
    free(bytes);
}

static void refuses_what_does_not(void **state)
{
    (void)state;
    unsigned char *const bytes = make_bytes(false), *packed;
    size_t size;
    const struct ecc_page_part all = {bytes, PLENTY}, few = {bytes, MOST - 1000};
    check_fails(ecc_page_pack(&packed, &size, &all, 1, MOST, &testing_error), ECC_BAD_DATA,
                "fewer items");
    assert_null(packed);
    check_fails(ecc_page_pack(&packed, &size, &few, 1, MOST - 1000, &testing_error), ECC_BAD_DATA,
                "fewer items");
    check_ok(ecc_page_pack(&packed, &size, &few, 1, MOST, &testing_error));
    check_unpacked(packed, size, bytes, MOST - 1000);
    free(packed);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_what_repeats),
        cmocka_unit_test(refuses_what_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
