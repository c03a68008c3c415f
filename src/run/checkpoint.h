/*
 * checkpoint.h: everything a training run needs to continue bit for bit.
 *
 * A checkpoint is a list of named arrays that live elsewhere: saving writes them all, loading fills
 * them all.  What has a state of its own adds it to the list once, when it is set up.
 *
 *     ecc_checkpoint_create(&c, error);
 *     ecc_checkpoint_add(c, "step", ECC_I8, &step, 1, error);
 *     ecc_checkpoint_add_tensors(c, "weights.", tensors, count, flat, error);
 *     ecc_checkpoint_save(c, path, error);
 *     ecc_checkpoint_load(c, &remark, path, error);
 *
 * On disk it is a safetensors file, which Python reads, too.  Its last tensor, "crc32", is the
 * checksum of all bytes before, so that a damaged file is recognised.  A new checkpoint is written
 * beside the old one, synced and renamed; the old one stays as PATH.previous and is used when the
 * new one turns out to be damaged.
 */
#ifndef ECC_RUN_CHECKPOINT_H
#define ECC_RUN_CHECKPOINT_H

#include "base/dtype.h"
#include "nn/net.h"

struct ecc_checkpoint;

/* What a checkpoint of a training holds, for those who read it: */
#define ECC_CHECKPOINT_STEP "step"        /* steps done, one I64 */
#define ECC_CHECKPOINT_WEIGHTS "weights." /* prefix of the net's tensors */

enum ecc_status ecc_checkpoint_create(struct ecc_checkpoint **checkpoint, struct ecc_error *error);
void ecc_checkpoint_free(struct ecc_checkpoint *checkpoint);

/* Adds an array; data: [count], the caller's, in place as long as the checkpoint is used. */
enum ecc_status ecc_checkpoint_add(struct ecc_checkpoint *checkpoint, const char *name,
                                   enum ecc_dtype dtype, void *data, size_t count,
                                   struct ecc_error *error);
/* Adds all tensors of a net; flat: as ecc_net_export fills it.  Names are prefix + tensor's name.
 */
enum ecc_status ecc_checkpoint_add_tensors(struct ecc_checkpoint *checkpoint, const char *prefix,
                                           const struct ecc_tensor *tensors, size_t count,
                                           float *flat, struct ecc_error *error);

/* Durably; what was at `path` becomes PATH.previous. */
enum ecc_status ecc_checkpoint_save(const struct ecc_checkpoint *checkpoint, const char *path,
                                    struct ecc_error *error);
/* Fills the arrays from `path`, or from PATH.previous when that is damaged or missing; *remark then
 * says so in one sentence, and is empty otherwise.  `remark` may be NULL.  Every array must be
 * there with its type and shape; other tensors of the file are ignored.  After a failure the arrays
 * hold anything. */
enum ecc_status ecc_checkpoint_load(const struct ecc_checkpoint *checkpoint,
                                    struct ecc_error *remark, const char *path,
                                    struct ecc_error *error);
/* Whether there is anything to load. */
bool ecc_checkpoint_exists(const char *path);

/* Array number `number`: its data and size in bytes; false: there are not as many. */
bool ecc_checkpoint_array(const struct ecc_checkpoint *checkpoint, size_t number, void **data,
                          size_t *bytes);

/* Fills the arrays from memory.  bytes: from malloc, freed here; `name` is for messages. */
enum ecc_status ecc_checkpoint_decode(const struct ecc_checkpoint *checkpoint, unsigned char *bytes,
                                      size_t size, const char *name, struct ecc_error *error);

#endif
