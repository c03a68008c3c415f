/* known.h: what is known of the items of any source and is not part of them: numbers, words,
 * attributes. */
#ifndef ECC_DATA_KNOWN_H
#define ECC_DATA_KNOWN_H

#include "data/source.h"

/* Labels from a file of their own, metadata, or no labels, as the options say; and the metadata.csv
 * of a folder.  The dataset has all rows of the source. */
enum ecc_status ecc_known_read(struct ecc_dataset *data, struct ecc_data_request *request,
                               struct ecc_error *error);

/* Remarks on options that were given and not used. */
void ecc_remark_on_unused(struct ecc_dataset *data, const struct ecc_data_request *request);

/* Adds a number for each item, such as an age; values: [data->count], NaN: not known. */
enum ecc_status ecc_known_add_number(struct ecc_dataset *data, const char *name,
                                     const double *values, struct ecc_error *error);

/* Adds a property that each item has or has not; values: [data->count] of 0 and 1. */
enum ecc_status ecc_known_add_attribute(struct ecc_dataset *data, const char *name,
                                        const uint8_t *values, struct ecc_error *error);

/* Adds words for each item, such as a town; texts: [data->count], of which empty ones and those
 * that mean a missing value are not known.  *added is false, and nothing changed, if there are more
 * than ECC_LEVELS_MOST different ones, or if none occurs twice. */
enum ecc_status ecc_known_add_words(struct ecc_dataset *data, bool *added, const char *name,
                                    const char *const *texts, struct ecc_error *error);
void ecc_known_release_words(struct ecc_dataset *data);

#endif
