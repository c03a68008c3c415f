/* reproduce.h: ecc_reproduce of eccentric_pages.h as the program uses it, with its results as JSON.
 */
#ifndef ECC_REPRODUCE_REPRODUCE_H
#define ECC_REPRODUCE_REPRODUCE_H

#include "eccentric_pages.h"

#include <jansson.h>

/* What may be asked for, ending in NULL: "figure1", ..., "claims", "all". */
extern const char *const ecc_repro_words[];

/* *results: what is in results.json, the caller's to let go of; with plan_only an object with a
 * list "plan": name and command of each training and measurement, whether it is done, and
 * the seconds it may take. */
enum ecc_status ecc_reproduce_items(json_t **results, const struct ecc_repro_options *options,
                                    struct ecc_error *error);

#endif
