/* list.c: the list of regularizers.  Adding one: its own file, its entry declared in
 * regularizer.h, and a line here, `named` if its name is no word of C. */
#include "regularizer/regularizer.h"

#include <string.h>

/* clang-format off */
#define TABLE(entry, named) \
    entry(eccentric) \
    entry(none)      \
    entry(kl)        \
    entry(mmd)       \
    entry(sphere)    \
    entry(irmae)     \
    entry(rae) \
    entry(uae) \
    entry(nested) \
    entry(fsq) \
    entry(vicreg) \
    entry(dip) \
    entry(evenness) \
    entry(cosine) \
    entry(sigreg) \
    entry(swae) \
    entry(mhe) \
    entry(uniform) \
    entry(cwae) \
    entry(svae) \
    entry(vae) \
    entry(vq)
/* clang-format on */

#define POINTER(name) &ecc_regularizer_##name,
#define POINTER_NAMED(name, text) &ecc_regularizer_##name,
#define NAME(name) #name,
#define NAMED(name, text) text,
const struct ecc_regularizer *const ecc_regularizers[] = {TABLE(POINTER, POINTER_NAMED) NULL};
const char *const ecc_regularizer_names[] = {TABLE(NAME, NAMED) NULL};

const struct ecc_regularizer *ecc_regularizer_find(const char *name)
{
    for (const struct ecc_regularizer *const *entry = ecc_regularizers; *entry; entry++) {
        if (strcmp((*entry)->name, name) == 0) return *entry;
    }
    return NULL;
}
