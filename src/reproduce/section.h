/*
 * section.h: what one item of the paper comes to, as JSON that both reports are written from.
 *
 *     {"id": "table2", "title": "...", "about": "...", "texts": [...],
 *      "tables": [{"title": "...", "columns": [...], "rows": [[...]]}],
 *      "figures": [{"file": "figures/figure1", "caption": "..."}],
 *      "claims": [{"claim": "...", "paper": "...", "ours": "...", "verdict": "agrees", "why": ""}],
 *      "numbers": {...}, "missing": [...], "commands": [...]}
 *
 * Where memory runs out, jansson leaves something out, and no pointer is followed that is not
 * there.
 */
#ifndef ECC_REPRODUCE_SECTION_H
#define ECC_REPRODUCE_SECTION_H

#include "reproduce/verdict.h"
#include "work/sayings.h"

/* An item in the making. */
struct ecc_section {
    struct ecc_repro *r;
    json_t *json;                 /* as above */
    struct ecc_fairness fairness; /* of the runs that the next claims are about */
    enum ecc_status status;       /* of its drawings, the first that failed */
    struct ecc_error error;       /* why */
};

/* The caller lets go of `json`. */
struct ecc_section ecc_section_start(struct ecc_repro *r, const char *id, const char *title,
                                     const char *about);

void ecc_section_text(struct ecc_section *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What could not be done, and why. */
void ecc_section_missing(struct ecc_section *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* columns and cells are separated by tabs.  Both return what more can be added to, borrowed. */
json_t *ecc_section_table(struct ecc_section *s, const char *title, const char *columns);
json_t *ecc_table_row(json_t *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ecc_row_cells(json_t *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* file: without its ending; .png and .svg are there. */
void ecc_section_figure(struct ecc_section *s, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The format has the claim, what the paper has and what we have, separated by tabs.  rule: what the
 * verdict was made by, or NULL; remarks on fairness follow it. */
void ecc_section_claim(struct ecc_section *s, enum ecc_judgement judgement, const char *rule,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The next claims are also about these runs, which the paper trained on `paper_set`. */
void ecc_section_runs(struct ecc_section *s, const struct ecc_group *group,
                      enum ecc_repro_set paper_set);
/* And about no others. */
void ecc_section_fresh(struct ecc_section *s);

/* Raw numbers: a new object under this key, borrowed. */
json_t *ecc_section_numbers(struct ecc_section *s, const char *key);
/* The command of a task and of what it needs, once each; what failed becomes missing. */
void ecc_section_task(struct ecc_section *s, int task);

/* Data that this set lacks: says what and how to get it. */
void ecc_section_lacks(struct ecc_section *s, enum ecc_repro_set set);

#endif
