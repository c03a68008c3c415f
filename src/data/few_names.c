/* few_names.c: a few names out of many, for remarks. */
#include "data/few_names.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 3 };

void ecc_few_names_add(struct ecc_few_names *names, const char *path)
{
    if (names->count++ >= SHOWN) return;
    const char *const name = ecc_short_name(path);
    char quoted[ECC_PATH_SIZE];
    const size_t used = strlen(names->text);
    snprintf(names->text + used, sizeof names->text - used, "%s%s", used ? ", " : "",
             ecc_quote_path(quoted, name));
}

const char *ecc_few_names_end(struct ecc_few_names *names)
{
    const size_t used = strlen(names->text);
    if (names->count > SHOWN) {
        snprintf(names->text + used, sizeof names->text - used, " and %zu more",
                 names->count - SHOWN);
    }
    return names->text;
}
