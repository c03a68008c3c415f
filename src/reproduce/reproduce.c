/* reproduce.c: the paper's figures, tables and claims made again by this very program. */
#include "reproduce/reproduce.h"
#include "reproduce/execute.h"
#include "reproduce/report.h"
#include "reproduce/schedule.h"
#include "reproduce/sets.h"
#include "reproduce/store.h"
#include "reproduce/view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_EFFORT = 3 };

/* ---- The plan ------------------------------------------------------------------------------- */

/* Claims in prose are about trainings that these are made of, and about what they find. */
static void add_sources(struct ecc_repro *r)
{
    for (size_t i = 0; ecc_items[i]; i++) {
        const char *const name = ecc_items[i]->name;
        if (strcmp(name, "figure5") == 0 || strcmp(name, "table2") == 0) r->chosen[i] = true;
    }
}

static void choose_items(struct ecc_repro *r)
{
    const struct ecc_repro_options *const o = r->options;
    for (size_t i = 0; ecc_items[i]; i++) {
        for (size_t k = 0; k < o->item_count; k++) {
            if (strcmp(o->items[k], "all") == 0 || strcmp(o->items[k], ecc_items[i]->name) == 0) {
                r->chosen[i] = true;
            }
        }
        if (r->chosen[i] && strcmp(ecc_items[i]->name, "claims") == 0) add_sources(r);
    }
    for (size_t i = 0; ecc_items[i]; i++) {
        if (r->chosen[i] && ecc_items[i]->digits) r->wanted[ECC_DIGITS] = true;
        if (r->chosen[i] && ecc_items[i]->faces) r->wanted[ECC_FACES] = true;
    }
}

static void forget_tasks(struct ecc_repro *r)
{
    for (size_t i = 0; i < r->count; i++) {
        json_decref(r->tasks[i].words);
        json_decref(r->tasks[i].files);
    }
    r->count = 0;
}

static enum ecc_status plan_items(struct ecc_repro *r, size_t effort, struct ecc_error *error)
{
    r->effort = effort;
    for (size_t i = 0; ecc_items[i]; i++) {
        if (r->chosen[i]) ecc_items[i]->plan(r);
    }
    return ecc_plan_check(r, error);
}

/* The greatest effort whose trainings fit; where none is to be done, all that might be there. */
static enum ecc_status make_plan(struct ecc_repro *r, struct ecc_error *error)
{
    const bool all = ecc_plan_no_training(r);
    for (size_t effort = 0; all && effort <= MOST_EFFORT; effort++) {
        ECC_TRY(plan_items(r, effort, error));
    }
    if (all) return ECC_OK;
    for (size_t effort = r->options->size == ECC_SIZE_QUICK ? 0 : MOST_EFFORT;; effort--) {
        ECC_TRY(plan_items(r, effort, error));
        if (effort == 0 || ecc_schedule_fits(r)) return ECC_OK;
        forget_tasks(r);
    }
}

/* Done, or a measurement that can be. */
static bool stays(const struct ecc_repro *r, const struct ecc_task *task, const int *now)
{
    if (task->state == ECC_TASK_DONE) return true;
    if (task->training || r->options->report_only) return false;
    for (size_t k = 0; k < task->need_count; k++) {
        if (now[task->needs[k]] == ECC_NO_TASK) return false;
    }
    return true;
}

/* Where nothing is trained, what is planned and not there is not missed. */
static void drop_absent(struct ecc_repro *r)
{
    size_t kept = 0;
    int *const now = calloc(r->count + 1, sizeof *now);
    if (!now) {
        r->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < r->count; i++) {
        struct ecc_task *const task = &r->tasks[i];
        now[i] = ECC_NO_TASK;
        if (!stays(r, task, now)) {
            json_decref(task->words);
            json_decref(task->files);
            continue;
        }
        for (size_t k = 0; k < task->need_count; k++) task->needs[k] = now[task->needs[k]];
        now[i] = (int)kept;
        r->tasks[kept++] = *task;
    }
    r->count = kept;
    free(now);
}

/* ---- Words ---------------------------------------------------------------------------------- */

static void print_plan(const struct ecc_repro *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_task *const task = &r->tasks[i];
        char time[32];
        json_t *const command = ecc_store_command(task);
        const char *const text = json_string_value(command);
        printf("# %s: %s\n%s\n", task->name,
               task->state == ECC_TASK_DONE ? "there already"
                                            : ecc_repro_view_duration(time, task->guess),
               text ? text : "");
        json_decref(command);
    }
}

static void announce(const struct ecc_repro *r)
{
    size_t runs = 0, runs_left = 0, steps = 0, steps_left = 0;
    double seconds = 0;
    char time[32];
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_task *const task = &r->tasks[i];
        const bool left = task->state == ECC_TASK_WAITING;
        *(task->training ? &runs : &steps) += 1;
        *(task->training ? &runs_left : &steps_left) += left;
        if (left) seconds += task->guess;
    }
    if (r->options->quiet) return;
    for (size_t i = 0; i < ECC_SETS; i++) {
        if (!r->wanted[i] || !r->data[i].missing[0]) continue;
        fprintf(stderr, "%s%s\n", r->data[i].missing,
                r->data[i].what ? "; the built-in glyphs stand in" : "");
    }
    fprintf(stderr,
            "%zu trainings, %zu of them to be done; %zu measurements, %zu to be done; about %s\n",
            runs, runs_left, steps, steps_left,
            ecc_repro_view_duration(time, seconds / (double)r->options->jobs));
}

/* ---- All ------------------------------------------------------------------------------------ */

static enum ecc_status first_failure(const struct ecc_repro *r, struct ecc_error *error)
{
    size_t failed = 0;
    const struct ecc_task *first = NULL;
    for (size_t i = 0; i < r->count; i++) {
        if (r->tasks[i].state != ECC_TASK_FAILED || r->tasks[i].optional) continue;
        if (failed++ == 0) first = &r->tasks[i];
    }
    if (!first) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%zu of %zu commands failed; the first, %s: %.250s",
                    failed, r->count, first->name, first->failure);
}

static enum ecc_status do_and_report(struct ecc_repro *r, json_t **results, struct ecc_error *error)
{
    struct ecc_error why = {0};
    enum ecc_status outcome = ECC_OK;
    if (!r->options->report_only) {
        outcome = ecc_schedule(r, true, &why);
        if (outcome == ECC_OK) announce(r);
        if (outcome == ECC_OK) outcome = ecc_execute(r, &why);
        if (outcome == ECC_OK) outcome = first_failure(r, &why);
        if (outcome != ECC_OK && outcome != ECC_INTERRUPTED && outcome != ECC_BAD_DATA) {
            return ecc_fail(error, outcome, "%s", why.text);
        }
    }
    /* also of half of it: what is there is there */
    ECC_TRY(ecc_repro_report_gather(results, r, error));
    ECC_TRY(ecc_repro_report_write(r, *results, error));
    return outcome == ECC_OK ? ECC_OK : ecc_fail(error, outcome, "%s", why.text);
}

/* The plan is made; what is there is looked for, what is not is done. */
static enum ecc_status carry_out(struct ecc_repro *r, json_t **results, struct ecc_error *error)
{
    ECC_TRY(ecc_store_look(r, error));
    if (ecc_plan_no_training(r)) drop_absent(r);
    ECC_TRY(ecc_plan_check(r, error));
    if (!r->options->plan_only) return do_and_report(r, results, error);
    ECC_TRY(ecc_schedule(r, true, error));
    print_plan(r);
    announce(r);
    return ECC_OK;
}

static enum ecc_status reproduce(struct ecc_repro *r, json_t **results, struct ecc_error *error)
{
    int lock;
    choose_items(r);
    ECC_TRY(ecc_sets_find(r, r->options->data, error));
    ECC_TRY(make_plan(r, error));
    /* a plan by the clock measures nothing, so it leaves nothing behind */
    if (r->options->plan_only && r->options->size == ECC_SIZE_MINUTES) {
        return carry_out(r, results, error);
    }
    ECC_TRY(ecc_store_prepare(r, error));
    ECC_TRY(ecc_store_lock(&lock, r, error));
    const enum ecc_status status = carry_out(r, results, error);
    close(lock);
    return status;
}

enum ecc_status ecc_reproduce(json_t **results, const struct ecc_repro_options *options,
                              struct ecc_error *error)
{
    struct ecc_repro r = {.options = options};
    *results = NULL;
    const enum ecc_status status = reproduce(&r, results, error);
    ecc_plan_release(&r);
    return status;
}
