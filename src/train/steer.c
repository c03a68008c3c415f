/* steer.c: lambda, regulated during training towards a wanted eccentricity or loss. */
#include "train/steer.h"

#include <math.h>

void ecc_steer_init(struct ecc_steer *steer, enum ecc_steer_kind kind, double target, double lambda)
{
    *steer = (struct ecc_steer){.kind = kind,
                                .target = target,
                                .lambda = lambda,
                                .low = 1e-9,
                                .high = 1e3,
                                .gain = 0.1,
                                .measured = NAN};
}

double ecc_steer_error(const struct ecc_steer *steer, double measured)
{
    return (measured - steer->target) / fmax(fabs(steer->target), 1e-6);
}

void ecc_steer_observe(struct ecc_steer *steer, double measured)
{
    steer->measured = measured;
    if (steer->kind == ECC_STEER_NONE) return;
    /* far off, the error says little about how far lambda must go: one step is bounded */
    const double error = fmax(-1, fmin(1, ecc_steer_error(steer, measured)));
    const double wanted = steer->lambda * exp(steer->gain * error);
    steer->lambda = fmax(steer->low, fmin(steer->high, wanted));
}

bool ecc_steer_stuck(const struct ecc_steer *steer)
{
    return steer->lambda <= steer->low || steer->lambda >= steer->high;
}
