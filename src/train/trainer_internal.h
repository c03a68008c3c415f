/* trainer_internal.h: what the files of the trainer share among themselves. */
#ifndef ECC_TRAIN_TRAINER_INTERNAL_H
#define ECC_TRAIN_TRAINER_INTERNAL_H

#include "train/trainer.h"

/* config.json, complete; again when the number of steps has become known. */
enum ecc_status ecc_trainer_write_config(struct ecc_trainer *trainer, struct ecc_error *error);

/* Lists everything that a step depends on, to be saved and restored. */
enum ecc_status ecc_trainer_make_checkpoint(struct ecc_trainer *trainer, struct ecc_error *error);

/* Fills it from the checkpoint of the run. */
enum ecc_status ecc_trainer_restore(struct ecc_trainer *trainer, struct ecc_error *remark,
                                    struct ecc_error *error);

/* Fails, saying what grew out of bounds at this step, and where the last good state is. */
enum ecc_status ecc_trainer_diverged(const struct ecc_trainer *trainer, const char *what,
                                     double value, uint64_t step, struct ecc_error *error);

/* After a step: the averaged weights take their look. */
void ecc_trainer_average(struct ecc_trainer *trainer);

/* From here on the net holds the averaged model, where one is kept, until it is hidden again: by
 * the next step or checkpoint. */
enum ecc_status ecc_trainer_show_average(struct ecc_trainer *trainer, struct ecc_error *error);
void ecc_trainer_hide_average(struct ecc_trainer *trainer);

/* Seconds of training so far, before this process and in it. */
double ecc_trainer_seconds(const struct ecc_trainer *trainer);

#endif
