/* align.h: what `eccentric align` found, shared between the command and its report. */
#ifndef ECC_CLI_ALIGN_H
#define ECC_CLI_ALIGN_H

#include "cli/output.h"
#include "latent/align.h"

/* Two runs, a before b in the order in which they were given. */
struct ecc_align_pair {
    size_t a, b;
    struct ecc_alignment alignment;
};

/* Means and deviations over pairs, as in the paper's Table 1. */
struct ecc_align_mean {
    double value, deviation;
};

struct ecc_align_result {
    const char *const *runs; /* [run_count] */
    size_t run_count, d, items, test_items;
    struct ecc_align_pair *pairs; /* [pair_count] */
    size_t pair_count;
    struct ecc_align_mean raw, aligned, procrustes, cka;
    /* Of the first run's components: mean and least correlation with their partners in the other
     * runs; 1 where every run found the same. */
    double *stability, *least; /* [d] */
    double *eccentricity;      /* [run_count] */
    double seconds;
};

enum ecc_status ecc_align_report(const struct ecc_align_result *r, bool json,
                                 struct ecc_error *error);
/* Correlations before and after, of the first few pairs. */
enum ecc_status ecc_align_draw(const struct ecc_align_result *r, const char *path,
                               struct ecc_error *error);

#endif
