/* execute.c: tasks done as processes of this very program, a few at a time. */
#include "reproduce/execute.h"
#include "base/clock.h"
#include "reproduce/child.h"
#include "reproduce/store.h"
#include "reproduce/view.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { JOBS = 64, NAP_MS = 40 };

struct crew {
    struct ecc_repro *r;
    struct ecc_child children[JOBS]; /* [running] */
    size_t running;
    bool told; /* to end */
    struct ecc_repro_view view;
};

/* ---- Which next ----------------------------------------------------------------------------- */

/* Marks what cannot be done because something it needs failed. */
static void block_hopeless(struct ecc_repro *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct ecc_task *const task = &r->tasks[i];
        for (size_t k = 0; k < task->need_count && task->state == ECC_TASK_WAITING; k++) {
            const struct ecc_task *const need = &r->tasks[task->needs[k]];
            if (need->state != ECC_TASK_FAILED) continue;
            char text[ECC_FAILURE_SIZE]; /* both may be one field to the compiler */
            snprintf(text, sizeof text, "it needs %s, which failed: %.150s", need->name,
                     need->failure);
            task->state = ECC_TASK_FAILED;
            memcpy(task->failure, text, sizeof text);
        }
    }
}

static bool is_ready(const struct ecc_repro *r, const struct ecc_task *task)
{
    if (task->state != ECC_TASK_WAITING) return false;
    for (size_t k = 0; k < task->need_count; k++) {
        if (r->tasks[task->needs[k]].state != ECC_TASK_DONE) return false;
    }
    return true;
}

/* Steps before trainings: they are short, and something is then there to see.  Of trainings those
 * that matter most. */
static int next_task(const struct ecc_repro *r)
{
    int best = ECC_NO_TASK;
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_task *const task = &r->tasks[i];
        if (!is_ready(r, task)) continue;
        if (!task->training) return (int)i;
        if (best == ECC_NO_TASK || task->weight > r->tasks[best].weight) best = (int)i;
    }
    return best;
}

/* ---- Start and end -------------------------------------------------------------------------- */

static enum ecc_status start_some(struct crew *c, struct ecc_error *error)
{
    struct ecc_repro *const r = c->r;
    const size_t jobs = r->options->jobs < JOBS ? r->options->jobs : (size_t)JOBS;
    for (int task; c->running < jobs && (task = next_task(r)) != ECC_NO_TASK;) {
        ECC_TRY(ecc_child_start(&c->children[c->running], r, task, error));
        r->tasks[task].state = ECC_TASK_RUNNING;
        c->running++;
        ecc_repro_view_started(&c->view, &r->tasks[task]);
    }
    return ECC_OK;
}

static void finish(struct crew *c, const struct ecc_child *child, const char *failure)
{
    struct ecc_repro *const r = c->r;
    struct ecc_task *const task = &r->tasks[child->task];
    struct ecc_error error = {0};
    char *const printed = ecc_store_path(r, "work", task->name, ".out");
    enum ecc_status status = ECC_OK;
    if (failure[0]) {
        status = ecc_fail(&error, ECC_BAD_DATA, "%s", failure);
    } else if (!printed) {
        status = ecc_fail_memory(&error, "a path");
    } else {
        status = ecc_store_keep(r, task, printed, ecc_seconds() - child->started, &error);
    }
    if (printed) unlink(printed);
    free(printed);
    task->state = status == ECC_OK ? ECC_TASK_DONE : ECC_TASK_FAILED;
    if (status != ECC_OK) snprintf(task->failure, sizeof task->failure, "%.290s", error.text);
    /* a terminal's Ctrl-C reaches the children first: then it is not their own fault */
    const bool ending = c->told || r->options->interrupted();
    if (ending && status != ECC_OK) task->state = ECC_TASK_WAITING;
    ecc_repro_view_ended(&c->view, task);
}

static void collect(struct crew *c)
{
    for (size_t i = 0; i < c->running;) {
        char failure[ECC_FAILURE_SIZE];
        const struct ecc_child child = c->children[i];
        if (!ecc_child_ended(&child, c->r, failure)) {
            i++;
            continue;
        }
        c->children[i] = c->children[--c->running];
        finish(c, &child, failure);
    }
    block_hopeless(c->r);
}

static void tell_to_end(struct crew *c)
{
    if (c->told) return;
    c->told = true;
    for (size_t i = 0; i < c->running; i++) kill(c->children[i].pid, SIGTERM);
    ecc_repro_view_ending(&c->view);
}

static enum ecc_status work(struct crew *c, struct ecc_error *error)
{
    const struct timespec nap = {0, NAP_MS * 1000000L};
    enum ecc_status status = ECC_OK;
    for (;;) {
        const bool over = status != ECC_OK || c->r->options->interrupted();
        if (over) {
            tell_to_end(c);
        } else {
            status = start_some(c, error);
        }
        if (c->running == 0 && (over || next_task(c->r) == ECC_NO_TASK)) break;
        nanosleep(&nap, NULL);
        collect(c);
        ecc_repro_view_show(&c->view, c->r, c->children, c->running);
    }
    if (status == ECC_OK && c->told) {
        status = ecc_fail(error, ECC_INTERRUPTED,
                          "interrupted; the same command goes on where it stopped");
    }
    return status;
}

/* For the children, through their environment: this process computes nothing.  Several at a time
 * share the processors, unless somebody has decided otherwise. */
static void divide_threads(const struct ecc_repro_options *o)
{
    char text[24];
    size_t threads = o->threads;
    if (threads == 0 && o->jobs > 1 && !getenv("OMP_NUM_THREADS")) {
        const long there = sysconf(_SC_NPROCESSORS_ONLN);
        threads = there > (long)o->jobs ? (size_t)there / o->jobs : 1;
    }
    if (threads == 0) return;
    snprintf(text, sizeof text, "%zu", threads);
    setenv("OMP_NUM_THREADS", text, 1);
}

enum ecc_status ecc_execute(struct ecc_repro *r, struct ecc_error *error)
{
    struct crew *const c = calloc(1, sizeof *c);
    if (!c) return ecc_fail_memory(error, "the processes");
    divide_threads(r->options);
    c->r = r;
    ecc_repro_view_start(&c->view, r);
    block_hopeless(r);
    const enum ecc_status status = work(c, error);
    ecc_repro_view_finish(&c->view);
    free(c);
    return status;
}
