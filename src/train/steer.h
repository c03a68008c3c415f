/*
 * steer.h: adjusts lambda during training so that the latents reach a target eccentricity or a
 * target eccentric loss.
 *
 * A higher lambda makes the latents rounder: eccentricity and loss both fall, roughly as a power of
 * lambda.  So a proportional-integral controller sets log lambda from the logarithm of measured
 * over target (for the loss: above its minimum), every few batches.
 */
#ifndef ECC_TRAIN_STEER_H
#define ECC_TRAIN_STEER_H

#include "eccentric_train.h"

enum ecc_steer_kind { ECC_STEER_NONE = 0, ECC_STEER_ECCENTRICITY, ECC_STEER_LOSS };

struct ecc_steer {
    enum ecc_steer_kind kind;
    double target;
    double floor;    /* the lowest value that any lambda can reach: 0, or the minimum of the loss */
    double lambda;   /* the current value */
    double integral; /* of log lambda: without the proportional part */
    double past;     /* deviation from the target, averaged over the last measurements */
    double measured; /* the last value, for messages */
};

enum {
    ECC_STEER_STEPS = 10,
    ECC_STEER_AFTER = 200
}; /* between two measurements; before the first */

/* Which of the two targets the options set, if any. */
enum ecc_steer_kind ecc_steer_kind_of(const struct ecc_train_options *options);

void ecc_steer_init(struct ecc_steer *steer, enum ecc_steer_kind kind, double target, double floor,
                    double lambda);

/* Adds a measurement and adjusts lambda. */
void ecc_steer_observe(struct ecc_steer *steer, double measured);

/* The relative distance from the target; 0.05 is 5% too high. */
double ecc_steer_error(const struct ecc_steer *steer, double measured);

/* Whether lambda has reached one of its limits. */
bool ecc_steer_stuck(const struct ecc_steer *steer);

#endif
