/* list.c: the regularizers of the table in regularizer.h, and how to find one by name. */
#include "regularizer/regularizer.h"

#include <string.h>

#define POINTER(name) &ecc_regularizer_##name,
const struct ecc_regularizer *const ecc_regularizers[] = {ECC_REGULARIZERS(POINTER) NULL};

const struct ecc_regularizer *ecc_regularizer_find(const char *name)
{
    for (const struct ecc_regularizer *const *entry = ecc_regularizers; *entry; entry++) {
        if (strcmp((*entry)->name, name) == 0) return *entry;
    }
    return NULL;
}
