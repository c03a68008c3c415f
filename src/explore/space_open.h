/* space_open.h: a space from the names of runs and data. */
#ifndef ECC_EXPLORE_SPACE_OPEN_H
#define ECC_EXPLORE_SPACE_OPEN_H

#include "explore/space_latents.h"

struct ecc_space_request {
    const char *const *runs; /* [run_count], one or two directories */
    size_t run_count;
    struct ecc_latents_request elsewhere; /* instead of runs, if it names latents */
    const char *data; /* the items, or NULL: the training part of the first run's data */
    size_t items;     /* at most: the first, */
    bool spread;      /* or of each class its share */
    int threads;      /* 0: all */
    bool alone;       /* nobody draws at the same time: the space may have all threads, too */
};

/* Without `data` it is not an error if the run's own data is gone: a remark, and no items. */
enum ecc_status ecc_space_open(struct ecc_space **space, const struct ecc_space_request *request,
                               const struct ecc_watch *watch, struct ecc_error *error);

#endif
