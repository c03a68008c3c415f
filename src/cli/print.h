/* print.h: prints results of the library (eccentric_evaluate.h) on standard output, as words or
 * JSON. */
#ifndef ECC_CLI_PRINT_H
#define ECC_CLI_PRINT_H

#include "cli/output.h"
#include "eccentric_evaluate.h"

/* run: its directory, as given by the user. */
enum ecc_status ecc_print_classification(const struct ecc_classification *result, const char *run,
                                         bool json, struct ecc_error *error);
/* classify_json.c, and numbers_print.c: the numbers that were predicted. */
json_t *ecc_classification_json(const struct ecc_classification *result, const char *run);
void ecc_print_numbers(const struct ecc_classification *result);
json_t *ecc_numbers_json(const struct ecc_classification *result);

/* runs: [run_count] their directories. */
enum ecc_status ecc_print_runs_alignment(const struct ecc_runs_alignment *result,
                                         const char *const *runs, bool json,
                                         struct ecc_error *error);

/* Settings of the user that the result does not contain. */
struct ecc_simulation_words {
    const char *m_rule, *pairs, *start;
    const char *regularizer; /* NULL: the eccentric loss */
    size_t starts;
    uint64_t seed;
    double tolerance;
};

void ecc_print_simulation(const struct ecc_simulation *result,
                          const struct ecc_simulation_words *words);
json_t *ecc_simulation_json(const struct ecc_simulation *result,
                            const struct ecc_simulation_words *words);

#endif
