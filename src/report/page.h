/*
 * page.h: one run as one page of HTML that can be mailed: how it went, what it found, how good it
 * is, and how to make it again.
 *
 * The caller opens what there is and fills the struct; a part that could not be had has a sentence
 * about it instead, which the page shows in its place.
 */
#ifndef ECC_REPORT_PAGE_H
#define ECC_REPORT_PAGE_H

#include "data/dataset.h"
#include "latent/components.h"
#include "model/model.h"
#include "run/metrics.h"

#include <stdio.h>

/* What one component alone tells about a class or an attribute. */
struct ecc_report_stump {
    const char *name;
    size_t component; /* from 0 */
    double gain;      /* bits */
    double majority, accuracy;
};

/* What classifiers make of the latents; pointers are the caller's. */
struct ecc_report_classes {
    bool there;
    bool attributes; /* many of yes and no, not one of several classes */
    size_t train_n, test_n, neighbours;
    double majority;               /* error of the most frequent class; mean over attributes */
    double latents, pca, pixels;   /* errors of the neighbours; NaN where not measured */
    const char *pixels_name;       /* "pixels" or "columns" */
    size_t pixels_n, pixels_tests; /* how many of the items pixels were classified with */

    size_t target_count; /* attributes */
    const char *const *target_names;
    const double *target_errors, *target_majority; /* [target_count] */

    size_t class_count; /* of the one target */
    const char *const *class_names;
    double *confusion; /* [class_count, class_count], true class in rows, items; or NULL */

    struct ecc_report_stump *stumps; /* by falling gain */
    size_t stump_count;
    size_t plane_attribute; /* the attribute that p1 and p2 tell most about */
};

struct ecc_report {
    struct ecc_model *model;
    const char *name;                 /* of the run, for the title */
    struct ecc_components components; /* d is 0: there are none */
    struct ecc_metrics_table metrics; /* rows is 0: there are none */
    json_t *result;                   /* of a finished training, or NULL */
    struct ecc_dataset *items;        /* to be looked at, or NULL ... */
    bool unseen;                      /* ... which the training has not seen */
    struct ecc_report_classes classes;
    uint64_t seed;

    /* One sentence each where something is missing, "" where not. */
    struct ecc_error no_components, no_metrics, no_items, no_classes;

    /* Filled by ecc_report_measure: the items that are shown. */
    uint32_t *shown; /* [shown_n], drawn from the items */
    float *p;        /* [shown_n, d] along the components; NULL without them */
    float *x, *y;    /* [kept_n, size]: the first of them and their reconstructions */
    size_t shown_n, kept_n, measured;
    double error, kept;  /* mean squared error of the first `measured`, and the share of their
                          * variance that the  reconstructions keep */
    double *column_kept; /* [size] the same for each column of a table */
};

/* Encodes and reconstructs some of the items, if there are any.  watch may be NULL. */
enum ecc_status ecc_report_measure(struct ecc_report *page, const struct ecc_watch *watch,
                                   struct ecc_error *error);

/* The page itself.  The same page and seed give the same bytes. */
enum ecc_status ecc_report_write(FILE *out, struct ecc_report *page, struct ecc_error *error);

/* Lets go of what ecc_report_measure filled. */
void ecc_report_release(struct ecc_report *page);

#endif
