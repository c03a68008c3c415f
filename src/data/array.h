/*
 * array.h: an array from a .npy or .npz file becomes a data set.
 *
 *     [n, d]        a table, standardised
 *     [n, h, w]     grey images
 *     [n, c, h, w]  images; or [n, h, w, c] where the last axis has 1 to 4 entries and the second
 *                   one has not
 * Whole numbers from 0 to 255 are pixels of 0 to 1; floating-point pixels must lie in 0 to 1.
 */
#ifndef ECC_DATA_ARRAY_H
#define ECC_DATA_ARRAY_H

#include "base/npy.h"
#include "data/source.h"

/* Takes over array->data in any case.  `name` is the file or member for messages. */
enum ecc_status ecc_array_to_dataset(struct ecc_dataset *data, struct ecc_array *array,
                                     const char *name, struct ecc_data_request *request,
                                     struct ecc_error *error);

/* labels: [n] or [n, 1] of whole numbers, one for each of the dataset's items. */
enum ecc_status ecc_array_to_labels(struct ecc_dataset *data, const struct ecc_array *labels,
                                    const char *name, struct ecc_error *error);

#endif
