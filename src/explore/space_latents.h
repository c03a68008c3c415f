/* space_latents.h: a space of latents from elsewhere, without a model. */
#ifndef ECC_EXPLORE_SPACE_LATENTS_H
#define ECC_EXPLORE_SPACE_LATENTS_H

#include "explore/space.h"

struct ecc_watch;

struct ecc_latents_request {
    const char *latents;  /* a .npy file [n, d] */
    const char *images;   /* DATA with an image for each row, or NULL */
    const char *metadata; /* a table with a line for each row, or NULL */
    size_t items;         /* at most, of each class its share; 0: all */
};

/* Components are those of these latents.  Nothing can be decoded or encoded: runs[0].one is NULL.
 */
enum ecc_status ecc_space_open_latents(struct ecc_space **space,
                                       const struct ecc_latents_request *request,
                                       const struct ecc_watch *watch, struct ecc_error *error);

#endif
