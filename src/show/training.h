/* training.h: a training in pictures: curves, reconstructions and samples, in RUN/figures. */
#ifndef ECC_SHOW_TRAINING_H
#define ECC_SHOW_TRAINING_H

#include "eccentric_train.h"

/* curves.png, from the metrics of a run, and reconstructions.png of images: during a training, from
 * its on_step. */
enum ecc_status ecc_show_progress(const char *run, const struct ecc_train_progress *now,
                                  struct ecc_error *error);

/* samples.png of images: the first samples that `eccentric sample` draws with this seed. */
enum ecc_status ecc_show_samples(struct ecc_model *model, uint64_t seed, struct ecc_error *error);

#endif
