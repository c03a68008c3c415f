/* npz.h: the arrays of a .npz file as a data set; for tests, which have no file. */
#ifndef ECC_DATA_NPZ_H
#define ECC_DATA_NPZ_H

#include "data/source.h"

enum ecc_status ecc_npz_open_bytes(struct ecc_dataset *data, const unsigned char *bytes,
                                   size_t size, struct ecc_data_request *request,
                                   struct ecc_error *error);

#endif
