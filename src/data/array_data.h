/* array_data.h: a data set made of the caller's arrays, as if they had been read from a file. */
#ifndef ECC_DATA_ARRAY_DATA_H
#define ECC_DATA_ARRAY_DATA_H

#include "data/dataset.h"

struct ecc_array_data {
    const float *x; /* [n, channels, height, width]: pixels from 0 to 1, or the cells of a table */
    size_t n, channels, height, width; /* a table: channels = height = 1, width columns */
    bool is_table;

    const int32_t *labels;          /* [n] classes from 0, or NULL */
    size_t classes;                 /* how many; 0: the largest label plus 1 */
    const char *const *class_names; /* [classes], or NULL: "0", "1", ... */

    const char *const *column_names; /* [width] of a table, or NULL */
    const char *name;                /* for messages and config.json; NULL: "memory" */
};

/*
 * Opens this part of the arrays.  What ecc_dataset_open says of a file holds here, too: tables are
 * standardised, a tenth of the items is the test part, options->items limits the rest.  The pixels
 * of images are not copied: x must stay until the data set is closed.  Everything else is copied.
 */
enum ecc_status ecc_dataset_from_array(struct ecc_dataset **data,
                                       const struct ecc_array_data *array, enum ecc_split split,
                                       const struct ecc_data_options *options,
                                       struct ecc_error *error);

#endif
