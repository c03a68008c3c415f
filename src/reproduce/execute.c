/* execute.c: tasks done one after another, each with all threads. */
#include "base/clock.h"
#include "base/watch.h"
#include "reproduce/section.h"
#include "reproduce/store.h"
#include "work/watched_training.h"

#include <stdio.h>

/* ---- Trainings ------------------------------------------------------------------------------ */

static enum ecc_status train(const struct ecc_repro *r, struct ecc_task *task,
                             struct ecc_error *error)
{
    ECC_TRY(ecc_train_watched(ECC_IN_STORE(r, "runs", task->name, ""), &task->options,
                              task->resumes, r->options->watch, error));
    return ecc_store_take(r, task, error);
}

/* ---- Measurements --------------------------------------------------------------------------- */

static enum ecc_status measure(const struct ecc_repro *r, struct ecc_task *task,
                               struct ecc_error *error)
{
    const double start = ecc_seconds();
    json_t *const out = json_object();
    enum ecc_status status =
        out ? task->step.measure(r, task, out, error) : ecc_fail_memory(error, "the numbers");
    task->seconds = ecc_seconds() - start;
    task->result = out;
    if (status == ECC_OK) status = ecc_store_keep(r, task, error);
    if (status == ECC_OK) {
        task->state = ECC_TASK_DONE;
    } else {
        task->result = NULL; /* of what failed, nothing is used */
        json_decref(out);
    }
    return status;
}

/* ---- All tasks ------------------------------------------------------------------------------ */

/* Whether all that it needs is done; where something failed, it fails, too. */
static bool is_ready(const struct ecc_repro *r, struct ecc_task *task)
{
    for (size_t k = 0; k < task->step.runs.count; k++) {
        const struct ecc_task *const need = &r->tasks[task->step.runs.runs[k]];
        if (need->state == ECC_TASK_FAILED) {
            const char *const failure =
                ECC_SAY("it needs %s, which failed: %.80s", need->name, need->failure);
            snprintf(task->failure, sizeof task->failure, "%s", failure);
            task->state = ECC_TASK_FAILED;
        }
        if (need->state != ECC_TASK_DONE) return false;
    }
    return true;
}

/* Measurements before trainings: they are short, and something is then there to see.  Of trainings
 * those that matter most. */
static struct ecc_task *next_task(struct ecc_repro *r)
{
    struct ecc_task *best = NULL;
    for (size_t i = 0; i < r->count; i++) {
        struct ecc_task *const task = &r->tasks[i];
        if (task->state != ECC_TASK_WAITING || !is_ready(r, task)) continue;
        if (task->step.measure) return task;
        if (!best || task->weight > best->weight) best = task;
    }
    return best;
}

static void tell_end(const struct ecc_repro *r, const struct ecc_task *task)
{
    char time[32], left[32];
    double seconds = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (r->tasks[i].state == ECC_TASK_WAITING) seconds += r->tasks[i].guess;
    }
    if (task->state == ECC_TASK_FAILED) {
        ecc_watch_remark(r->options->watch, "      failed: %s", task->failure);
    } else {
        ecc_watch_remark(r->options->watch, "      done in %s%s; about %s left",
                         ecc_duration(time, task->seconds),
                         task->step.measure ? ""
                                            : ECC_SAY(", error %.4f, eccentricity %.3f",
                                                      ecc_get_number(task->result, "error"),
                                                      ecc_get_number(task->result, "eccentricity")),
                         ecc_duration(left, seconds));
    }
}

/* One that fails does not keep the others from being done; one that was interrupted stays to be
 * done. */
static enum ecc_status do_task(const struct ecc_repro *r, struct ecc_task *task,
                               struct ecc_error *error)
{
    struct ecc_error why = {0};
    const enum ecc_status status =
        task->step.measure ? measure(r, task, &why) : train(r, task, &why);
    if (status == ECC_INTERRUPTED) return ecc_fail(error, status, "%s", why.text);
    if (status != ECC_OK) {
        task->state = ECC_TASK_FAILED;
        snprintf(task->failure, sizeof task->failure, "%.290s", why.text);
    }
    tell_end(r, task);
    return ECC_OK;
}

enum ecc_status ecc_execute(struct ecc_repro *r, struct ecc_error *error)
{
    const struct ecc_watch *const watch = r->options->watch;
    struct ecc_work work = {.name = "reproduce", .unit = "tasks"};
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; i < r->count; i++) work.total += r->tasks[i].state == ECC_TASK_WAITING;
    for (struct ecc_task *task; status == ECC_OK && (task = next_task(r)); work.done++) {
        status = ecc_watch_work(watch, &work, error);
        if (status != ECC_OK) break;
        ecc_watch_remark(watch, "%zu/%zu  %s%s", work.done + 1, work.total, task->name,
                         task->resumes ? " (continued)" : "");
        status = do_task(r, task, error);
    }
    if (status == ECC_OK) return ECC_OK;
    return ecc_fail(error, status, ECC_INTERRUPTED_TEXT);
}
