/* test_time_plan.c: time budgets hold when the speed changes, and their decisions are repeated
 * after a resume; trainings side by side take turns. */
#include "base/clock.h"
#include "base/file.h"
#include "eccentric_train.h"
#include "testing.h"
#include "train/time_plan.h"
#include "train/turns.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- On a clock of our own ------------------------------------------------------------------ */

/* A training whose steps take 1 ms, and `slower` times as long in part of the budget. */
static void check_budget(double slower, double from, double to, double budget)
{
    struct ecc_schedule s = {.kind = ECC_SCHEDULE_COSINE, .rate = 1, .final_rate = 0.1};
    struct ecc_time_plan plan = {0};
    double seconds = 0, last = 1;
    uint64_t step = 0;
    while (s.total == 0 || step < s.total) {
        const double at = seconds / budget, rate = ecc_schedule_rate(&s, step + 1);
        if (step > 100) assert_true(rate <= last);               /* the cosine never turns back */
        if (s.total > step + 20) assert_true(last - rate < 0.1); /* nor jumps */
        last = rate;
        seconds += 1e-3 * (at >= from && at < to ? slower : 1);
        step++;
        ecc_time_plan_observe(&plan, &s, step, seconds, budget);
    }
    check_relative(seconds, budget, 0.05, "the time");
    check_relative(last, 0.1, 1e-9, "the rate at the end");
    assert_true(plan.count >= 2 && plan.count < 100);
    assert_true(plan.totals[plan.count - 1] == (double)step);
}

static void budgets_hold(void **state)
{
    (void)state;
    static const double slower[] = {1, 0.2, 1.5, 3, 10, 50};
    for (size_t i = 0; i < sizeof slower / sizeof slower[0]; i++) {
        check_budget(slower[i], 0, 0.02, 10);
        check_budget(slower[i], 0.3, 2, 10);
        check_budget(slower[i], 0.9, 2, 10);
        check_budget(slower[i], 0.4, 0.6, 60);
    }
}

/* ---- With a net ----------------------------------------------------------------------------- */

struct watch {
    double began, slow_after, ended;
    const char *checkpoint, *copy;
    bool copied;
    double last_rate;
};

static void copy_file(const char *from, const char *to)
{
    unsigned char *bytes;
    size_t size;
    check_ok(ecc_file_read(&bytes, &size, from, &testing_error));
    FILE *const file = fopen(to, "wb");
    assert_non_null(file);
    assert_true(fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    free(bytes);
}

/* Becomes many times slower; keeps a copy of a checkpoint from before. */
static bool slow_down(void *context, const struct ecc_train_progress *now)
{
    struct watch *const w = context;
    const double seconds = now->seconds;
    const struct timespec pause = {.tv_nsec = 4000000};
    if (seconds > w->slow_after) nanosleep(&pause, NULL);
    if (!w->copied && seconds > 0.9 * w->slow_after && access(w->checkpoint, F_OK) == 0) {
        copy_file(w->checkpoint, w->copy);
        w->copied = true;
    }
    w->last_rate = now->rate;
    w->ended = now->seconds;
    return true;
}

static void lend_waves(void)
{
    enum { ROWS = 400, COLUMNS = 6 };
    static float x[ROWS * COLUMNS];
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        x[i] = (float)sin((double)(i / COLUMNS) * (1 + (double)(i % COLUMNS)));
    }
    const struct ecc_array_data array = {
        .x = x, .n = ROWS, .channels = 1, .height = 1, .width = COLUMNS, .is_table = true};
    check_ok(ecc_data_lend("waves", &array, &testing_error));
}

static void slow_trainings_end_in_time(void **state)
{
    (void)state;
    struct ecc_train_options options = ecc_train_defaults();
    struct ecc_train_result first, again;
    lend_waves();
    options.data = "memory:waves";
    options.latent = 2;
    options.threads = 1;
    options.minutes = 0.1;
    options.patience = 0;
    options.schedule = ECC_SCHEDULE_COSINE;
    options.checkpoint_seconds = 1;
    char *const run = strdup(testing_path("budget")), *const copy = strdup(testing_path("copy"));
    char *const checkpoint = ecc_path_join(run, "checkpoint");
    char *const model = ecc_path_join(run, "model.safetensors");
    struct watch watch = {.slow_after = 3, .checkpoint = checkpoint, .copy = copy};
    struct ecc_train_job job = {.out = run, .on_step = slow_down, .context = &watch};
    check_ok(ecc_train(&first, &options, &job, &testing_error));
    assert_true(watch.copied);
    check_relative(watch.ended, 6, 0.2,
                   "the time"); /* 5% is held above; a busy machine may stall */
    check_relative(watch.last_rate, options.final_rate, 1e-6, "the rate at the end");

    /* killed before it slowed down, and resumed with the decisions that followed */
    unsigned char *a, *b;
    size_t sizes[2];
    check_ok(ecc_file_read(&a, &sizes[0], model, &testing_error));
    copy_file(copy, checkpoint);
    unlink(model);
    job.on_step = NULL;
    check_ok(ecc_train_resume(&again, 0, &job, &testing_error));
    check_ok(ecc_file_read(&b, &sizes[1], model, &testing_error));
    assert_true(first.steps == again.steps && sizes[0] == sizes[1]);
    assert_memory_equal(a, b, sizes[0]);
    ecc_train_result_release(&first);
    ecc_train_result_release(&again);
    ecc_data_return("waves");
    free(a);
    free(b);
    free(run);
    free(copy);
    free(checkpoint);
    free(model);
}

/* ---- Turns ---------------------------------------------------------------------------------- */

/* Counts pieces of work of 1 ms, for a second; turns are for as many threads as would not fit. */
static int pieces(void)
{
    const struct timespec piece = {.tv_nsec = 1000000};
    struct ecc_turns turns;
    ecc_turns_init(&turns, 1024);
    const double end = ecc_seconds() + 1;
    int count = 0;
    while (ecc_seconds() < end) {
        ecc_turns_take(&turns);
        nanosleep(&piece, NULL);
        count++;
    }
    ecc_turns_release(&turns);
    return count;
}

static void two_take_turns(void **state)
{
    (void)state;
    setenv("XDG_RUNTIME_DIR", testing_path(""), 1);
    const int alone = pieces();
    int shared[2];
    assert_true(pipe(shared) == 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int count = pieces();
        _exit(write(shared[1], &count, sizeof count) == sizeof count ? 0 : 1);
    }
    const int ours = pieces();
    int theirs, code;
    assert_true(read(shared[0], &theirs, sizeof theirs) == sizeof theirs);
    assert_true(waitpid(child, &code, 0) == child && code == 0);
    assert_true(ours + theirs < 1.3 * alone); /* never both at once */
    assert_true(ours > 0.2 * alone && theirs > 0.2 * alone);
}

/* Somebody who was stopped while it was its turn does not stop us for more than a second. */
static void stopped_ones_are_left_behind(void **state)
{
    (void)state;
    struct ecc_turns turns;
    setenv("XDG_RUNTIME_DIR", testing_path(""), 1);
    int ready[2];
    assert_true(pipe(ready) == 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        ecc_turns_init(&turns, 1024);
        ecc_turns_take(&turns);
        if (write(ready[1], "", 1) == 1) pause();
        _exit(0);
    }
    char byte;
    assert_true(read(ready[0], &byte, 1) == 1);
    const double began = ecc_seconds();
    ecc_turns_init(&turns, 1024);
    for (int i = 0; i < 1000; i++) ecc_turns_take(&turns);
    assert_true(ecc_seconds() - began < 3 && !turns.mine);
    ecc_turns_release(&turns);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* Somebody with a long step is waited for. */
static void long_steps_are_waited_for(void **state)
{
    (void)state;
    struct ecc_turns turns;
    setenv("XDG_RUNTIME_DIR", testing_path(""), 1);
    int ready[2];
    assert_true(pipe(ready) == 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        ecc_turns_init(&turns, 1024);
        ecc_turns_take(&turns);
        const bool told = write(ready[1], "", 1) == 1;
        for (const double end = ecc_seconds() + 2.5; ecc_seconds() < end;) {
        }
        ecc_turns_take(&turns); /* gives the turn away */
        _exit(told ? 0 : 1);
    }
    char byte;
    assert_true(read(ready[0], &byte, 1) == 1);
    const double began = ecc_seconds();
    ecc_turns_init(&turns, 1024);
    ecc_turns_take(&turns);
    assert_true(turns.mine && ecc_seconds() - began > 2);
    ecc_turns_release(&turns);
    waitpid(child, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_hold),
        cmocka_unit_test(two_take_turns),
        cmocka_unit_test(stopped_ones_are_left_behind),
        cmocka_unit_test(long_steps_are_waited_for),
        cmocka_unit_test(slow_trainings_end_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
