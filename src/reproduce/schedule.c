/* schedule.c: how long each training may take, how many fit, and how long all will take. */
#include "base/watch.h"
#include "reproduce/plan.h"

#include <math.h>
#include <stdio.h>

/* With less than this a training is of no use: then rather fewer trainings. */
static const double least_minutes = 10;
/* Of the time there is, for trainings; the rest is for everything else. */
static const double training_share = 0.92;

const char *ecc_duration(char out[32], double seconds)
{
    const long whole = seconds > 0 ? lround(fmin(seconds, 1e9)) : 0;
    if (whole >= 3600) {
        snprintf(out, 32, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    } else {
        snprintf(out, 32, "%ld:%02ld", whole / 60, whole % 60);
    }
    return out;
}

bool ecc_schedule_fits(const struct ecc_repro *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) count += !r->tasks[i].step.measure;
    if (r->options->size != ECC_SIZE_MINUTES) return true;
    return training_share * r->options->minutes >= least_minutes * (double)count;
}

static bool to_train(const struct ecc_task *task)
{
    return !task->step.measure && task->state == ECC_TASK_WAITING;
}

/* The time there is, divided over the trainings that are still to be done. */
static void share_minutes(struct ecc_repro *r)
{
    double weights = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (to_train(&r->tasks[i])) weights += r->tasks[i].weight;
    }
    for (size_t i = 0; i < r->count; i++) {
        struct ecc_task *const task = &r->tasks[i];
        if (!to_train(task)) continue;
        const double minutes = training_share * r->options->minutes * task->weight / weights;
        task->options.minutes = fmax(1e-4, round(1e4 * minutes) / 1e4);
        task->guess = 60 * minutes;
    }
}

static bool go_on(void *context, const struct ecc_train_progress *progress)
{
    const struct ecc_repro *const r = context;
    const struct ecc_work work = {"speed", "steps", progress->step, progress->total, NULL};
    struct ecc_error ignored;
    return ecc_watch_work(r->options->watch, &work, &ignored) == ECC_OK;
}

/* Items per second of a training such as this: of one that takes some seconds. */
static enum ecc_status measure_speed(double *speed, struct ecc_repro *r,
                                     const struct ecc_task *task, struct ecc_error *error)
{
    struct ecc_train_result result;
    struct ecc_train_options options = task->options;
    const struct ecc_train_job job = {.on_step = go_on, .context = r};
    struct ecc_error why = {0};
    options.minutes = 0.05;
    const enum ecc_status status = ecc_train(&result, &options, &job, &why);
    if (status == ECC_OK) *speed = result.items_per_second;
    ecc_train_result_release(&result);
    /* what else is wrong is told when the training itself is done */
    return status == ECC_INTERRUPTED ? ecc_fail(error, status, "interrupted") : ECC_OK;
}

enum ecc_status ecc_schedule(struct ecc_repro *r, struct ecc_error *error)
{
    double speed[ECC_SETS] = {0};
    bool known[ECC_SETS] = {false};
    if (r->options->size == ECC_SIZE_MINUTES) share_minutes(r);
    if (r->options->size == ECC_SIZE_MINUTES) return ECC_OK;
    for (size_t i = 0; i < r->count; i++) {
        struct ecc_task *const task = &r->tasks[i];
        const enum ecc_repro_set set = task->variant.set;
        if (!to_train(task)) continue;
        if (!known[set]) ECC_TRY(measure_speed(&speed[set], r, task, error));
        known[set] = true;
        const double items = task->options.epochs * (double)ecc_size_items(r, set);
        task->guess = 1 + (speed[set] > 0 ? items / speed[set] : 0);
    }
    return ECC_OK;
}
