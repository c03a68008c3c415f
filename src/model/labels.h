/* labels.h: the labels of a data set, as classifiers want them (latent/labels.h). */
#ifndef ECC_MODEL_LABELS_H
#define ECC_MODEL_LABELS_H

#include "data/dataset.h"
#include "latent/labels.h"

/* Of the items of a list (NULL: items 0 .. count - 1): the dataset's classes, or without them its
 * attributes.  Fails, naming the data, when it has neither.  Names stay the dataset's. */
enum ecc_status ecc_labels_take(struct ecc_labels *labels, const struct ecc_dataset *data,
                                const uint32_t *items, size_t count, struct ecc_error *error);

/* That there is something to learn: that not all items are of one class; said of this data. */
enum ecc_status ecc_labels_check(const struct ecc_labels *labels, const struct ecc_dataset *data,
                                 struct ecc_error *error);

#endif
