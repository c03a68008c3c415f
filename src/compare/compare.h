/* compare.h: ecc_compare of eccentric_pages.h as the program uses it, with its results as JSON. */
#ifndef ECC_COMPARE_COMPARE_H
#define ECC_COMPARE_COMPARE_H

#include "eccentric_pages.h"

#include <jansson.h>

/* *results: what is in results.json, the caller's to let go of; NULL with plan_only. */
enum ecc_status ecc_compare_methods(json_t **results, const struct ecc_compare_options *options,
                                    struct ecc_error *error);

/* Whether the words name methods that there are, for a check before any work. */
enum ecc_status ecc_compare_check(const char *methods, struct ecc_error *error);

#endif
