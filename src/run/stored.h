/* stored.h: what follows from a run's options and config alone, for training and for use later:
 * which items were trained on, and the columns and scaling of a table. */
#ifndef ECC_RUN_STORED_H
#define ECC_RUN_STORED_H

#include "data/fingerprint.h"
#include "run/settings.h"

/* How many of `count` items are kept aside, to choose a model by. */
size_t ecc_run_aside(size_t count, const struct ecc_train_options *options);

/* items: [count] receives all items of the training part in an order drawn from the seed; the first
 * *trained have been trained on when training ends.  The last ecc_run_aside items are kept aside,
 * until a refit takes them in. */
void ecc_run_split(uint32_t *items, size_t *trained, size_t count,
                   const struct ecc_train_options *options);

/* Which rows of which source the run was given; the validation items are among them. */
struct ecc_run_rows {
    uint64_t fingerprint; /* of the source; 0: not known, since the run is old */
    struct ecc_row_choice choice;
};

void ecc_run_rows_store(struct ecc_config *config, const struct ecc_dataset *data);
/* What is missing or odd in the config counts as not known. */
struct ecc_run_rows ecc_run_rows(const struct ecc_config *config);

/* A table's scaling as the run keeps it, with the names of its columns where they are known, which
 * stay the config's; columns is 0 where the run has none. */
enum ecc_status ecc_run_scaling(struct ecc_scaling *scaling, const struct ecc_config *config,
                                struct ecc_error *error);
void ecc_run_scaling_release(struct ecc_scaling *scaling);

/* The columns of a table, "data.table" in the config: a list with an object for each.  NULL where
 * the run has none; the caller frees it (ecc_schema_free). */
void ecc_run_schema_store(const struct ecc_schema *schema, struct ecc_config *config);
enum ecc_status ecc_run_schema(struct ecc_schema **schema, const struct ecc_config *config,
                               struct ecc_error *error);

/* Everything about the data that a run keeps: shape, rows, scaling and columns. */
void ecc_run_data_store(struct ecc_config *config, const struct ecc_dataset *data);

#endif
