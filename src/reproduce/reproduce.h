/*
 * reproduce.h: the paper's figures, tables and claims, made again.
 *
 * Plans trainings and measurements, does those that are not there yet, sets the paper's numbers
 * beside ours with a verdict on each claim, and writes a report.  Everything is in one directory:
 *
 *     report.html  report.md  results.json
 *     figures/     pictures, PNG and SVG
 *     runs/        run directories, named by their settings
 *     steps/       what was measured, and the command that measures the same
 */
#ifndef ECC_REPRODUCE_REPRODUCE_H
#define ECC_REPRODUCE_REPRODUCE_H

#include "base/status.h"

#include <jansson.h>

enum ecc_repro_size {
    ECC_SIZE_QUICK = 0, /* small data, nets and trainings, to see that it works */
    ECC_SIZE_MINUTES,   /* the best that fits in a given time */
    ECC_SIZE_PAPER,     /* the paper's own epochs */
};

/* What stands for CelebA where digits would do. */
enum ecc_repro_on { ECC_ON_AUTO = 0, ECC_ON_MNIST, ECC_ON_CELEBA };

struct ecc_repro_options {
    const char *out;          /* the directory */
    const char *data;         /* a directory with mnist/ and celeba/ in it, or NULL */
    const char *const *items; /* [item_count] "figure1", ..., "all" */
    size_t item_count;
    enum ecc_repro_size size;
    enum ecc_repro_on on;
    double minutes;
    size_t runs;                   /* of each setting, at most the paper's; 0: as many as fit */
    bool plan_only;                /* print the commands and the time they need, and stop */
    bool measure_only;             /* train nothing: measure what is trained */
    bool report_only;              /* do nothing: report what is there */
    const struct ecc_watch *watch; /* may be NULL */
};

/* What may be asked for, ending in NULL: "figure1", ..., "claims", "all". */
extern const char *const ecc_repro_words[];

/* *results: what is in results.json, the caller's to let go of; NULL with plan_only.  A task that
 * fails does not keep the others from being done: ecc_reproduce then fails at the end, with the
 * report written; and so it does when it is interrupted. */
enum ecc_status ecc_reproduce(json_t **results, const struct ecc_repro_options *options,
                              struct ecc_error *error);

#endif
