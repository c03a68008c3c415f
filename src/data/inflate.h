/* inflate.h: whole files in, unpacked where they are gzipped, and the members of zip files. */
#ifndef ECC_DATA_INFLATE_H
#define ECC_DATA_INFLATE_H

#include "base/status.h"

/* Reads a whole file.  Whether it is gzipped is decided by its first bytes, not by its name.
 * *bytes is the caller's to free. */
enum ecc_status ecc_inflate_file(unsigned char **bytes, size_t *size, const char *path,
                                 struct ecc_error *error);

/* Unpacks gzip: one member or several.  *out is the caller's to free. */
enum ecc_status ecc_inflate_gzip(unsigned char **out, size_t *out_size, const unsigned char *in,
                                 size_t in_size, const char *name, struct ecc_error *error);

/* Unpacks a bare deflate stream that must give exactly out_size bytes.  `what` names it. */
enum ecc_status ecc_inflate_raw(unsigned char *out, size_t out_size, const unsigned char *in,
                                size_t in_size, const char *what, struct ecc_error *error);

#endif
