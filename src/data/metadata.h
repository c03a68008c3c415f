/*
 * metadata.h: a table beside the data with a row for each item: labels, numbers such as an age, and
 * attributes, which are there or not.
 *
 * A row belongs to the image whose file it names; of other data to an item by its place, or by a
 * column that counts the items.  Items without a row have no label, and their numbers are NaN.
 */
#ifndef ECC_DATA_METADATA_H
#define ECC_DATA_METADATA_H

#include "data/csv.h"
#include "data/source.h"

#define ECC_METADATA_FILE "metadata.csv" /* that a folder of images may have */

struct ecc_metadata {
    struct ecc_csv csv;
    const char *path; /* the caller's */
    bool own_header;  /* row 0 of the csv is the header after all */
    size_t key;       /* the column of names or places; SIZE_MAX: rows are in the items' order */
    size_t *rows;     /* [count] of each item in the csv; SIZE_MAX: none */
    size_t count;
};

/* Reads a text table, plain or gzipped.  The caller releases it, also after a failure. */
enum ecc_status ecc_metadata_read(struct ecc_metadata *metadata, const char *path,
                                  struct ecc_error *error);
/* The same from text: [size + 1], malloced, which is taken over. */
enum ecc_status ecc_metadata_parse(struct ecc_metadata *metadata, char *text, size_t size,
                                   const char *path, struct ecc_error *error);
void ecc_metadata_release(struct ecc_metadata *metadata);

/* Fills rows.  paths: [data->count] of images below `folder`; found by the column named file_name,
 * filename, file, image or path, or the first that holds such names.  *found is false if there is
 * none.  A remark counts images without a row and rows without an image. */
enum ecc_status ecc_metadata_match(struct ecc_metadata *metadata, bool *found,
                                   struct ecc_dataset *data, char *const *paths, const char *folder,
                                   struct ecc_error *error);
/* Fills rows by the items' order, or a column such as "index". */
enum ecc_status ecc_metadata_order(struct ecc_metadata *metadata, struct ecc_dataset *data,
                                   struct ecc_error *error);

/* Adds to the dataset what the columns say of its items.  A column "split" of the words train and
 * test makes the parts, unless the data has its own.  label: the column of the labels, or NULL:
 * label, class, target, ... */
enum ecc_status ecc_metadata_apply(const struct ecc_metadata *metadata, struct ecc_dataset *data,
                                   struct ecc_data_request *request, struct ecc_error *error);

/* For the files of this source. */
const char *ecc_metadata_column(const struct ecc_metadata *metadata, size_t column);
/* The cell of a row, from 0 below the header, or of an item, which is empty if it has no row. */
const char *ecc_metadata_cell(const struct ecc_metadata *metadata, size_t row, size_t column);
const char *ecc_metadata_of(const struct ecc_metadata *metadata, size_t item, size_t column);
size_t ecc_metadata_rows(const struct ecc_metadata *metadata);

#endif
