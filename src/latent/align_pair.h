/* align_pair.h: the verdict on an alignment (eccentric.h) in a few words. */
#ifndef ECC_LATENT_ALIGN_PAIR_H
#define ECC_LATENT_ALIGN_PAIR_H

#include "base/status.h"

/* The verdict that follows from an alignment; docs/align.md has the rule. */
enum ecc_verdict {
    ECC_SAME_COMPONENTS = 0, /* the same space, and every component has its partner */
    ECC_SAME_SPACE,          /* up to a rotation: those without a partner are mixtures */
    ECC_MOST_COMPONENTS,     /* nearly: some without a partner are not in the other run */
    ECC_SOME_COMPONENTS,     /* different spaces that share some components */
    ECC_RELATED_SPACES,      /* different spaces that share no component, but much of what varies */
    ECC_DIFFERENT_SPACES,
};
enum ecc_verdict ecc_align_verdict(const struct ecc_alignment *alignment);
extern const char *const ecc_verdict_names[]; /* in the order of the enum, ending in NULL */

/* Whether component k of a has a partner; one that hardly varies counts as matched. */
bool ecc_align_matched(const struct ecc_alignment *alignment, size_t k);

#endif
