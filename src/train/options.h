/* options.h: everything that decides how a training goes, and its way into config.json and back. */
#ifndef ECC_TRAIN_OPTIONS_H
#define ECC_TRAIN_OPTIONS_H

#include "data/dataset.h"
#include "run/config.h"
#include "train/schedule.h"
#include "train/steer.h"

struct ecc_train_options {
    const char *data; /* as ecc_dataset_open takes it */
    struct ecc_data_options data_options;
    size_t validation; /* items of the training part kept aside to validate on */

    const char *net; /* name or file */
    double width;    /* of built-in nets, 1 as published */
    bool direct;     /* convolve by direct sums, never by Winograd's tiles */
    size_t latent;   /* d */

    const char *regularizer;
    double lambda, mu, m;
    enum ecc_m_rule m_rule;
    enum ecc_pairs pairs;
    enum ecc_steer_kind steer;
    double target;

    size_t batch;
    double rate, final_rate, decay, beta1, beta2, epsilon;
    enum ecc_schedule_kind schedule;
    uint64_t warmup;
    double average; /* share of the training whose weights are averaged; 0: the last weights */
    double epochs;
    double minutes;       /* > 0: instead of epochs; turned into steps once the speed is known */
    uint64_t total_steps; /* 0 until known */

    uint64_t seed;
    size_t threads; /* 0: all */
    bool tensorboard;
    double checkpoint_seconds;
};

/* Ours, chosen by measurement (docs/recipes.md); and the paper's own. */
struct ecc_train_options ecc_train_defaults(void);
void ecc_train_preset_paper(struct ecc_train_options *options);

/* Ranges, and combinations that make no sense; net and data are checked where they are opened. */
enum ecc_status ecc_train_check(const struct ecc_train_options *options, struct ecc_error *error);

/* What no lambda brings the steered value below: 0, or the minimum of the eccentric loss.  Fails
 * when the target lies there. */
enum ecc_status ecc_train_steer_floor(double *floor, const struct ecc_train_options *options,
                                      struct ecc_error *error);

/* Text fields read from a config point into it. */
void ecc_train_options_store(const struct ecc_train_options *options, struct ecc_config *config);
enum ecc_status ecc_train_options_restore(struct ecc_train_options *options,
                                          const struct ecc_config *config, struct ecc_error *error);

extern const char *const ecc_schedule_names[],
    *const ecc_steer_names[],
        *const ecc_pairs_names[],
            *const ecc_m_rule_names[]; /* in the order of their enums, ending in NULL */

#endif
