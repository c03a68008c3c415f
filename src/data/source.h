/*
 * source.h: the interface of a data source: a const entry, one file each, and a line of the table
 * in source.c.
 *
 * `open` fills the dataset with all items (count, shape, labels, ...) and tells which rows belong
 * to the test part; dataset.c then keeps the requested part.  `read` gets the row numbers that
 * `open` assigned.
 */
#ifndef ECC_DATA_SOURCE_H
#define ECC_DATA_SOURCE_H

#include "data/dataset.h"

struct ecc_array_data; /* array_data.h */

struct ecc_data_request {
    const char *path; /* a file or directory, or the name of a source without one */
    enum ecc_split split;
    const struct ecc_array_data *array;     /* of the source "memory" */
    const struct ecc_data_options *options; /* never NULL */

    /* What `open` may return besides the dataset. */
    uint8_t *test;   /* [count] 1 for rows of the test part; NULL: a tenth is drawn, unless ... */
    bool label_used; /* --label named something that is there */
    bool narrowed;   /* ... only rows of the split were opened; with "all", `test` is set, too */
};

struct ecc_data_source {
    const char *name;    /* "idx" */
    const char *summary; /* what it reads, for messages and help */
    /* Whether this source handles the path; its contents may still be wrong. */
    bool (*accepts)(const char *path, bool is_directory);
    /* On failure the dataset may be partly filled; `close` is still called if state is set. */
    enum ecc_status (*open)(struct ecc_dataset *data, struct ecc_data_request *request,
                            struct ecc_error *error);
    enum ecc_status (*read)(struct ecc_dataset *data, float *x, const uint32_t *rows, size_t n,
                            struct ecc_error *error);
    void (*close)(void *state);
    bool has_columns; /* with names and kinds, as text tables */
    /* The files of the rows, [count], where each row is a file; else NULL. */
    char *const *(*paths)(const struct ecc_dataset *data);
    /* Of the opened source, all rows of all parts (fingerprint.h); 0: not known. */
    uint64_t (*fingerprint)(const struct ecc_dataset *data, const struct ecc_data_request *request);
};

/* Opens a dataset of this source; `what` is its name.  The request's options are set here. */
enum ecc_status ecc_dataset_open_request(struct ecc_dataset **data,
                                         const struct ecc_data_source *source, const char *what,
                                         struct ecc_data_request *request,
                                         const struct ecc_data_options *options,
                                         struct ecc_error *error);

/* The file of an item as it is called within the folder of all of them, or NULL if items are not
 * files.  *folder: 0 before the first call, which measures how long the folder's name is. */
const char *ecc_data_file(const struct ecc_dataset *data, size_t item, size_t *folder);

/* The table, ending in NULL; the first that accepts a path opens it. */
extern const struct ecc_data_source *const ecc_data_sources[];

/* Finds path, split and source of `what`.  The caller frees *path. */
enum ecc_status ecc_data_locate(char **path, enum ecc_split *split,
                                const struct ecc_data_source **source, const char *what,
                                struct ecc_error *error);

/* Whether two names lead to the same data, perhaps other parts of it. */
bool ecc_data_is_same(const char *a, const char *b);

/* Fails if a run in `out` would be inside the folder of images that `what` names: its pictures
 * would become items, and the run a class. */
enum ecc_status ecc_data_refuse_run_inside(const char *out, const char *what,
                                           struct ecc_error *error);

/* Whether the data is CelebA, whose images are cut in their own way; judged by its name if it does
 * not exist any more. */
bool ecc_data_of_faces(const char *what);

/* The test part of sources that have none: a tenth, always the same one; at least one row if there
 * are two.  test: [count], or NULL without memory. */
uint8_t *ecc_data_draw_test(size_t count);

/* The test part of sources that keep it after the training part: the rows from train_rows on. */
enum ecc_status ecc_data_mark_test(struct ecc_data_request *request, size_t train_rows, size_t rows,
                                   struct ecc_error *error);

/* Adds a line to data->remark; without memory the line is dropped. */
void ecc_data_remark(struct ecc_dataset *data, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
