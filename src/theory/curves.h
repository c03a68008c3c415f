/* curves.h: the curves of the paper's Figures 1 and 2. */
#ifndef ECC_THEORY_CURVES_H
#define ECC_THEORY_CURVES_H

#include "base/status.h"

/* ---- Figure 1: how far the radius with the paper's M is from sqrt(d) ------------------------ */

/* One entry for each dimension. */
struct ecc_accuracy_curve {
    size_t count;
    double *dim, *percent, *worst_mu; /* [count] */
};

/* Of dimensions from .. to, with mu in steps (ecc_theory_accuracy); threads 0: all.  The caller
 * releases it, also after a failure. */
enum ecc_status ecc_accuracy_curve_compute(struct ecc_accuracy_curve *curve, size_t from, size_t to,
                                           double step, int threads, const struct ecc_watch *watch,
                                           struct ecc_error *error);
void ecc_accuracy_curve_release(struct ecc_accuracy_curve *curve);

/* "Within `percent` of sqrt(d) for all d >= dim": the claims of the paper's Section 2. */
struct ecc_accuracy_claim {
    double percent;
    size_t dim;
};
enum { ECC_ACCURACY_CLAIMS = 3 };
extern const struct ecc_accuracy_claim ecc_accuracy_claims[ECC_ACCURACY_CLAIMS];

/* The smallest dimension from which on all are within `percent`; 0 if the last is not. */
size_t ecc_accuracy_holds_from(const struct ecc_accuracy_curve *curve, double percent);

/* ---- Figure 2: the repulsive force against the distance ------------------------------------- */

enum { ECC_FORCE_SAMPLES = 401, ECC_FORCE_CURVES = 32 };

/* One curve for each mu; too large for the stack of a thread. */
struct ecc_force_curves {
    size_t dim, count;
    double mu[ECC_FORCE_CURVES], m[ECC_FORCE_CURVES];
    double peak_distance[ECC_FORCE_CURVES], peak_force[ECC_FORCE_CURVES]; /* at sqrt(M) */
    double distance[ECC_FORCE_SAMPLES]; /* from 0 to the farthest, evenly */
    double force[ECC_FORCE_CURVES][ECC_FORCE_SAMPLES];
};

/* dim, count and mu are set; farthest 0: the diameter of the sphere, 2 sqrt(d). */
enum ecc_status ecc_force_curves_compute(struct ecc_force_curves *curves, enum ecc_m_rule rule,
                                         double given_m, double farthest, struct ecc_error *error);

#endif
