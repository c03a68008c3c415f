/* memory.c: items that are all in memory, as bytes or as floats. */
#include "data/memory.h"

#include <stdlib.h>
#include <string.h>

enum ecc_status ecc_memory_keep(struct ecc_dataset *data, struct ecc_memory memory,
                                struct ecc_error *error)
{
    struct ecc_memory *const state = malloc(sizeof *state);
    if (!state) {
        free(memory.block);
        return ecc_fail_memory(error, "a data set");
    }
    *state = memory;
    data->state = state;
    return ECC_OK;
}

void ecc_bytes_to_unit(float *x, const uint8_t *bytes, size_t n)
{
    /* a division, not a product with 1/255: 255 must give 1, and every value the nearest float */
    for (size_t i = 0; i < n; i++) {
        x[i] = (float)bytes[i] / 255.0F;
    }
}

enum ecc_status ecc_memory_read(struct ecc_dataset *data, float *x, const uint32_t *rows, size_t n,
                                struct ecc_error *error)
{
    (void)error;
    const struct ecc_memory *const memory = data->state;
    const size_t size = memory->item_size;
    for (size_t i = 0; i < n; i++) {
        if (memory->bytes) {
            ecc_bytes_to_unit(x + i * size, memory->bytes + rows[i] * size, size);
        } else {
            memcpy(x + i * size, memory->floats + rows[i] * size, size * sizeof *x);
        }
    }
    return ECC_OK;
}

void ecc_memory_close(void *state)
{
    struct ecc_memory *const memory = state;
    free(memory->block);
    free(memory);
}
