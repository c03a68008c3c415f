/* items.c: the table of what can be reproduced, and what its entries share. */
#include "reproduce/items.h"
#include "reproduce/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
extern const struct ecc_item
    ecc_item_figure1,
    ecc_item_figure2,
    ecc_item_figure3,
    ecc_item_table2,
    ecc_item_figure5,
    ecc_item_figure6,
    ecc_item_figure7,
    ecc_item_figure8,
    ecc_item_figure9,
    ecc_item_table1,
    ecc_item_figure10,
    ecc_item_table3,
    ecc_item_table4,
    ecc_item_claims;

/* Adding an item: its own file, its entry declared above, a line here and its word below. */
const struct ecc_item *const ecc_items[] = {
    &ecc_item_figure1,
    &ecc_item_figure2,
    &ecc_item_figure3,
    &ecc_item_table2,
    &ecc_item_figure5,
    &ecc_item_figure6,
    &ecc_item_figure7,
    &ecc_item_figure8,
    &ecc_item_figure9,
    &ecc_item_table1,
    &ecc_item_figure10,
    &ecc_item_table3,
    &ecc_item_table4,
    &ecc_item_claims,
    NULL,
};

const char *const ecc_repro_words[] = {
    "figure1", "figure2", "figure3", "table2", "figure5", "figure6", "figure7",
    "figure8", "figure9", "table1", "figure10", "table3", "table4", "claims",
    "all", NULL,
};
/* clang-format on */

enum ecc_status ecc_item_draw(const struct ecc_repro *r, const struct ecc_figure *figure,
                              const char *name, struct ecc_error *error)
{
    static const char *const endings[] = {".png", ".svg"};
    for (size_t i = 0; i < 2; i++) {
        char *const path = ecc_store_path(r, "figures", name, endings[i]);
        if (!path) return ecc_fail_memory(error, "a path");
        const enum ecc_status status = ecc_figure_write(figure, path, error);
        free(path);
        ECC_TRY(status);
    }
    return ECC_OK;
}

bool ecc_run_done(const struct ecc_repro *r, int run)
{
    return run != ECC_NO_TASK && r->tasks[run].state == ECC_TASK_DONE && r->tasks[run].result;
}

double ecc_run_number(const struct ecc_repro *r, int run, const char *key)
{
    if (!ecc_run_done(r, run)) return (double)NAN;
    const json_t *const result = json_object_get(r->tasks[run].result, "result");
    const json_t *const value = json_object_get(result, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

struct ecc_setting ecc_eae(enum ecc_repro_set set, size_t latent, double lambda, double mu,
                           size_t seed)
{
    return (struct ecc_setting){.set = set,
                                .latent = latent,
                                .regularizer = "eccentric",
                                .lambda = lambda,
                                .mu = mu,
                                .seed = seed};
}

size_t ecc_plan_group(struct ecc_repro *r, int runs[ECC_GROUP], struct ecc_setting setting,
                      size_t seeds)
{
    const size_t count = seeds < ECC_GROUP ? seeds : (size_t)ECC_GROUP;
    for (size_t i = 0; i < count; i++) {
        setting.seed = i + 1;
        runs[i] = ecc_plan_run(r, &setting);
        if (runs[i] == ECC_NO_TASK) return i;
    }
    return count;
}

size_t ecc_find_group(const struct ecc_repro *r, int runs[ECC_GROUP], struct ecc_setting setting)
{
    char name[ECC_TASK_NAME];
    size_t count = 0;
    for (setting.seed = 1; setting.seed <= ECC_GROUP; setting.seed++) {
        ecc_setting_name(name, r, &setting);
        const int run = ecc_plan_find(r, name);
        if (ecc_run_done(r, run)) runs[count++] = run;
    }
    return count;
}

struct ecc_measured ecc_group_number(const struct ecc_repro *r, const int *runs, size_t count,
                                     const char *key)
{
    double values[ECC_GROUP];
    size_t known = 0;
    for (size_t i = 0; i < count && i < ECC_GROUP; i++) {
        values[known] = ecc_run_number(r, runs[i], key);
        if (!isnan(values[known])) known++;
    }
    return ecc_measure(values, known);
}

void ecc_group_name(char out[ECC_TASK_NAME], const struct ecc_repro *r, const char *what,
                    struct ecc_setting setting, size_t count)
{
    char name[ECC_TASK_NAME];
    setting.seed = 0; /* all of them */
    ecc_setting_name(name, r, &setting);
    snprintf(out, ECC_TASK_NAME, "%s-%zu-%.80s", what, count, name);
}

int ecc_find_group_step(const struct ecc_repro *r, const char *what, struct ecc_setting setting)
{
    char name[ECC_TASK_NAME];
    int planned = ECC_NO_TASK;
    for (size_t count = ECC_GROUP; count > 0; count--) {
        ecc_group_name(name, r, what, setting, count);
        const int step = ecc_plan_find(r, name);
        if (step == ECC_NO_TASK) continue;
        if (r->tasks[step].result) return step;
        if (planned == ECC_NO_TASK) planned = step;
    }
    return planned;
}

int ecc_plan_align(struct ecc_repro *r, struct ecc_setting setting, size_t seeds)
{
    int runs[ECC_GROUP] = {0};
    char name[ECC_TASK_NAME], items[24];
    const size_t count = ecc_plan_group(r, runs, setting, seeds);
    if (count < 2) return ECC_NO_TASK;
    ecc_group_name(name, r, "align", setting, count);
    if (ecc_plan_find(r, name) != ECC_NO_TASK) return ecc_plan_find(r, name);
    const int step = ecc_plan_step_on(r, name, "align", runs, count, "--json");
    if (ecc_plan_items(r, setting.set) < r->data[setting.set].items) {
        snprintf(items, sizeof items, "%zu", ecc_plan_items(r, setting.set));
        ecc_plan_word(r, step, "--items");
        ecc_plan_word(r, step, items);
    }
    if (step != ECC_NO_TASK) r->tasks[step].guess = 5;
    return step;
}

int ecc_find_align(const struct ecc_repro *r, struct ecc_setting setting)
{
    return ecc_find_group_step(r, "align", setting);
}

const char *ecc_set_title(const struct ecc_repro *r, enum ecc_repro_set set)
{
    if (set == ECC_FACES) return "CelebA";
    return strcmp(r->data[set].name, "glyphs") == 0 ? "built-in glyphs" : "MNIST";
}
