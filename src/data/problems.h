/* problems.h: everything that is wrong with a file in one message: how much, and the first places.
 */
#ifndef ECC_DATA_PROBLEMS_H
#define ECC_DATA_PROBLEMS_H

#include "base/status.h"

struct ecc_problems {
    size_t count, listed;
    size_t used;
    char text[500]; /* the first places, separated by semicolons */
};

/* One more; only the first five are written down, or as many as fit. */
void ecc_problems_add(struct ecc_problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fails with all of them and the remedy, if there are any. */
enum ecc_status ecc_problems_report(const struct ecc_problems *problems, const char *path,
                                    const char *remedy, struct ecc_error *error);

#endif
