/* table.h: makes a data set from rows of numbers: scales the features and keeps the scaling. */
#ifndef ECC_DATA_TABLE_H
#define ECC_DATA_TABLE_H

#include "data/source.h"

enum { ECC_DISTINCT_MAX = 1000, ECC_ROBUST_CLIP = 10 };

/*
 * Takes ownership of values: [data->count, columns], malloced, and of names: [columns], which may
 * be NULL, even if it fails.  NaN is a missing cell; all others must be finite.  Fits the scaling
 * on the training rows (on all with split "all"), or uses that of the options.  The dataset's state
 * becomes a struct ecc_memory.
 */
enum ecc_status ecc_table_finish(struct ecc_dataset *data, double *values, char **names,
                                 size_t columns, struct ecc_data_request *request,
                                 struct ecc_error *error);

/* The same for data->schema, of values in its own units: fits what the schema lacks, or, with
 * `fitted`, takes it as it is. */
enum ecc_status ecc_table_finish_schema(struct ecc_dataset *data, double *values, bool fitted,
                                        struct ecc_data_request *request, struct ecc_error *error);

#endif
