/* inflate.h: reads whole files, unpacks gzip, and unpacks the members of zip files. */
#ifndef ECC_DATA_INFLATE_H
#define ECC_DATA_INFLATE_H

#include "base/status.h"

/* How many bytes there are according to the first ECC_HEAD_SIZE of them (fewer if there are fewer),
 * or 0: they do not say.  Nothing longer is unpacked, so that a small file cannot fill the memory.
 */
enum { ECC_HEAD_SIZE = 1 << 16 };
typedef size_t ecc_announced(const unsigned char *head, size_t size);

/* Reads a whole file.  Its first bytes, not its name, tell whether it is gzipped.  The caller frees
 * *bytes. */
enum ecc_status ecc_inflate_file(unsigned char **bytes, size_t *size, const char *path,
                                 struct ecc_error *error);
enum ecc_status ecc_inflate_announced(unsigned char **bytes, size_t *size, const char *path,
                                      ecc_announced *announced, struct ecc_error *error);

/* Unpacks gzip: one member or several.  The caller frees *out. */
struct ecc_gzip {
    const unsigned char *bytes;
    size_t size;
    const char *name;         /* for messages */
    ecc_announced *announced; /* or NULL */
};
enum ecc_status ecc_inflate_gzip(unsigned char **out, size_t *out_size, const struct ecc_gzip *gzip,
                                 struct ecc_error *error);

/* The first bytes of a raw deflate stream, at most `size`; returns how many there are. */
size_t ecc_inflate_head(unsigned char *head, size_t size, const unsigned char *in, size_t in_size);

/* Unpacks a raw deflate stream, which must give exactly out_size bytes.  `what` names it. */
enum ecc_status ecc_inflate_raw(unsigned char *out, size_t out_size, const unsigned char *in,
                                size_t in_size, const char *what, struct ecc_error *error);

#endif
