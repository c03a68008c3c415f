/* budget.c: how long each training may take, how many fit, and how long all will take. */
#include "base/watch.h"
#include "reproduce/section.h"

#include <math.h>
#include <stdio.h>

/* With less than this a training is of no use: then rather fewer trainings. */
static const double least_minutes = 10;
/* Of the time there is, for trainings; the rest is for everything else. */
static const double training_share = 0.92;

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

/* A training that is stopped after some seconds. */
struct probe {
    const struct ecc_watch *watch;
    double batch, speed; /* items of a step, items per second */
    bool interrupted;
};
static const double probe_seconds = 3;

static bool on_step(void *context, const struct ecc_train_progress *now)
{
    struct probe *const p = context;
    const struct ecc_work work = {"speed", "steps", now->step, 0, NULL};
    struct ecc_error ignored;
    p->interrupted = ecc_watch_work(p->watch, &work, &ignored) != ECC_OK;
    p->speed = p->batch * (double)now->step / now->seconds;
    return !p->interrupted && now->seconds < probe_seconds;
}

/* Items per second on a set: those of a training that is there, or else measured. */
static enum ecc_status find_speed(double *speed, const struct ecc_repro *r,
                                  const struct ecc_task *like, struct ecc_error *error)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_task *const task = &r->tasks[i];
        if (task->step.measure || !task->result || task->variant.set != like->variant.set) continue;
        *speed = ecc_get_number(task->result, "images_per_second");
        if (*speed > 0) return ECC_OK;
    }
    struct probe probe = {.watch = r->options->watch, .batch = (double)like->options.batch};
    const struct ecc_train_job job = {.on_step = on_step, .context = &probe};
    struct ecc_train_result result = {0};
    struct ecc_error ignored; /* what else is wrong is told when the training itself is done */
    if (ecc_train(&result, &like->options, &job, &ignored) == ECC_OK) {
        ecc_train_result_release(&result);
    }
    *speed = probe.speed;
    return probe.interrupted ? ecc_fail(error, ECC_INTERRUPTED, ECC_INTERRUPTED_TEXT) : ECC_OK;
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
        if (!known[set]) ECC_TRY(find_speed(&speed[set], r, task, error));
        known[set] = true;
        const double items = task->options.epochs * (double)ecc_size_items(r, set);
        task->guess = 1 + (speed[set] > 0 ? items / speed[set] : 0);
    }
    return ECC_OK;
}
