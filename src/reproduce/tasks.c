/* tasks.c: trainings and measurements as data: asked for, named, found again. */
#include "base/text.h"
#include "reproduce/section.h"
#include "run/settings.h"

#include <stdlib.h>
#include <string.h>

/* ---- Names ---------------------------------------------------------------------------------- */

void ecc_variant_name(char out[ECC_TASK_NAME], const struct ecc_repro *r,
                      const struct ecc_variant *v)
{
    static const char *const endings[] = {"-quick", "", "-paper"};
    char strength[64] = "", seed[32] = "";
    if (strcmp(v->regularizer, "eccentric") == 0) {
        snprintf(strength, sizeof strength, "-lambda%g-mu%g", v->lambda, v->mu);
    } else if (strcmp(v->regularizer, "none") != 0) {
        snprintf(strength, sizeof strength, "-lambda%g", v->lambda);
    }
    if (v->seed > 0) snprintf(seed, sizeof seed, "-seed%zu", v->seed);
    snprintf(out, ECC_TASK_NAME, "%s-d%zu-%s%s%s%s", r->data[v->set].name, v->latent,
             v->regularizer, strength, seed, endings[r->options->size]);
}

const char *ecc_set_title(const struct ecc_repro *r, enum ecc_repro_set set)
{
    if (set == ECC_FACES) return "CelebA";
    return strcmp(r->data[set].name, "glyphs") == 0 ? "built-in glyphs" : "MNIST";
}

/* ---- Tasks ---------------------------------------------------------------------------------- */

int ecc_plan_find(const struct ecc_repro *r, const char *name)
{
    for (size_t i = 0; i < r->count; i++) {
        if (strcmp(r->tasks[i].name, name) == 0) return (int)i;
    }
    return ECC_NO_TASK;
}

const json_t *ecc_plan_result(const struct ecc_repro *r, int task)
{
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
    r->tasks[r->count] = (struct ecc_task){.guess = 1, .weight = 1};
    snprintf(r->tasks[r->count].name, ECC_TASK_NAME, "%s", name);
    return (int)r->count++;
}

void ecc_plan_clear(struct ecc_repro *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->tasks[i].command);
        json_decref(r->tasks[i].config);
        json_decref(r->tasks[i].result);
    }
    free(r->tasks);
    r->tasks = NULL;
    r->count = r->capacity = 0;
}

/* ---- Commands ------------------------------------------------------------------------------- */

/* "eccentric COMMAND runs/A runs/B DATA WORDS --json". */
static char *write_command(const struct ecc_repro *r, const struct ecc_step *step)
{
    char *text = NULL;
    size_t size;
    FILE *const out = open_memstream(&text, &size);
    if (!out) return NULL;
    fprintf(out, "eccentric %s", step->command);
    for (size_t i = 0; i < step->runs.count; i++) {
        fprintf(out, " runs/%s", r->tasks[step->runs.runs[i]].name);
    }
    if (step->runs.data) fputc(' ', out);
    if (step->runs.data) ecc_put_shell_word(out, step->runs.data);
    fprintf(out, "%s%s --json", step->words ? " " : "", step->words ? step->words : "");
    fclose(out);
    return text;
}

json_t *ecc_plan_command(const struct ecc_task *task)
{
    char *text = NULL;
    size_t size;
    if (task->step.measure) return ecc_json_any(task->command);
    FILE *const out = open_memstream(&text, &size);
    if (!out) return NULL;
    ecc_settings_command(out, &task->options, ECC_SAY("runs/%s", task->name));
    fclose(out);
    json_t *const command = text ? ecc_json_any(text) : NULL;
    free(text);
    return command;
}

/* ---- Asking --------------------------------------------------------------------------------- */

int ecc_ask_run(struct ecc_section *s, struct ecc_variant variant)
{
    struct ecc_repro *const r = s->r;
    char name[ECC_TASK_NAME];
    if (!r->data[variant.set].what) return ECC_NO_TASK;
    ecc_variant_name(name, r, &variant);
    int task = ecc_plan_find(r, name);
    if (!r->planning && ecc_plan_result(r, task)) return task;
    if (!r->planning) {
        ecc_section_task(s, task);
        return ECC_NO_TASK;
    }
    if (task != ECC_NO_TASK) return task;
    task = add_task(r, name);
    if (task == ECC_NO_TASK) return task;
    r->tasks[task].variant = variant;
    r->tasks[task].options = ecc_size_options(r, variant);
    return task;
}

struct ecc_group ecc_ask_runs(struct ecc_section *s, struct ecc_variant variant, size_t seeds)
{
    struct ecc_repro *const r = s->r;
    struct ecc_group group = {.runs = {ECC_NO_TASK}};
    const size_t last = r->planning && seeds < ECC_GROUP ? seeds : (size_t)ECC_GROUP;
    for (variant.seed = 1; variant.seed <= last; variant.seed++) {
        const int run = ecc_ask_run(s, variant);
        if (run != ECC_NO_TASK) group.runs[group.count++] = run;
    }
    return group;
}

struct ecc_group ecc_group_of(int run)
{
    return (struct ecc_group){.runs = {run}, .count = run != ECC_NO_TASK};
}

static void plan_step(struct ecc_repro *r, const struct ecc_step *step)
{
    if (ecc_plan_find(r, step->name) != ECC_NO_TASK) return;
    const int task = add_task(r, step->name);
    if (task == ECC_NO_TASK) return;
    r->tasks[task].step = *step;
    r->tasks[task].step.name = r->tasks[task].step.command = r->tasks[task].step.words = NULL;
    r->tasks[task].guess = step->guess > 0 ? step->guess : 1;
    r->tasks[task].command = write_command(r, step);
    if (!r->tasks[task].command) r->out_of_memory = true;
}

const json_t *ecc_ask(struct ecc_section *s, const struct ecc_step *step)
{
    struct ecc_repro *const r = s->r;
    if (step->runs.runs[0] == ECC_NO_TASK) return NULL;
    if (r->planning) plan_step(r, step);
    if (r->planning) return NULL;
    const int task = ecc_plan_find(r, step->name);
    ecc_section_task(s, task);
    return ecc_plan_result(r, task);
}

const json_t *ecc_ask_of(struct ecc_section *s, const char *what, const struct ecc_step *step)
{
    struct ecc_repro *const r = s->r;
    struct ecc_step named = *step;
    if (step->runs.runs[0] == ECC_NO_TASK) return NULL;
    named.name = ECC_SAY("%s-%.90s", what, r->tasks[step->runs.runs[0]].name);
    return ecc_ask(s, &named);
}

const json_t *ecc_ask_group(struct ecc_section *s, const char *what, struct ecc_variant variant,
                            const struct ecc_step *step)
{
    struct ecc_repro *const r = s->r;
    struct ecc_step named = *step;
    char name[ECC_TASK_NAME];
    size_t best = r->planning ? step->runs.count : 0;
    variant.seed = 0; /* all of them */
    ecc_variant_name(name, r, &variant);
    for (size_t count = ECC_GROUP; count > 0 && !r->planning; count--) {
        const int task = ecc_plan_find(r, ECC_SAY("%s-%zu-%.80s", what, count, name));
        if (task != ECC_NO_TASK && best == 0) best = count;
        if (!ecc_plan_result(r, task)) continue;
        best = count;
        break;
    }
    named.name = ECC_SAY("%s-%zu-%.80s", what, best, name);
    return ecc_ask(s, &named);
}
