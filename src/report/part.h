/* part.h: the parts of a page, each a file of its own, and what they share. */
#ifndef ECC_REPORT_PART_H
#define ECC_REPORT_PART_H

#include "base/text.h"
#include "figure/plot.h"
#include "report/page.h"
#include "show/html.h"
#include "show/tiles.h"

enum { ECC_REPORT_PARTS = 8 };

/* A part of the page under a heading. */
struct ecc_report_part {
    const char *id, *title;
    enum ecc_status (*write)(FILE *out, struct ecc_report *page, struct ecc_error *error);
};

extern const struct ecc_report_part ecc_part_training, ecc_part_spectrum, ecc_part_components,
    ecc_part_reconstructions, ecc_part_samples, ecc_part_map, ecc_part_classes, ecc_part_settings;

/* head.c: title, summary and the most important numbers. */
void ecc_report_head(FILE *out, const struct ecc_report *page);

/* method.c: numbers that only some methods have: codes used, singular values, learned noise. */
enum ecc_status ecc_report_method(FILE *out, const struct ecc_report *page,
                                  struct ecc_error *error);

/* confusions.c: which classes are taken for which. */
void ecc_report_confusions(FILE *out, const struct ecc_classification *classes);

/* predictions.c: how well numbers known of the items are predicted. */
enum ecc_status ecc_report_numbers(FILE *out, const struct ecc_classification *classes,
                                   struct ecc_error *error);

/* words.c */
/* The errors of the nearest neighbours, or NULL: nothing was classified. */
const struct ecc_classify_row *ecc_report_errors(const struct ecc_report *page);
/* "55,000" */
const char *ecc_report_count(char out[32], uint64_t value);
/* "2 h 4 min", "45.2 s" */
const char *ecc_report_duration(char out[32], double seconds);
/* "column3" where a table's columns have no names. */
const char *ecc_report_column(char out[32], const struct ecc_model *model, size_t column);
/* "unseen items", or what else the items of the page are. */
const char *ecc_report_items(char out[ECC_SEEN_WORDS], const struct ecc_report *page);
/* How the variance of two latents or more is shared: words for their eccentricity, and how many
 * components hold nine tenths of it. */
enum { ECC_REPORT_SHAPE = 200 };
const char *ecc_report_shape(char out[ECC_REPORT_SHAPE], const struct ecc_components *components);
/* A number of result.json, or NaN. */
double ecc_report_result(const struct ecc_report *page, const char *key);
/* The last number of a column of the metrics, or NaN. */
double ecc_report_last(const struct ecc_report *page, const char *name);
/* <p class="missing"> with the sentence. */
void ecc_report_missing(FILE *out, const struct ecc_error *sentence);
/* <p class="how">: how to read what follows. */
void ecc_report_how(FILE *out, const char *text);
/* style="..." of a table's cell: t from -1 (blue) to 1 (red), pale near 0. */
void ecc_report_tint(FILE *out, double t);

#endif
