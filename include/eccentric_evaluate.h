/*
 * eccentric_evaluate.h: what can be measured of trained runs.
 *
 * How well the latents separate classes, whether several runs found the same components, points
 * moved by the eccentric loss alone, compared with the theory, and how far images are from others
 * (FID, KID).  The library libeccentric_train; conventions are those of eccentric.h.
 *
 * A result is filled by the library and released by the caller, also after a failure; its arrays
 * are for reading.  Options come from ecc_..._defaults(); where they may be NULL, the defaults are
 * used.  watch may be NULL.
 */
#ifndef ECCENTRIC_EVALUATE_H
#define ECCENTRIC_EVALUATE_H

#include <eccentric_train.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Classification ------------------------------------------------------------------------- */

enum ecc_classify_method {
    ECC_CLASSIFY_KNN = 0, /* a vote of the nearest labelled items */
    ECC_CLASSIFY_TREE,    /* decision trees on the run's principal components */
    ECC_CLASSIFY_MLP,     /* a network of two hidden layers, as in IRMAE */
};

/* The same items seen in three ways; the last two are baselines. */
enum { ECC_VIEW_LATENTS = 0, ECC_VIEW_PCA, ECC_VIEW_PIXELS, ECC_VIEWS };

struct ecc_classify_options {
    enum ecc_classify_method method;
    /* DATA as the commands name it; NULL: the training part of the run's own data, ... */
    const char *train;
    const char *test; /* ... and those items of the test part of what `train` names that the run was
                       * not trained on; if there are none, its validation items.  Given without a
                       * part, it stands for all its items. */
    size_t items;     /* only the first N items of each; 0: all */
    /* Instead of the above: the items that the run kept for validation, classified by those that
     * it was trained on. */
    bool validation;

    /* Learn from this many labelled items, drawn for each repeat: labels: [label_count], 0 for all
     * there are.  NULL: from all. */
    const size_t *labels;
    size_t label_count;
    size_t repeats;    /* draws of each number of labelled items; default 20 */
    bool uniform;      /* draw from all items alike; default: as many of each class */
    size_t neighbours; /* 0: by the size of the classes: the odd number nearest to half the square
                        * root of the lower quartile, from 1 to 15; for the paper's own numbers of
                        * `labels` (10, 100, 1,000, 10,000) the paper's 1, 1, 5, 10 */
    /* depths: [depth_count] of the trees, SIZE_MAX: until all leaves are pure.  NULL: 1 and 8, for
     * numbers 3 and 8. */
    const size_t *depths;
    size_t depth_count;
    size_t epochs; /* of the network, at most; items kept aside say after how many it ends; default
                    * 500 */

    /* Only this number of those known of the items, such as "age", and no classes; NULL: the
     * classes or attributes, and all numbers. */
    const char *target;
    bool baselines; /* also classify pixels and their ordinary components; default true */
    bool stumps;    /* with neighbours, too: what single components tell; trees always do */
    uint64_t seed;  /* of the draws; default 1 */
};

ECC_API struct ecc_classify_options ecc_classify_defaults(void);

struct ecc_classify_view {
    const char *name;      /* "latents", "PCA", and "pixels", or "columns" of a table */
    size_t d;              /* numbers of an item */
    size_t items;          /* labelled items: fewer than all where pixels would not fit ... */
    size_t test_items;     /* ... in memory */
    double *target_errors; /* [target_count] of the last row */
};

/* One number of labelled items, with one number of neighbours or one depth. */
struct ecc_classify_row {
    size_t labels, repeats;
    size_t parameter; /* neighbours or depth; epochs of the latents' network, in the last repeat */
    double majority;  /* error of the most frequent class */
    double error[ECC_VIEWS], deviation[ECC_VIEWS]; /* over repeats; NaN where there is no view */
    double *errors[ECC_VIEWS];                     /* [repeats] */
    /* The same for the balanced error and macro F1 (struct ecc_agreement). */
    double majority_balanced, majority_f1;
    double balanced[ECC_VIEWS], balanced_deviation[ECC_VIEWS];
    double f1[ECC_VIEWS], f1_deviation[ECC_VIEWS];
};

/* Test items of one class that were taken for another. */
struct ecc_confused_pair {
    size_t truth, taken_for; /* classes */
    size_t items;            /* how many of the class's ... */
    size_t of;               /* ... items */
};

/* Whether `majority` and `accuracy` of a stump say anything. */
enum ecc_stump_verdict {
    ECC_STUMP_TELLS = 0,
    ECC_STUMP_TOO_FEW,     /* not even 5 labelled items or 5 test items have it, or lack it */
    ECC_STUMP_SAME_ANSWER, /* the more frequent answer is the same on both sides */
};

/* The best split of one attribute, or of one class against the rest, by one component, found on all
 * labelled items. */
struct ecc_stump {
    size_t component; /* from 0 */
    double threshold;
    double gain;                      /* information, in bits */
    double below, above;              /* share of the labelled items that have it, on either side */
    double majority;                  /* right answers among the test items without it, ... */
    double accuracy;                  /* ... and with it */
    size_t having, lacking;           /* labelled items with and without it, ... */
    size_t test_having, test_lacking; /* ... and test items */
    enum ecc_stump_verdict verdict;
};

/* One way to predict a number: the mean of its nearest neighbours, or a regression tree on the
 * run's principal components. */
struct ecc_number_row {
    enum ecc_classify_method method;
    size_t parameter;              /* neighbours or depth */
    struct ecc_fit fit[ECC_VIEWS]; /* on test items; NaN where there is no view */
    size_t items[ECC_VIEWS];       /* labelled items: fewer than all where pixels would not fit in
                                    * memory */
};

/* A number known of the items, such as an age or a price. */
struct ecc_number_result {
    char *name;
    size_t items, test_items;    /* of which it is known */
    double mean, deviation;      /* of the labelled items */
    struct ecc_fit baseline;     /* of always predicting their mean */
    struct ecc_number_row *rows; /* neighbours, then a tree of each depth */
    size_t row_count;
    double *truth, *predicted; /* [all test items] by the latents' neighbours; NaN: not known */
};

/*
 * Errors are shares from 0 to 1.  Data with classes has one target, data without them one for each
 * attribute; errors are then means over the targets.  Data may have numbers as well, or only them:
 * then there are no targets, names and rows.
 */
struct ecc_classification {
    enum ecc_classify_method method;
    bool validation;
    bool attributes;          /* many targets of yes and no instead of one of several classes */
    size_t items, test_items; /* labelled, and classified */
    struct ecc_seen seen;     /* of the classified: whether the run was trained on them */
    size_t latent;            /* d, numbers of a latent */
    size_t target_count;      /* 1, or the attributes */
    size_t name_count;
    char **names; /* [name_count] of the attributes, or of the classes ("0", "1" without names) */

    struct ecc_classify_view views[ECC_VIEWS];
    size_t view_count; /* ECC_VIEWS, or 1 without baselines */
    /* A row for each number of labels, and there for each depth; the last one is the summary. */
    struct ecc_classify_row *rows;
    size_t row_count;
    double *target_majority; /* [target_count] error of the most frequent class */
    int32_t *predicted;      /* [target_count, test_items] by latents, in the last repeat */
    size_t *confusion;       /* [name_count, name_count] test items of the class of the row that
                              * `predicted` takes for that of the column; NULL for attributes, and
                              * for more than 4,096 classes */
    struct ecc_confused_pair *pairs; /* [pair_count], at most 20: the most frequent mistakes */
    size_t pair_count;

    struct ecc_number_result *numbers; /* [number_count] */
    size_t number_count;

    struct ecc_stump *stumps; /* [name_count], or NULL: not asked for */
    size_t *ranking;          /* [name_count] of the stumps by falling gain */
    double *gains;            /* [name_count, latent] bits that each component alone tells; positive
                               * where large values speak for it, negative where small ones do */
    double seconds;
};

/*
 * Fails with ECC_BAD_DATA when the data has no labels and no numbers, or does not fit the run, when
 * there are fewer items than were asked for, when no items are left that the run was not trained
 * on, and when items to classify are among the labelled ones.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_classify(struct ecc_classification *result,
                                                    struct ecc_model *model,
                                                    const struct ecc_classify_options *options,
                                                    const struct ecc_watch *watch,
                                                    struct ecc_error *error);
ECC_API void ecc_classification_release(struct ecc_classification *result);

/* ---- Several runs aligned ------------------------------------------------------------------- */

/* What is 0 or NULL is left to the library. */
struct ecc_align_options {
    const char *data; /* its training part matches, its test part measures; NULL: the first run's */
    const char *test; /* measure on these items instead, all unless a part is named; NULL: on those
                       * of the test part that no run was trained on or, if there are none, on all
                       * of it */
    size_t items;     /* only the first N items of each part; 0: all */
};

/* Run a and run b, a before b. */
struct ecc_run_pair {
    size_t a, b;
    struct ecc_alignment alignment;
    /* "same components", "same space, rotated", "mostly the same components", "some components the
     * same", "related spaces, different components" or "different spaces" */
    const char *verdict;
};

struct ecc_spread {
    double mean, deviation;
};

struct ecc_runs_alignment {
    size_t run_count, latent;
    size_t items, test_items;   /* matched and measured on */
    struct ecc_seen seen;       /* of the latter: whether a run was trained on them */
    struct ecc_run_pair *pairs; /* [pair_count] */
    size_t pair_count;
    /* Over the pairs, as in the paper's Table 1: angles in degrees, and CKA. */
    struct ecc_spread raw, aligned, procrustes, cka;
    const char *verdict; /* of the pair that has least in common */
    /* Of the first run's components: mean and least correlation with their partners in the other
     * runs; 1 where every run found the same. */
    double *stability, *least; /* [latent] */
    double *eccentricity;      /* [run_count] */
    double seconds;
};

/* models: [count], two or more of the same number of latent dimensions.  options may be NULL. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_align_runs(struct ecc_runs_alignment *result,
                                                      struct ecc_model *const *models, size_t count,
                                                      const struct ecc_align_options *options,
                                                      const struct ecc_watch *watch,
                                                      struct ecc_error *error);
ECC_API void ecc_runs_alignment_release(struct ecc_runs_alignment *result);

/* ---- Likelihood ----------------------------------------------------------------------------- */

/* What is 0 or NULL is left to the library. */
struct ecc_likelihood_options {
    const char *data; /* all its items; NULL: the test items of the run's own data */
    size_t items;     /* only the first N; 0: all */
    size_t samples;   /* of the posterior, for each item; 0: 500 */
    uint64_t seed;    /* of the samples, and of pixels drawn black or white; 0: 1 */
    size_t threads;   /* 0: all */
};

/* In nats, means over the items. */
struct ecc_likelihood {
    size_t items, samples;
    struct ecc_seen seen; /* whether the run was trained on the items */
    bool binarized;       /* pixels were drawn black or white, as in the run's training */
    double log_likelihood, deviation; /* by importance sampling; of the mean, over the items */
    double reconstruction;            /* of drawn latents: E log p(x|z) */
    double divergence;                /* of the posterior from the prior */
    double bound;                     /* reconstruction - divergence */
    double *each;                     /* [items] log-likelihoods */
    double seconds;
};

/*
 * How likely the items are under the model of a run: log p(x), by importance sampling from the
 * encoder's posterior (Burda et al., 2016), which gives a lower bound that rises with the number of
 * samples.  For runs trained with reconstruction bce and a regularizer that is a divergence between
 * distributions: kl, vae, svae.  Fails with ECC_BAD_ARGUMENT for others.
 */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_likelihood_measure(struct ecc_likelihood *result, struct ecc_model *model,
                       const struct ecc_likelihood_options *options, const struct ecc_watch *watch,
                       struct ecc_error *error);
ECC_API void ecc_likelihood_release(struct ecc_likelihood *result);

/* ---- Whether the components of one run come out again --------------------------------------- */

struct ecc_stability_options {
    size_t runs;      /* in all: the run and runs - 1 others, trained here with other seeds */
    size_t threads;   /* of the trainings; 0: as the run had */
    const char *data; /* where the run's data is now; NULL: where it was */
};

/* Trains the run again in memory, for at most 3,000 steps each, and aligns all of them: `stability`
 * of the result is what each of its components has in common with its partners. */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_stability_measure(struct ecc_runs_alignment *result, struct ecc_model *model,
                      const struct ecc_stability_options *options, const struct ecc_watch *watch,
                      struct ecc_error *error);

/* ---- How many latent dimensions ------------------------------------------------------------- */

/* A training with this latent size; errors of items that were not trained on. */
struct ecc_dims_row {
    size_t latent;
    double error, pca_error, variance;
    uint64_t steps;
    double seconds;
};

struct ecc_dims {
    struct ecc_dims_row *rows; /* [count] */
    size_t count;
    const char *items_are; /* what the errors were measured on: "test" or "validation" */
    size_t items;          /* how many of them */
    size_t recommended;    /* the smallest size that explains 95% of what the best one does */
};

/* Trains with each of latents: [count], rising, in memory; the rest as in the options. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_dims_measure(struct ecc_dims *result,
                                                        const struct ecc_train_options *options,
                                                        const size_t *latents, size_t count,
                                                        const struct ecc_watch *watch,
                                                        struct ecc_error *error);
ECC_API void ecc_dims_release(struct ecc_dims *result);
/* The share of the unseen items' variance that a size explains. */
ECC_API double ecc_dims_explained(const struct ecc_dims_row *row);

/* ---- What components mean: the columns of a table that they change -------------------------- */

/* What changes are counted in. */
enum ecc_meaning_unit {
    ECC_MEANING_NUMBER = 0, /* the column's own unit */
    ECC_MEANING_DAYS,       /* of a date */
    ECC_MEANING_SHARE,      /* of a level of a category: percentage points of its share */
};

/* A column of a table, or a level of a category. */
struct ecc_meaning_column {
    char *name; /* "alcohol", "colour=red" */
    enum ecc_meaning_unit unit;
    double deviation; /* one deviation of its feature, in that unit */
};

struct ecc_meaning {
    size_t count, column_count;         /* components, and columns or levels */
    size_t *components;                 /* [count] from 0 */
    double deviations;                  /* how far the components go */
    struct ecc_meaning_column *columns; /* [column_count] */
    double *change;   /* [count, column_count] in the unit of the column, for `deviations` more of
                       * the component: half the difference between the decoder's rows for
                       * +deviations and -deviations, everything else at the mean */
    double *standard; /* [count, column_count] the same over columns[].deviation */
    size_t *ranking;  /* [count, column_count] columns by falling size of `standard` */
};

struct ecc_meaning_options {
    const size_t *list; /* [list_count] components from 0; NULL: all */
    size_t list_count;
    double deviations; /* 0: 1 */
};

/* Of a run trained on a table; components: the run's (ecc_model_components).  options may be NULL.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_model_meaning(struct ecc_meaning *meaning,
                                                         struct ecc_model *model,
                                                         const struct ecc_components *components,
                                                         const struct ecc_meaning_options *options,
                                                         struct ecc_error *error);
ECC_API void ecc_meaning_release(struct ecc_meaning *meaning);

/* "+0.62", "-251", "+12 pp" (percentage points), "+30 days": a change, with two or three digits
 * that count.  Returns text. */
ECC_API const char *ecc_meaning_number(char *text, size_t size,
                                       const struct ecc_meaning_column *column, double change);
/* "alcohol +0.62, proline +251, hue -0.08": the columns that a component of the list changes most,
 * at most `most` of them, without those that change far less than the first.  Returns text. */
ECC_API const char *ecc_meaning_words(char *text, size_t size, const struct ecc_meaning *meaning,
                                      size_t component, size_t most);
/* The columns that the components change most, each component's in turn, for a table or a heat map:
 * list: [most] receives at most that many, ordered by the component that changes them most and by
 * falling change.  Returns how many; 0 if memory runs out. */
ECC_API size_t ecc_meaning_columns(size_t *list, const struct ecc_meaning *meaning, size_t most);

/* ---- Points moved by the loss, compared with the theory ------------------------------------- */

struct ecc_simulation_options {
    struct ecc_loss_options loss;
    const char *regularizer; /* another loss on latents, as "mhe:s=1"; NULL: the eccentric loss */
    size_t starts; /* from `seed`, `seed` + 1, ...: the one with the least loss counts; default 1 */
    size_t points, dim; /* default 1,000 in 2 dimensions */
    const float *start; /* [points, dim]; NULL: drawn */
    bool uniform;       /* drawn from a cube instead of a normal distribution; both have variance 1
                         * in each direction */
    size_t steps;       /* at most; default 200 */
    double tolerance;   /* as in struct ecc_simulate_options; default 1e-4 */
    uint64_t seed;      /* default 1 */
};

ECC_API struct ecc_simulation_options ecc_simulation_defaults(void);

enum { ECC_HISTORY_STEP = 0, ECC_HISTORY_LOSS, ECC_HISTORY_FORCE, ECC_HISTORY_RADIUS, ECC_HISTORY };

struct ecc_simulation {
    size_t n, d;
    double mu, m;
    float *start, *points; /* [n, d]; points is NULL when they could not be moved */
    size_t steps;          /* taken */
    bool at_rest, interrupted;
    double *history[ECC_HISTORY]; /* [steps + 1] each, from the start on */

    uint64_t seed; /* of the start that counts */
    double loss_start, loss;
    double energy;      /* of hyperspherical energies: the sum over pairs of distance^-s, or of -log
                         * distance, for the points at length 1; otherwise NaN */
    double loss_sphere; /* of the uniform sphere of Theorem 1's radius */
    double loss_paper;  /* d (1 - 2 log 2), which the paper gives for mu = 1; otherwise NaN */
    struct ecc_spread radius_start, radius;
    double radius_theory;              /* Theorem 1; of another loss, 1 if it has directions only */
    double escape_gain, escape_radius; /* ecc_theory_escape */
    double *mean;                      /* [d] of the points */
    double *eigenvalues;               /* [d] of their covariance, falling */
    double *axes;                      /* [d, d], rows */
    double trace, eccentricity, effective_rank;
    size_t trapped;            /* points that rest well inside the sphere: below half its radius */
    struct ecc_spread nearest; /* distance to the nearest neighbour */
    double nearest_least;
    double seconds; /* of the steps */
};

/*
 * Minimises the loss of free points (ecc_simulate) and measures what comes out.  When the watch
 * stops it, the points reached so far are measured, and it fails with ECC_INTERRUPTED: the result
 * is complete.
 */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_simulation_run(struct ecc_simulation *result, const struct ecc_simulation_options *options,
                   const struct ecc_watch *watch, struct ecc_error *error);
ECC_API void ecc_simulation_release(struct ecc_simulation *result);

/* ---- Scores of images: the Frechet distance (FID) and the kernel distance (KID) ------------- */

/* What an operand is. */
enum ecc_score_kind { ECC_SCORE_DATA = 0, ECC_SCORE_RUN, ECC_SCORE_STATISTICS };

/* One set of images: samples of an open model, or what a name stands for. */
struct ecc_score_operand {
    /* A run directory (samples of it are decoded), DATA as the commands name it, or an .npz file
     * with `mu` and `sigma` as pytorch-fid writes it.  With a model: what the table calls it, or
     * NULL. */
    const char *name;
    struct ecc_model *model; /* the caller closes it; or NULL */
};

/* What images are compared by. */
enum ecc_score_features {
    ECC_FEATURES_AUTO = 0,   /* as a statistics file says; else Inception for colour, or PCA where
                              * its weights are missing; classifier for grey */
    ECC_FEATURES_INCEPTION,  /* 2048 features of Inception-v3 */
    ECC_FEATURES_CLASSIFIER, /* 128 features of a small classifier, trained once and kept */
    ECC_FEATURES_PIXELS,
    ECC_FEATURES_PCA, /* up to 256 principal components of the pixels */
};

/* Start from ecc_score_defaults().  What is 0 or NULL is left to the library. */
struct ecc_score_options {
    enum ecc_score_features features;
    const char *weights; /* Inception: a safetensors file; NULL: where it is usually kept */
    /* Classifier: DATA with the labelled images that it learns from; PCA: the images that its axes
     * are fitted to.  NULL: the training part of the last operand, of another operand, or of a
     * run's data, in this order. */
    const char *train;
    size_t train_items; /* only the first N of them; 0: all */

    size_t items;         /* data: only the first N images; 0: all */
    size_t crop, size;    /* image folders; 0: as the run did */
    const char *run_data; /* where the training data of the runs is now; NULL: where it was */

    size_t count; /* samples of a run; 0: as many as the other side has, at most 10000 */
    enum ecc_sample_from from;
    size_t gaussians; /* ECC_SAMPLE_MIXTURE: how many; 0: chosen by BIC, up to 32 */
    bool components;  /* fill eccentricity and trace of runs even where the samples do not need
                       * the components */
    bool kid;         /* the kernel distance, too; statistics files have none */
    const char *save; /* write the statistics of the last operand here (.npz), or NULL */
    uint64_t seed;
    int threads; /* 0: as many as OpenMP would use */

    /* Processes that compute the features together, each those of its share of the images, or NULL:
     * all call the function and get the same table; files are written by the first. */
    struct ecc_team *team;
};

/* Features chosen automatically, the fitted Gaussian, with KID, seed 1. */
ECC_API struct ecc_score_options ecc_score_defaults(void);

struct ecc_frechet {
    double distance; /* the sum of the two below; at least 0 */
    double mean;     /* |mu1 - mu2|^2 */
    double spread;   /* the rest, of the covariances */
};

struct ecc_kid {
    double value;           /* mean over random subsets; unbiased, so it may be below 0 */
    double deviation;       /* between the subsets: what torch-fidelity calls its deviation */
    double error;           /* standard error of the value */
    size_t subsets, subset; /* how many, and the items in each */
};

struct ecc_score {
    char *name;
    enum ecc_score_kind kind;
    size_t items; /* images or samples; 0: the statistics file does not say */
    struct ecc_frechet frechet;
    bool has_kid; /* false: not asked for, or a side has too few items */
    struct ecc_kid kid;
    char warning[160];    /* a sentence when there are too few items, or empty */
    struct ecc_seen seen; /* of a run against data: whether it was trained on that data */

    /* Of runs, else empty, 0 and NaN.  eccentricity and trace are NaN unless the components were
     * computed. */
    char regularizer[32];
    size_t latent;
    double lambda, eccentricity, trace;
};

enum { ECC_IDENTITY_SIZE = 160 };

struct ecc_score_table {
    struct ecc_score *scores; /* [count], one for each operand but the last */
    size_t count;
    char *reference; /* the last operand */
    enum ecc_score_kind reference_kind;
    size_t reference_items;
    /* Of the features: scores of different identities cannot be compared.  Empty: not known, since
     * no statistics file says. */
    char identity[ECC_IDENTITY_SIZE];
    size_t feature_count;
    double accuracy; /* of the classifier on items it did not learn from; 0 for other features */
    enum ecc_sample_from from; /* what the samples of runs were drawn from */
};

/*
 * Compares each operand with the last one, the reference.  A single operand gives a table without
 * scores, for options->save.  options and watch may be NULL.  Fails with ECC_BAD_DATA, before any
 * long work, when operands are not images, differ in shape, or are statistics of other features.
 * On failure *table is empty.
 */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_score_images(struct ecc_score_table *table, const struct ecc_score_operand *operands,
                 size_t count, const struct ecc_score_options *options,
                 const struct ecc_watch *watch, struct ecc_error *error);
ECC_API void ecc_score_table_release(struct ecc_score_table *table);

/* ---- Features of one's own ------------------------------------------------------------------ */

struct ecc_feature_rows {
    const float *rows; /* [count, size] */
    size_t count;      /* items */
    size_t size;       /* features of an item */
};

/* Mean and covariance of features. */
struct ecc_statistics {
    size_t size;                      /* features, d */
    size_t count;                     /* items; 0: the file did not say */
    double *mean;                     /* [d] */
    double *covariance;               /* [d, d], divided by count - 1, symmetric */
    char identity[ECC_IDENTITY_SIZE]; /* of the features; empty: the file did not say */
    /* Of principal components: the axes, so that other images can be compared later.  d is 0: of
     * other features, or not stored.  Files have no eigenvalues (NULL). */
    struct ecc_pca pca;
};

/* Of at least two items and at most 4096 features.  identity says what the features are. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_statistics_fit(struct ecc_statistics *statistics,
                                                          const struct ecc_feature_rows *features,
                                                          const char *identity,
                                                          struct ecc_error *error);
ECC_API void ecc_statistics_release(struct ecc_statistics *statistics);

/* The file is an .npz with `mu` and `sigma`, as pytorch-fid reads and writes it, and ours also has
 * `count` and `identity`; of principal components also `centre` and `axes`. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_statistics_write(const struct ecc_statistics *statistics,
                                                            const char *path,
                                                            struct ecc_error *error);
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_statistics_read(struct ecc_statistics *statistics, const char *path, struct ecc_error *error);

/* Fails when the sizes differ.  Whether both are of the same features is up to the caller. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_frechet_distance(struct ecc_frechet *result,
                                                            const struct ecc_statistics *a,
                                                            const struct ecc_statistics *b,
                                                            struct ecc_error *error);

/* The mean over 100 random subsets of 1000 items (or half of the items, where those are fewer),
 * with the kernel (x.y / d + 1)^3.  Both sides need at least 4 items. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_kid_estimate(struct ecc_kid *kid,
                                                        const struct ecc_feature_rows *a,
                                                        const struct ecc_feature_rows *b,
                                                        uint64_t seed, struct ecc_error *error);

/* ---- Speed ---------------------------------------------------------------------------------- */

enum ecc_bench_what { ECC_BENCH_STEP = 0, ECC_BENCH_ENCODE, ECC_BENCH_DECODE, ECC_BENCH_LOSS };
enum { ECC_BENCH_KINDS = 4 };

struct ecc_bench_options {
    /* Net and width, data and how it is read (NULL: glyphs, or random images for paper-celeba),
     * batch, latent size (0: 8, or 64 for paper-celeba and the loss), regularizer, seed, threads.
     */
    struct ecc_train_options train;
    size_t points;  /* of the loss */
    double seconds; /* of each measurement; 0: 0.5, or 0.05 if it is quick */
    bool quick;     /* fewer and shorter measurements */
};

/* paper-mnist, batch 100; 8192 points. */
ECC_API struct ecc_bench_options ecc_bench_defaults(void);

struct ecc_bench_row {
    size_t threads, batch, latent; /* of the loss, batch is the number of points */
    double seconds;                /* the best time of one run */
    double flops;                  /* of one run */
    size_t bytes;                  /* planned once, for all runs */
    double peak_gflops;            /* of sgemm with the same number of threads */
};

enum ecc_bench_axis { ECC_BENCH_THREADS = 0, ECC_BENCH_BATCH, ECC_BENCH_LATENT };
enum { ECC_BENCH_AXES = 3, ECC_BENCH_MOST_ROWS = 24 };

struct ecc_bench_result {
    enum ecc_bench_what what;
    const char *net, *data; /* as in the options; NULL where there is none */
    struct ecc_bench_row main;
    struct ecc_bench_row rows[ECC_BENCH_AXES][ECC_BENCH_MOST_ROWS]; /* one number varied */
    size_t counts[ECC_BENCH_AXES];
};

/* Times each of what: [count], as `eccentric bench` does.  results: [count]. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_bench(struct ecc_bench_result *results,
                                                 const enum ecc_bench_what *what, size_t count,
                                                 const struct ecc_bench_options *options,
                                                 const struct ecc_watch *watch,
                                                 struct ecc_error *error);

#ifdef __cplusplus
}
#endif
#endif
