/* few_names.h: a few names out of many, for remarks: "'a.jpg', 'b.jpg', 'c.jpg' and 14 more". */
#ifndef ECC_DATA_FEW_NAMES_H
#define ECC_DATA_FEW_NAMES_H

#include "base/text.h"

enum { ECC_FEW_NAMES_SIZE = 3 * ECC_PATH_SIZE + 40 };

/* Starts as all zeros. */
struct ecc_few_names {
    size_t count;
    char text[ECC_FEW_NAMES_SIZE]; /* of the first three, once there are names */
};

/* Of a path, its last part is the name. */
void ecc_few_names_add(struct ecc_few_names *names, const char *path);

/* Ends the text with how many more there are; returns it. */
const char *ecc_few_names_end(struct ecc_few_names *names);

#endif
