/* memory.h: items that are all in memory, as bytes or as floats; most sources use this. */
#ifndef ECC_DATA_MEMORY_H
#define ECC_DATA_MEMORY_H

#include "data/source.h"

struct ecc_memory {
    void *block; /* freed at the end; it holds the items; may be NULL */
    size_t item_size;
    const uint8_t *bytes; /* [count, item_size], 0 to 255 for 0 to 1; or NULL: use */
    const float *floats;  /* [count, item_size] */
};

/* Makes this the dataset's state, which then owns the block; on failure the block is freed. */
enum ecc_status ecc_memory_keep(struct ecc_dataset *data, struct ecc_memory memory,
                                struct ecc_error *error);

/* For a source's entry. */
enum ecc_status ecc_memory_read(struct ecc_dataset *data, float *x, const uint32_t *rows, size_t n,
                                struct ecc_error *error);
void ecc_memory_close(void *state);

/* x[i] = bytes[i] / 255 */
void ecc_bytes_to_unit(float *x, const uint8_t *bytes, size_t n);

#endif
