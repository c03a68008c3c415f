/* item_labels.h: the classes of items, or a number to predict, from words and numbers of any
 * source. */
#ifndef ECC_DATA_ITEM_LABELS_H
#define ECC_DATA_ITEM_LABELS_H

#include "base/npy.h"
#include "data/source.h"

/*
 * One label for each of the dataset's items, from texts: [data->count] or numbers of any type.
 * Words are classes, sorted by name.  Whole numbers are classes, too; from 0 on without large gaps
 * they are the classes' numbers, others become their names.  Rows of 0 with a single 1 are classes
 * (one-hot).  Numbers with fractions, and many different ones, are not classes: they are added to
 * data->numbers.  `name` is the array for remarks and messages, `key` what the number is called.
 * Replaces labels that are there.
 */
enum ecc_status ecc_labels_from_array(struct ecc_dataset *data, const struct ecc_npy_any *labels,
                                      const char *key, const char *name, struct ecc_error *error);

/* The same from texts: [data->count], of which all may be numbers.  Empty ones and those that mean
 * a missing value, such as "NA", are no label: -1. */
enum ecc_status ecc_labels_from_texts(struct ecc_dataset *data, const char *const *texts,
                                      const char *key, const char *name, struct ecc_error *error);

/* Names for the classes: [count] texts; false, and nothing done, if there are too few. */
bool ecc_labels_name(struct ecc_dataset *data, const char *const *names, size_t count);

/* Classes without names are numbered from 0: if some of them have no items, the others get their
 * numbers as names. */
enum ecc_status ecc_labels_close_gaps(struct ecc_dataset *data, struct ecc_error *error);

/* The dataset then has no labels. */
void ecc_labels_remove(struct ecc_dataset *data);

/* Reads a .npy file, or a text file with one label a line and perhaps a header. */
enum ecc_status ecc_labels_from_file(struct ecc_dataset *data, const char *path,
                                     struct ecc_error *error);
/* The same from bytes: [size + 1], of which the last is free; text is changed. */
enum ecc_status ecc_labels_from_bytes(struct ecc_dataset *data, unsigned char *bytes, size_t size,
                                      const char *path, struct ecc_error *error);

#endif
