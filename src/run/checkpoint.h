/*
 * checkpoint.h: everything a training run needs to continue bit for bit, as named arrays.
 *
 * The trainer puts in what it likes and asks for it again by name and length.  On disk: a versioned
 * header, the arrays, and a checksum, so that a damaged file is recognised; written beside, synced
 * and renamed.  The checkpoint before stays as PATH.previous and stands in for a damaged one.
 *
 *     ecc_checkpoint_create(&c, error);
 *     ecc_checkpoint_put_u64(c, "step", &step, 1, error);
 *     float *flat;
 *     ecc_checkpoint_area_f32(c, &flat, "parameters", size, error);
 *     ecc_net_export(net, flat);
 *     ecc_checkpoint_save(c, path, error);
 *
 * A checkpoint that is filled again with the same names and lengths allocates nothing.
 */
#ifndef ECC_RUN_CHECKPOINT_H
#define ECC_RUN_CHECKPOINT_H

#include "base/status.h"

struct ecc_checkpoint;

enum { ECC_CHECKPOINT_NAME = 64 }; /* longest name, with its end; of printable ASCII */

enum ecc_status ecc_checkpoint_create(struct ecc_checkpoint **checkpoint, struct ecc_error *error);
void ecc_checkpoint_free(struct ecc_checkpoint *checkpoint);

/* Puts an array under a name, in place of what was there. */
enum ecc_status ecc_checkpoint_put_f32(struct ecc_checkpoint *checkpoint, const char *name,
                                       const float *data, size_t count, struct ecc_error *error);
enum ecc_status ecc_checkpoint_put_f64(struct ecc_checkpoint *checkpoint, const char *name,
                                       const double *data, size_t count, struct ecc_error *error);
enum ecc_status ecc_checkpoint_put_u64(struct ecc_checkpoint *checkpoint, const char *name,
                                       const uint64_t *data, size_t count, struct ecc_error *error);
/* Room for an array, to be filled by the caller; valid until the name is put again.  A new array
 * holds zeros, one that was there keeps its numbers. */
enum ecc_status ecc_checkpoint_area_f32(struct ecc_checkpoint *checkpoint, float **data,
                                        const char *name, size_t count, struct ecc_error *error);
enum ecc_status ecc_checkpoint_area_f64(struct ecc_checkpoint *checkpoint, double **data,
                                        const char *name, size_t count, struct ecc_error *error);

/* Copies an array out; it must be there, of this type and exactly this length. */
enum ecc_status ecc_checkpoint_get_f32(const struct ecc_checkpoint *checkpoint, float *data,
                                       const char *name, size_t count, struct ecc_error *error);
enum ecc_status ecc_checkpoint_get_f64(const struct ecc_checkpoint *checkpoint, double *data,
                                       const char *name, size_t count, struct ecc_error *error);
enum ecc_status ecc_checkpoint_get_u64(const struct ecc_checkpoint *checkpoint, uint64_t *data,
                                       const char *name, size_t count, struct ecc_error *error);
/* The array itself, without a copy. */
enum ecc_status ecc_checkpoint_view_f32(const struct ecc_checkpoint *checkpoint, const float **data,
                                        const char *name, size_t count, struct ecc_error *error);
enum ecc_status ecc_checkpoint_view_f64(const struct ecc_checkpoint *checkpoint,
                                        const double **data, const char *name, size_t count,
                                        struct ecc_error *error);
bool ecc_checkpoint_has(const struct ecc_checkpoint *checkpoint, const char *name);

/* Durably; what was at `path` becomes PATH.previous. */
enum ecc_status ecc_checkpoint_save(const struct ecc_checkpoint *checkpoint, const char *path,
                                    struct ecc_error *error);
/* Reads `path`, or PATH.previous when that is damaged or missing; *remark then says so in one
 * sentence, and is empty otherwise.  `remark` may be NULL. */
enum ecc_status ecc_checkpoint_load(struct ecc_checkpoint **checkpoint, struct ecc_error *remark,
                                    const char *path, struct ecc_error *error);
/* Whether there is anything to load. */
bool ecc_checkpoint_exists(const char *path);

/* From memory; `name` is for messages. */
enum ecc_status ecc_checkpoint_decode(struct ecc_checkpoint **checkpoint,
                                      const unsigned char *bytes, size_t size, const char *name,
                                      struct ecc_error *error);

#endif
