/*
 * steer.h: lambda, regulated during training so that the latents reach a wanted eccentricity or a
 * wanted eccentric loss.
 *
 * More lambda makes the latents rounder: both eccentricity and loss fall, roughly by a power of
 * lambda.  So log lambda follows the logarithm of measured over wanted (of the loss: above its
 * minimum) by a proportional and an integral part, looked at every few batches.
 */
#ifndef ECC_TRAIN_STEER_H
#define ECC_TRAIN_STEER_H

#include "eccentric_train.h"

enum ecc_steer_kind { ECC_STEER_NONE = 0, ECC_STEER_ECCENTRICITY, ECC_STEER_LOSS };

struct ecc_steer {
    enum ecc_steer_kind kind;
    double target;
    double floor;    /* no lambda brings the value below this: 0, or the minimum of the loss */
    double lambda;   /* now */
    double integral; /* of log lambda: without the proportional part */
    double past;     /* deviation from the target, averaged over the last looks */
    double measured; /* the last value, for messages */
};

enum { ECC_STEER_STEPS = 10, ECC_STEER_AFTER = 200 }; /* between two looks; before the first */

/* Which of its two targets the options have, if any. */
enum ecc_steer_kind ecc_steer_kind_of(const struct ecc_train_options *options);

void ecc_steer_init(struct ecc_steer *steer, enum ecc_steer_kind kind, double target, double floor,
                    double lambda);

/* A new measurement; moves lambda. */
void ecc_steer_observe(struct ecc_steer *steer, double measured);

/* How far from the target, as a share of it; 0.05 is 5% too high. */
double ecc_steer_error(const struct ecc_steer *steer, double measured);

/* Whether lambda has run against one of its ends. */
bool ecc_steer_stuck(const struct ecc_steer *steer);

#endif
