/* unusual.h: how unusual items are, stored beside the weights of a run. */
#ifndef ECC_MODEL_UNUSUAL_H
#define ECC_MODEL_UNUSUAL_H

#include "model/model.h"

#define ECC_LIMITS_FILE "limits.npz"

/* Components that vary: the first ones. */
size_t ecc_components_alive(const struct ecc_components *components);

#endif
