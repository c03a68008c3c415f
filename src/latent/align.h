/*
 * align.h: whether two runs found the same components: their encodings of the same items compared.
 *
 * Both are given in component coordinates (latent/components.h).  As in the paper, components are
 * matched by the assignment that maximises the trace of the absolute cross-covariance of training
 * items, then signs are flipped; what that achieves is measured on test items.  Beyond the paper:
 * the best rotation (Procrustes) and linear CKA tell a space that is only rotated from another one.
 */
#ifndef ECC_LATENT_ALIGN_H
#define ECC_LATENT_ALIGN_H

#include "base/status.h"

struct ecc_alignment {
    size_t d;
    size_t *partner;     /* [d] component of b that is matched with each of a */
    double *sign;        /* [d] 1, or -1 where that component of b is flipped */
    double *correlation; /* [d] of the two on test items, after the flip */
    double *before;      /* [d, d] correlations of test items: components of a by those of b */
    double *after;       /* [d, d] the same with b matched and flipped */
    /* Mean angle between the two encodings of a test item, in degrees, ... */
    double angle_raw;        /* as they are */
    double angle_aligned;    /* with b matched and flipped */
    double angle_procrustes; /* with b rotated (or mirrored) as suits the training items best */
    double cka;              /* linear CKA of the test items: 1 for the same space, rotated */
};

/* train_a, train_b: [n, d]; test_a, test_b: [m, d]; row i of a and b belong to the same item. */
enum ecc_status ecc_align(struct ecc_alignment *alignment, const float *train_a,
                          const float *train_b, size_t n, const float *test_a, const float *test_b,
                          size_t m, size_t d, struct ecc_error *error);
void ecc_alignment_release(struct ecc_alignment *alignment);

/* What the angles say in a few words; see docs/align.md for the bounds. */
enum ecc_verdict { ECC_SAME_COMPONENTS = 0, ECC_SAME_SPACE, ECC_DIFFERENT_SPACES };
enum ecc_verdict ecc_align_verdict(double angle_aligned, double angle_procrustes);
extern const char *const ecc_verdict_names[]; /* in the order of the enum, ending in NULL */

/* The mean angle in degrees between rows of a and b: [m, d]; a row of zeros is at 90 to all. */
double ecc_mean_angle(const float *a, const float *b, size_t m, size_t d);

#endif
