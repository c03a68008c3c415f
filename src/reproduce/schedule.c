/* schedule.c: how long each training may take, how many there are, and how long all will take. */
#include "reproduce/schedule.h"
#include "reproduce/execute.h"
#include "reproduce/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Less than this is no use: then rather fewer trainings. */
static const double least_minutes = 10;
/* Of the time there is, for everything but trainings. */
static const double other_share = 0.08;

static double training_minutes(const struct ecc_repro *r)
{
    return r->options->minutes * (double)r->options->jobs * (1 - other_share);
}

bool ecc_schedule_fits(const struct ecc_repro *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) count += r->tasks[i].training;
    if (r->options->size != ECC_SIZE_MINUTES) return true;
    return training_minutes(r) >= least_minutes * (double)count;
}

/* ---- By the clock --------------------------------------------------------------------------- */

/* The time there is, divided over the trainings that are still to be begun. */
static void share_minutes(struct ecc_repro *r)
{
    double weights = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_task *const task = &r->tasks[i];
        if (task->training && task->state == ECC_TASK_WAITING) weights += task->weight;
    }
    for (size_t i = 0; i < r->count; i++) {
        struct ecc_task *const task = &r->tasks[i];
        if (!task->training || task->state != ECC_TASK_WAITING) continue;
        const double minutes = training_minutes(r) * task->weight / weights;
        char text[40];
        snprintf(text, sizeof text, "%.4g", minutes);
        ecc_plan_word(r, (int)i, "--minutes");
        ecc_plan_word(r, (int)i, text);
        task->guess = 60 * minutes;
    }
}

/* ---- By epochs ------------------------------------------------------------------------------ */

static const char speed_minutes[] = "0.05";

/* A training of some seconds on this set, with the size's own recipe. */
static int plan_speed(struct ecc_repro *probe, const struct ecc_task *like)
{
    static const char *const names[ECC_SETS] = {"speed-digits", "speed-faces"};
    const struct ecc_setting *const setting = &like->setting;
    static const char *const no_words[] = {NULL};
    const int step = ecc_plan_step_words(probe, names[setting->set], no_words);
    if (step == ECC_NO_TASK || json_array_size(probe->tasks[step].words) > 0) return step;
    for (size_t i = 0; i < json_array_size(like->words); i++) {
        const char *const word = json_string_value(json_array_get(like->words, i));
        if (strcmp(word, "--epochs") == 0) {
            i++;
            continue;
        }
        ecc_plan_word(probe, step, word);
    }
    const char *const more[] = {"--minutes",  speed_minutes, "--out",
                                "work/speed", "--overwrite", "--json"};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        ecc_plan_word(probe, step, more[i]);
    }
    return step;
}

/* Items per second on each set that is still to be trained on; 0 where that is not known. */
static enum ecc_status measure_speed(double speed[ECC_SETS], const struct ecc_repro *r,
                                     struct ecc_error *error)
{
    struct ecc_repro_options options = *r->options;
    options.quiet = true;
    options.jobs = 1;
    struct ecc_repro probe = {.options = &options, .effort = r->effort};
    int steps[ECC_SETS] = {ECC_NO_TASK, ECC_NO_TASK};
    for (size_t i = 0; i < ECC_SETS; i++) {
        probe.data[i] = r->data[i];
        speed[i] = 0;
    }
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_task *const task = &r->tasks[i];
        if (!task->training || task->state != ECC_TASK_WAITING) continue;
        steps[task->setting.set] = plan_speed(&probe, task);
    }
    enum ecc_status status = ecc_plan_check(&probe, error);
    if (status == ECC_OK) status = ecc_store_look(&probe, error);
    if (status == ECC_OK) status = ecc_execute(&probe, error);
    for (size_t i = 0; i < ECC_SETS; i++) {
        if (steps[i] == ECC_NO_TASK) continue;
        const json_t *const result = probe.tasks[steps[i]].result;
        speed[i] = json_number_value(json_object_get(result, "images_per_second"));
    }
    for (size_t i = 0; i < ECC_SETS; i++) probe.data[i].what = NULL; /* still r's */
    ecc_plan_release(&probe);
    return status;
}

static void guess_epochs(struct ecc_repro *r, const double speed[ECC_SETS])
{
    for (size_t i = 0; i < r->count; i++) {
        struct ecc_task *const task = &r->tasks[i];
        if (!task->training || task->state != ECC_TASK_WAITING) continue;
        const enum ecc_repro_set set = task->setting.set;
        const double items =
            ecc_recipe_find(r->options->size, set)->epochs * (double)ecc_plan_items(r, set);
        task->guess = 1 + (speed[set] > 0 ? items / speed[set] : 0);
    }
}

enum ecc_status ecc_schedule(struct ecc_repro *r, bool measure, struct ecc_error *error)
{
    double speed[ECC_SETS] = {0};
    if (r->options->size == ECC_SIZE_MINUTES) {
        share_minutes(r);
        return ecc_plan_check(r, error);
    }
    if (measure) ECC_TRY(measure_speed(speed, r, error));
    guess_epochs(r, speed);
    return ECC_OK;
}
