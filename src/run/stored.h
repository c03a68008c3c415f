/* stored.h: what follows from a run's options and config alone, for training and for use later:
 * which items were trained on, and the columns and scaling of a table. */
#ifndef ECC_RUN_STORED_H
#define ECC_RUN_STORED_H

#include "run/settings.h"

/* items: [count] receives all items of the training part in an order drawn from the seed; the first
 * *trained are trained on, the rest validates. */
void ecc_run_split(uint32_t *items, size_t *trained, size_t count,
                   const struct ecc_train_options *options);

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

#endif
