/* test_run_checkpoint.c: checkpoints come back bit for bit, damage is recognised, and the one
 * before stands in. */
#include "base/file.h"
#include "run/checkpoint.h"
#include "testing.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const float weights[] = {1, -0.0F, 3e38F, 1e-45F, 5};
static const double moments[] = {0.1, -1e300};

static void save(const char *path, uint64_t step)
{
    struct ecc_checkpoint *c;
    check_ok(ecc_checkpoint_create(&c, &testing_error));
    check_ok(ecc_checkpoint_put_u64(c, "step", &step, 1, &testing_error));
    check_ok(ecc_checkpoint_put_f32(c, "weights", weights, 5, &testing_error));
    check_ok(ecc_checkpoint_put_f64(c, "moments", moments, 2, &testing_error));
    check_ok(ecc_checkpoint_put_f32(c, "nothing", NULL, 0, &testing_error));
    check_ok(ecc_checkpoint_save(c, path, &testing_error));
    ecc_checkpoint_free(c);
}

static uint64_t load_step(const char *path, const char *words)
{
    struct ecc_checkpoint *c;
    struct ecc_error remark;
    uint64_t step;
    check_ok(ecc_checkpoint_load(&c, &remark, path, &testing_error));
    check_ok(ecc_checkpoint_get_u64(c, &step, "step", 1, &testing_error));
    if (!words) assert_int_equal(remark.text[0], 0);
    if (words && !strstr(remark.text, words)) fail_msg("'%s' has no '%s'", remark.text, words);
    ecc_checkpoint_free(c);
    return step;
}

static void comes_back_bit_for_bit(void **state)
{
    (void)state;
    const char *const path = testing_path("exact");
    save(path, UINT64_MAX);
    struct ecc_checkpoint *c;
    check_ok(ecc_checkpoint_load(&c, NULL, path, &testing_error));
    float f[5];
    double d[2];
    uint64_t u;
    const float *view;
    check_ok(ecc_checkpoint_get_f32(c, f, "weights", 5, &testing_error));
    assert_memory_equal(f, weights, sizeof f);
    check_ok(ecc_checkpoint_view_f32(c, &view, "weights", 5, &testing_error));
    assert_memory_equal(view, weights, sizeof f);
    check_ok(ecc_checkpoint_get_f64(c, d, "moments", 2, &testing_error));
    assert_memory_equal(d, moments, sizeof d);
    const double *doubles;
    check_ok(ecc_checkpoint_view_f64(c, &doubles, "moments", 2, &testing_error));
    assert_memory_equal(doubles, moments, sizeof d);
    check_fails(ecc_checkpoint_view_f64(c, &doubles, "moments", 3, &testing_error), ECC_BAD_DATA,
                "'moments' has 2 float64, expected 3");
    check_ok(ecc_checkpoint_get_u64(c, &u, "step", 1, &testing_error));
    assert_true(u == UINT64_MAX);
    check_ok(ecc_checkpoint_get_f32(c, f, "nothing", 0, &testing_error));
    assert_true(ecc_checkpoint_has(c, "step") && !ecc_checkpoint_has(c, "stop"));
    check_fails(ecc_checkpoint_get_f32(c, f, "weights", 4, &testing_error), ECC_BAD_DATA,
                "'weights' has 5 float32, expected 4 float32");
    check_fails(ecc_checkpoint_get_f64(c, d, "step", 1, &testing_error), ECC_BAD_DATA,
                "'step' has 1 uint64, expected 1 float64");
    check_fails(ecc_checkpoint_get_f64(c, d, "stop", 1, &testing_error), ECC_BAD_DATA,
                "holds no 'stop'");
    ecc_checkpoint_free(c);
}

static void can_be_filled_again(void **state)
{
    (void)state;
    struct ecc_checkpoint *c;
    float *area, *again, out[3];
    check_ok(ecc_checkpoint_create(&c, &testing_error));
    check_ok(ecc_checkpoint_area_f32(c, &area, "a", 3, &testing_error));
    for (size_t i = 0; i < 3; i++) area[i] = (float)i;
    check_ok(ecc_checkpoint_area_f32(c, &again, "a", 3, &testing_error));
    assert_ptr_equal(area, again);
    check_ok(ecc_checkpoint_get_f32(c, out, "a", 3, &testing_error));
    assert_true(out[2] == 2);
    for (size_t i = 0; i < 100; i++) {
        char name[8];
        double *d;
        snprintf(name, sizeof name, "n%zu", i);
        check_ok(ecc_checkpoint_area_f64(c, &d, name, i, &testing_error));
        for (size_t k = 0; k < i; k++) assert_true(d[k] == 0);
    }
    check_ok(ecc_checkpoint_put_f32(c, "a", weights, 2, &testing_error));
    check_ok(ecc_checkpoint_get_f32(c, out, "a", 2, &testing_error));
    check_fails(ecc_checkpoint_put_f32(c, "a b", weights, 2, &testing_error), ECC_BAD_ARGUMENT,
                "name 'a b'");
    check_fails(ecc_checkpoint_put_f32(c, "", weights, 2, &testing_error), ECC_BAD_ARGUMENT, "''");
    check_fails(ecc_checkpoint_area_f32(c, &area, "huge", SIZE_MAX, &testing_error), ECC_NO_MEMORY,
                "");
    check_fails(ecc_checkpoint_save(c, testing_path("no/such/place"), &testing_error), ECC_IO,
                "No such file");
    ecc_checkpoint_free(c);
}

static void damage(const char *path, size_t at)
{
    FILE *const stream = fopen(path, "r+b");
    assert_non_null(stream);
    fseek(stream, (long)at, SEEK_SET);
    const int old = getc(stream);
    fseek(stream, (long)at, SEEK_SET);
    putc(old ^ 4, stream);
    fclose(stream);
}

static void the_one_before_stands_in(void **state)
{
    (void)state;
    const char *const path = testing_path("chain");
    char previous[4096];
    snprintf(previous, sizeof previous, "%s.previous", path);
    struct ecc_checkpoint *c;
    check_fails(ecc_checkpoint_load(&c, NULL, path, &testing_error), ECC_IO, "No such file");
    assert_false(ecc_checkpoint_exists(path));
    save(path, 1);
    save(path, 2);
    assert_int_equal(load_step(path, NULL), 2);
    assert_int_equal(load_step(previous, NULL), 1);
    damage(path, 150);
    assert_int_equal(load_step(path, "checksum is wrong; the checkpoint before"), 1);
    /* a damaged one does not push out the last good one */
    save(path, 3);
    assert_int_equal(load_step(path, NULL), 3);
    assert_int_equal(load_step(previous, NULL), 1);
    /* as if killed between two names */
    assert_int_equal(remove(path), 0);
    assert_int_equal(load_step(path, "No such file"), 1);
    assert_true(ecc_checkpoint_exists(path));
    save(path, 4);
    damage(path, 30);
    damage(previous, 30);
    check_fails(ecc_checkpoint_load(&c, NULL, path, &testing_error), ECC_BAD_DATA,
                "chain' is damaged");
    assert_null(c);
}

/* Cut off anywhere or with any bit changed, it is never taken for a checkpoint. */
static void recognises_any_damage(void **state)
{
    (void)state;
    const char *const path = testing_path("victim");
    save(path, 77);
    unsigned char *bytes;
    size_t size;
    struct ecc_checkpoint *c;
    check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
    for (size_t length = 0; length < size; length++) {
        unsigned char *const part = malloc(length + 1);
        memcpy(part, bytes, length);
        check_fails(ecc_checkpoint_decode(&c, part, length, "cut", &testing_error), ECC_BAD_DATA,
                    "'cut' is");
        assert_null(c);
        free(part);
    }
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        check_fails(ecc_checkpoint_decode(&c, bytes, size, "flip", &testing_error), ECC_BAD_DATA,
                    "'flip' is");
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    check_ok(ecc_checkpoint_decode(&c, bytes, size, "whole", &testing_error));
    ecc_checkpoint_free(c);
    bytes[8] = 9;
    check_fails(ecc_checkpoint_decode(&c, bytes, size, "x", &testing_error), ECC_BAD_DATA,
                "version 9, expected version 1");
    free(bytes);
}

/* A disk that is full: a sentence, and the checkpoint that was there stays. */
static void survives_a_full_disk(void **state)
{
    (void)state;
    const char *const path = testing_path("full");
    save(path, 5);
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 100;
    signal(SIGXFSZ, SIG_IGN);
    struct ecc_checkpoint *c;
    check_ok(ecc_checkpoint_create(&c, &testing_error));
    check_ok(ecc_checkpoint_put_f32(c, "weights", weights, 5, &testing_error));
    setrlimit(RLIMIT_FSIZE, &small);
    const enum ecc_status status = ecc_checkpoint_save(c, path, &testing_error);
    setrlimit(RLIMIT_FSIZE, &old);
    check_fails(status, ECC_IO, "full': File too large");
    check_fails(ecc_checkpoint_save(c, "/dev/full", &testing_error), ECC_IO, "No space left");
    ecc_checkpoint_free(c);
    assert_int_equal(load_step(path, NULL), 5);
}

/* Saves without end, telling after each how far it is. */
static void save_forever(const char *path, int report)
{
    struct ecc_checkpoint *c;
    if (ecc_checkpoint_create(&c, NULL) != ECC_OK) _exit(1);
    for (uint64_t step = 1;; step++) {
        double *area;
        if (ecc_checkpoint_put_u64(c, "step", &step, 1, NULL) != ECC_OK ||
            ecc_checkpoint_area_f64(c, &area, "data", 5000, NULL) != ECC_OK) {
            _exit(1);
        }
        for (size_t i = 0; i < 5000; i++) area[i] = (double)step;
        if (ecc_checkpoint_save(c, path, NULL) != ECC_OK) _exit(1);
        if (write(report, &step, sizeof step) != sizeof step) _exit(1);
    }
}

/* kill -9 at any moment: what was reported as saved, or the one after, is there and whole. */
static void survives_being_killed(void **state)
{
    (void)state;
    const char *const path = testing_path("killed");
    for (unsigned trial = 0; trial < 20; trial++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) save_forever(path, ends[1]);
        close(ends[1]);
        usleep(2000 + 1777 * trial);
        uint64_t reported = 0, step;
        if (trial % 2) assert_int_equal(read(ends[0], &reported, 8), 8);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        while (read(ends[0], &step, sizeof step) == sizeof step) reported = step;
        close(ends[0]);
        struct ecc_checkpoint *c;
        if (reported == 0 && !ecc_checkpoint_exists(path)) continue;
        check_ok(ecc_checkpoint_load(&c, NULL, path, &testing_error));
        double *const data = malloc(5000 * sizeof *data);
        check_ok(ecc_checkpoint_get_u64(c, &step, "step", 1, &testing_error));
        check_ok(ecc_checkpoint_get_f64(c, data, "data", 5000, &testing_error));
        if (reported > 0) assert_true(step == reported || step == reported + 1);
        for (size_t i = 0; i < 5000; i++) assert_true(data[i] == (double)step);
        free(data);
        ecc_checkpoint_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_bit_for_bit),   cmocka_unit_test(can_be_filled_again),
        cmocka_unit_test(the_one_before_stands_in), cmocka_unit_test(recognises_any_damage),
        cmocka_unit_test(survives_a_full_disk),     cmocka_unit_test(survives_being_killed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
