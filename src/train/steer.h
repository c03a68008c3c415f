/*
 * steer.h: lambda, regulated during training so that the latents reach a wanted eccentricity or a
 * wanted eccentric loss.
 *
 * More lambda makes the latents rounder: both eccentricity and loss fall.  Every few batches log
 * lambda moves in proportion to how far the measured value is from the target.
 */
#ifndef ECC_TRAIN_STEER_H
#define ECC_TRAIN_STEER_H

#include <stdbool.h>

enum ecc_steer_kind { ECC_STEER_NONE = 0, ECC_STEER_ECCENTRICITY, ECC_STEER_LOSS };

struct ecc_steer {
    enum ecc_steer_kind kind;
    double target;
    double lambda;    /* now */
    double low, high; /* lambda stays within */
    double gain;      /* change of log lambda per unit of error */
    double measured;  /* the last value, for messages */
};

void ecc_steer_init(struct ecc_steer *steer, enum ecc_steer_kind kind, double target,
                    double lambda);

/* A new measurement; moves lambda. */
void ecc_steer_observe(struct ecc_steer *steer, double measured);

/* How far from the target, as a share of it; 0.05 is 5% too high. */
double ecc_steer_error(const struct ecc_steer *steer, double measured);

/* Whether lambda has run against one of its ends. */
bool ecc_steer_stuck(const struct ecc_steer *steer);

#endif
