/*
 * dataset.h: items to learn from: images or rows of a table, perhaps with labels, from any source.
 *
 * A source is a file that ends in a const entry, and a line of the table in source.c.  Items are
 * floats: pixels from 0 to 1 as [channels, height, width], or standardised rows of a table as
 * [features, 1, 1], in which NaN is a missing cell.
 */
#ifndef ECC_DATA_DATASET_H
#define ECC_DATA_DATASET_H

#include "data/few_names.h"
#include "data/schema.h"

#include <pthread.h>

struct ecc_item_shape {
    size_t channels, height, width;
};

/* The sign between whole numbers and fractions; and how tables are scaled: by mean and deviation,
 * or, against outliers, by median and interquartile range. */
extern const char *const ecc_decimal_names[], *const ecc_scaler_names[]; /* ending in NULL */

struct ecc_data_options {
    size_t items; /* only the first `items`; 0: all */
    size_t crop,
        size; /* image folders: side of the centre square to cut out (0: the whole image, or the
                 largest square if it is resized), and side to resize to (0: not resized) */
    const char *label; /* CSV: the label column: its name or number, "first", "last", "none", or
                          NULL: found */
    const char *columns, *drop; /* CSV: lists of names: only these; not these; or NULL */
    enum ecc_decimal decimal;   /* CSV */
    enum ecc_scaler scaler;     /* tables */
    const char *labels;         /* a file with a label for each item, or NULL */
    const char *metadata; /* a table with a row for each item, or NULL: metadata.csv of a folder */
    const char *beside;   /* what these two belong to: not used for other data; NULL: for any */
    bool strict;          /* image folders: stop at an image that cannot be read */
    uint64_t seed;        /* of generated items */
    size_t cache_bytes;   /* image folders: memory for decoded images; 0: ECC_DATA_CACHE */
    const struct ecc_scaling *scaling; /* tables: use this one, of a run, instead of fitting one */
    const struct ecc_schema *schema;   /* tables with columns: likewise */
};

enum { ECC_DATA_CACHE = 1 << 30 }; /* bytes */

/* The part of the items that is opened. */
enum ecc_split { ECC_SPLIT_TRAIN = 0, ECC_SPLIT_TEST, ECC_SPLIT_ALL };
extern const char *const ecc_split_names[]; /* in the order of the enum, ending in NULL */

/* "train", "test" or "all". */
bool ecc_split_parse(enum ecc_split *split, const char *word);

/* What a column of words says of each item, such as a town; not part of the item. */
enum { ECC_LEVELS_MOST = 40, ECC_NO_LEVEL = 255 };
struct ecc_item_words {
    char *name;
    char **levels; /* [level_count] the different words, sorted */
    size_t level_count;
    uint8_t *of; /* [count] the level of each item, or ECC_NO_LEVEL: not known */
};

struct ecc_data_source; /* source.h */

struct ecc_dataset {
    /* Private to the source. */
    const struct ecc_data_source *source;
    void *state;
    uint32_t *rows; /* [count] where the source keeps each item, ascending */
    uint8_t *test;  /* [source_rows] 1 for rows of the test part; NULL: one part was opened alone */
    size_t source_rows;
    struct ecc_few_names damaged; /* images with damage inside, so far; filled in with grey */
    size_t limit;                 /* the items that were asked for; 0: all */
    pthread_mutex_t lock;

    /* May be read by anyone. */

    char *name; /* as it was asked for, such as "mnist:test" */
    enum ecc_split split;
    uint64_t fingerprint; /* of the source, all rows of all parts; 0: not known (fingerprint.h) */
    size_t count;
    struct ecc_item_shape shape;
    bool is_table;

    int32_t *labels; /* [count] class of each item, or NULL */
    size_t class_count;
    char **class_names; /* [class_count], or NULL: "0", "1", ... */

    uint8_t *attributes; /* [count, attribute_count] of 0 and 1, or NULL */
    size_t attribute_count;
    char **attribute_names;

    double *numbers; /* [count, number_count] what else is known of each item, such as an age or a
                      * price; not part of the item; NaN: not known */
    size_t number_count;
    char **number_names; /* [number_count] */

    struct ecc_item_words *words; /* [word_count] columns of words that are known of the items */
    size_t word_count;

    float *factors; /* [count, factor_count] true factors, where known (glyphs), or NULL */
    size_t factor_count;
    const char *const *factor_names;

    struct ecc_scaling scaling; /* of the features of a table; columns is 0 otherwise */
    struct ecc_schema *schema;  /* of a table with columns of its own (CSV), or NULL */
    char *remark;               /* remarks on odd but usable data, one line each, or NULL */
};

/*
 * Opens "path", "name", "path:split" or "name:split"; splits are train (the default), test and all.
 * Names (mnist, fashion-mnist, celeba) are searched in $ECCENTRIC_DATA, ~/.local/share/eccentric
 * and /usr/share/datasets; glyphs is built in.  If a source has no test part, a tenth of the items
 * is used (of CelebA the last by name, of tables and folders a random tenth, always the same).
 * Tables are standardised by their training rows; with split "all", by all rows.  options may be
 * NULL.  The caller closes the data set.
 */
enum ecc_status ecc_dataset_open(struct ecc_dataset **data, const char *what,
                                 const struct ecc_data_options *options, struct ecc_error *error);
void ecc_dataset_close(struct ecc_dataset *data);

/* Reads the items with these numbers into x: [n, channels, height, width].  Several threads may
 * call it at the same time; they take turns. */
enum ecc_status ecc_dataset_read(struct ecc_dataset *data, float *x, const uint32_t *items,
                                 size_t n, struct ecc_error *error);

/* A sentence on images that were found to be damaged inside while they were read, and were filled
 * in with grey; empty if there are none so far.  Returns out. */
enum { ECC_DAMAGE_TEXT = 800 };
const char *ecc_dataset_damage(char out[ECC_DAMAGE_TEXT], struct ecc_dataset *data);

/* `what` with its path made absolute, to be used later from another directory; NULL without memory.
 * The caller frees it. */
char *ecc_data_absolute(const char *what);

/* "mnist:test" from "mnist", "mnist:train", ...; NULL without memory.  The caller frees it. */
char *ecc_data_part_name(const char *what, const char *split);

/* Whether a name ends in a part, such as ":test"; *split is the part that it asks for. */
bool ecc_data_names_part(const char *what, enum ecc_split *split);

/* Tells the watcher, which may be NULL, the remarks on the data. */
void ecc_dataset_tell(const struct ecc_dataset *data, const struct ecc_watch *watch);

/* Missing cells, NaN, become 0, which is the mean: for what cannot leave them out.  x: [n] */
void ecc_fill_missing(float *x, size_t n);

/* The number of floats in an item. */
size_t ecc_shape_size(struct ecc_item_shape shape);

#endif
