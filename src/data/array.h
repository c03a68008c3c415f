/*
 * array.h: makes a data set from an array of a .npy or .npz file.
 *
 *     [n, d]        a table, standardised
 *     [n, h, w]     grey images
 *     [n, c, h, w]  images; or [n, h, w, c] where the last axis has 1 to 4 entries and the second
 *                   one has not
 * Whole numbers from 0 to 255 become pixels from 0 to 1; floating-point pixels must be from 0 to 1.
 */
#ifndef ECC_DATA_ARRAY_H
#define ECC_DATA_ARRAY_H

#include "base/npy.h"
#include "data/source.h"

enum { ECC_MAX_CLASSES = 100000 };

/* Fails unless the shape is one of the above. */
enum ecc_status ecc_array_check_shape(const size_t *shape, size_t rank, size_t count,
                                      const char *name, struct ecc_error *error);

/* The shape of an item, from the array's shape: [rank]; returns whether channels come last. */
bool ecc_array_image_shape(struct ecc_item_shape *item, const size_t *shape, size_t rank);

/* Fails if one of an image's pixels: [size], of this type, is outside the type's range.  `number`
 * is the image's, for the message. */
enum ecc_status ecc_array_check_image(const float *pixels, enum ecc_dtype dtype, size_t size,
                                      size_t number, const char *name, struct ecc_error *error);
/* The same, then scales them to 0 to 1. */
enum ecc_status ecc_array_scale_image(float *pixels, enum ecc_dtype dtype, size_t size,
                                      size_t number, const char *name, struct ecc_error *error);

/* Reorders [count, h * w, c] to [count, c, h * w], in entries of `bytes`; false without memory. */
bool ecc_array_channels_first(void *items, size_t count, struct ecc_item_shape shape, size_t bytes);

/* array: [n, columns].  names: [columns] or NULL, freed even if this fails. */
enum ecc_status ecc_array_to_table(struct ecc_dataset *data, const struct ecc_array *array,
                                   char **names, const char *name, struct ecc_data_request *request,
                                   struct ecc_error *error);

/* Takes array->data, even if this fails.  `name` is the file or member for messages. */
enum ecc_status ecc_array_to_dataset(struct ecc_dataset *data, struct ecc_array *array,
                                     const char *name, struct ecc_data_request *request,
                                     struct ecc_error *error);

/* labels: [n] or [n, 1] of whole numbers, one for each of the dataset's items. */
enum ecc_status ecc_array_to_labels(struct ecc_dataset *data, const struct ecc_array *labels,
                                    const char *name, struct ecc_error *error);

#endif
