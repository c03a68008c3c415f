/*
 * zip.h: the members of a zip file in memory, stored or deflated: enough for .npz files.  Encrypted
 * files and those with zip64's sizes (above 4 GB) are refused.
 */
#ifndef ECC_DATA_ZIP_H
#define ECC_DATA_ZIP_H

#include "data/inflate.h"

struct ecc_zip_member {
    const char *name; /* inside the file, without a 0 at the end */
    size_t name_length;
    unsigned method; /* 0 stored, 8 deflated */
    uint32_t crc;
    size_t packed, size;
    size_t offset; /* of the local header */
};

struct ecc_zip {
    const unsigned char *bytes; /* the caller's; must outlive this */
    size_t size;
    const char *path;
    struct ecc_zip_member *members; /* [count] */
    size_t count;
};

enum ecc_status ecc_zip_open(struct ecc_zip *zip, const unsigned char *bytes, size_t size,
                             const char *path, struct ecc_error *error);
void ecc_zip_release(struct ecc_zip *zip);

/* The member of this name, or NULL. */
const struct ecc_zip_member *ecc_zip_find(const struct ecc_zip *zip, const char *name);

/* Unpacks and checks the checksum; the caller frees *out, of member->size bytes.  A member that is
 * longer than its first bytes announce is refused. */
enum ecc_status ecc_zip_extract(unsigned char **out, const struct ecc_zip *zip,
                                const struct ecc_zip_member *member, ecc_announced *announced,
                                struct ecc_error *error);

#endif
