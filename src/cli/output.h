/* output.h: what commands share to report results: JSON, CSV tables, progress, and Ctrl-C. */
#ifndef ECC_CLI_OUTPUT_H
#define ECC_CLI_OUTPUT_H

#include "base/progress.h"
#include "cli/command.h"
#include "run/json.h"

/* Prints to standard output and releases the value; fails with out of memory if it is NULL. */
enum ecc_status ecc_json_print(json_t *value, struct ecc_error *error);

/* The same, to a file. */
enum ecc_status ecc_json_write(json_t *value, const char *path, struct ecc_error *error);

/* A CSV file: names[columns] as the header, columns[c][r] as the rows. */
enum ecc_status ecc_csv_write(const char *path, const char *const *names,
                              const double *const *columns, size_t column_count, size_t rows,
                              struct ecc_error *error);

/* On standard error, unless quiet. */
void ecc_cli_progress(struct ecc_progress *progress, const struct ecc_common *common,
                      const char *label, const char *unit, size_t total);

/* From now on the first Ctrl-C only makes ecc_interrupted true; the second one ends the program. */
void ecc_catch_interrupt(void);
bool ecc_interrupted(void);

#endif
