/*
 * safetensors.h: named tensors in one file, in Hugging Face's safetensors format.
 *
 * Eight bytes with the length of a JSON header, the header, then the numbers, little-endian and
 * without gaps.  Tensors of any type can be written, and read back exactly; those of float16,
 * bfloat16, float32 and float64 can also be read as float.  Anything malformed is refused.
 */
#ifndef ECC_RUN_SAFETENSORS_H
#define ECC_RUN_SAFETENSORS_H

#include "base/dtype.h"
#include "base/status.h"

#include <stdio.h>

enum {
    ECC_SAFETENSORS_MAX_RANK = 8,
    ECC_SAFETENSORS_MAX_HEADER = 16 << 20, /* bytes; longer ones are refused */
    ECC_SAFETENSORS_MAX_COUNT = 1 << 16,   /* tensors */
};

/* A tensor: where its numbers are in memory, and what it is called in a file. */
struct ecc_safetensors_item {
    const char *name;
    enum ecc_dtype dtype;
    size_t rank, shape[ECC_SAFETENSORS_MAX_RANK];
    const void *data; /* row-major */
};

/* Writes all or nothing, durably.  metadata: key, value, key, value, ..., NULL; or NULL.  Types of
 * larger numbers come first in the file, so that every number is aligned; otherwise tensors keep
 * their order. */
enum ecc_status ecc_safetensors_write(const char *path, const struct ecc_safetensors_item *items,
                                      size_t count, const char *const *metadata,
                                      struct ecc_error *error);
/* The same into memory.  *bytes: [*size], the caller's to free. */
enum ecc_status ecc_safetensors_encode(unsigned char **bytes, size_t *size,
                                       const struct ecc_safetensors_item *items, size_t count,
                                       const char *const *metadata, struct ecc_error *error);
/* The same to a stream, with one more tensor at the end of the file: "crc32", four bytes, zlib's
 * crc32 of all bytes before it, little-endian.  Check ferror(stream) afterwards. */
enum ecc_status ecc_safetensors_write_summed(FILE *stream, const struct ecc_safetensors_item *items,
                                             size_t count, const char *const *metadata,
                                             struct ecc_error *error);

/* What the header of a file says about one tensor. */
struct ecc_safetensors_entry {
    char *name;
    const char *dtype; /* "F32", ... */
    size_t rank, shape[ECC_SAFETENSORS_MAX_RANK];
    size_t count;      /* numbers */
    size_t begin, end; /* bytes, from the end of the header */
};

struct ecc_safetensors {
    char *name;           /* of the file, for messages */
    unsigned char *bytes; /* the whole file */
    unsigned char *data;  /* [data_size], in it: what follows the header */
    size_t data_size;
    struct ecc_safetensors_entry *entries; /* in the order of their bytes */
    size_t count;
    char **metadata; /* key, value, ..., NULL */
};

enum ecc_status ecc_safetensors_read(struct ecc_safetensors **file, const char *path,
                                     struct ecc_error *error);
/* The same from memory; the bytes are copied.  `name` is for messages. */
enum ecc_status ecc_safetensors_decode(struct ecc_safetensors **file, const unsigned char *bytes,
                                       size_t size, const char *name, struct ecc_error *error);
/* The same without a copy.  bytes: from malloc; freed with the file, or here on failure. */
enum ecc_status ecc_safetensors_take(struct ecc_safetensors **file, unsigned char *bytes,
                                     size_t size, const char *name, struct ecc_error *error);
void ecc_safetensors_free(struct ecc_safetensors *file);

/* NULL if there is no such name. */
const struct ecc_safetensors_entry *ecc_safetensors_find(const struct ecc_safetensors *file,
                                                         const char *tensor);
const char *ecc_safetensors_metadata(const struct ecc_safetensors *file, const char *key);

/* out: [product of shape] receives the tensor as float; it must have exactly this shape. */
enum ecc_status ecc_safetensors_get(const struct ecc_safetensors *file, float *out,
                                    const char *tensor, size_t rank, const size_t *shape,
                                    struct ecc_error *error);
/* out: [product of shape] receives the tensor bit for bit; it must have the type and the shape of
 * `like`, whose data is not used. */
enum ecc_status ecc_safetensors_get_exactly(const struct ecc_safetensors *file, void *out,
                                            const struct ecc_safetensors_item *like,
                                            struct ecc_error *error);

/* What a file calls a type: "F32", "U64", ... */
const char *ecc_safetensors_type(enum ecc_dtype dtype);

#endif
