/* steer.c: lambda, regulated during training towards a wanted eccentricity or loss. */
#include "train/steer.h"

#include <math.h>

/*
 * Latents follow a change of lambda within some 300 batches, a third of which is the running
 * covariance; log eccentricity falls by about 0.06 / eccentricity per unit of log lambda (MNIST,
 * d = 8: 0.4 where latents are round, 0.1 where they are eccentric).  With a gain of the inverse of
 * that, and an integral as slow as the latents, lambda settles in a few times 300 batches without
 * swinging.
 */
static const double gain_per_eccentricity = 20, gain_low = 3, gain_high = 12;
static const double integral_share = ECC_STEER_STEPS / 300.0;

/* Far off, the deviation says little about how far lambda must go, and the latents of a young net
 * are eccentric whatever lambda is: they must not wind up the integral. */
static const double most = 1, most_integrated = 0.4;

static const double lambda_low = 1e-9, lambda_high = 1e3;

static double clamp(double x, double low, double high)
{
    return fmax(low, fmin(high, x));
}

/* The loss lies above its minimum by about 0.56 d times the square of the eccentricity. */
static double gain_for(enum ecc_steer_kind kind, double wanted, size_t d)
{
    if (kind != ECC_STEER_LOSS) return clamp(gain_per_eccentricity * wanted, gain_low, gain_high);
    const double eccentricity = sqrt(wanted / (0.56 * (double)d));
    return 0.5 * clamp(gain_per_eccentricity * eccentricity, gain_low, gain_high);
}

void ecc_steer_init(struct ecc_steer *steer, enum ecc_steer_kind kind, double target, double floor,
                    double lambda, size_t d)
{
    *steer = (struct ecc_steer){.kind = kind,
                                .target = target,
                                .floor = floor,
                                .gain = gain_for(kind, target - floor, d),
                                .lambda = lambda,
                                .integral = log(lambda),
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
    const double above = measured - steer->floor, wanted = steer->target - steer->floor;
    const double deviation = above > 0 ? clamp(log(above / wanted), -most, most) : -most;
    steer->integral +=
        steer->gain * integral_share * clamp(deviation, -most_integrated, most_integrated);
    steer->integral = clamp(steer->integral, log(lambda_low), log(lambda_high));
    steer->lambda = clamp(exp(steer->integral + steer->gain * deviation), lambda_low, lambda_high);
}

bool ecc_steer_stuck(const struct ecc_steer *steer)
{
    return steer->lambda <= lambda_low || steer->lambda >= lambda_high;
}
