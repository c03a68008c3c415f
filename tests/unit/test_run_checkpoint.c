/* test_run_checkpoint.c: checkpoints come back bit for bit, damage is recognised, and the one
 * before stands in. */
#include "base/file.h"
#include "run/checkpoint.h"
#include "run/safetensors.h"
#include "testing.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const float weights[] = {1, -0.0F, 3e38F, 1e-45F, 5};
static const double moments[] = {0.1, -1e300};

/* The arrays of a checkpoint, and the checkpoint of them. */
struct sample {
    uint64_t step;
    float weights[5];
    double moments[2];
    struct ecc_checkpoint *checkpoint;
};

static void make_sample(struct sample *s)
{
    *s = (struct sample){0};
    const struct ecc_tensor tensors[] = {
        {.name = "0.weight", .rank = 2, .shape = {2, 2}, .offset = 1, .count = 4},
        {.name = "0.bias", .rank = 1, .shape = {1}, .offset = 0, .count = 1},
    };
    struct ecc_checkpoint **const c = &s->checkpoint;
    check_ok(ecc_checkpoint_create(c, &testing_error));
    check_ok(ecc_checkpoint_add_tensors(*c, "net.", tensors, 2, s->weights, &testing_error));
    check_ok(ecc_checkpoint_add(*c, "step", ECC_I8, &s->step, 1, &testing_error));
    check_ok(ecc_checkpoint_add(*c, "moments", ECC_F8, s->moments, 2, &testing_error));
    check_ok(ecc_checkpoint_add(*c, "nothing", ECC_F4, NULL, 0, &testing_error));
}

static void save(const char *path, uint64_t step)
{
    struct sample s;
    make_sample(&s);
    s.step = step;
    memcpy(s.weights, weights, sizeof weights);
    memcpy(s.moments, moments, sizeof moments);
    check_ok(ecc_checkpoint_save(s.checkpoint, path, &testing_error));
    ecc_checkpoint_free(s.checkpoint);
}

static uint64_t load_step(const char *path, const char *words)
{
    struct sample s;
    struct ecc_error remark;
    make_sample(&s);
    check_ok(ecc_checkpoint_load(s.checkpoint, &remark, path, &testing_error));
    if (!words) assert_int_equal(remark.text[0], 0);
    if (words && !strstr(remark.text, words)) fail_msg("'%s' has no '%s'", remark.text, words);
    ecc_checkpoint_free(s.checkpoint);
    return s.step;
}

/* Loading what is not there as it is asked for: one array instead of the sample's. */
static void refuse_array(const char *path, const char *name, enum ecc_dtype dtype, size_t count,
                         const char *words)
{
    struct ecc_checkpoint *c;
    double room[8];
    check_ok(ecc_checkpoint_create(&c, &testing_error));
    check_ok(ecc_checkpoint_add(c, name, dtype, room, count, &testing_error));
    check_fails(ecc_checkpoint_load(c, NULL, path, &testing_error), ECC_BAD_DATA, words);
    ecc_checkpoint_free(c);
}

static void comes_back_bit_for_bit(void **state)
{
    (void)state;
    const char *const path = testing_path("exact");
    save(path, UINT64_MAX);
    struct sample s;
    make_sample(&s);
    check_ok(ecc_checkpoint_load(s.checkpoint, NULL, path, &testing_error));
    assert_true(s.step == UINT64_MAX);
    assert_memory_equal(s.weights, weights, sizeof weights);
    assert_memory_equal(s.moments, moments, sizeof moments);
    ecc_checkpoint_free(s.checkpoint);
    refuse_array(path, "moments", ECC_F8, 3, "exact': tensor 'moments': has shape (2,)");
    refuse_array(path, "moments", ECC_I8, 2, "tensor 'moments': has type F64, expected I64");
    refuse_array(path, "stop", ECC_F8, 1, "tensor 'stop': is missing");
}

/* It is a safetensors file, with a name and a shape for every tensor. */
static void others_can_read_it(void **state)
{
    (void)state;
    const char *const path = testing_path("open");
    save(path, 3);
    struct ecc_safetensors *file;
    check_ok(ecc_safetensors_read(&file, path, &testing_error));
    assert_int_equal(file->count, 6);
    float out[4];
    const size_t shape[] = {2, 2};
    check_ok(ecc_safetensors_get(file, out, "net.0.weight", 2, shape, &testing_error));
    assert_memory_equal(out, weights + 1, sizeof out);
    assert_string_equal(ecc_safetensors_metadata(file, "checkpoint_version"), "2");
    const struct ecc_safetensors_entry *const sum = ecc_safetensors_find(file, "crc32");
    assert_string_equal(sum->dtype, "U8");
    assert_int_equal(sum->end, file->data_size);
    ecc_safetensors_free(file);
}

static void refuses_to_save(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s);
    check_fails(ecc_checkpoint_save(s.checkpoint, testing_path("no/such/place"), &testing_error),
                ECC_IO, "No such file");
    check_ok(ecc_checkpoint_add(s.checkpoint, "step", ECC_I8, &s.step, 1, &testing_error));
    check_fails(ecc_checkpoint_save(s.checkpoint, testing_path("two"), &testing_error),
                ECC_BAD_ARGUMENT, "tensor 'step' cannot be written: there are two of that name");
    assert_false(ecc_checkpoint_exists(testing_path("two")));
    ecc_checkpoint_free(s.checkpoint);
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
    struct sample s;
    make_sample(&s);
    check_fails(ecc_checkpoint_load(s.checkpoint, NULL, path, &testing_error), ECC_IO,
                "No such file");
    assert_false(ecc_checkpoint_exists(path));
    save(path, 1);
    save(path, 2);
    assert_int_equal(load_step(path, NULL), 2);
    assert_int_equal(load_step(previous, NULL), 1);
    damage(path, 150);
    assert_int_equal(load_step(path, "checksum is wrong; using the checkpoint before it"), 1);
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
    check_fails(ecc_checkpoint_load(s.checkpoint, NULL, path, &testing_error), ECC_BAD_DATA,
                "chain' is damaged");
    ecc_checkpoint_free(s.checkpoint);
}

static enum ecc_status decode(struct sample *s, const void *bytes, size_t size, const char *name)
{
    unsigned char *const copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    return ecc_checkpoint_decode(s->checkpoint, copy, size, name, &testing_error);
}

/* Cut off anywhere or with any bit changed, it is never taken for a checkpoint. */
static void recognises_any_damage(void **state)
{
    (void)state;
    const char *const path = testing_path("victim");
    save(path, 77);
    unsigned char *bytes;
    size_t size;
    struct sample s;
    make_sample(&s);
    check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
    for (size_t length = 0; length < size; length++) {
        check_fails(decode(&s, bytes, length, "cut"), ECC_BAD_DATA, "'cut' is damaged, or not");
    }
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        check_fails(decode(&s, bytes, size, "flip"), ECC_BAD_DATA, "'flip' is damaged, or not");
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    check_ok(decode(&s, bytes, size, "whole"));
    assert_int_equal(s.step, 77);
    ecc_checkpoint_free(s.checkpoint);
    free(bytes);
}

/* Whole files that are not checkpoints of this version. */
static void recognises_strangers(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s);
    static const char old[] = "ecccheck\1\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0........";
    check_fails(decode(&s, old, sizeof old - 1, "old"), ECC_BAD_DATA,
                "'old' was written by version 0.1 of eccentric, which used another format: finish");
    const char *const metadata[][3] = {{"checkpoint_version", "9", NULL}, {NULL}};
    const char *const words[] = {"'x' is a checkpoint of version '9', expected '2'",
                                 "'x' is a checkpoint of version '', expected '2'"};
    for (size_t i = 0; i < 2; i++) {
        char *bytes;
        size_t size;
        FILE *const stream = open_memstream(&bytes, &size);
        const struct ecc_safetensors_item item = {"step", ECC_I8, 1, {1}, &s.step};
        check_ok(ecc_safetensors_write_summed(stream, &item, 1, metadata[i], &testing_error));
        fclose(stream);
        check_fails(decode(&s, bytes, size, "x"), ECC_BAD_DATA, words[i]);
        free(bytes);
    }
    ecc_checkpoint_free(s.checkpoint);
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
    struct sample s;
    make_sample(&s);
    setrlimit(RLIMIT_FSIZE, &small);
    const enum ecc_status status = ecc_checkpoint_save(s.checkpoint, path, &testing_error);
    setrlimit(RLIMIT_FSIZE, &old);
    check_fails(status, ECC_IO, "full': File too large");
    check_fails(ecc_checkpoint_save(s.checkpoint, "/dev/full", &testing_error), ECC_IO,
                "No space left");
    ecc_checkpoint_free(s.checkpoint);
    assert_int_equal(load_step(path, NULL), 5);
}

enum { LONG = 5000 };

static struct ecc_checkpoint *make_long(uint64_t *step, double data[LONG])
{
    struct ecc_checkpoint *c;
    if (ecc_checkpoint_create(&c, NULL) != ECC_OK ||
        ecc_checkpoint_add(c, "step", ECC_I8, step, 1, NULL) != ECC_OK ||
        ecc_checkpoint_add(c, "data", ECC_F8, data, LONG, NULL) != ECC_OK) {
        return NULL;
    }
    return c;
}

/* Saves without end, telling after each how far it is. */
static void save_forever(const char *path, int report)
{
    static double data[LONG];
    uint64_t step;
    struct ecc_checkpoint *const c = make_long(&step, data);
    if (!c) _exit(1);
    for (step = 1;; step++) {
        for (size_t i = 0; i < LONG; i++) data[i] = (double)step;
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
        if (reported == 0 && !ecc_checkpoint_exists(path)) continue;
        static double data[LONG];
        struct ecc_checkpoint *const c = make_long(&step, data);
        check_ok(ecc_checkpoint_load(c, NULL, path, &testing_error));
        if (reported > 0) assert_true(step == reported || step == reported + 1);
        for (size_t i = 0; i < LONG; i++) assert_true(data[i] == (double)step);
        ecc_checkpoint_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_bit_for_bit), cmocka_unit_test(others_can_read_it),
        cmocka_unit_test(refuses_to_save),        cmocka_unit_test(the_one_before_stands_in),
        cmocka_unit_test(recognises_any_damage),  cmocka_unit_test(recognises_strangers),
        cmocka_unit_test(survives_a_full_disk),   cmocka_unit_test(survives_being_killed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
