/* steer.c: adjusts lambda during training to reach a target eccentricity or loss. */
#include "train/steer.h"

#include <math.h>

/*
 * Observed on MNIST (docs/training.md): a higher lambda always makes the latents rounder, within
 * about 300 batches, but they hardly return when lambda falls again.  So lambda should approach its
 * final value from below.  The integral therefore rises slowly, falls faster, and waits while the
 * latents move towards the target by themselves, as they do early in training.
 */
static const double proportional = 1, rise = 0.15, fall = 0.3; /* per adjustment */
static const double trend_looks = 10, enough = 0.2;

/* Far from the target, the deviation says little about how much lambda must change. */
static const double most = 1, most_integrated = 0.4;

static const double lambda_low = 1e-9, lambda_high = 1e3;

static double clamp(double x, double low, double high)
{
    return fmax(low, fmin(high, x));
}

enum ecc_steer_kind ecc_steer_kind_of(const struct ecc_train_options *o)
{
    return !isnan(o->target_eccentricity) ? ECC_STEER_ECCENTRICITY
           : !isnan(o->target_loss)       ? ECC_STEER_LOSS
                                          : ECC_STEER_NONE;
}

void ecc_steer_init(struct ecc_steer *steer, enum ecc_steer_kind kind, double target, double floor,
                    double lambda)
{
    *steer = (struct ecc_steer){.kind = kind,
                                .target = target,
                                .floor = floor,
                                .lambda = lambda,
                                .integral = log(lambda),
                                .past = NAN,
                                .measured = NAN};
}

double ecc_steer_error(const struct ecc_steer *steer, double measured)
{
    return (measured - steer->target) / fmax(fabs(steer->target), 1e-6);
}

/* The logarithm of measured over target, both above the floor. */
static double deviation_of(const struct ecc_steer *steer, double measured)
{
    const double above = measured - steer->floor, wanted = steer->target - steer->floor;
    return above > 0 ? clamp(log(above / wanted), -most, most) : -most;
}

void ecc_steer_observe(struct ecc_steer *steer, double measured)
{
    steer->measured = measured;
    if (steer->kind == ECC_STEER_NONE) return;
    const double deviation = deviation_of(steer, measured);
    if (isnan(steer->past)) steer->past = deviation;
    const double trend = deviation - steer->past;
    const bool on_its_way = deviation * trend < 0 && fabs(trend) > enough * fabs(deviation);
    if (!on_its_way) {
        steer->integral +=
            (deviation > 0 ? rise : fall) * clamp(deviation, -most_integrated, most_integrated);
        steer->integral = clamp(steer->integral, log(lambda_low), log(lambda_high));
    }
    steer->past += (deviation - steer->past) / trend_looks;
    steer->lambda = clamp(exp(steer->integral + proportional * deviation), lambda_low, lambda_high);
}

bool ecc_steer_stuck(const struct ecc_steer *steer)
{
    return steer->lambda <= lambda_low || steer->lambda >= lambda_high;
}
