/* settle.h: settings that were left open, chosen once the data is known. */
#ifndef ECC_TRAIN_SETTLE_H
#define ECC_TRAIN_SETTLE_H

#include "run/settings.h"

/*
 * Batch, epochs, threads and width of the built-in net, where they are 0, and which model to keep,
 * from the number and shape of the items to train on (docs/recipes.md has the measurements).
 * `items` are those left after validation items were set aside; `processes` share them, with a
 * batch for each.
 */
void ecc_settings_settle(struct ecc_train_options *options, const struct ecc_dataset *data,
                         size_t items, size_t processes);

/* The options' texts become copies, texts: [ECC_SETTINGS_TEXTS], all NULL before, the caller's to
 * free also on failure; paths become absolute. */
enum { ECC_SETTINGS_TEXTS = 16 };
enum ecc_status ecc_settings_own_texts(struct ecc_train_options *options,
                                       char *texts[ECC_SETTINGS_TEXTS], struct ecc_error *error);

/* What scales the channels of the net: the width, or 1 where that is 0. */
static inline double ecc_net_width(const struct ecc_train_options *options)
{
    return options->width > 0 ? options->width : 1;
}

/* Steps between two looks at the validation items: whole epochs, and enough steps for the look to
 * cost little beside them. */
uint64_t ecc_validation_steps(size_t batches_per_epoch);

#endif
