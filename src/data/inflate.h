/* inflate.h: reads whole files, unpacks gzip, and unpacks the members of zip files. */
#ifndef ECC_DATA_INFLATE_H
#define ECC_DATA_INFLATE_H

#include "base/status.h"

/* Reads a whole file.  Its first bytes, not its name, tell whether it is gzipped.  The caller frees
 * *bytes. */
enum ecc_status ecc_inflate_file(unsigned char **bytes, size_t *size, const char *path,
                                 struct ecc_error *error);

/* Unpacks gzip: one member or several.  The caller frees *out. */
enum ecc_status ecc_inflate_gzip(unsigned char **out, size_t *out_size, const unsigned char *in,
                                 size_t in_size, const char *name, struct ecc_error *error);

/* Unpacks a raw deflate stream, which must give exactly out_size bytes.  `what` names it. */
enum ecc_status ecc_inflate_raw(unsigned char *out, size_t out_size, const unsigned char *in,
                                size_t in_size, const char *what, struct ecc_error *error);

#endif
