/* labels.h: the labels of a data set, in the form that classifiers need (latent/labelled.h). */
#ifndef ECC_MODEL_LABELS_H
#define ECC_MODEL_LABELS_H

#include "data/dataset.h"
#include "latent/labelled.h"
#include "latent/quantities.h"

/* Of the items of a list (NULL: items 0 .. count - 1): the dataset's classes, or its attributes if
 * it has none; -1: not known.  Fails, naming the data, if it has neither.  The dataset owns the
 * names. */
enum ecc_status ecc_labels_take(struct ecc_labels *labels, const struct ecc_dataset *data,
                                const uint32_t *items, size_t count, struct ecc_error *error);

/* Leaves items without a label out of a list: *items: [*count], malloced, or NULL for all; it may
 * be replaced. */
enum ecc_status ecc_labels_known(uint32_t **items, size_t *count, const struct ecc_dataset *data,
                                 struct ecc_error *error);

/* Fails, naming the data, if all items have the same label, so that there is nothing to learn. */
enum ecc_status ecc_labels_check(const struct ecc_labels *labels, const struct ecc_dataset *data,
                                 struct ecc_error *error);

/* The numbers known of the same items: all that the dataset has, or those with these names:
 * [count].  Fails, naming the data, if it does not have one.  The dataset owns the names. */
struct ecc_quantities_choice {
    const char *const *names; /* NULL: all */
    size_t count;
};
enum ecc_status ecc_quantities_take(struct ecc_quantities *known, const struct ecc_dataset *data,
                                    const uint32_t *items, size_t n,
                                    struct ecc_quantities_choice choice, struct ecc_error *error);

#endif
