/*
 * plan.h: trainings and measurements as data: what is to be done, in which order, and what came of
 * it.
 *
 * A training is named by its settings, so that what was made for one table is found by another.  A
 * step is one other command of the program, with what it needs done before.  Both are tasks; a task
 * that is planned twice is there once.  Memory that runs out while planning is remembered and
 * reported once (ecc_plan_check).
 */
#ifndef ECC_REPRODUCE_PLAN_H
#define ECC_REPRODUCE_PLAN_H

#include "reproduce/reproduce.h"

enum {
    ECC_TASK_NAME = 100,
    ECC_TASK_NEEDS = 8,
    ECC_FAILURE_SIZE = 300,
    ECC_NO_TASK = -1, /* its data is missing */
};

/* ---- Data ----------------------------------------------------------------------------------- */

enum ecc_repro_set { ECC_DIGITS = 0, ECC_FACES, ECC_SETS };

struct ecc_repro_data {
    char *what;        /* as commands take it: "mnist", a path, "glyphs"; NULL: missing */
    const char *name;  /* "mnist", "glyphs", "celeba" */
    char missing[400]; /* what is missing, and how to get it; empty: nothing */
    size_t items, test_items, height, width, channels;
};

/* ---- Settings of a training ----------------------------------------------------------------- */

struct ecc_setting {
    enum ecc_repro_set set;
    size_t latent;
    const char *regularizer;
    double lambda, mu; /* mu only counts for "eccentric" */
    size_t seed;
};

/* How a size trains on a set: one table in recipe.c. */
struct ecc_recipe {
    enum ecc_repro_size size;
    enum ecc_repro_set set;
    double epochs;     /* 0: as many as fit into its minutes */
    size_t items;      /* at most; 0: all */
    const char *words; /* further ones, as `train` takes them */
    const char *about; /* for the report */
    const char *plane; /* words instead for two latent dimensions, or NULL */
};
const struct ecc_recipe *ecc_recipe_find(enum ecc_repro_size size, enum ecc_repro_set set);

/* ---- Tasks ---------------------------------------------------------------------------------- */

enum ecc_task_state {
    ECC_TASK_WAITING = 0,
    ECC_TASK_RUNNING,
    ECC_TASK_DONE,
    ECC_TASK_FAILED, /* or what it needs did */
};

struct ecc_task {
    char name[ECC_TASK_NAME];
    enum ecc_task_state state;
    bool training;
    struct ecc_setting setting; /* of a training */
    json_t *words;              /* the command, without the program's name */
    json_t *files;              /* that it leaves, as the directory has them */
    int needs[ECC_TASK_NEEDS];
    size_t need_count;
    json_t *result; /* what it printed; of a training {"config": ..., "result": ...}; or NULL */
    double seconds, guess; /* it took, and is thought to take */
    double weight;         /* of a training: share of the time, and which comes first */
    bool resumes;          /* a training that was begun before */
    bool optional;         /* a failure is told in the report, and is no failure of the whole */
    char failure[ECC_FAILURE_SIZE];
};

struct ecc_repro {
    const struct ecc_repro_options *options;
    struct ecc_repro_data data[ECC_SETS];
    struct ecc_task *tasks;
    size_t count, capacity;
    bool chosen[32];       /* by item: items.h */
    bool wanted[ECC_SETS]; /* by what was chosen */
    size_t effort;         /* 0 to 3: rows and seeds, effort.c */
    bool out_of_memory, too_many_needs;
};

enum ecc_status ecc_plan_check(const struct ecc_repro *r, struct ecc_error *error);
void ecc_plan_release(struct ecc_repro *r);

/* A training with these settings, or ECC_NO_TASK where its data is missing. */
int ecc_plan_run(struct ecc_repro *r, const struct ecc_setting *setting);

#define ECC_WORDS(...)                                                                             \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* A command: its words, as arguments or up to NULL. */
#define ecc_plan_step(r, name, ...) ecc_plan_step_words((r), (name), ECC_WORDS(__VA_ARGS__))
int ecc_plan_step_words(struct ecc_repro *r, const char *name, const char *const *words);

/* A command on trainings, which it needs done: their directories follow its name, then words.
 * ECC_NO_TASK where one of them is. */
#define ecc_plan_step_on(r, name, command, runs, run_count, ...)                                   \
    ecc_plan_step_on_words((r), (name), (command), (runs), (run_count), ECC_WORDS(__VA_ARGS__))
int ecc_plan_step_on_words(struct ecc_repro *r, const char *name, const char *command,
                           const int *runs, size_t run_count, const char *const *words);
void ecc_plan_word(struct ecc_repro *r, int step, const char *word);
/* A file that the step leaves. */
void ecc_plan_file(struct ecc_repro *r, int step, const char *file);

int ecc_plan_find(const struct ecc_repro *r, const char *name);
/* What a step printed, or NULL. */
const json_t *ecc_plan_result(const struct ecc_repro *r, const char *name);

/* The name of a training; with seed 0, of all that differ only in their seed. */
void ecc_setting_name(char out[ECC_TASK_NAME], const struct ecc_repro *r,
                      const struct ecc_setting *setting);
/* "runs/NAME"; the caller's array. */
void ecc_run_folder(char out[ECC_TASK_NAME + 8], const struct ecc_task *run);
/* What the items of this set are called in a command: "mnist:test"; out of size bytes. */
void ecc_data_part(char *out, size_t size, const struct ecc_repro_data *data, const char *part);
/* How many items of a set a training of this size sees. */
size_t ecc_plan_items(const struct ecc_repro *r, enum ecc_repro_set set);

/* ---- How much: effort.c --------------------------------------------------------------------- */

/* Whether only what is trained already counts. */
bool ecc_plan_no_training(const struct ecc_repro *r);
/* Which set stands for CelebA, and whether digits do instead. */
enum ecc_repro_set ecc_plan_set(const struct ecc_repro *r);
size_t ecc_plan_latent(enum ecc_repro_set set); /* 64 for faces, 8 for digits */
bool ecc_plan_all_rows(const struct ecc_repro *r);
/* Runs of one setting: where one would do, and where two are needed; at most the paper's. */
size_t ecc_plan_seeds(const struct ecc_repro *r, size_t paper);
size_t ecc_plan_pair_seeds(const struct ecc_repro *r, size_t paper);

#endif
