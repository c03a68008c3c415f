/*
 * fingerprint.h: what tells one source of data from another: a hash of all its rows, whatever part
 * of them is opened.  Sources name one of these functions in their entry, or have their own.
 */
#ifndef ECC_DATA_FINGERPRINT_H
#define ECC_DATA_FINGERPRINT_H

#include "base/hash.h"
#include "data/source.h"

/* Adds the bytes of a file.  Of a large one only its size and blocks spread over it, so that data
 * that is read on demand opens at once.  False if it cannot be read twice, such as a pipe. */
bool ecc_fingerprint_add_file(struct ecc_hash *hash, const char *path);

/* For the entry of a source: the bytes of the file. */
uint64_t ecc_fingerprint_file(const struct ecc_dataset *data,
                              const struct ecc_data_request *request);
/* Of a list of image files, their names within the folder and their sizes: reading them would take
 * too long. */
uint64_t ecc_fingerprint_images(const struct ecc_dataset *data,
                                const struct ecc_data_request *request);

/* The rows of a source that someone opened: the first `count` of a part. */
struct ecc_row_choice {
    enum ecc_split split;
    size_t count;
    size_t train_rows; /* of the source; used only for the split "all" */
};

struct ecc_row_choice ecc_dataset_choice(const struct ecc_dataset *data);

/* places: [count], where each item of the dataset is in a choice of rows of the same source;
 * SIZE_MAX: it is not there. */
void ecc_dataset_places(const struct ecc_dataset *data, size_t *places,
                        const struct ecc_row_choice *choice);

#endif
