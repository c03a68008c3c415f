/*
 * compare.h: methods that hold latents in shape, side by side on one's own data.
 *
 * All methods get the same net, items, seeds and number of epochs.  Lambda of each is chosen by a
 * short sweep on validation items; then come the long trainings, and one table and one page of what
 * test items say about them.  Everything is in one directory:
 *
 *     compare.html  compare.md  compare.csv  results.json
 *     figures/      samples and components of the first run of each method
 *     runs/         run directories, named by their settings, so that later calls find them
 *     steps/        what was measured
 */
#ifndef ECC_COMPARE_COMPARE_H
#define ECC_COMPARE_COMPARE_H

#include "eccentric_train.h"

#include <jansson.h>

struct ecc_compare_options {
    const char *out;
    const char *methods; /* "eccentric,kl,irmae:layers=4", or "all"; NAME:lambda=L needs no sweep */
    const size_t *latents; /* [latent_count] */
    size_t latent_count;
    struct ecc_train_options train; /* what all trainings share: data, net, batch, ... */
    double minutes;                 /* for everything that is still to be done, or ... */
    double epochs;                  /* ... > 0: of each long training */
    size_t seeds;                   /* long trainings of each method */
    size_t lambdas;                 /* tried for each; 1: only its usual one */
    bool plan_only;                 /* say what would be done, and stop */
    bool report_only;               /* train and measure nothing: report what is there */
    const struct ecc_watch *watch;  /* may be NULL */
};

/* As the command has them: two seeds, five lambdas. */
struct ecc_compare_options ecc_compare_defaults(void);

/* *results: what is in results.json, the caller's to let go of; NULL with plan_only.  A training
 * that fails does not keep the others from being done; when it is interrupted, the page has what is
 * there. */
enum ecc_status ecc_compare(json_t **results, const struct ecc_compare_options *options,
                            struct ecc_error *error);

/* Whether the words name methods that there are, for a check before any work. */
enum ecc_status ecc_compare_check(const char *methods, struct ecc_error *error);

#endif
