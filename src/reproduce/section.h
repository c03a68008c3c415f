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
#include "run/json.h"

/* A string of any bytes: what is not UTF-8, such as a character that was cut in two, becomes '?'.
 * jansson alone would give NULL, and the text would vanish. */
json_t *ecc_json_any(const char *text);

json_t *ecc_section_create(const char *id, const char *title, const char *about);

void ecc_section_text(json_t *section, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What could not be done, and why. */
void ecc_section_missing(json_t *section, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* columns and cells are separated by tabs.  Both return what more can be added to, borrowed. */
json_t *ecc_section_table(json_t *section, const char *title, const char *columns);
json_t *ecc_table_row(json_t *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ecc_row_cells(json_t *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* file: without its ending; .png and .svg are there. */
void ecc_section_figure(json_t *section, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The format has the claim, what the paper has and what we have, separated by tabs.  why: remarks,
 * or "". */
void ecc_section_claim(json_t *section, enum ecc_judgement judgement, const char *why,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Raw numbers: a new object under this key, borrowed. */
json_t *ecc_section_numbers(json_t *section, const char *key);
/* The number under a key, or item i of a list; NaN where there is none. */
double ecc_get_number(const json_t *object, const char *key);
double ecc_get_item(const json_t *list, size_t i);

/* The command of a task and of what it needs, once each; what failed becomes missing. */
void ecc_section_task(json_t *section, const struct ecc_repro *r, int task);

/* Data that this set lacks: says what and how to get it. */
void ecc_section_lacks(json_t *section, const struct ecc_repro *r, enum ecc_repro_set set);

#endif
