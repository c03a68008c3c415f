/*
 * source.h: what a source of data is: a const entry, one file each, and one line of the table in
 * source.c.
 *
 * `open` fills the dataset with everything that is there (count, shape, labels, ...) and says which
 * rows belong to the test part; dataset.c then keeps what was asked for.  `read` is asked for rows
 * by the numbers that `open` gave them.
 */
#ifndef ECC_DATA_SOURCE_H
#define ECC_DATA_SOURCE_H

#include "data/dataset.h"

struct ecc_array_data; /* array_data.h */

struct ecc_data_request {
    const char *path; /* a file or directory, or the name of what is not one */
    enum ecc_split split;
    const struct ecc_array_data *array;     /* of the source "memory" */
    const struct ecc_data_options *options; /* never NULL */

    /* What `open` may tell beside the dataset. */
    uint8_t *test; /* [count] 1 for rows of the test part; NULL: a tenth is drawn */
    bool narrowed; /* only rows of the split were opened at all */
};

struct ecc_data_source {
    const char *name;    /* "idx" */
    const char *summary; /* what it reads, for messages and help */
    /* Whether this is for it; it need not be any good. */
    bool (*accepts)(const char *path, bool is_directory);
    /* On failure the dataset may be half filled; `close` is called then, too, when state is set. */
    enum ecc_status (*open)(struct ecc_dataset *data, struct ecc_data_request *request,
                            struct ecc_error *error);
    enum ecc_status (*read)(struct ecc_dataset *data, float *x, const uint32_t *rows, size_t n,
                            struct ecc_error *error);
    void (*close)(void *state);
};

/* Opens a dataset of this source; `what` is its name.  The request's options are set here. */
enum ecc_status ecc_dataset_open_request(struct ecc_dataset **data,
                                         const struct ecc_data_source *source, const char *what,
                                         struct ecc_data_request *request,
                                         const struct ecc_data_options *options,
                                         struct ecc_error *error);

/* The table, ending in NULL; the first that accepts a path opens it. */
extern const struct ecc_data_source *const ecc_data_sources[];

/* Where to find what the caller asked for: *path is the caller's to free. */
enum ecc_status ecc_data_locate(char **path, enum ecc_split *split,
                                const struct ecc_data_source **source, const char *what,
                                struct ecc_error *error);

/* Fails if a run in `out` would lie in the folder of images that `what` is: its pictures would be
 * taken for items, and the run for a class. */
enum ecc_status ecc_data_refuse_run_inside(const char *out, const char *what,
                                           struct ecc_error *error);

/* Whether that is CelebA, whose images are cut in a way of its own; where it is not there any more,
 * what its name says. */
bool ecc_data_of_faces(const char *what);

/* The part that sources without one of their own get: a tenth, drawn the same way every time; at
 * least one row where there are two.  test: [count], or NULL without memory. */
uint8_t *ecc_data_draw_test(size_t count);

/* Adds a line to data->remark; without memory it is lost, which is no reason to fail. */
void ecc_data_remark(struct ecc_dataset *data, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
