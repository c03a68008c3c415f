/*
 * sample_distance.h: how far samples of a model are from items it was not trained on, by principal
 * components of those items: for tables too, and for validation items.
 */
#ifndef ECC_EVALUATE_SAMPLE_DISTANCE_H
#define ECC_EVALUATE_SAMPLE_DISTANCE_H

#include "eccentric_evaluate.h"

struct ecc_sample_distance {
    struct ecc_frechet frechet;
    size_t items, samples, axes;
};

/* By the model's validation items, or else by its test items, at most 2,000 of them; samples are
 * drawn from the Gaussian that is fitted to the latents.  Fails with ECC_BAD_DATA where there are
 * fewer than four such items. */
enum ecc_status ecc_sample_distance_measure(struct ecc_sample_distance *result,
                                            struct ecc_model *model, bool validation,
                                            const struct ecc_watch *watch, struct ecc_error *error);

#endif
