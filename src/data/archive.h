/*
 * archive.h: named arrays in a .npz file, as NumPy's savez writes and load reads them.
 *
 * Members are written without compression, and the file appears only when it is complete.  Members
 * of 4 GB and more are refused.
 */
#ifndef ECC_DATA_ARCHIVE_H
#define ECC_DATA_ARCHIVE_H

#include "base/npy.h"
#include "data/zip.h"

struct ecc_archive_item {
    const char *name; /* the key; the member is name.npy */
    enum ecc_dtype dtype;
    size_t rank, shape[4];
    const void *data;         /* C order, this machine's byte order */
    const char *const *texts; /* [shape[0]] in UTF-8, rank 1, instead of dtype and data */
};

enum ecc_status ecc_archive_write(const char *path, const struct ecc_archive_item *items,
                                  size_t count, struct ecc_error *error);

struct ecc_archive {
    struct ecc_zip zip;
    unsigned char *bytes;
    char *path;
};

enum ecc_status ecc_archive_open(struct ecc_archive *archive, const char *path,
                                 struct ecc_error *error);
void ecc_archive_close(struct ecc_archive *archive);

/* The array with this name, which the caller releases; a missing one is an error. */
enum ecc_status ecc_archive_get(const struct ecc_archive *archive, struct ecc_array *array,
                                const char *name, struct ecc_error *error);
/* The same as exactly `count` doubles. */
enum ecc_status ecc_archive_get_f64(const struct ecc_archive *archive, double *values,
                                    const char *name, size_t count, struct ecc_error *error);

#endif
