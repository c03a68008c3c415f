/* scale.c: from values to positions along an axis. */
#include "figure/scale.h"

#include <math.h>

/* Beyond these a difference or a power of ten could leave the range of a double. */
static const double LARGEST = 1e300, SMALLEST = 1e-300;

void ecc_span_add(struct ecc_span *span, double value, bool logarithmic)
{
    if (!(fabs(value) <= LARGEST) || (logarithmic && value < SMALLEST)) return;
    if (!span->any || value < span->low) span->low = value;
    if (!span->any || value > span->high) span->high = value;
    span->any = true;
}

/* A range around a single value, or around nothing. */
static void widen_linear(double *low, double *high)
{
    const double size = fmax(fabs(*low), fabs(*high));
    if (*high - *low > 1e-12 * size && *high - *low > SMALLEST) return;
    const double half = size > SMALLEST * 10 ? 0.1 * size : 1;
    const double middle = *low / 2 + *high / 2;
    *low = middle - half;
    *high = middle + half;
}

static void fit_linear(struct ecc_scale *scale, const struct ecc_span *span, double padding)
{
    double low = span->any ? span->low : 0, high = span->any ? span->high : 1;
    widen_linear(&low, &high);
    const double pad = padding * (high - low);
    /* Errors, losses, counts: an axis that begins near zero should begin at zero. */
    const bool from_zero = low >= 0 && low <= 0.15 * high;
    const bool to_zero = high <= 0 && high >= 0.15 * low;
    scale->low = from_zero ? 0 : low - pad;
    scale->high = to_zero ? 0 : high + pad;
}

static void fit_logarithmic(struct ecc_scale *scale, const struct ecc_span *span, double padding)
{
    double low = span->any ? log10(span->low) : 0, high = span->any ? log10(span->high) : 1;
    if (high - low < 1e-9) {
        low -= 0.3;
        high += 0.3;
    }
    const double pad = padding * (high - low);
    scale->low = pow(10, low - pad);
    scale->high = pow(10, high + pad);
}

void ecc_scale_fit(struct ecc_scale *scale, const struct ecc_axis *axis,
                   const struct ecc_span *span, double padding)
{
    scale->logarithmic = axis->logarithmic;
    scale->whole = axis->whole;
    if (axis->low < axis->high) {
        scale->low = axis->low;
        scale->high = axis->high;
    } else if (axis->logarithmic) {
        fit_logarithmic(scale, span, padding);
    } else {
        fit_linear(scale, span, padding);
    }
}

double ecc_scale_place(const struct ecc_scale *scale, double value)
{
    /* A little more than a span takes in: the ends of a padded range have their places. */
    if (!(fabs(value) <= 10 * LARGEST)) return NAN;
    if (scale->logarithmic && value < SMALLEST / 10) return NAN;
    if (!scale->logarithmic) return (value - scale->low) / (scale->high - scale->low);
    const double low = log10(scale->low);
    return (log10(value) - low) / (log10(scale->high) - low);
}

enum ecc_status ecc_axis_check(const struct ecc_axis *axis, const char *which,
                               struct ecc_error *error)
{
    const double low = axis->low, high = axis->high;
    if (low == high) return ECC_OK;
    if (!(low < high) || fabs(low) > LARGEST || fabs(high) > LARGEST) {
        return ecc_fail(
            error, ECC_BAD_ARGUMENT,
            "the %s axis cannot run from %g to %g: expected finite numbers, the lower first", which,
            low, high);
    }
    if (high - low < 1e-12 * fmax(fabs(low), fabs(high)) || high - low < SMALLEST) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the %s axis from %.17g to %.17g is too narrow",
                        which, low, high);
    }
    if (axis->logarithmic && low < SMALLEST) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the logarithmic %s axis starts at %g, expected a number above 0", which,
                        low);
    }
    return ECC_OK;
}
