/*
 * space.h: what the explorer shows: one run or two of the same data, planned for single latents and
 * for a few at once, and the encoded items of some data.
 *
 * A place in latent space is given by its amounts: how many standard deviations it is away from the
 * mean along each component, strongest first.
 */
#ifndef ECC_EXPLORE_SPACE_H
#define ECC_EXPLORE_SPACE_H

#include "latent/align.h"
#include "model/components.h"
#include "latent/labels.h"

enum {
    ECC_SPACE_RUNS = 2,
    ECC_SPACE_MOST = 256, /* latents that are decoded for one request */
};

struct ecc_space_run {
    struct ecc_model *one, *some; /* planned for 1 and for a few items at once */
    struct ecc_components components;
    bool faces;     /* its own data is CelebA */
    float *amounts; /* [count, d] of the items */
    double *gains;  /* [targets, d] in bits, signed; NULL without labels */
    double *inside; /* [targets, d] mean amounts of the items that a target holds for, */
    double *beside; /* [targets, d] and of the others */
};

struct ecc_space {
    struct ecc_space_run runs[ECC_SPACE_RUNS];
    size_t run_count;
    size_t d, size;
    struct ecc_item_shape shape;
    bool is_table;

    struct ecc_dataset *data; /* as the first run prepares them; or NULL: no items */
    size_t count;
    struct ecc_labels targets; /* of 0 and 1; empty without labels */
    char **class_names;        /* [classes] of the targets, where they are classes */

    bool aligned; /* two runs with items */
    struct ecc_alignment alignment;

    float *z, *x; /* [ECC_SPACE_MOST, d], [ECC_SPACE_MOST, size]: the last that was decoded */
};

/* data: the items to show, taken over (also on failure); NULL: none. */
enum ecc_status ecc_space_create(struct ecc_space **space, struct ecc_dataset *data,
                                 struct ecc_error *error);
/* Whether the run of a model can be added: all must have the same size of latents and items. */
enum ecc_status ecc_space_check(const struct ecc_space *space, const struct ecc_model *model,
                                struct ecc_error *error);
/* Plans the model once more, as the explorer needs it.  components are taken over when it
 * succeeds; z: [count, d] are the latents of the items, prepared as this run's own data was; NULL
 * without any. */
enum ecc_status ecc_space_add(struct ecc_space *space, const struct ecc_model *model,
                              struct ecc_components *components, const float *z, int threads,
                              struct ecc_error *error);
/* Once all runs are there: what labels say about components, and how two runs match. */
enum ecc_status ecc_space_finish(struct ecc_space *space, struct ecc_error *error);
void ecc_space_free(struct ecc_space *space);

/* space->z and space->x of amounts: [n, d], n <= ECC_SPACE_MOST. */
enum ecc_status ecc_space_decode(struct ecc_space *space, size_t run, const float *amounts,
                                 size_t n, struct ecc_error *error);
/* amounts: [n, d] of z: [n, d]; 0 along components that do not vary. */
enum ecc_status ecc_space_amounts(const struct ecc_space *space, size_t run, float *amounts,
                                  const float *z, size_t n, struct ecc_error *error);

/* Bytes of an item as the page gets it: 8-bit pixels [height, width, channels], or the standardised
 * columns of a row as float32. */
size_t ecc_space_item_bytes(const struct ecc_space *space);
void ecc_space_pack(const struct ecc_space *space, unsigned char *bytes, const float *x, size_t n);

#endif
