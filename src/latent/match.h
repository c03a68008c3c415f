/* match.h: the verdict on an alignment (eccentric.h) in a few words. */
#ifndef ECC_LATENT_MATCH_H
#define ECC_LATENT_MATCH_H

#include "base/status.h"

/* The verdict that follows from the angles; see docs/align.md for the bounds. */
enum ecc_verdict { ECC_SAME_COMPONENTS = 0, ECC_SAME_SPACE, ECC_DIFFERENT_SPACES };
enum ecc_verdict ecc_align_verdict(double angle_aligned, double angle_procrustes);
extern const char *const ecc_verdict_names[]; /* in the order of the enum, ending in NULL */

#endif
