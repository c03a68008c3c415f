/* test_loader.c: batches in the background: always the same ones, each item once per epoch; errors
 * reach the caller, and threads end. */
#include "testing.h"

#include "base/npy.h"
#include "data/loader.h"

#include <sys/stat.h>
#include <unistd.h>

enum { COUNT = 23, BATCH = 5, PER_EPOCH = COUNT / BATCH, SIZE = 4 };

/* Item i is an image of 2 x 2 pixels of value i. */
static struct ecc_dataset *open_numbers(void)
{
    uint8_t bytes[COUNT * SIZE];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i / SIZE);
    }
    const struct ecc_array array = {
        .dtype = ECC_U1, .rank = 3, .shape = {COUNT, 2, 2}, .count = COUNT * SIZE, .data = bytes};
    const char *const path = testing_path("numbers.npy");
    check_ok(ecc_npy_write(path, &array, &testing_error));
    char what[300];
    snprintf(what, sizeof what, "%s:all", path);
    struct ecc_dataset *data;
    check_ok(ecc_dataset_open(&data, what, NULL, &testing_error));
    return data;
}

static struct ecc_loader *make_loader(struct ecc_dataset *data, uint64_t seed)
{
    uint32_t items[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        items[i] = COUNT - 1 - i;
    }
    struct ecc_loader *loader;
    check_ok(ecc_loader_create(&loader, data, items, COUNT, BATCH, seed, &testing_error));
    assert_int_equal(ecc_loader_batches_per_epoch(loader), PER_EPOCH);
    return loader;
}

/* out: [steps, BATCH] the items of the steps from `first` on; the pixels must be theirs. */
static void collect(struct ecc_loader *loader, uint32_t *out, uint64_t first, size_t steps)
{
    check_ok(ecc_loader_start(loader, first, &testing_error));
    for (size_t step = 0; step < steps; step++) {
        const float *x;
        const uint32_t *items;
        check_ok(ecc_loader_next(loader, &x, &items, &testing_error));
        for (size_t i = 0; i < BATCH; i++) {
            out[step * BATCH + i] = items[i];
            assert_true(x[i * SIZE] == (float)items[i] / 255.0F);
            assert_true(x[i * SIZE + SIZE - 1] == (float)items[i] / 255.0F);
        }
    }
}

static void test_epochs(void **state)
{
    (void)state;
    enum { EPOCHS = 50 };
    struct ecc_dataset *const data = open_numbers();
    struct ecc_loader *const loader = make_loader(data, 7);
    static uint32_t seen[EPOCHS * PER_EPOCH * BATCH];
    collect(loader, seen, 0, (size_t)EPOCHS * PER_EPOCH);
    size_t visits[COUNT] = {0};
    for (size_t epoch = 0; epoch < EPOCHS; epoch++) {
        bool once[COUNT] = {false};
        for (size_t i = 0; i < PER_EPOCH * BATCH; i++) {
            const uint32_t item = seen[epoch * PER_EPOCH * BATCH + i];
            assert_true(item < COUNT && !once[item]);
            once[item] = true;
            visits[item]++;
        }
    }
    for (size_t i = 0; i < COUNT; i++) { /* no item is left out forever */
        assert_true(visits[i] > EPOCHS / 2);
    }
    assert_memory_not_equal(seen, seen + PER_EPOCH * BATCH, PER_EPOCH * BATCH * sizeof *seen);
    ecc_loader_free(loader);
    ecc_dataset_close(data);
}

static void test_resume(void **state)
{
    (void)state;
    struct ecc_dataset *const data = open_numbers();
    struct ecc_loader *loader = make_loader(data, 7);
    uint32_t whole[12 * BATCH], rest[12 * BATCH], other[12 * BATCH];
    collect(loader, whole, 0, 12);
    for (uint64_t first = 0; first < 12; first++) { /* the same loader, started again */
        collect(loader, rest, first, 12 - first);
        assert_memory_equal(rest, whole + first * BATCH, (12 - first) * BATCH * sizeof *rest);
    }
    ecc_loader_free(loader);
    loader = make_loader(data, 7);
    collect(loader, rest, 9, 3);
    assert_memory_equal(rest, whole + 9 * BATCH, 3 * BATCH * sizeof *rest);
    ecc_loader_free(loader);
    loader = make_loader(data, 8);
    collect(loader, other, 0, 12);
    assert_memory_not_equal(other, whole, sizeof whole);
    ecc_loader_free(loader);
    ecc_dataset_close(data);
}

/* Two processes that share batches read what one with batches of twice the size reads. */
static void test_share(void **state)
{
    (void)state;
    enum { PARTS = 2, STEPS = 3 * (COUNT / (PARTS * BATCH)) };
    struct ecc_dataset *const data = open_numbers();
    uint32_t items[COUNT], whole[STEPS * PARTS * BATCH], part[STEPS * BATCH];
    for (uint32_t i = 0; i < COUNT; i++) items[i] = COUNT - 1 - i;
    struct ecc_loader *loader;
    check_ok(ecc_loader_create(&loader, data, items, COUNT, PARTS * BATCH, 7, &testing_error));
    check_ok(ecc_loader_start(loader, 0, &testing_error));
    for (size_t step = 0; step < STEPS; step++) {
        const float *x;
        const uint32_t *read;
        check_ok(ecc_loader_next(loader, &x, &read, &testing_error));
        memcpy(whole + step * PARTS * BATCH, read, PARTS * BATCH * sizeof *read);
    }
    ecc_loader_free(loader);
    for (size_t rank = 0; rank < PARTS; rank++) {
        check_ok(ecc_loader_create(&loader, data, items, COUNT, BATCH, 7, &testing_error));
        ecc_loader_share(loader, rank, PARTS);
        assert_int_equal(ecc_loader_batches_per_epoch(loader), COUNT / (PARTS * BATCH));
        collect(loader, part, 0, STEPS);
        for (size_t step = 0; step < STEPS; step++) {
            assert_memory_equal(part + step * BATCH, whole + (step * PARTS + rank) * BATCH,
                                BATCH * sizeof *part);
        }
        ecc_loader_free(loader);
    }
    ecc_dataset_close(data);
}

/* One pass in order, over all items or a list; the last batch is short, and then there is an end.
 */
static void test_once(void **state)
{
    (void)state;
    struct ecc_dataset *const data = open_numbers();
    const uint32_t list[7] = {22, 3, 3, 0, 9, 14, 1}, *const lists[2] = {NULL, list};
    const size_t counts[2] = {COUNT, 7};
    for (size_t k = 0; k < 2; k++) {
        struct ecc_loader *loader;
        const float *x;
        const uint32_t *items;
        check_ok(ecc_loader_create_once(&loader, data, lists[k], counts[k], BATCH, &testing_error));
        check_ok(ecc_loader_start(loader, 0, &testing_error));
        for (size_t i = 0; i < counts[k]; i++) {
            if (i % BATCH == 0) check_ok(ecc_loader_next(loader, &x, &items, &testing_error));
            const uint32_t item = lists[k] ? lists[k][i] : (uint32_t)i;
            assert_int_equal(items[i % BATCH], item);
            assert_true(x[i % BATCH * SIZE] == (float)item / 255.0F);
        }
        check_fails(ecc_loader_next(loader, &x, &items, &testing_error), ECC_BAD_ARGUMENT,
                    "no more batches");
        ecc_loader_free(loader);
        check_ok(ecc_loader_create_once(&loader, data, lists[k], 3, BATCH, &testing_error));
        check_ok(ecc_loader_start(loader, 0, &testing_error)); /* fewer than a batch */
        check_ok(ecc_loader_next(loader, &x, &items, &testing_error));
        assert_int_equal(items[2], lists[k] ? 3 : 2);
        ecc_loader_free(loader);
    }
    ecc_dataset_close(data);
}

/* The batch in hand is not touched while the next one is being read. */
static void test_batch_stays(void **state)
{
    (void)state;
    struct ecc_dataset *const data = open_numbers();
    struct ecc_loader *const loader = make_loader(data, 1);
    const float *x;
    const uint32_t *items;
    check_ok(ecc_loader_start(loader, 0, &testing_error));
    for (int step = 0; step < 20; step++) {
        check_ok(ecc_loader_next(loader, &x, &items, &testing_error));
        float copy[BATCH * SIZE];
        memcpy(copy, x, sizeof copy);
        usleep(1000);
        assert_memory_equal(copy, x, sizeof copy);
    }
    ecc_loader_free(loader); /* while it is running */
    ecc_dataset_close(data);
}

static void test_errors(void **state)
{
    (void)state;
    struct ecc_dataset *data = open_numbers();
    struct ecc_loader *loader;
    const float *x;
    const uint32_t *items, bad[3] = {0, 1, 1000};
    check_fails(ecc_loader_create(&loader, data, bad, 3, 4, 1, &testing_error), ECC_BAD_ARGUMENT,
                "cannot make a batch of 4 from 3 items");
    assert_null(loader);
    check_ok(ecc_loader_create(&loader, data, bad, 3, 3, 1, &testing_error));
    check_fails(ecc_loader_next(loader, &x, &items, &testing_error), ECC_BAD_ARGUMENT,
                "was not started");
    check_ok(ecc_loader_start(loader, 0, &testing_error));
    for (int i = 0; i < 3; i++) { /* as often as one asks */
        memset(&testing_error, 0, sizeof testing_error);
        check_fails(ecc_loader_next(loader, &x, &items, &testing_error), ECC_BAD_ARGUMENT,
                    "item 1000 does not exist");
    }
    ecc_loader_free(loader);
    ecc_loader_free(NULL);
    ecc_dataset_close(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_epochs), cmocka_unit_test(test_resume),
        cmocka_unit_test(test_once),   cmocka_unit_test(test_batch_stays),
        cmocka_unit_test(test_errors), cmocka_unit_test(test_share),
    };
    return cmocka_run_group_tests_name("loader", tests, NULL, NULL);
}
