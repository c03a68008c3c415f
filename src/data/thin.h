/* thin.h: fewer items of a data set, of each class its share. */
#ifndef ECC_DATA_THIN_H
#define ECC_DATA_THIN_H

#include "data/dataset.h"

/* Keeps `count` of the items, or all if there are no more: of each class its share, and at least
 * one while there is room, spread evenly over its items; without labels the first.  kept: [count],
 * the numbers that the items had before, ascending. */
enum ecc_status ecc_dataset_thin(struct ecc_dataset *data, uint32_t *kept, size_t count,
                                 struct ecc_error *error);

#endif
