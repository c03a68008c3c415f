/* code_use.h: how many of its codes a model uses whose latents are codes (vq, fsq). */
#ifndef ECC_EVALUATE_CODE_USE_H
#define ECC_EVALUATE_CODE_USE_H

#include "eccentric_evaluate.h"
#include "model/seen.h"

struct ecc_code_use {
    double codes; /* that there are; 0: the latents of this model are not codes */
    size_t dim;   /* latents that make one */
    size_t used;  /* different ones, by the items */
    size_t items;
};

/* Whether there is something to measure. */
bool ecc_has_codes(const struct ecc_model *model);

/* By these items. */
enum ecc_status ecc_code_use_measure(struct ecc_code_use *result, struct ecc_model *model,
                                     const struct ecc_test_items *items,
                                     const struct ecc_watch *watch, struct ecc_error *error);

/* *count: different rows of x: [n, dim].  0 and -0 are the same: all become 0. */
enum ecc_status ecc_count_different(size_t *count, float *x, size_t n, size_t dim,
                                    struct ecc_error *error);

#endif
