/* weights.h: all tensors of a net, as its flat array, to and from a safetensors file. */
#ifndef ECC_RUN_WEIGHTS_H
#define ECC_RUN_WEIGHTS_H

#include "nn/net.h"
#include "run/safetensors.h"

/* Tensors that stand beside the weights in a model of one block (model/model_bytes.c). */
#define ECC_COMPONENTS_PREFIX "components."

/* flat: as ecc_net_export fills it.  metadata: key, value, ..., NULL; or NULL. */
enum ecc_status ecc_weights_write(const char *path, const struct ecc_tensor *tensors, size_t count,
                                  const float *flat, const char *const *metadata,
                                  struct ecc_error *error);
/* Every tensor must be there, with its shape and finite numbers, and no others except PyTorch's
 * num_batches_tracked. */
enum ecc_status ecc_weights_read(float *flat, const struct ecc_tensor *tensors, size_t count,
                                 const char *path, struct ecc_error *error);

/* Tensors of the flat array as items of a file to be written, items: [count]; and out of a file
 * that is open. */
void ecc_weights_items(struct ecc_safetensors_item *items, const struct ecc_tensor *tensors,
                       size_t count, const float *flat);
enum ecc_status ecc_weights_take(float *flat, const struct ecc_safetensors *file,
                                 const struct ecc_tensor *tensors, size_t count,
                                 struct ecc_error *error);

/* The same for the net itself. */
enum ecc_status ecc_weights_save(const struct ecc_net *net, const char *path,
                                 const char *const *metadata, struct ecc_error *error);

#endif
