/* table.c: the list of regularizers.  Adding one: its own file, its entry declared in
 * regularizer.h, and a line here. */
#include "regularizer/regularizer.h"

#include <string.h>

const struct ecc_regularizer *const ecc_regularizers[] = {
    &ecc_regularizer_eccentric,
    NULL,
};

const struct ecc_regularizer *ecc_regularizer_find(const char *name)
{
    for (const struct ecc_regularizer *const *entry = ecc_regularizers; *entry; entry++) {
        if (strcmp((*entry)->name, name) == 0) return *entry;
    }
    return NULL;
}
