/*
 * space.h: what the explorer shows: one run, or two on the same data, planned for single latents
 * and for small batches, and the encoded items of a data set.
 *
 * A place in latent space is given by its amounts: its distance from the mean along each component
 * in standard deviations, strongest component first.
 */
#ifndef ECC_EXPLORE_SPACE_H
#define ECC_EXPLORE_SPACE_H

#include "eccentric_pages.h"

#include "latent/align_pair.h"
#include "model/components.h"
#include "latent/labelled.h"

enum {
    ECC_SPACE_RUNS = 2,
    ECC_SPACE_MOST = 256, /* latents decoded per request, at most */
};

struct ecc_space_run {
    struct ecc_model *one, *some; /* planned for one item and for a few at once; or NULL */
    struct ecc_components components;
    bool faces;     /* its own data is CelebA */
    float *amounts; /* [count, d] of the items */
    double *gains;  /* [targets, d] in bits, signed; NULL without labels */
    double *inside; /* [targets, d] mean amounts of the items with the target, */
    double *beside; /* [targets, d] and of the others */
};

struct ecc_space {
    struct ecc_space_run runs[ECC_SPACE_RUNS];
    size_t run_count;
    size_t d, size;
    struct ecc_item_shape shape;
    bool is_table;

    char *latents; /* the file of latents from elsewhere: there is no model; NULL: there is */
    float *pixels; /* of items without images, which the data set uses */

    struct ecc_dataset *data;  /* as the first run prepares it; NULL: no items */
    uint32_t *kept;            /* [count] their numbers, or NULL: the first (ecc_space_thin) */
    struct ecc_seen seen;      /* by the first run */
    struct ecc_limits limits;  /* of T2 and Q, by the first run's training; items is 0: not known */
    size_t count, of;          /* of: before some were left out */
    struct ecc_labels targets; /* of 0 and 1; empty without labels */
    char **class_names;        /* [classes], if the targets are classes */

    bool aligned; /* two runs with items */
    struct ecc_alignment alignment;

    float *z, *x; /* [ECC_SPACE_MOST, d], [ECC_SPACE_MOST, size]: the last ones decoded */
};

/* data: the items to show, or NULL; the space takes it over, also on failure. */
enum ecc_status ecc_space_create(struct ecc_space **space, struct ecc_dataset *data,
                                 struct ecc_error *error);
/* Keeps fewer items, of each class its share; *kept: [items], their numbers, the caller's to free,
 * or NULL: the first `items`, as there are no labels, or all, as there are no more or `items` is 0.
 */
enum ecc_status ecc_space_thin(struct ecc_dataset *data, uint32_t **kept, size_t items,
                               struct ecc_error *error);
/* How many items to keep, 0: all.  At most `items`, and images with at most `pixels` together; 0
 * is no limit. */
size_t ecc_space_room(const struct ecc_dataset *data, size_t items, size_t pixels);
/* Fails if the model's run cannot be added: all runs must have the same latent size and item
 * shape. */
enum ecc_status ecc_space_check(const struct ecc_space *space, const struct ecc_model *model,
                                struct ecc_error *error);
/* Adds a run, with the model planned again for the explorer.  On success the space takes over the
 * components.  The latents of the items are z: [count, d], prepared as this run's own data was;
 * NULL without items. */
enum ecc_status ecc_space_add(struct ecc_space *space, const struct ecc_model *model,
                              struct ecc_components *components, const float *z, int threads,
                              struct ecc_error *error);
/* Call this after adding all runs: finds which components carry which labels, and how two runs
 * match. */
enum ecc_status ecc_space_finish(struct ecc_space *space, struct ecc_error *error);

/* space->z and space->x of amounts: [n, d], n <= ECC_SPACE_MOST. */
enum ecc_status ecc_space_decode(struct ecc_space *space, size_t run, const float *amounts,
                                 size_t n, struct ecc_error *error);
/* amounts: [n, d] of z: [n, d]; 0 along components that do not vary. */
enum ecc_status ecc_space_amounts(const struct ecc_space *space, size_t run, float *amounts,
                                  const float *z, size_t n, struct ecc_error *error);

/* Size in bytes of an item as the page receives it: 8-bit pixels [height, width, channels], or the
 * standardised columns of a row as float32. */
size_t ecc_space_item_bytes(const struct ecc_space *space);
void ecc_space_pack(const struct ecc_space *space, unsigned char *bytes, const float *x, size_t n);

#endif
