/* fuzz.h: what the fuzz targets of the data sources share. */
#ifndef ECC_FUZZ_H
#define ECC_FUZZ_H

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static inline void require(bool condition)
{
    if (!condition) abort(); /* what libFuzzer takes for a crash */
}

/* A sentence that ends inside its buffer and would not disturb a terminal. */
static inline void check_sentence(const struct ecc_error *error)
{
    const size_t length = strnlen(error->text, sizeof error->text);
    require(error->status != ECC_OK && length > 0 && length < sizeof error->text - 1);
    for (size_t i = 0; i < length; i++) {
        require(error->text[i] >= 0x20 && error->text[i] < 0x7f);
    }
}

#endif
