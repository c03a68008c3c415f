/* findings.h: what was found, in three files: results.json, report.md and report.html. */
#ifndef ECC_REPRODUCE_FINDINGS_H
#define ECC_REPRODUCE_FINDINGS_H

#include "reproduce/items.h"

#include <stdio.h>

/* Everything as JSON: how and where it was made, sections, runs.  *results is the caller's. */
enum ecc_status ecc_repro_report_gather(json_t **results, struct ecc_repro *r,
                                        struct ecc_error *error);

/* The three files. */
enum ecc_status ecc_repro_report_write(const struct ecc_repro *r, const json_t *results,
                                       struct ecc_error *error);

/* report_markdown.c, report_html.c. */
enum ecc_status ecc_repro_report_markdown(FILE *out, const json_t *results,
                                          const struct ecc_repro *r, struct ecc_error *error);
enum ecc_status ecc_repro_report_html(FILE *out, const json_t *results, const struct ecc_repro *r,
                                      struct ecc_error *error);

/* The claims of a section as a table, with a ditto mark where remarks repeat; the fourth column has
 * the verdict.  A new reference; NULL without claims. */
json_t *ecc_repro_report_claims(const json_t *section);
/* The runs as a table in a section of its own; likewise. */
json_t *ecc_repro_report_runs(const json_t *results);

#endif
