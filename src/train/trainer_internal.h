/* trainer_internal.h: what the files of the trainer share. */
#ifndef ECC_TRAIN_TRAINER_INTERNAL_H
#define ECC_TRAIN_TRAINER_INTERNAL_H

#include "train/trainer.h"

/* Writes config.json; called again when the number of steps is known. */
enum ecc_status ecc_trainer_write_config(struct ecc_trainer *trainer, struct ecc_error *error);

/* Lists everything that a step depends on, to save and restore. */
enum ecc_status ecc_trainer_make_checkpoint(struct ecc_trainer *trainer, struct ecc_error *error);

/* Fills it from the checkpoint of the run. */
enum ecc_status ecc_trainer_restore(struct ecc_trainer *trainer, struct ecc_error *remark,
                                    struct ecc_error *error);

/* Fails with a message: what diverged at this step, and where the last good state is. */
enum ecc_status ecc_trainer_diverged(const struct ecc_trainer *trainer, const char *what,
                                     double value, uint64_t step, struct ecc_error *error);

/* After a step: adds the weights to their average. */
void ecc_trainer_average(struct ecc_trainer *trainer);

/* Makes the net hold the averaged model, if there is one, until the next step or checkpoint hides
 * it again. */
enum ecc_status ecc_trainer_show_average(struct ecc_trainer *trainer, struct ecc_error *error);
void ecc_trainer_hide_average(struct ecc_trainer *trainer);

/* Seconds of training so far, in earlier processes and this one. */
double ecc_trainer_seconds(const struct ecc_trainer *trainer);

#endif
