/* table.h: rows of numbers become a data set: columns standardised, the scaling kept. */
#ifndef ECC_DATA_TABLE_H
#define ECC_DATA_TABLE_H

#include "data/source.h"

/*
 * values: [data->count, columns], malloced and taken over whatever the outcome; so are names
 * [columns], which may be NULL.  All values must be finite.  Fits the scaling on the training rows
 * (on all with split "all"), or uses the one of the options.  The dataset's state becomes a
 * struct ecc_memory.
 */
enum ecc_status ecc_table_finish(struct ecc_dataset *data, double *values, char **names,
                                 size_t columns, struct ecc_data_request *request,
                                 struct ecc_error *error);

#endif
