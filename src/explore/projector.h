/* projector.h: the items of a space for TensorBoard's Embedding Projector. */
#ifndef ECC_EXPLORE_PROJECTOR_H
#define ECC_EXPLORE_PROJECTOR_H

#include "explore/space.h"

/*
 * Writes into the directory: tensors.tsv, the first run's components in deviations; metadata.tsv,
 * what is known of each item; of images sprite.png, unless they are too many for it;
 * projector_config.pbtxt, which names these.  *sprite: whether there is one.
 */
enum ecc_status ecc_projector_write(struct ecc_space *space, const char *directory, bool *sprite,
                                    const struct ecc_watch *watch, struct ecc_error *error);

#endif
