/* table.h: makes a data set from rows of numbers: standardises the columns and keeps the scaling.
 */
#ifndef ECC_DATA_TABLE_H
#define ECC_DATA_TABLE_H

#include "data/source.h"

/*
 * Takes ownership of values: [data->count, columns], malloced, and of names: [columns], which may
 * be NULL, even if it fails.  All values must be finite.  Fits the scaling on the training rows (on
 * all with split "all"), or uses that of the options.  The dataset's state becomes a struct
 * ecc_memory.
 */
enum ecc_status ecc_table_finish(struct ecc_dataset *data, double *values, char **names,
                                 size_t columns, struct ecc_data_request *request,
                                 struct ecc_error *error);

#endif
