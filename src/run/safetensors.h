/*
 * safetensors.h: named tensors in one file, in Hugging Face's safetensors format.
 *
 * Eight bytes with the length of a JSON header, the header, then the numbers, little-endian and
 * without gaps.  Written: float32.  Read: float16, bfloat16, float32 and float64 as float; tensors
 * of other types may be in the file but are not read.  Everything else that is odd is refused.
 */
#ifndef ECC_RUN_SAFETENSORS_H
#define ECC_RUN_SAFETENSORS_H

#include "base/status.h"

enum {
    ECC_SAFETENSORS_MAX_RANK = 8,
    ECC_SAFETENSORS_MAX_HEADER = 16 << 20, /* bytes; longer ones are refused */
    ECC_SAFETENSORS_MAX_COUNT = 1 << 16,   /* tensors */
};

/* A tensor to be written; everything is the caller's. */
struct ecc_safetensors_item {
    const char *name;
    size_t rank, shape[ECC_SAFETENSORS_MAX_RANK];
    const float *data; /* row-major */
};

/* Writes all or nothing, durably.  metadata: key, value, key, value, ..., NULL; or NULL. */
enum ecc_status ecc_safetensors_write(const char *path, const struct ecc_safetensors_item *items,
                                      size_t count, const char *const *metadata,
                                      struct ecc_error *error);

/* What a file holds about one tensor. */
struct ecc_safetensors_entry {
    char *name;
    const char *dtype; /* "F32", ... */
    size_t rank, shape[ECC_SAFETENSORS_MAX_RANK];
    size_t count;      /* numbers */
    size_t begin, end; /* bytes, from the end of the header */
};

struct ecc_safetensors {
    char *name;          /* of the file, for messages */
    unsigned char *data; /* [data_size], what follows the header */
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
void ecc_safetensors_free(struct ecc_safetensors *file);

/* NULL when there is none of that name. */
const struct ecc_safetensors_entry *ecc_safetensors_find(const struct ecc_safetensors *file,
                                                         const char *tensor);
const char *ecc_safetensors_metadata(const struct ecc_safetensors *file, const char *key);

/* out: [product of shape] receives the tensor, which must have exactly this shape. */
enum ecc_status ecc_safetensors_get(const struct ecc_safetensors *file, float *out,
                                    const char *tensor, size_t rank, const size_t *shape,
                                    struct ecc_error *error);

#endif
