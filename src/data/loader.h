/*
 * loader.h: batches of a data set, each read in the background while the last one is being used.
 *
 * For training, each epoch visits every item of `items` once, in an order that depends on (seed,
 * epoch) alone; a short batch at the end of an epoch is left out.  So batch k of the whole training
 * is always the same, and training can resume anywhere.
 */
#ifndef ECC_DATA_LOADER_H
#define ECC_DATA_LOADER_H

#include "data/dataset.h"

struct ecc_loader;

/* For training.  items: [count] numbers of the items to use, copied; count >= batch. */
enum ecc_status ecc_loader_create(struct ecc_loader **loader, struct ecc_dataset *data,
                                  const uint32_t *items, size_t count, size_t batch, uint64_t seed,
                                  struct ecc_error *error);
/* To go through the items once, in their order.  items may be NULL: items 0 .. count - 1.  The last
 * batch may be short; asking for one more after it is an error. */
enum ecc_status ecc_loader_create_once(struct ecc_loader **loader, struct ecc_dataset *data,
                                       const uint32_t *items, size_t count, size_t batch,
                                       struct ecc_error *error);
/* Before the start of a training loader: `size` processes share each batch of size * batch items,
 * and this one, number `rank`, reads its own only, those from rank * batch on. */
void ecc_loader_share(struct ecc_loader *loader, size_t rank, size_t size);
size_t ecc_loader_batches_per_epoch(const struct ecc_loader *loader);

/* Starts reading at batch number `step` (0 is the first). */
enum ecc_status ecc_loader_start(struct ecc_loader *loader, uint64_t step, struct ecc_error *error);

/* Waits for the next batch.  *x: [batch, c, h, w] and *items: [batch] stay valid until the call
 * after this one. */
enum ecc_status ecc_loader_next(struct ecc_loader *loader, const float **x, const uint32_t **items,
                                struct ecc_error *error);
void ecc_loader_free(struct ecc_loader *loader);

#endif
