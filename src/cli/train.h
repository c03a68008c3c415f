/* train.h: what `eccentric train` shares with its report. */
#ifndef ECC_CLI_TRAIN_H
#define ECC_CLI_TRAIN_H

#include "cli/command.h"
#include "train/trainer.h"

/* Draws what there is during a training, too: curves, and reconstructions of images. */
enum ecc_status ecc_train_draw(struct ecc_trainer *trainer, struct ecc_error *error);

/* Prints the result, writes result.json and the pictures of a finished training. */
enum ecc_status ecc_train_report(struct ecc_trainer *trainer, const struct ecc_train_result *result,
                                 const struct ecc_common *common, struct ecc_error *error);

#endif
