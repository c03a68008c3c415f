/* fid.h: what the files of `eccentric fid` share: its settings, an operand, and a score. */
#ifndef ECC_CLI_FID_H
#define ECC_CLI_FID_H

#include "cli/latent.h"
#include "latent/sampler.h"
#include "score/collect.h"
#include "score/frechet.h"

struct ecc_fid_settings {
    struct ecc_common common;
    const char *train, *weights, *save, *out, *csv, *run_data;
    size_t count, train_items, items, crop, size;
    int from, features, kid;
    struct ecc_mixture_options mixture;
};

enum {
    ECC_FID_SAMPLES = 10000,
    ECC_FID_BATCH = 100,     /* images at once, at most */
    ECC_FID_SLOW_BATCH = 10, /* of Inception, which takes its time: progress should show */
};

/* ---- Operands: fid_side.c ------------------------------------------------------------------- */

enum ecc_fid_kind { ECC_FID_DATA, ECC_FID_RUN, ECC_FID_STATISTICS };

/* One operand; what it is not stays NULL or empty. */
struct ecc_fid_side {
    const char *name;
    enum ecc_fid_kind kind;
    struct ecc_model *model;
    struct ecc_components components;
    struct ecc_mixture mixture;
    struct ecc_dataset *data;
    struct ecc_collector collector;
    struct ecc_statistics statistics; /* once collected or read */
};

/* Says what an operand is: a run (a directory with a config), statistics, or data. */
enum ecc_fid_kind ecc_fid_kind_of(const char *name);

/* Opens it.  Data is prepared as the run `guide` says (crop, size), or as the settings do where
 * that is NULL.  Tables are refused. */
enum ecc_status ecc_fid_side_open(struct ecc_fid_side *side, const struct ecc_model *guide,
                                  const struct ecc_fid_settings *settings, struct ecc_error *error);
void ecc_fid_side_release(struct ecc_fid_side *side);

struct ecc_item_shape ecc_fid_side_shape(const struct ecc_fid_side *side); /* of an image */
/* That the images of an open operand have this shape. */
enum ecc_status ecc_fid_side_check_shape(const struct ecc_fid_side *side,
                                         struct ecc_item_shape shape, struct ecc_error *error);
size_t ecc_fid_side_count(const struct ecc_fid_side *side); /* items; 0 of a run, or not known */

/* Statistics of the features of all items, or of `samples` drawn from a run; of a file, that they
 * are of these features.  seed: of the samples. */
enum ecc_status ecc_fid_side_collect(struct ecc_fid_side *side, struct ecc_features *features,
                                     size_t samples, uint64_t seed,
                                     const struct ecc_fid_settings *settings,
                                     struct ecc_error *error);

/* That statistics are of these features; a remark on standard error where they do not say. */
enum ecc_status ecc_fid_check_identity(const struct ecc_statistics *statistics, const char *name,
                                       const char *identity, size_t size,
                                       const struct ecc_common *common, struct ecc_error *error);

/* ---- Scores and their report: fid_report.c, fid_draw.c -------------------------------------- */

struct ecc_fid_score {
    const char *name;
    enum ecc_fid_kind kind;
    size_t items;
    struct ecc_frechet frechet;
    bool has_kid;
    struct ecc_kid kid;
    char warning[160]; /* or empty */

    /* of runs; the last two NaN where the run's components were not needed */
    char regularizer[32];
    size_t latent;
    double lambda, eccentricity, trace;
};

struct ecc_fid_report {
    const struct ecc_fid_settings *settings;
    const struct ecc_fid_score *scores;
    size_t count;
    const char *reference; /* the last operand */
    enum ecc_fid_kind reference_kind;
    size_t reference_items;
    const char *identity; /* of the features; empty: nobody knows */
    size_t feature_count;
    double accuracy; /* of the classifier; 0 for other features */
};

enum ecc_status ecc_fid_print(const struct ecc_fid_report *report, struct ecc_error *error);
enum ecc_status ecc_fid_write_csv(const struct ecc_fid_report *report, const char *path,
                                  struct ecc_error *error);
/* Score against eccentricity, and against lambda, of the runs among them. */
enum ecc_status ecc_fid_draw(const struct ecc_fid_report *report, const char *path,
                             struct ecc_error *error);

/* "the fitted Gaussian", ... for --from. */
const char *ecc_fid_from_words(const struct ecc_fid_settings *settings);

/* ---- The whole of it: fid.c, fid_features.c ------------------------------------------------- */

/* The whole computation. */
struct ecc_scoring {
    const struct ecc_fid_settings *settings;
    struct ecc_fid_side *sides; /* [count]; the last is the reference */
    size_t count;
    const struct ecc_fid_side *guide; /* a run, which says how images are prepared; or NULL */
    struct ecc_features *features;    /* NULL: all operands are statistics */
    char identity[ECC_IDENTITY_SIZE]; /* of statistics then, as far as known */
    struct ecc_fid_score *scores;     /* [count - 1] */
};

static inline struct ecc_fid_side *ecc_fid_reference(const struct ecc_scoring *g)
{
    return &g->sides[g->count - 1];
}

/* Looks at all operands, so that a bad one is found before any work is done; and opens the features
 * that images are judged by. */
enum ecc_status ecc_fid_prepare(struct ecc_scoring *scoring, struct ecc_error *error);

/* What --features may be, ending in NULL, and where in that list. */
extern const char *const ecc_fid_feature_names[];
enum { ECC_FID_AUTO = 0, ECC_FID_INCEPTION, ECC_FID_CLASSIFIER };

#endif
