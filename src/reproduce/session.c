/* session.c: the paper's figures, tables and claims, made again. */
#include "base/watch.h"
#include "reproduce/findings.h"
#include "reproduce/store.h"
#include "run/json.h"
#include "work/workroom.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_EFFORT = 3 };

/* ---- The plan ------------------------------------------------------------------------------- */

static void choose(struct ecc_repro *r, const char *name)
{
    for (size_t i = 0; ecc_items[i]; i++) {
        const struct ecc_item *const item = ecc_items[i];
        if (strcmp(name, "all") != 0 && strcmp(name, item->name) != 0) continue;
        r->chosen[i] = true;
        r->wanted[ECC_DIGITS] = r->wanted[ECC_DIGITS] || item->digits;
        r->wanted[ECC_FACES] = r->wanted[ECC_FACES] || item->faces;
    }
}

static void choose_items(struct ecc_repro *r)
{
    for (size_t k = 0; k < r->options->item_count; k++) {
        choose(r, r->options->items[k]);
        if (strcmp(r->options->items[k], "claims") != 0) continue;
        /* claims in prose are about what these are made of, and about what they find */
        choose(r, "figure5");
        choose(r, "table2");
    }
}

static enum ecc_status plan_items(struct ecc_repro *r, size_t effort, struct ecc_error *error)
{
    r->effort = effort;
    r->planning = true;
    for (size_t i = 0; ecc_items[i]; i++) {
        struct ecc_section ignored = {.r = r};
        if (r->chosen[i]) ecc_items[i]->make(&ignored);
    }
    r->planning = false;
    return r->out_of_memory ? ecc_fail_memory(error, "the plan") : ECC_OK;
}

/* The greatest effort whose trainings fit; where none is to be done, all that might be there. */
static enum ecc_status make_plan(struct ecc_repro *r, struct ecc_error *error)
{
    if (ecc_plan_no_training(r)) {
        for (size_t effort = 0; effort <= MOST_EFFORT; effort++) {
            ECC_TRY(plan_items(r, effort, error));
        }
        return ECC_OK;
    }
    for (size_t effort = r->options->size == ECC_SIZE_QUICK ? 0 : MOST_EFFORT;; effort--) {
        ECC_TRY(plan_items(r, effort, error));
        if (effort == 0 || ecc_schedule_fits(r)) return ECC_OK;
        ecc_plan_clear(r);
    }
}

/* Where nothing is trained, what is planned and is not there is not missed: trainings, and
 * measurements of them. */
static bool is_absent(const struct ecc_repro *r, const struct ecc_task *task)
{
    if (task->state == ECC_TASK_DONE) return false;
    if (!task->step.measure || r->options->report_only) return true;
    for (size_t i = 0; i < task->step.runs.count; i++) {
        if (r->tasks[task->step.runs.runs[i]].state != ECC_TASK_DONE) return true;
    }
    return false;
}

/* ---- Words ---------------------------------------------------------------------------------- */

static json_t *plan_json(const struct ecc_repro *r)
{
    json_t *const json = json_object(), *const list = json_array();
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_task *const task = &r->tasks[i];
        if (task->state == ECC_TASK_ABSENT) continue;
        json_t *const entry = json_object();
        ecc_json_text(entry, "name", task->name);
        json_object_set_new(entry, "command", ecc_plan_command(task));
        ecc_json_flag(entry, "done", task->state == ECC_TASK_DONE);
        ecc_json_number(entry, "seconds", task->guess);
        json_array_append_new(list, entry);
    }
    json_object_set_new(json, "plan", list);
    return json;
}

static void announce(const struct ecc_repro *r)
{
    size_t all[2] = {0}, left[2] = {0}; /* trainings, measurements */
    double seconds = 0;
    char time[32];
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_task *const task = &r->tasks[i];
        const bool measures = task->step.measure, waits = task->state == ECC_TASK_WAITING;
        all[measures] += task->state != ECC_TASK_ABSENT;
        left[measures] += waits;
        if (waits) seconds += task->guess;
    }
    for (size_t i = 0; i < ECC_SETS; i++) {
        if (!r->wanted[i] || !r->data[i].missing[0]) continue;
        ecc_watch_remark(r->options->watch, "%s%s", r->data[i].missing,
                         r->data[i].what ? "; the built-in glyphs stand in" : "");
    }
    ecc_watch_remark(r->options->watch,
                     "%zu trainings, %zu to do; %zu measurements, %zu to do; about %s", all[0],
                     left[0], all[1], left[1], ecc_duration(time, seconds));
}

/* ---- All ------------------------------------------------------------------------------------ */

static enum ecc_status first_failure(const struct ecc_repro *r, struct ecc_error *error)
{
    size_t failed = 0;
    const struct ecc_task *first = NULL;
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_task *const task = &r->tasks[i];
        if (task->state != ECC_TASK_FAILED || task->step.inception) continue;
        if (failed++ == 0) first = task;
    }
    if (!first) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%zu of %zu tasks failed; the first, %s: %.250s", failed,
                    r->count, first->name, first->failure);
}

static enum ecc_status do_tasks(struct ecc_repro *r, struct ecc_error *error)
{
    if (r->options->report_only) return ECC_OK;
    ECC_TRY(ecc_schedule(r, error));
    announce(r);
    ECC_TRY(ecc_execute(r, error));
    return first_failure(r, error);
}

/* What is there is looked for, what is not is done. */
static enum ecc_status carry_out(struct ecc_repro *r, json_t **results, struct ecc_error *error)
{
    struct ecc_error why = {0};
    ECC_TRY(ecc_store_look(r, error));
    for (size_t i = 0; ecc_plan_no_training(r) && i < r->count; i++) {
        if (is_absent(r, &r->tasks[i])) r->tasks[i].state = ECC_TASK_ABSENT;
    }
    if (r->options->plan_only) {
        ECC_TRY(ecc_schedule(r, error));
        announce(r);
        *results = plan_json(r);
        return ECC_OK;
    }
    const enum ecc_status outcome = do_tasks(r, &why);
    /* also of half of it: what is there is there */
    ECC_TRY(ecc_repro_report_gather(results, r, error));
    ECC_TRY(ecc_repro_report_write(r, *results, error));
    return outcome == ECC_OK ? ECC_OK : ecc_fail(error, outcome, "%s", why.text);
}

static enum ecc_status reproduce(struct ecc_repro *r, json_t **results, struct ecc_error *error)
{
    int lock = -1;
    if (strlen(r->options->out) > ECC_STORE_OUT) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the name of the directory is too long");
    }
    choose_items(r);
    ECC_TRY(ecc_sets_find(r, r->options->data, error));
    ECC_TRY(make_plan(r, error));
    /* a plan leaves nothing behind */
    if (!r->options->plan_only) ECC_TRY(ecc_store_open(&lock, r, error));
    const enum ecc_status status = carry_out(r, results, error);
    if (lock >= 0) close(lock);
    return status;
}

static enum ecc_status check_names(const struct ecc_repro_options *options, struct ecc_error *error)
{
    for (size_t i = 0; i < options->item_count; i++) {
        const char *const *word = ecc_repro_words;
        while (*word && strcmp(*word, options->items[i]) != 0) word++;
        if (*word) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the paper has no '%.60s': expected figure1, ..., table4, claims or all",
                        options->items[i]);
    }
    return ECC_OK;
}

enum ecc_status ecc_reproduce_items(json_t **results, const struct ecc_repro_options *options,
                                    struct ecc_error *error)
{
    struct ecc_repro r = {.options = options};
    *results = NULL;
    ECC_TRY(check_names(options, error));
    const enum ecc_status status = reproduce(&r, results, error);
    ecc_plan_clear(&r);
    ecc_sets_release(&r);
    return status;
}

enum ecc_status ecc_reproduce(char **results, const struct ecc_repro_options *options,
                              struct ecc_error *error)
{
    json_t *json;
    const enum ecc_status status = ecc_reproduce_items(&json, options, error);
    return ecc_workroom_text(results, json, status, error);
}
