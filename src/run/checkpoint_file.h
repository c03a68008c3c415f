/*
 * checkpoint_file.h: how a checkpoint looks on disk, shared by its reader and writer.
 *
 *     prelude     magic, version, number of arrays, size of the whole file
 *     each array  name, type, length; its numbers, padded with zeros to eight bytes
 *     checksum    of everything before it
 * All in the byte order of the machine: a checkpoint continues a run where it was made.
 */
#ifndef ECC_RUN_CHECKPOINT_FILE_H
#define ECC_RUN_CHECKPOINT_FILE_H

#include "run/checkpoint.h"

#define ECC_CHECKPOINT_MAGIC "ecccheck"
enum { ECC_CHECKPOINT_VERSION = 1, ECC_CHECKPOINT_MAX_ARRAYS = 4096 };

enum ecc_checkpoint_kind { ECC_CHECKPOINT_F32, ECC_CHECKPOINT_F64, ECC_CHECKPOINT_U64 };

struct ecc_checkpoint_prelude {
    char magic[8];
    uint32_t version, count;
    uint64_t size;
};

struct ecc_checkpoint_head {
    char name[ECC_CHECKPOINT_NAME];
    uint32_t kind, unused;
    uint64_t count;
};

struct ecc_checkpoint_array {
    struct ecc_checkpoint_head head;
    void *data;
};

struct ecc_checkpoint {
    char *path; /* where it was read from, for messages, or NULL */
    struct ecc_checkpoint_array *arrays;
    size_t count, capacity;
};

size_t ecc_checkpoint_item_size(uint32_t kind);
/* Bytes of an array's numbers with their padding. */
size_t ecc_checkpoint_data_size(const struct ecc_checkpoint_head *head);

/* Adds an array of zeros, or finds the one that is there with this type and length. */
enum ecc_status ecc_checkpoint_area(struct ecc_checkpoint *checkpoint, void **data,
                                    const char *name, enum ecc_checkpoint_kind kind, size_t count,
                                    struct ecc_error *error);

/* Eight bytes at a time, each step a bijection, so that damage within one word never goes unseen.
 * Start from 0; sizes are multiples of eight. */
uint64_t ecc_checkpoint_sum(uint64_t sum, const void *bytes, size_t size);

#endif
