/* sets.h: where the paper's data sets are, and what stands in for one that is missing. */
#ifndef ECC_REPRODUCE_SETS_H
#define ECC_REPRODUCE_SETS_H

#include "reproduce/plan.h"

/* Digits: MNIST, else the built-in glyphs.  Faces: CelebA, else nothing.  directory (may be NULL)
 * holds mnist/ and celeba/, or is itself a directory of idx files or CelebA's. */
enum ecc_status ecc_sets_find(struct ecc_repro *r, const char *directory, struct ecc_error *error);

#endif
