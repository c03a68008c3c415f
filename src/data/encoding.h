/* encoding.h: text of a file as UTF-8, whatever it was saved as. */
#ifndef ECC_DATA_ENCODING_H
#define ECC_DATA_ENCODING_H

#include "base/status.h"

struct ecc_plain_text {
    char *text; /* [size + 1], malloced; the last byte is free */
    size_t size;
    const char *encoding; /* what it was, if it was not UTF-8: "UTF-16", "Windows-1252" */
};

/* Whether bytes are UTF-16: by the mark at the start, or because of the first characters most have
 * one byte 0, always the same. */
bool ecc_bytes_are_wide(const unsigned char *bytes, size_t size);

/* Takes over bytes: [size], malloced, also on failure.  UTF-8 stays as it is, with its byte order
 * mark; UTF-16 is known by its mark or by its zeros; what is neither is Windows-1252, of which
 * Latin-1 is a part. */
enum ecc_status ecc_plain_text_init(struct ecc_plain_text *out, unsigned char *bytes, size_t size,
                                    struct ecc_error *error);

#endif
