/* plan.c: trainings and measurements as data: put together, named, found again. */
#include "reproduce/plan.h"

#include <stdlib.h>
#include <string.h>

/* ---- Names ---------------------------------------------------------------------------------- */

void ecc_setting_name(char out[ECC_TASK_NAME], const struct ecc_repro *r,
                      const struct ecc_setting *s)
{
    static const char *const endings[] = {"-quick", "", "-paper"};
    char strength[64] = "";
    if (strcmp(s->regularizer, "eccentric") == 0) {
        snprintf(strength, sizeof strength, "-lambda%g-mu%g", s->lambda, s->mu);
    } else if (strcmp(s->regularizer, "none") != 0) {
        snprintf(strength, sizeof strength, "-lambda%g", s->lambda);
    }
    char seed[32] = "";
    if (s->seed > 0) snprintf(seed, sizeof seed, "-seed%zu", s->seed);
    snprintf(out, ECC_TASK_NAME, "%s-d%zu-%s%s%s%s", r->data[s->set].name, s->latent,
             s->regularizer, strength, seed, endings[r->options->size]);
}

void ecc_run_folder(char out[ECC_TASK_NAME + 8], const struct ecc_task *run)
{
    snprintf(out, ECC_TASK_NAME + 8, "runs/%s", run->name);
}

void ecc_data_part(char *out, size_t size, const struct ecc_repro_data *data, const char *part)
{
    snprintf(out, size, "%s:%s", data->what, part);
}

/* ---- Tasks ---------------------------------------------------------------------------------- */

int ecc_plan_find(const struct ecc_repro *r, const char *name)
{
    for (size_t i = 0; i < r->count; i++) {
        if (strcmp(r->tasks[i].name, name) == 0) return (int)i;
    }
    return ECC_NO_TASK;
}

const json_t *ecc_plan_result(const struct ecc_repro *r, const char *name)
{
    const int task = ecc_plan_find(r, name);
    return task == ECC_NO_TASK ? NULL : r->tasks[task].result;
}

/* A new task of this name, or ECC_NO_TASK without memory. */
static int add_task(struct ecc_repro *r, const char *name)
{
    if (r->count == r->capacity) {
        const size_t capacity = r->capacity ? 2 * r->capacity : 64;
        struct ecc_task *const larger = realloc(r->tasks, capacity * sizeof *larger);
        if (!larger) {
            r->out_of_memory = true;
            return ECC_NO_TASK;
        }
        r->tasks = larger;
        r->capacity = capacity;
    }
    struct ecc_task *const task = &r->tasks[r->count];
    *task = (struct ecc_task){.words = json_array(), .files = json_array(), .guess = 1};
    snprintf(task->name, sizeof task->name, "%s", name);
    if (!task->words || !task->files) r->out_of_memory = true;
    return (int)r->count++;
}

void ecc_plan_word(struct ecc_repro *r, int step, const char *word)
{
    if (step == ECC_NO_TASK) return;
    if (json_array_append_new(r->tasks[step].words, json_string(word)) != 0) {
        r->out_of_memory = true;
    }
}

int ecc_plan_step_words(struct ecc_repro *r, const char *name, const char *const *words)
{
    const int found = ecc_plan_find(r, name);
    if (found != ECC_NO_TASK) return found;
    const int step = add_task(r, name);
    for (; *words; words++) ecc_plan_word(r, step, *words);
    return step;
}

int ecc_plan_step_on_words(struct ecc_repro *r, const char *name, const char *command,
                           const int *runs, size_t run_count, const char *const *words)
{
    for (size_t i = 0; i < run_count; i++) {
        if (runs[i] == ECC_NO_TASK) return ECC_NO_TASK;
    }
    const int found = ecc_plan_find(r, name);
    if (found != ECC_NO_TASK) return found;
    const int step = add_task(r, name);
    if (step == ECC_NO_TASK) return step;
    if (run_count > ECC_TASK_NEEDS) {
        r->too_many_needs = true;
        run_count = ECC_TASK_NEEDS;
    }
    ecc_plan_word(r, step, command);
    for (size_t i = 0; i < run_count; i++) {
        char folder[ECC_TASK_NAME + 8];
        ecc_run_folder(folder, &r->tasks[runs[i]]);
        ecc_plan_word(r, step, folder);
        r->tasks[step].needs[i] = runs[i];
    }
    r->tasks[step].need_count = run_count;
    for (; *words; words++) ecc_plan_word(r, step, *words);
    return step;
}

void ecc_plan_file(struct ecc_repro *r, int step, const char *file)
{
    if (step == ECC_NO_TASK) return;
    json_t *const files = r->tasks[step].files;
    for (size_t i = 0; i < json_array_size(files); i++) {
        if (strcmp(json_string_value(json_array_get(files, i)), file) == 0) return;
    }
    if (json_array_append_new(files, json_string(file)) != 0) r->out_of_memory = true;
}

/* ---- Trainings ------------------------------------------------------------------------------ */

static void add_number(struct ecc_repro *r, int task, const char *option, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.6g", value);
    ecc_plan_word(r, task, option);
    ecc_plan_word(r, task, text);
}

/* Words, cut at blanks. */
static void add_words(struct ecc_repro *r, int task, const char *words)
{
    char word[64];
    for (const char *at = words; *at;) {
        const size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        ecc_plan_word(r, task, word);
        at += length;
        at += strspn(at, " ");
    }
}

/* Only items of MNIST's size suit the paper's net. */
static void add_net(struct ecc_repro *r, int task, enum ecc_repro_set set)
{
    const struct ecc_repro_data *const data = &r->data[set];
    if (set == ECC_FACES) return; /* its recipes name it */
    ecc_plan_word(r, task, "--net");
    ecc_plan_word(r, task,
                  data->height == 28 && data->width == 28 && data->channels == 1 ? "paper-mnist"
                                                                                 : "auto");
}

size_t ecc_plan_items(const struct ecc_repro *r, enum ecc_repro_set set)
{
    const size_t most = ecc_recipe_find(r->options->size, set)->items, there = r->data[set].items;
    return most > 0 && most < there ? most : there;
}

/* The time it gets, where it is given one, is added when all are known (schedule.c). */
static void write_training(struct ecc_repro *r, int task, const struct ecc_setting *s)
{
    const struct ecc_recipe *const recipe = ecc_recipe_find(r->options->size, s->set);
    ecc_plan_word(r, task, "train");
    ecc_plan_word(r, task, r->data[s->set].what);
    add_net(r, task, s->set);
    add_words(r, task, s->latent == 2 && recipe->plane ? recipe->plane : recipe->words);
    if (ecc_plan_items(r, s->set) < r->data[s->set].items) {
        add_number(r, task, "--items", (double)recipe->items);
    }
    add_number(r, task, "--latent", (double)s->latent);
    ecc_plan_word(r, task, "--regularizer");
    ecc_plan_word(r, task, s->regularizer);
    if (strcmp(s->regularizer, "none") != 0) add_number(r, task, "--lambda", s->lambda);
    if (strcmp(s->regularizer, "eccentric") == 0) add_number(r, task, "--mu", s->mu);
    add_number(r, task, "--seed", (double)s->seed);
    if (recipe->epochs > 0) add_number(r, task, "--epochs", recipe->epochs);
}

int ecc_plan_run(struct ecc_repro *r, const struct ecc_setting *s)
{
    char name[ECC_TASK_NAME];
    if (!r->data[s->set].what) return ECC_NO_TASK;
    ecc_setting_name(name, r, s);
    const int found = ecc_plan_find(r, name);
    if (found != ECC_NO_TASK) return found;
    const int task = add_task(r, name);
    if (task == ECC_NO_TASK) return task;
    r->tasks[task].training = true;
    r->tasks[task].setting = *s;
    r->tasks[task].weight = 1;
    write_training(r, task, s);
    return task;
}

/* ---- The end -------------------------------------------------------------------------------- */

enum ecc_status ecc_plan_check(const struct ecc_repro *r, struct ecc_error *error)
{
    if (r->out_of_memory) return ecc_fail_memory(error, "the plan");
    if (!r->too_many_needs) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "a step of the plan needs more than %d others",
                    ECC_TASK_NEEDS);
}

void ecc_plan_release(struct ecc_repro *r)
{
    for (size_t i = 0; i < r->count; i++) {
        json_decref(r->tasks[i].words);
        json_decref(r->tasks[i].files);
        json_decref(r->tasks[i].result);
    }
    free(r->tasks);
    r->tasks = NULL;
    r->count = r->capacity = 0;
    for (size_t i = 0; i < ECC_SETS; i++) {
        free(r->data[i].what);
        r->data[i].what = NULL;
    }
}
