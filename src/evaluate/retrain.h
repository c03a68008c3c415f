/* retrain.h: trainings that a measurement makes itself, in memory, watched like other work. */
#ifndef ECC_EVALUATE_RETRAIN_H
#define ECC_EVALUATE_RETRAIN_H

#include "eccentric_evaluate.h"
#include "eccentric_train.h"

/* Trains in memory; `name` is that of the work.  Remarks of the training are not passed on. */
enum ecc_status ecc_retrain(struct ecc_train_result *result,
                            const struct ecc_train_options *options, const char *name,
                            const struct ecc_watch *watch, struct ecc_error *error);

#endif
