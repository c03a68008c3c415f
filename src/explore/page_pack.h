/* page_pack.h: bytes packed with gzip, as browsers unpack them. */
#ifndef ECC_EXPLORE_PAGE_PACK_H
#define ECC_EXPLORE_PAGE_PACK_H

#include "base/status.h"

/* Packed bytes of a page, at most: as base64 they are 400 MB. */
enum { ECC_PAGE_MOST = 300000000 };

struct ecc_page_part {
    const void *bytes;
    size_t size;
};

/* *packed: [*size], the caller's to free: the parts, one after another.  Fails if they take more
 * than `most` bytes. */
enum ecc_status ecc_page_pack(unsigned char **packed, size_t *size,
                              const struct ecc_page_part *parts, size_t count, size_t most,
                              struct ecc_error *error);

#endif
