/* watched_training.h: a training in a directory, as part of longer work: watched, with pictures. */
#ifndef ECC_WORK_WATCHED_TRAINING_H
#define ECC_WORK_WATCHED_TRAINING_H

#include "eccentric_train.h"

/* Trains into the run directory, or with `resumes` continues what was begun there; draws its
 * progress now and then, and samples at the end. */
enum ecc_status ecc_train_watched(const char *run, const struct ecc_train_options *options,
                                  bool resumes, const struct ecc_watch *watch,
                                  struct ecc_error *error);

#endif
