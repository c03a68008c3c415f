/*
 * eccentric.h: the public C API of libeccentric.
 *
 * The eccentric loss of a batch of latent vectors, the theory that says where its minimum lies,
 * and points moved by the loss alone; what one does with latents then: principal components, new
 * latents, two encodings aligned, neighbours, decision trees.  Li & Blair, "Eccentric
 * Regularization", 2022.  Trained runs are opened by the library of eccentric_model.h.
 *
 * Conventions: functions that can fail return a status (ECC_OK is 0) and give results through
 * pointers; the sentence for a person travels in `struct ecc_error`, which may be NULL.  The order
 * of parameters is object, outputs, inputs, sizes, options, error.  Nothing here prints or exits.
 * Matrices are row-major: z is [n, d], item i starts at z + i * d.
 */
#ifndef ECCENTRIC_H
#define ECCENTRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ECC_VERSION "0.2.0"

#if defined(__GNUC__)
#define ECC_API __attribute__((visibility("default")))
#define ECC_MUST_CHECK __attribute__((warn_unused_result))
#else
#define ECC_API
#define ECC_MUST_CHECK
#endif

/* ---- Status and error text ------------------------------------------------------------------ */

enum ecc_status {
    ECC_OK = 0,
    ECC_BAD_ARGUMENT, /* a parameter outside its range */
    ECC_BAD_DATA,     /* input that cannot be used: malformed file, NaN latents */
    ECC_NO_MEMORY,
    ECC_IO,          /* the operating system refused to read or write */
    ECC_NUMERIC,     /* a computation that did not converge or left the range of its numbers */
    ECC_INTERRUPTED, /* the caller's callback asked to stop; results so far are valid */
};

/* One sentence: what is wrong, where, and what was expected.  Filled only on failure. */
struct ecc_error {
    enum ecc_status status;
    char text[1000];
};

ECC_API const char *ecc_version(void);

/* ---- Watching long work --------------------------------------------------------------------- */

/* How far a piece of work has come.  A new name, or `done` falling back, is a new piece. */
struct ecc_work {
    const char *name;   /* "encode", "classify" */
    const char *unit;   /* what is counted: "items" */
    size_t done, total; /* total 0: not known */
    const char *text;   /* what else is known now, or NULL */
};

/* What functions that may take long tell their caller, in the caller's thread.  Any of the two
 * functions may be NULL, and so may the watch itself. */
struct ecc_watch {
    /* Now and then; returning false ends the work with ECC_INTERRUPTED. */
    bool (*on_work)(void *context, const struct ecc_work *work);
    /* A sentence that is worth knowing and is not a failure. */
    void (*on_remark)(void *context, const char *sentence);
    void *context;
};

/* ---- The eccentric loss --------------------------------------------------------------------- */

/* Which pairs the sum runs over.  The code published with the paper counts i = j, which leaves the
 * repulsion as it is (log 1 = 0) but divides the attraction by n - 1 where the definition has n. */
enum ecc_pairs { ECC_PAIRS_PUBLISHED = 0, ECC_PAIRS_DISTINCT };

/* Where M comes from: the paper's closed form 2d(1 + 1/(2 mu (d-1)))/(2 mu - 1), the solution of
 * Theorem 1 whose radius is exactly sqrt(d), or a number given by the caller. */
enum ecc_m_rule { ECC_M_PAPER = 0, ECC_M_EXACT, ECC_M_GIVEN };

struct ecc_loss_options {
    double mu; /* strength of the repulsion, > 1/2; default 1 */
    enum ecc_m_rule m_rule;
    double m; /* used with ECC_M_GIVEN, > 0 */
    enum ecc_pairs pairs;
    int threads; /* 0: as many as OpenMP would use; the result does not depend on it */
};

struct ecc_loss_value {
    double loss;       /* attraction - repulsion */
    double attraction; /* sum |z_i|^2 / (n-1), or / n with distinct pairs */
    double repulsion;  /* mu M / (n (n-1)) * sum over pairs of log(1 + |z_i - z_j|^2 / M) */
    double m;          /* the M that was used */
};

ECC_API struct ecc_loss_options ecc_loss_defaults(void);

/*
 * Value and gradient of the loss for z: [n, d].  dz: [n, d] receives the gradient and must not
 * overlap z.  value, dz, options (the defaults) and error may be NULL.
 * Never holds n x n numbers.  The same input gives the same bytes whatever the thread count.
 * Fails with ECC_BAD_ARGUMENT (n < 2, d < 2, mu <= 1/2, M outside 1e-30 to 1e30, overlap),
 * ECC_BAD_DATA (NaN, infinite, too far apart for float32) or ECC_NO_MEMORY.
 *
 * Threads of the caller may call it at the same time; inside an OpenMP parallel region it runs on
 * one thread.  After fork(), a child must not use OpenMP, and so this library, with more than one
 * thread if the parent has: that is a limit of the OpenMP runtime.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_loss(struct ecc_loss_value *value, float *dz,
                                                const float *z, size_t n, size_t d,
                                                const struct ecc_loss_options *options,
                                                struct ecc_error *error);

/*
 * The same for training loops: plan once, then evaluate batches without allocating.
 * A plan serves every n from 2 to n_max, and one thread of the caller at a time.
 */
struct ecc_loss_plan;

ECC_API ECC_MUST_CHECK enum ecc_status ecc_loss_plan_create(struct ecc_loss_plan **plan,
                                                            size_t n_max, size_t d,
                                                            const struct ecc_loss_options *options,
                                                            struct ecc_error *error);
ECC_API ECC_MUST_CHECK enum ecc_status ecc_loss_plan_evaluate(struct ecc_loss_plan *plan,
                                                              struct ecc_loss_value *value,
                                                              float *dz, const float *z, size_t n,
                                                              struct ecc_error *error);
/* Bytes the plan holds beside the caller's z and dz. */
ECC_API size_t ecc_loss_plan_bytes(const struct ecc_loss_plan *plan);
ECC_API void ecc_loss_plan_free(struct ecc_loss_plan *plan);

/* ---- All that holds latents in shape -------------------------------------------------------- */

/* An option of one regularizer: s in "mhe:s=2". */
struct ecc_regularizer_option {
    const char *name;         /* NULL ends a list */
    const char *meaning;      /* one line for help texts */
    double usual, low, high;  /* usual: as its authors have it */
    const char *const *words; /* names of the values 0, 1, ..., ending in NULL; or NULL: a number */
    bool whole;               /* a whole number */
};

/* A regularizer that a training may name. */
struct ecc_regularizer_about {
    const char *name;
    const char *summary;                          /* one line */
    const struct ecc_regularizer_option *options; /* or NULL: none */
    bool no_lambda;                               /* it adds nothing to the reconstruction error */
    double lambda;                                /* otherwise: its usual weight */
};

/* The i-th one; false after the last. */
ECC_API bool ecc_regularizer_describe(struct ecc_regularizer_about *about, size_t i);

/* ---- Theory: where the minimum lies --------------------------------------------------------- */

/* The paper's closed form for M.  d >= 2, mu > 1/2 (not checked). */
ECC_API double ecc_theory_m_paper(size_t d, double mu);

/* M for (d, mu) by a rule; `given` is returned for ECC_M_GIVEN once it is found positive. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_theory_m(double *m, size_t d, double mu,
                                                    enum ecc_m_rule rule, double given,
                                                    struct ecc_error *error);

/* The M whose stationary sphere has exactly this radius. */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_theory_m_for_radius(double *m, size_t d, double mu, double radius, struct ecc_error *error);

/* Theorem 1: the radius rho of the uniform sphere that is stationary for the loss. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_theory_radius(double *rho, size_t d, double mu, double m,
                                                         struct ecc_error *error);

/* The loss of the uniform distribution on a sphere of radius rho (infinitely many points). */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_theory_sphere_loss(double *loss, size_t d, double mu,
                                                              double m, double rho,
                                                              struct ecc_error *error);

/*
 * Whether that sphere is the minimum, or only stationary.  *gain receives by how much the loss
 * falls, per unit of mass, when a little of it moves from the stationary sphere to the best
 * *radius; 0, and the sphere's own radius, when there is no better place.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_theory_escape(double *gain, double *radius, size_t d,
                                                         double mu, double m,
                                                         struct ecc_error *error);

/* Size of the repulsive force between two items at a distance: 2 mu r / (1 + r^2/M). */
ECC_API double ecc_theory_force(double distance, double mu, double m);

/* Figure 1 of the paper for one d: the largest |rho - sqrt(d)|/sqrt(d), in percent, over
 * mu = 1, 1 + step, ..., 2d + 1 with the paper's M, and the mu where it occurs. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_theory_accuracy(double *percent, double *worst_mu,
                                                           size_t d, double step,
                                                           struct ecc_error *error);

/* ---- Points moved by the loss alone --------------------------------------------------------- */

/* One state of the points: after `step` of at most `steps` steps, from 0, the start. */
struct ecc_simulate_progress {
    size_t step, steps;
    double loss;
    double net_force; /* root of the summed squared forces on the points: (n-1)/2 |dz| */
    double radius;    /* mean |z_i| */
    bool at_rest;     /* the net force is below the tolerance: the last state */
};

struct ecc_simulate_options {
    struct ecc_loss_options loss;
    size_t steps;     /* at most; default 200 */
    double tolerance; /* at rest when net_force is below this share of the root of sum |z_i|^2 */
    /* Called for every state, the last one included; return false to stop with ECC_INTERRUPTED. */
    bool (*on_step)(void *context, const struct ecc_simulate_progress *progress);
    void *context;
};

ECC_API struct ecc_simulate_options ecc_simulate_defaults(void);

/* Minimises the loss of n free points in place; they are left in the last state that was reported.
 * *taken (may be NULL) receives the number of steps; it is set whenever z was touched. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_simulate(float *z, size_t *taken, size_t n, size_t d,
                                                    const struct ecc_simulate_options *options,
                                                    struct ecc_error *error);

/* ---- Principal components of latents -------------------------------------------------------- */

/*
 * Results such as this one are filled by the library and released by the caller; their arrays are
 * for reading.  (For a trained run's own components see eccentric_model.h.)
 *
 * Component k of a latent is p_k = axis_k . (z - mean), components by falling eigenvalue.  The sign
 * of an axis is such that the items' third moment along it is positive: that comes from the data,
 * so that it stays the same between trainings that found the same component.
 */
struct ecc_components {
    size_t d, count;     /* count: latents it was fitted to */
    double *mean;        /* [d] */
    double *eigenvalues; /* [d] of the covariance (divided by count), falling, none below 0 */
    double *deviations;  /* [d] their roots */
    double *axes;        /* [d, d], row k is component k, of length 1 */
    double *explained;   /* [d] share of the trace: of the variance of the latents */
    double *of_data;  /* [d] share of the variance of the data that a model's reconstructions gain
                       * by each (ecc_model_explained); NaN: not known */
    double *skewness; /* [d] third moment over deviation^3, never below 0: near 0 the sign of
                       * the axis is an accident */
    double trace;
    double eccentricity;   /* deviation of the eigenvalues over their mean: 0 for a sphere */
    double of_mean;        /* the share that the decoded mean alone keeps, 0 at best: with the first
                            * shares of the data, what the first components keep; NaN: not known */
    double effective_rank; /* exp of the entropy of `explained`: d for a sphere, 1 for a line */
};

/* Of z: [n, d], in double precision.  Fails with ECC_BAD_ARGUMENT (n or d is 0), ECC_BAD_DATA (NaN,
 * infinite), ECC_NUMERIC or ECC_NO_MEMORY. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_components_fit(struct ecc_components *components,
                                                          const float *z, size_t n, size_t d,
                                                          struct ecc_error *error);
ECC_API void ecc_components_release(struct ecc_components *components);

/* p: [n, d] = (z - mean) axes^T and back, z: [n, d]; in double inside; p may be z. */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_components_project(const struct ecc_components *components, float *p, const float *z, size_t n,
                       struct ecc_error *error);
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_components_restore(const struct ecc_components *components, float *z, const float *p, size_t n,
                       struct ecc_error *error);

/* All combinations of signs of some components: 2^y_count rows, 2^x_count columns.  The first
 * component of each list changes slowest; minus comes first, on the left and at the top. */
struct ecc_walk_grid {
    const size_t *x, *y; /* components from 0, along columns and rows; none twice */
    size_t x_count, y_count;
    double deviations;
};
enum { ECC_WALK_MOST = 12 }; /* components of a grid */

/* z: [rows, columns, d], to be decoded: the mean plus or minus the deviations along each. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_walk_grid(const struct ecc_components *components,
                                                     float *z, const struct ecc_walk_grid *grid,
                                                     struct ecc_error *error);

/* Ordinary principal components of any data, the baseline of the deep ones. */
struct ecc_pca {
    size_t size, d;      /* of an item, and components */
    float *mean;         /* [size] */
    float *axes;         /* [d, size], of length 1, by falling eigenvalue */
    double *eigenvalues; /* [d] of the covariance (divided by n) */
};

/* The first d components of x: [n, size]; d is cut down to `size`.  Up to 1,024 columns by the
 * whole covariance; beyond, by subspace iteration, which finds a subspace that explains all but
 * about a thousandth of what the best one does.  The same input gives the same result on any number
 * of threads. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_pca_fit(struct ecc_pca *pca, const float *x, size_t n,
                                                   size_t size, size_t d, struct ecc_error *error);
ECC_API void ecc_pca_release(struct ecc_pca *pca);

/* z: [n, d] of x: [n, size], and back, as near as d components come. */
ECC_API void ecc_pca_project(const struct ecc_pca *pca, float *z, const float *x, size_t n);
ECC_API void ecc_pca_restore(const struct ecc_pca *pca, float *x, const float *z, size_t n);

/* ---- New latents ---------------------------------------------------------------------------- */

/* A Gaussian mixture with full covariances, fitted by EM. */
struct ecc_mixture {
    size_t k, d;
    double *weights; /* [k], falling */
    double *means;   /* [k, d] */
    double *factors; /* [k, d, d], lower Cholesky factors of the covariances */

    double log_likelihood; /* mean of an item's, of those it was fitted to */
    double bic;            /* Bayesian information criterion; smaller is better */
    size_t iterations;
    bool converged;
};

struct ecc_mixture_options {
    size_t k;         /* Gaussians; 0: chosen by BIC */
    size_t k_max;     /* the most to try then; default 32 */
    size_t starts;    /* the best of N; default 1 */
    size_t rounds;    /* of EM at most; default 200 */
    double tolerance; /* ends when an item's log-likelihood rises by less; default 1e-3 */
    double floor;     /* on the diagonals, as a share of the data's mean variance; default 1e-6 */
    size_t items;     /* fitted to at most N, drawn at random; 0: all; default 50,000 */
    uint64_t seed;    /* default 1 */
    /* After each round of EM; may be NULL.  Returning false ends with ECC_INTERRUPTED. */
    bool (*on_round)(void *context, size_t k, size_t round, double log_likelihood);
    void *context;
};

ECC_API struct ecc_mixture_options ecc_mixture_defaults(void);

/* z: [n, d].  The same seed gives the same mixture, whatever the thread count. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_mixture_fit(struct ecc_mixture *mixture, const float *z,
                                                       size_t n, size_t d,
                                                       const struct ecc_mixture_options *options,
                                                       struct ecc_error *error);
ECC_API void ecc_mixture_release(struct ecc_mixture *mixture);

/* *mean: of the log-likelihoods of z: [n, d]. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_mixture_score(const struct ecc_mixture *mixture,
                                                         double *mean, const float *z, size_t n,
                                                         struct ecc_error *error);

enum ecc_sample_from {
    ECC_SAMPLE_GAUSSIAN = 0, /* mean and covariance of the components */
    ECC_SAMPLE_NORMAL,       /* mean 0, covariance 1 */
    ECC_SAMPLE_SPHERE,       /* uniform on a sphere around 0 */
    ECC_SAMPLE_MIXTURE,
    ECC_SAMPLE_TWO_STAGE, /* by the function `draw`: a second model of the latents */
};

/* What is 0 or NULL is not asked for; `{.components = &c, .seed = 1}` is the fitted Gaussian. */
struct ecc_sampler {
    enum ecc_sample_from from;
    size_t d; /* of the latents; may be 0 when components or a mixture are given */
    const struct ecc_components *components; /* for the Gaussian and for `list` */
    const struct ecc_mixture *mixture;       /* for ECC_SAMPLE_MIXTURE */
    const size_t *list; /* vary along these components only (from 0), the others stay at the mean;
                         * NULL: along all */
    size_t list_count;
    double truncation; /* normal draws beyond this many deviations are drawn again; at least 0.001,
                        * or 0: none are */
    double radius;     /* of the sphere; 0: sqrt(d) */
    uint64_t seed;
    /* for ECC_SAMPLE_TWO_STAGE: z: [n, d], latents number first .. first + n - 1 */
    enum ecc_status (*draw)(void *context, float *z, uint64_t seed, uint64_t first, size_t n,
                            struct ecc_error *error);
    void *context;
};

/*
 * z: [n, d], latents number first .. first + n - 1.  Latent number i depends on (seed, i) and
 * nothing else: any part of a long list can be drawn at any time, and the first hundred of a
 * thousand are the same as of a hundred.  Fails with ECC_BAD_ARGUMENT when something that is needed
 * is not given or does not fit, or ECC_NO_MEMORY.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_sampler_draw(const struct ecc_sampler *sampler, float *z,
                                                        uint64_t first, size_t n,
                                                        struct ecc_error *error);

/*
 * z: [d] between a: [d] (t = 0) and b: [d] (t = 1): along the line, or spherically: the direction
 * from the mean: [d] turns evenly while the distance from it changes evenly, which keeps to where
 * the latents are.
 */
ECC_API void ecc_interpolate(float *z, const float *a, const float *b, const double *mean, size_t d,
                             double t, bool spherical);

/* ---- Two encodings of the same items -------------------------------------------------------- */

struct ecc_alignment {
    size_t d;
    size_t *partner;     /* [d] component of b that is matched with each of a */
    double *sign;        /* [d] 1, or -1 where that component of b is flipped */
    double *correlation; /* [d] of the two on test items, after the flip */
    double *share;  /* [d] of the variance of test items that they hold in a or, if more, in b */
    double *before; /* [d, d] correlations of test items: components of a by those of b */
    double *after;  /* [d, d] the same with b matched and flipped */
    /* Mean angle between the two encodings of a test item, in degrees, ... */
    double angle_raw;        /* as they are */
    double angle_aligned;    /* with b matched and flipped */
    double angle_procrustes; /* with b rotated (or mirrored) as suits the training items best */
    double cka;              /* linear CKA of the test items: 1 for the same space, rotated */
};

/*
 * Whether two trainings found the same components.  train_a, train_b: [n, d] and test_a, test_b:
 * [m, d] are component coordinates (ecc_components_project); row i of a and b belong to the same
 * item.  As in the paper, components are matched by the assignment that maximises the trace of the
 * absolute cross-covariance of training items, then signs are flipped; what that achieves is
 * measured on test items.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_align(struct ecc_alignment *alignment,
                                                 const float *train_a, const float *train_b,
                                                 size_t n, const float *test_a, const float *test_b,
                                                 size_t m, size_t d, struct ecc_error *error);
ECC_API void ecc_alignment_release(struct ecc_alignment *alignment);

/* The mean angle in degrees between rows of a and b: [m, d]; a row of zeros is at 90 to all. */
ECC_API double ecc_mean_angle(const float *a, const float *b, size_t m, size_t d);

/*
 * The Hungarian problem, exactly: gives each row of value: [rows, columns] a column of its own,
 * column: [rows], such that the sum of the chosen entries, *total (may be NULL), is as small as
 * possible, or as large when `maximise` is set.  rows <= columns.  Takes at most of the order of
 * rows^2 columns steps and memory for a few rows.  Among equally good assignments it always picks
 * the same one.  Fails with ECC_BAD_ARGUMENT (no rows, more rows than columns), ECC_BAD_DATA (an
 * entry that is not finite, or beyond 1e290; the sentence says where) or ECC_NO_MEMORY.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_assignment(size_t *column, double *total,
                                                      const double *value, size_t rows,
                                                      size_t columns, bool maximise,
                                                      struct ecc_error *error);

/* ---- Neighbours and decision trees ---------------------------------------------------------- */

/*
 * For each row of queries: [m, d] the k nearest rows of items: [n, d], nearest first, of equally
 * near ones the first: their squared distances, squared: [m, k] (may be NULL), and numbers, index:
 * [m, k].  Distances are those of the float32 numbers in double, whatever the offset from the
 * origin; the result does not depend on the thread count.  Fails with ECC_BAD_ARGUMENT (no items or
 * queries, d is 0, k > n), ECC_BAD_DATA (NaN, infinite) or ECC_NO_MEMORY.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_neighbours(double *squared, size_t *index,
                                                      const float *queries, size_t m,
                                                      const float *items, size_t n, size_t d,
                                                      size_t k, struct ecc_error *error);

/*
 * predicted: [m], the most frequent class among the k items that lie nearest to each query; of
 * equally frequent classes the lowest, as scikit-learn's KNeighborsClassifier.  labels: [n], from 0
 * to classes - 1.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_knn_classify(int32_t *predicted, const float *queries,
                                                        size_t m, const float *items,
                                                        const int32_t *labels, size_t n, size_t d,
                                                        size_t classes, size_t k,
                                                        struct ecc_error *error);

/*
 * Binary decision trees by information gain.  Each split is the best there is: the feature and
 * threshold with the greatest gain in entropy, thresholds halfway between neighbouring values, as
 * scikit-learn's DecisionTreeClassifier with criterion "entropy"; of equally good splits the first
 * feature and the lowest threshold are taken.
 */
struct ecc_tree_node {
    size_t left, right; /* nodes; 0 in a leaf */
    size_t feature;     /* x[feature] <= threshold goes left */
    double threshold;
    double gain;   /* of the split, in bits; 0 in a leaf */
    int32_t label; /* the most frequent class, the lowest of several */
    double value;  /* of trees of numbers: the mean of the training items */
    size_t count;  /* training items */
};

struct ecc_tree {
    struct ecc_tree_node *nodes; /* [node_count], the root first */
    size_t node_count, depth;    /* depth reached; 1 is a stump */
    size_t d;                    /* features */
};

/* x: [n, d], labels: [n] from 0 to classes - 1, n < 2^32; depth: the most, 0: until all leaves are
 * pure.  Fails with ECC_BAD_ARGUMENT, ECC_BAD_DATA (NaN, infinite, another class) or
 * ECC_NO_MEMORY. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_tree_fit(struct ecc_tree *tree, const float *x,
                                                    const int32_t *labels, size_t n, size_t d,
                                                    size_t classes, size_t depth,
                                                    struct ecc_error *error);
ECC_API void ecc_tree_release(struct ecc_tree *tree);

/* predicted: [n] of x: [n, d] */
ECC_API void ecc_tree_predict(const struct ecc_tree *tree, int32_t *predicted, const float *x,
                              size_t n);

/* ---- How well predictions agree with the truth ---------------------------------------------- */

/* Of classes; all from 0 to 1. */
struct ecc_agreement {
    double error;    /* share of wrong predictions */
    double balanced; /* mean of the errors of the classes that the truth has: rare ones count as
                      * much as frequent ones (1 - scikit-learn's balanced_accuracy_score) */
    double f1; /* mean of the F1 of the classes that the truth or the predictions have (f1_score
                * with average="macro") */
};

/* truth, predicted: [n] from 0 to classes - 1; n >= 1.  Fails with ECC_BAD_ARGUMENT, ECC_BAD_DATA
 * (another class) or ECC_NO_MEMORY. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_agreement_of(struct ecc_agreement *agreement,
                                                        const int32_t *truth,
                                                        const int32_t *predicted, size_t n,
                                                        size_t classes, struct ecc_error *error);

/* Of numbers. */
struct ecc_fit {
    double
        r2; /* 1 - squared error / that of the truth's own mean; NaN when the truth is constant */
    double mae;  /* mean absolute error */
    double rmse; /* root of the mean squared error */
};

/* truth, predicted: [n]; without numbers (n is 0), all are NaN. */
ECC_API struct ecc_fit ecc_fit_of(const double *truth, const double *predicted, size_t n);

#ifdef __cplusplus
}
#endif
#endif
