/* test_events.c: TensorBoard's event files, taken apart again by a small parser of our own. */
#include "base/file.h"
#include "run/events.h"
#include "testing.h"

#include <dirent.h>

/* CRC-32C, by long division: as the program must compute it. */
static uint32_t crc32c(const void *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        const uint32_t next = ((const unsigned char *)bytes)[bit / 8] >> bit % 8 & 1;
        crc = (crc ^ next) & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
    }
    return ~crc;
}

static uint32_t crc32c_masked(const void *bytes, size_t size)
{
    const uint32_t crc = crc32c(bytes, size);
    return (crc >> 15 | crc << 17) + 0xa282ead8;
}

static void checksum_is_castagnolis(void **state)
{
    (void)state;
    /* the check value of the polynomial, and those of RFC 3720, B.4 */
    unsigned char bytes[32] = {0};
    assert_int_equal(crc32c("123456789", 9), 0xe3069283);
    assert_int_equal(crc32c("", 0), 0);
    assert_int_equal(crc32c(bytes, 32), 0x8a9136aa);
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(crc32c(bytes, 32), 0x62a8ab43);
}

/* ---- A reader ------------------------------------------------------------------------------- */

struct reader {
    const unsigned char *at, *end;
};

static uint64_t read_fixed(struct reader *r, size_t size)
{
    uint64_t value = 0;
    assert_true((size_t)(r->end - r->at) >= size);
    for (size_t i = 0; i < size; i++) value |= (uint64_t)*r->at++ << 8 * i;
    return value;
}

static uint64_t read_varint(struct reader *r)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint64_t byte = read_fixed(r, 1);
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
    }
}

static struct reader read_bytes(struct reader *r, size_t size)
{
    assert_true((size_t)(r->end - r->at) >= size);
    const struct reader part = {r->at, r->at + size};
    r->at += size;
    return part;
}

/* The next record's bytes, both checksums checked. */
static struct reader read_record(struct reader *r)
{
    const unsigned char *const start = r->at;
    const uint64_t length = read_fixed(r, 8);
    assert_int_equal(read_fixed(r, 4), crc32c_masked(start, 8));
    const struct reader record = read_bytes(r, length);
    assert_int_equal(read_fixed(r, 4), crc32c_masked(record.at, length));
    return record;
}

struct event {
    double wall_time;
    uint64_t step, session;
    char version[20];
    size_t count;
    char tags[4][200];
    float values[4];
};

static void parse_value(struct event *event, struct reader value)
{
    assert_int_equal(read_varint(&value), 1 << 3 | 2);
    const struct reader tag = read_bytes(&value, read_varint(&value));
    memcpy(event->tags[event->count], tag.at, (size_t)(tag.end - tag.at));
    assert_int_equal(read_varint(&value), 2 << 3 | 5);
    const uint32_t bits = (uint32_t)read_fixed(&value, 4);
    memcpy(&event->values[event->count++], &bits, 4);
    assert_ptr_equal(value.at, value.end);
}

static struct event parse_event(struct reader record)
{
    struct event event = {0};
    while (record.at < record.end) {
        const uint64_t key = read_varint(&record);
        if (key == (1 << 3 | 1)) {
            const uint64_t bits = read_fixed(&record, 8);
            memcpy(&event.wall_time, &bits, 8);
        } else if (key == (2 << 3 | 0)) {
            event.step = read_varint(&record);
        } else {
            struct reader part = read_bytes(&record, read_varint(&record));
            if (key == (3 << 3 | 2)) memcpy(event.version, part.at, (size_t)(part.end - part.at));
            if (key == (7 << 3 | 2)) event.session = read_fixed(&part, 2);
            while (key == (5 << 3 | 2) && part.at < part.end) {
                assert_int_equal(read_varint(&part), 1 << 3 | 2);
                const size_t size = read_varint(&part);
                parse_value(&event, read_bytes(&part, size));
            }
        }
    }
    return event;
}

/* ---- Tests ---------------------------------------------------------------------------------- */

/* The files of a directory, in the order of their names. */
static int list_files(struct dirent ***entries, const char *directory)
{
    const int count = scandir(directory, entries, NULL, alphasort);
    assert_true(count >= 2);
    return count;
}

static unsigned char *read_file(struct reader *r, const char *directory, int which)
{
    struct dirent **entries;
    const int count = list_files(&entries, directory);
    assert_true(which + 2 < count); /* after . and .. */
    const char *const name = entries[which + 2]->d_name;
    assert_int_equal(strncmp(name, "events.out.tfevents.", 20), 0);
    char *const path = ecc_path_join(directory, name);
    unsigned char *bytes;
    size_t size;
    check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
    *r = (struct reader){bytes, bytes + size};
    for (int i = 0; i < count; i++) free(entries[i]);
    free(entries), free(path);
    return bytes;
}

static void scalars_come_back(void **state)
{
    (void)state;
    const char *const directory = testing_path("scalars");
    check_ok(ecc_make_directory(directory, &testing_error));
    struct ecc_events *events;
    check_ok(ecc_events_create(&events, directory, 0, &testing_error));
    /* a tag whose length takes two bytes */
    static char long_name[200];
    memset(long_name, 'x', sizeof long_name - 1);
    const struct ecc_metric row[] = {
        {"loss", 0.25}, {"test/mse", -1e-3}, {"odd", NAN}, {long_name, 1}};
    const uint64_t steps[] = {0, 1, 127, 128, 300, UINT64_C(1) << 40};
    for (size_t i = 0; i < 6; i++) {
        check_ok(ecc_events_append(events, steps[i], row, 4, &testing_error));
    }
    ecc_events_close(events);
    struct reader r;
    unsigned char *const bytes = read_file(&r, directory, 0);
    struct event event = parse_event(read_record(&r));
    assert_string_equal(event.version, "brain.Event:2");
    assert_true(event.wall_time > 1.6e9);
    event = parse_event(read_record(&r));
    assert_true(event.session == 0x0108 && event.step == 0);
    for (size_t i = 0; i < 6; i++) {
        event = parse_event(read_record(&r));
        assert_true(event.step == steps[i]);
        assert_int_equal(event.count, 4);
        assert_string_equal(event.tags[3], long_name);
        assert_string_equal(event.tags[1], "test/mse");
        assert_true(event.values[0] == 0.25F && event.values[1] == -1e-3F);
        assert_true(isnan(event.values[2]));
    }
    assert_ptr_equal(r.at, r.end);
    free(bytes);
}

static void resumed_runs_start_a_new_file(void **state)
{
    (void)state;
    const char *const directory = testing_path("resumed");
    check_ok(ecc_make_directory(directory, &testing_error));
    for (uint64_t resumed = 0; resumed < 30; resumed += 10) {
        struct ecc_events *events;
        check_ok(ecc_events_create(&events, directory, resumed, &testing_error));
        ecc_events_close(events);
    }
    struct dirent **entries;
    const int count = list_files(&entries, directory);
    assert_int_equal(count, 5);
    for (int i = 0; i < count; i++) free(entries[i]);
    free(entries);
    struct reader r;
    unsigned char *const bytes = read_file(&r, directory, 2);
    read_record(&r);
    const struct event event = parse_event(read_record(&r));
    assert_int_equal(event.session, 0x0108); /* field 1: START */
    assert_int_equal(event.step, 21);
    free(bytes);
    struct ecc_events *events;
    check_fails(ecc_events_create(&events, testing_path("nowhere"), 0, &testing_error), ECC_IO,
                "No such file");
    assert_null(events);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksum_is_castagnolis),
        cmocka_unit_test(scalars_come_back),
        cmocka_unit_test(resumed_runs_start_a_new_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
