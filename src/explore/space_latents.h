/* space_latents.h: a space of latents from elsewhere, without a model. */
#ifndef ECC_EXPLORE_SPACE_LATENTS_H
#define ECC_EXPLORE_SPACE_LATENTS_H

#include "explore/space.h"

/* Components are those of these latents.  Nothing can be decoded or encoded: runs[0].one is NULL.
 */
enum ecc_status ecc_space_open_latents(struct ecc_space **space,
                                       const struct ecc_latents_request *request,
                                       const struct ecc_watch *watch, struct ecc_error *error);

#endif
