/* array_data.h: a data set from the caller's arrays, as if they had been read from a file. */
#ifndef ECC_DATA_ARRAY_DATA_H
#define ECC_DATA_ARRAY_DATA_H

#include "eccentric_model.h"

#include "data/dataset.h"

/*
 * Opens this part of the arrays.  As for a file, tables are standardised, a tenth of the items is
 * the test part, and options->items limits the number of items.  The pixels of images are not
 * copied: x must stay unchanged until the data set is closed.  Everything else is copied.
 */
enum ecc_status ecc_dataset_from_array(struct ecc_dataset **data,
                                       const struct ecc_array_data *array, enum ecc_split split,
                                       const struct ecc_data_options *options,
                                       struct ecc_error *error);

/* Data that the calling program lends (ecc_data_lend): whether `what` names some, and a part of
 * it. */
bool ecc_data_is_lent(const char *what);
enum ecc_status ecc_dataset_open_lent(struct ecc_dataset **data, const char *what,
                                      const struct ecc_data_options *options,
                                      struct ecc_error *error);

#endif
