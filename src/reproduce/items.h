/*
 * items.h: a figure, a table or a group of claims of the paper: a const entry, one file each, and
 * one line of the table in items.c.
 */
#ifndef ECC_REPRODUCE_ITEMS_H
#define ECC_REPRODUCE_ITEMS_H

#include "figure/plot.h"
#include "reproduce/section.h"

#include <eccentric_evaluate.h>

struct ecc_item {
    const char *name;   /* "table2" */
    const char *title;  /* "Table 2: ..." */
    const char *about;  /* what the paper shows there */
    bool digits, faces; /* the data it is about */
    /* Asks for what it needs (tasks.h); then, unless that was only to plan, makes of what is there
     * tables, figures and verdicts. */
    void (*make)(struct ecc_section *s);
};

extern const struct ecc_item *const ecc_items[]; /* in the report's order, ending in NULL */

/* A training of the eccentric loss. */
struct ecc_variant ecc_eae(enum ecc_repro_set set, size_t latent, double lambda, double mu,
                           size_t seed);
/* A number that finished trainings have in their result, such as "eccentricity". */
struct ecc_measured ecc_group_number(const struct ecc_repro *r, const struct ecc_group *group,
                                     const char *key);

/* Draws OUT/figures/NAME.png and .svg, and releases the plot. */
void ecc_item_draw(struct ecc_section *s, struct ecc_plot *plot, const char *name);

/* ---- Measurements that several items share: measure.c --------------------------------------- */

/* Alignment of the runs of one variant, two or more.  For each pair of them: {"angle_raw": ...,
 * "angle_aligned": ..., "partners": [from 0], "correlations": [], "before": [[]], "after": [[]]} */
const json_t *ecc_ask_pairs(struct ecc_section *s, struct ecc_variant variant, size_t seeds);

/* Classification of a run's test items.  "rows": [{"labels": ..., "neighbours": ..., "error": ...,
 * "errors": [], "majority": ..., "pca": ..., "pixels": ...}], "stumps": {NAME: {"component": from
 * 1, "majority": ..., "accuracy": ..., "gain": ...}} where there are some; errors are shares. */
enum ecc_status ecc_measure_classes(const struct ecc_repro *r, const struct ecc_task *task,
                                    json_t *out, const struct ecc_classify_options *options,
                                    struct ecc_error *error);
/* The same by trees of depth 1 and 8, of a face's attributes. */
const json_t *ecc_ask_trees(struct ecc_section *s, int run);

/* Eigen-images of a run's first components, as figures/NAME/components. */
void ecc_ask_images(struct ecc_section *s, const char *name, int run, size_t components,
                    const char *caption);

/* ---- For the functions that measure --------------------------------------------------------- */

/* A run that is looked at. */
struct ecc_opened {
    struct ecc_model *model;
    struct ecc_components components;
};

/* The first run of a task; the caller closes it, also after a failure. */
enum ecc_status ecc_opened_open(struct ecc_opened *opened, const struct ecc_repro *r,
                                const struct ecc_task *task, struct ecc_error *error);
void ecc_opened_close(struct ecc_opened *opened);

/* A picture that a measurement leaves, as file.png and file.svg: `draw` is called for each. */
typedef enum ecc_status ecc_draw_function(void *context, const char *path, struct ecc_error *error);
enum ecc_status ecc_measure_picture(const struct ecc_repro *r, json_t *out, const char *file,
                                    ecc_draw_function *draw, void *context,
                                    struct ecc_error *error);

#endif
