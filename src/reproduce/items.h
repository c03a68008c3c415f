/*
 * items.h: a figure, a table or a group of claims of the paper: a const entry, one file each, and
 * one line of the table in items.c.
 *
 * `plan` says which trainings and commands it needs; `report` makes of their results tables,
 * figures and verdicts, with whatever of them is there.
 */
#ifndef ECC_REPRODUCE_ITEMS_H
#define ECC_REPRODUCE_ITEMS_H

#include "figure/figure.h"
#include "reproduce/section.h"

struct ecc_item {
    const char *name;   /* "table2" */
    const char *title;  /* "Table 2: ..." */
    const char *about;  /* what the paper shows there */
    bool digits, faces; /* the data it is about */
    void (*plan)(struct ecc_repro *r);
    enum ecc_status (*report)(const struct ecc_repro *r, json_t *section, struct ecc_error *error);
};

extern const struct ecc_item *const ecc_items[]; /* in the report's order, ending in NULL */

/* Draws OUT/figures/NAME.png and .svg. */
enum ecc_status ecc_item_draw(const struct ecc_repro *r, const struct ecc_figure *figure,
                              const char *name, struct ecc_error *error);

/* A number that a finished training has in its result, such as "eccentricity"; NaN without. */
double ecc_run_number(const struct ecc_repro *r, int run, const char *key);
bool ecc_run_done(const struct ecc_repro *r, int run);

/* A training of the eccentric loss. */
struct ecc_setting ecc_eae(enum ecc_repro_set set, size_t latent, double lambda, double mu,
                           size_t seed);

/* ---- Runs that differ only in their seed ---------------------------------------------------- */

enum { ECC_GROUP = 4 };

/* Plans them; returns how many, 0 without data. */
size_t ecc_plan_group(struct ecc_repro *r, int runs[ECC_GROUP], struct ecc_setting setting,
                      size_t seeds);
/* Those that are done. */
size_t ecc_find_group(const struct ecc_repro *r, int runs[ECC_GROUP], struct ecc_setting setting);
/* One number of them all. */
struct ecc_measured ecc_group_number(const struct ecc_repro *r, const int *runs, size_t count,
                                     const char *key);
/* A step about `count` of them: "align-2-mnist-d8-...". */
void ecc_group_name(char out[ECC_TASK_NAME], const struct ecc_repro *r, const char *what,
                    struct ecc_setting setting, size_t count);
/* The one about most of them that is done, or is planned. */
int ecc_find_group_step(const struct ecc_repro *r, const char *what, struct ecc_setting setting);
/* Their alignment; two or more are needed. */
int ecc_plan_align(struct ecc_repro *r, struct ecc_setting setting, size_t seeds);
int ecc_find_align(const struct ecc_repro *r, struct ecc_setting setting);

/* "MNIST", "CelebA", "built-in glyphs". */
const char *ecc_set_title(const struct ecc_repro *r, enum ecc_repro_set set);

#endif
