/*
 * dataset.h: items to learn from, wherever they come from: images or rows of a table, with labels.
 *
 * A source is one file that ends in a const entry, and one line of the table in source.c.  What a
 * dataset hands out are floats: pixels from 0 to 1 as [channels, height, width], rows of a table
 * standardised as [columns, 1, 1].
 */
#ifndef ECC_DATA_DATASET_H
#define ECC_DATA_DATASET_H

#include "base/status.h"

struct ecc_item_shape {
    size_t channels, height, width;
};

/* How a table's columns were brought to mean 0 and deviation 1: x = (value - mean) / deviation. */
struct ecc_scaling {
    size_t columns;
    double *mean, *deviation; /* [columns] */
    char **names;             /* [columns], or NULL */
};

struct ecc_data_options {
    size_t items;       /* the first so many; 0: all */
    size_t crop, size;  /* image folders: centre square to cut, side to resize to; 0: as they are */
    const char *label;  /* CSV: name of the label column, "none", or NULL: the last if it looks so */
    uint64_t seed;      /* of what is generated */
    const struct ecc_scaling *scaling; /* tables: use this one, from a run, instead of fitting */
};

struct ecc_data_source; /* source.h */

/* Everything but `source` and `state` may be read by anyone. */
struct ecc_dataset {
    const struct ecc_data_source *source;
    void *state;

    char *name; /* as it was asked for, such as "mnist:test" */
    size_t count;
    struct ecc_item_shape shape;
    bool is_table;

    int32_t *labels; /* [count] class of each item, or NULL */
    size_t class_count;
    char **class_names; /* [class_count], or NULL: "0", "1", ... */

    uint8_t *attributes; /* [count, attribute_count] of 0 and 1, or NULL */
    size_t attribute_count;
    char **attribute_names;

    float *factors; /* [count, factor_count] true factors, where known (glyphs), or NULL */
    size_t factor_count;
    const char *const *factor_names;

    struct ecc_scaling scaling; /* of tables; columns is 0 otherwise */
    char *remark;               /* what is odd but no reason to refuse, one line each, or NULL */
};

/*
 * Opens "path", "name", "path:split" or "name:split"; splits are train (the default), test and all.
 * Names (glyphs, mnist, fashion-mnist, celeba) are searched in $ECCENTRIC_DATA,
 * ~/.local/share/eccentric and /usr/share/datasets.  Sources without a test part of their own keep
 * the last tenth for it (CelebA by name, tables and folders after a seeded shuffle that is the same
 * in every call).  The caller closes it.
 */
enum ecc_status ecc_dataset_open(struct ecc_dataset **data, const char *what,
                                 const struct ecc_data_options *options, struct ecc_error *error);
void ecc_dataset_close(struct ecc_dataset *data);

/* x: [n, channels, height, width] receives the items with these numbers.  Safe to call from one
 * thread at a time. */
enum ecc_status ecc_dataset_read(struct ecc_dataset *data, float *x, const uint32_t *items,
                                 size_t n, struct ecc_error *error);

/* Floats of one item. */
size_t ecc_shape_size(struct ecc_item_shape shape);

#endif
