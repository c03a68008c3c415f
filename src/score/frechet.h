/*
 * frechet.h: the Frechet distance between two Gaussians, which is the FID when they are fitted to
 * features of images:  |mu1 - mu2|^2 + tr S1 + tr S2 - 2 tr (S1^1/2 S2 S1^1/2)^1/2.
 *
 * The last trace is the sum of the roots of the eigenvalues of S1^1/2 S2 S1^1/2.  They are the
 * squares of the singular values of S1^1/2 S2^1/2, which is how they are computed here: never
 * negative or complex, and not blurred by the rounding of a square.  Eigenvalues of S1 and S2 that
 * rounding made negative count as 0.  All in double.
 */
#ifndef ECC_SCORE_FRECHET_H
#define ECC_SCORE_FRECHET_H

#include "score/statistics.h"

#endif
