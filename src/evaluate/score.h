/*
 * score.h: what the files behind ecc_score_images share: an operand and the computation.
 *
 * score.c compares, score_side.c turns one operand into statistics of features, score_features.c
 * chooses the features, score_axes.c the axes of principal components.
 */
#ifndef ECC_EVALUATE_SCORE_H
#define ECC_EVALUATE_SCORE_H

#include "eccentric_evaluate.h"

#include "model/model.h"
#include "score/collect.h"

/* The names of enum ecc_score_features, ending in NULL. */
extern const char *const ecc_score_feature_names[];

enum {
    ECC_SCORE_SAMPLES = 10000, /* drawn from a run by default */
    ECC_SCORE_BATCH = 100,     /* images per batch, at most */
    ECC_SCORE_SLOW_BATCH = 10, /* for Inception, which is slow, so that progress shows */
};

/* One operand.  Fields of other kinds stay NULL or empty. */
struct ecc_score_side {
    const char *name;
    bool is_open; /* the caller owns the model and keeps it open */
    enum ecc_score_kind kind;
    struct ecc_model *model;
    struct ecc_components components; /* d is 0: not needed */
    struct ecc_mixture mixture;
    struct ecc_two_stage *two_stage; /* or NULL: not needed */
    struct ecc_dataset *data;
    struct ecc_collector collector;
    struct ecc_statistics statistics; /* filled when collected or read */
};

struct ecc_scoring {
    const struct ecc_score_options *options;
    const struct ecc_watch *watch;
    struct ecc_score_side *sides; /* [count]; the last is the reference */
    size_t count;
    const struct ecc_model *guide;    /* a run that defines how images are prepared; or NULL */
    struct ecc_features *features;    /* NULL: all operands are statistics, ... */
    char identity[ECC_IDENTITY_SIZE]; /* ... of these features, if a file says so */
    const struct ecc_share *share;    /* processes that do this together, or NULL */
};

/* ---- Operands: score_side.c ----------------------------------------------------------------- */

/* What a name stands for: a run (a directory with a config), statistics, or data. */
enum ecc_score_kind ecc_score_kind_of(const char *name);

enum ecc_status ecc_score_side_init(struct ecc_score_side *side,
                                    const struct ecc_score_operand *operand,
                                    struct ecc_error *error);
/* How to read data: like the guide's, with the crop and size of the options. */
struct ecc_data_options ecc_score_data_options(const struct ecc_scoring *scoring, size_t items);

/* Opens it unless it is open.  Refuses tables. */
enum ecc_status ecc_score_side_open(const struct ecc_scoring *scoring, struct ecc_score_side *side,
                                    struct ecc_error *error);
void ecc_score_side_close(struct ecc_score_side *side);

struct ecc_item_shape ecc_score_side_shape(const struct ecc_score_side *side); /* of an image */

/* Fills the statistics from all items of data, or from samples of a run drawn with this seed;
 * checks that those of a file have the same features. */
enum ecc_status ecc_score_side_collect(const struct ecc_scoring *scoring,
                                       struct ecc_score_side *side, size_t samples, uint64_t seed,
                                       struct ecc_error *error);

/* Checks that statistics have this many features of this identity; adds a remark if the file does
 * not say. */
enum ecc_status ecc_score_check_identity(const struct ecc_scoring *scoring,
                                         const struct ecc_score_side *side, const char *identity,
                                         size_t size, struct ecc_error *error);

/* ---- Features: score_features.c ------------------------------------------------------------- */

/* Opens each operand once, to find bad ones before any long work, then opens the features. */
enum ecc_status ecc_score_prepare(struct ecc_scoring *scoring, struct ecc_error *error);

/* ---- Principal components: score_axes.c ----------------------------------------------------- */

/* The operand whose file holds the axes to use, the reference first; NULL: no operand is a file.
 * Fails when files are of other axes than this one, or have none. */
enum ecc_status ecc_score_find_axes(const struct ecc_scoring *scoring, struct ecc_score_side **from,
                                    struct ecc_error *error);

/* Few enough that the reference, if it is data, has several items for each. */
size_t ecc_score_most_axes(const struct ecc_scoring *scoring);

/* Says what new axes are fitted to; first, where the caller did not ask for them, how to get the
 * features that are missing. */
void ecc_score_remark_axes(const struct ecc_scoring *scoring, const struct ecc_dataset *fitted);

#endif
