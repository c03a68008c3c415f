/*
 * settings.h: all settings of a training in one table.
 *
 * The table drives the options of `eccentric train`, config.json and its way back, the check of
 * ranges, the command that trains a run again and the settings section of reports.  A new setting
 * is a field of struct ecc_train_options and one line of the table.
 */
#ifndef ECC_RUN_SETTINGS_H
#define ECC_RUN_SETTINGS_H

#include "eccentric_train.h"

#include "data/dataset.h"
#include "run/config.h"

#include <stdio.h>

extern const struct ecc_train_setting ecc_settings[];
extern const size_t ecc_setting_count;

/* In the order of their enums, ending in NULL. */
extern const char *const ecc_schedule_names[],
    *const ecc_keep_names[], *const ecc_reconstruction_names[], *const ecc_pairs_names[],
                                                                    *const ecc_m_rule_names[];

/* Where a setting is in the options. */
static inline void *ecc_setting_at(const struct ecc_train_setting *setting,
                                   struct ecc_train_options *options)
{
    return (char *)options + setting->offset;
}

/* NULL for a key that is not a setting's. */
const struct ecc_train_setting *ecc_setting_find(const char *key);

/* Copies one setting. */
void ecc_setting_copy(const struct ecc_train_setting *setting, struct ecc_train_options *to,
                      const struct ecc_train_options *from);

/* Ranges, and combinations that make no sense; net and data are checked where they are opened. */
enum ecc_status ecc_settings_check(const struct ecc_train_options *options,
                                   struct ecc_error *error);

/* What no lambda brings the target's value below: 0, or the minimum of the eccentric loss.  Fails
 * when the target lies there. */
enum ecc_status ecc_settings_target_floor(double *floor, const struct ecc_train_options *options,
                                          struct ecc_error *error);

/* To config.json and back.  Text fields that were read point into the config. */
void ecc_settings_store(const struct ecc_train_options *options, struct ecc_config *config);
enum ecc_status ecc_settings_restore(struct ecc_train_options *options,
                                     const struct ecc_config *config, struct ecc_error *error);

/* "eccentric train DATA --out FOLDER ...", with every option that is not the default and changes
 * what comes out, quoted for a shell; no newline.  options->data is not NULL. */
void ecc_settings_command(FILE *out, const struct ecc_train_options *options, const char *folder);

/* The parts of the settings that other folders have structs for. */
struct ecc_data_options ecc_settings_data(const struct ecc_train_options *options);
struct ecc_loss_options ecc_settings_loss(const struct ecc_train_options *options);
/* Numbers that the encoder gives for an item; the regularizer is one that there is. */
size_t ecc_settings_outputs(const struct ecc_train_options *options);

#endif
