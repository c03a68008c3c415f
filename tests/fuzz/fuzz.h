/* fuzz.h: what the fuzz targets of the data sources share. */
#ifndef ECC_FUZZ_H
#define ECC_FUZZ_H

#include "base/status.h"
#include "base/text.h"

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
        const unsigned char byte = (unsigned char)error->text[i];
        const size_t bytes =
            ecc_utf8_length(error->text + i); /* names of columns may be words of any language */
        require(byte >= 0x20 && byte != 0x7f && bytes > 0);
        require(bytes != 2 || byte != 0xc2 || (unsigned char)error->text[i + 1] >= 0xa0);
        i += bytes - 1;
    }
}

#endif
