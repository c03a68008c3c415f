/*
 * tasks.h: trainings and measurements as data: what is to be done, in which order, and what came of
 * it.
 *
 * A training is named by its settings, so that what was made for one table is found by another.  A
 * measurement is a function that looks at some trainings and leaves numbers.  Both are tasks; a
 * task that is planned twice is there once.  Memory that runs out while planning is noted in
 * out_of_memory and reported once, after planning.
 */
#ifndef ECC_REPRODUCE_TASKS_H
#define ECC_REPRODUCE_TASKS_H

#include "reproduce/reproduce.h"
#include "work/workroom.h"

#include <eccentric_train.h>

enum {
    ECC_TASK_NAME = 100,
    ECC_GROUP = 4, /* runs of one setting, at most */
    ECC_FAILURE_SIZE = 300,
    ECC_NO_TASK = -1, /* its data is missing */
};

/* ---- Data ----------------------------------------------------------------------------------- */

enum ecc_repro_set { ECC_DIGITS = 0, ECC_FACES, ECC_SETS };

struct ecc_repro_data {
    char *what;        /* as commands take it: "mnist", a path, "glyphs"; NULL: missing */
    char *test;        /* its test part: "mnist:test" */
    const char *name;  /* "mnist", "glyphs", "celeba" */
    char missing[400]; /* what is missing, and how to get it; empty: nothing */
    size_t items, test_items, height, width, channels;
};

/* ---- Tasks ---------------------------------------------------------------------------------- */

/* What a training is named by. */
struct ecc_variant {
    enum ecc_repro_set set;
    size_t latent;
    const char *regularizer;
    double lambda, mu; /* mu only counts for "eccentric" */
    size_t seed;
};

/* Trainings that are measured together, such as those that differ only in their seed. */
struct ecc_group {
    int runs[ECC_GROUP]; /* [count] tasks; where data is missing there are none, and runs[0] is
                          * ECC_NO_TASK */
    size_t count;
    const char *data; /* measured by the items of this data; NULL: by those of the runs' own */
};

struct ecc_repro;
struct ecc_section; /* section.h */
struct ecc_task;

/* Puts into out, a JSON object, the numbers that the report needs.  The names of files that it
 * leaves, as the directory has them, go to out["files"]. */
typedef enum ecc_status ecc_measurement(const struct ecc_repro *r, const struct ecc_task *task,
                                        json_t *out, struct ecc_error *error);

/* A measurement as an item asks for it.  The command that does the same is `command`, the runs,
 * their data, then words. */
struct ecc_step {
    const char *name;
    ecc_measurement *measure;
    struct ecc_group runs;
    const char *command, *words;
    size_t number;  /* for `measure`: a dimension, a count */
    double guess;   /* seconds */
    bool inception; /* a score by Inception, whose weights may be missing: a failure is told in the
                     * report, and is not a failure of the whole */
};

enum ecc_task_state {
    ECC_TASK_WAITING = 0,
    ECC_TASK_DONE,
    ECC_TASK_FAILED, /* or what it needs did */
    ECC_TASK_ABSENT, /* where nothing is trained: as if it had not been planned */
};

struct ecc_task {
    char name[ECC_TASK_NAME];
    enum ecc_task_state state;
    struct ecc_variant variant;       /* of a training, and ... */
    struct ecc_train_options options; /* ... what follows from it and from the size; of a finished
                                       * one, what it was trained with */
    json_t *config;                   /* that texts of the options then point into */
    double weight;                    /* of a training: share of the time, and which comes first */
    bool resumes;                     /* a training that was begun before */
    uint32_t weights;                 /* of a finished one: a checksum of its weights */

    struct ecc_step step; /* of a measurement, without texts; a training has no `measure` */
    char *command;        /* that does the same, as one would type it in the directory */

    json_t *result;        /* what was measured; of a training, its result.json; or NULL */
    double seconds, guess; /* it took, and is thought to take */
    char failure[ECC_FAILURE_SIZE];
};

struct ecc_repro {
    const struct ecc_repro_options *options;
    struct ecc_repro_data data[ECC_SETS];
    struct ecc_task *tasks;
    size_t count, capacity;
    bool chosen[32];       /* by item: items.h */
    bool wanted[ECC_SETS]; /* by what was chosen */
    size_t effort;         /* 0 to 3: rows and seeds, size.c */
    bool planning;         /* what is asked for is only noted */
    bool out_of_memory;    /* of the plan */
};

/* Takes away all tasks. */
void ecc_plan_clear(struct ecc_repro *r);
int ecc_plan_find(const struct ecc_repro *r, const char *name);
const json_t *ecc_plan_result(const struct ecc_repro *r, int task);
/* The command as one would type it in the directory: a new reference, or NULL. */
json_t *ecc_plan_command(const struct ecc_task *task);

/* ---- Asking --------------------------------------------------------------------------------- */

/*
 * Items ask for the trainings and measurements that they need, first while planning, when nothing
 * is there yet, and again for the report.  What is asked for twice is there once.  Commands of
 * measurements, with those of their runs, and what failed are noted in the section.
 */

/* A training; ECC_NO_TASK where its data is missing, or for the report, where it is not done. */
int ecc_ask_run(struct ecc_section *s, struct ecc_variant variant);
/* Those with seeds 1, 2, ...; for the report all that are done. */
struct ecc_group ecc_ask_runs(struct ecc_section *s, struct ecc_variant variant, size_t seeds);
struct ecc_group ecc_group_of(int run);

/* What was measured, or NULL. */
const json_t *ecc_ask(struct ecc_section *s, const struct ecc_step *step);
/* The same of one run: its name is "what-RUN". */
const json_t *ecc_ask_of(struct ecc_section *s, const char *what, const struct ecc_step *step);
/* The same of runs that differ in their seed: "what-2-RUN"; for the report of most seeds. */
const json_t *ecc_ask_group(struct ecc_section *s, const char *what, struct ecc_variant variant,
                            const struct ecc_step *step);

/* ---- Names ---------------------------------------------------------------------------------- */

/* The name of a training; with seed 0, of all that differ only in their seed. */
void ecc_variant_name(char out[ECC_TASK_NAME], const struct ecc_repro *r,
                      const struct ecc_variant *variant);
/* "MNIST", "CelebA", "built-in glyphs". */
const char *ecc_set_title(const struct ecc_repro *r, enum ecc_repro_set set);

/* ---- How much: size.c ----------------------------------------------------------------------- */

/* How a size trains on a set, for the report. */
const char *ecc_size_about(enum ecc_repro_size size, enum ecc_repro_set set);
struct ecc_train_options ecc_size_options(const struct ecc_repro *r, struct ecc_variant variant);
/* How many items of a set a training of this size sees. */
size_t ecc_size_items(const struct ecc_repro *r, enum ecc_repro_set set);

/* Whether only what is trained already counts. */
bool ecc_plan_no_training(const struct ecc_repro *r);
/* Which set stands for CelebA: faces, or digits instead. */
enum ecc_repro_set ecc_plan_set(const struct ecc_repro *r);
size_t ecc_plan_latent(enum ecc_repro_set set); /* 64 for faces, 8 for digits */
bool ecc_plan_all_rows(const struct ecc_repro *r);
/* Runs of one setting: where one would do, and where two are needed; at most the paper's. */
size_t ecc_plan_seeds(const struct ecc_repro *r, size_t paper);
size_t ecc_plan_pair_seeds(const struct ecc_repro *r, size_t paper);

/* ---- How long: budget.c --------------------------------------------------------------------- */

/* Whether these trainings fit in the time, for choosing the effort; true for other sizes. */
bool ecc_schedule_fits(const struct ecc_repro *r);
/* Gives every waiting training its time, and a guess of it: from the minutes there are, or from a
 * short training on each set. */
enum ecc_status ecc_schedule(struct ecc_repro *r, struct ecc_error *error);
/* ---- Doing it ------------------------------------------------------------------------------- */

/* sets.c.  Digits: MNIST, else the built-in glyphs.  Faces: CelebA, else nothing.  directory (may
 * be NULL) holds mnist/ and celeba/, or is itself a directory of idx files or CelebA's. */
enum ecc_status ecc_sets_find(struct ecc_repro *r, const char *directory, struct ecc_error *error);
void ecc_sets_release(struct ecc_repro *r);

/* execute.c.  Does every task that can be done, one at a time; fails only when interrupted. */
enum ecc_status ecc_execute(struct ecc_repro *r, struct ecc_error *error);

#endif
