/* report.h: what was found, in three files: results.json, report.md and report.html. */
#ifndef ECC_REPRODUCE_REPORT_H
#define ECC_REPRODUCE_REPORT_H

#include "reproduce/items.h"

#include <stdio.h>

/* Everything as JSON: how and where it was made, sections, runs.  *results is the caller's. */
enum ecc_status ecc_repro_report_gather(json_t **results, const struct ecc_repro *r,
                                        struct ecc_error *error);

/* The three files. */
enum ecc_status ecc_repro_report_write(const struct ecc_repro *r, const json_t *results,
                                       struct ecc_error *error);

/* report_markdown.c, report_html.c; directory: where the figures are. */
void ecc_repro_report_markdown(FILE *out, const json_t *results);
enum ecc_status ecc_repro_report_html(FILE *out, const json_t *results, const char *directory,
                                      struct ecc_error *error);

/* The text under a key, or "". */
const char *ecc_repro_report_text(const json_t *object, const char *key);
/* Remarks on claim i, or a ditto mark where they are those of the one before. */
const char *ecc_repro_report_remark(const json_t *claims, size_t i);

#endif
