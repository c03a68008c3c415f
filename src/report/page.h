/*
 * page.h: one run as a self-contained page of HTML: how the training went, what it found, how good
 * it is, and how to repeat it.
 *
 * Where something is missing, such as the data of an old run, the page shows a sentence about it in
 * its place.
 */
#ifndef ECC_REPORT_PAGE_H
#define ECC_REPORT_PAGE_H

#include "eccentric_pages.h"

#include "data/dataset.h"
#include "evaluate/code_use.h"
#include "latent/principal.h"
#include "model/seen.h"
#include "run/metrics.h"

#include <stdio.h>

struct ecc_report {
    struct ecc_model *model;
    char *path;                       /* of the run, absolute */
    const char *name;                 /* its last part, for the title */
    struct ecc_components components; /* d is 0 without components */
    struct ecc_metrics_table metrics; /* rows is 0 without metrics */
    json_t *result;                   /* of a finished training, or NULL */
    struct ecc_test_items items;      /* to measure and show; data is NULL without */
    struct ecc_classification
        classes;               /* by neighbours, with stumps; row_count is 0: there is none */
    struct ecc_code_use codes; /* codes is 0: the latents are none, or there are no items */
    double *singular_values;   /* [d] of irmae's product, falling, or NULL */
    uint64_t seed;

    /* One sentence for each thing that is missing, else "". */
    struct ecc_error no_components, no_metrics, no_items, no_unseen, no_classes;

    /* Filled by ecc_report_measure: the items that are shown. */
    uint32_t *shown; /* [shown_n], drawn from the items */
    float *p;        /* [shown_n, d] along the components; NULL without them */
    float *x, *y;    /* [kept_n, size]: the first of them and their reconstructions */
    size_t shown_n, kept_n, measured;
    double error, kept;  /* mean squared error of the first `measured`, and the share of their
                            variance that the reconstructions keep */
    double *column_kept; /* [size] the same for each column of a table */
};

/* Everything the page needs, which takes long.  The model stays the caller's and must live as long
 * as the page; the page is released also after a failure. */
enum ecc_status ecc_report_gather(struct ecc_report *page, struct ecc_model *model,
                                  const struct ecc_report_options *options,
                                  const struct ecc_watch *watch, struct ecc_error *error);
void ecc_report_release(struct ecc_report *page);

/* The page itself.  The same page and seed give the same bytes. */
enum ecc_status ecc_report_write(FILE *out, struct ecc_report *page, struct ecc_error *error);

/* reconstruct.c, a part of ecc_report_gather: encodes and reconstructs some of the items, if there
 * are any. */
enum ecc_status ecc_report_measure(struct ecc_report *page, const struct ecc_watch *watch,
                                   struct ecc_error *error);

#endif
