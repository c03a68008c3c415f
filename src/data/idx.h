/* idx.h: the idx files of MNIST and similar sets: a small header and unsigned bytes. */
#ifndef ECC_DATA_IDX_H
#define ECC_DATA_IDX_H

#include "base/status.h"

enum { ECC_IDX_MAX_RANK = 4 };

struct ecc_idx {
    size_t rank, shape[ECC_IDX_MAX_RANK];
    size_t item_size;          /* product of all but the first */
    const unsigned char *data; /* [shape[0], item_size], inside the bytes that were parsed */
};

/* The size of the file that begins like this, or 0 if it does not say. */
size_t ecc_idx_announced(const unsigned char *head, size_t size);

/* Parses a whole unpacked file; fails unless it has exactly the announced data. */
enum ecc_status ecc_idx_parse(struct ecc_idx *idx, const unsigned char *bytes, size_t size,
                              const char *name, struct ecc_error *error);

#endif
