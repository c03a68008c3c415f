/*
 * eccentric.h: the public C API of libeccentric.
 *
 * The eccentric loss of a batch of latent vectors, the theory that says where its minimum lies,
 * and points moved by the loss alone.  Li & Blair, "Eccentric Regularization", 2022.
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

#define ECC_VERSION "0.1.0"

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
    char text[500];
};

ECC_API const char *ecc_version(void);

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

#ifdef __cplusplus
}
#endif
#endif
