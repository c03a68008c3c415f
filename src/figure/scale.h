/* scale.h: from values to positions along an axis, and the ticks that say so. */
#ifndef ECC_FIGURE_SCALE_H
#define ECC_FIGURE_SCALE_H

#include "figure/figure.h"

/* The values an axis has seen.  Start from {0}. */
struct ecc_span {
    double low, high;
    bool any;
};

/* Takes in a value, unless it is not finite or a logarithmic axis cannot show it. */
void ecc_span_add(struct ecc_span *span, double value, bool logarithmic);

/* low < high, and both positive where logarithmic. */
struct ecc_scale {
    double low, high;
    bool logarithmic, whole;
};

/* A scale for an axis: its own limits if it has them, else the span with a share of it as padding
 * on either side; one that saw nothing or a single value gets a range around it. */
void ecc_scale_fit(struct ecc_scale *scale, const struct ecc_axis *axis,
                   const struct ecc_span *span, double padding);

/* 0 at the low end, 1 at the high end, NaN for values that the scale cannot show. */
double ecc_scale_place(const struct ecc_scale *scale, double value);

/* Says what is wrong with the limits of an axis, called `which` in the sentence. */
enum ecc_status ecc_axis_check(const struct ecc_axis *axis, const char *which,
                               struct ecc_error *error);

enum { ECC_TICKS = 24, ECC_MINOR_TICKS = 120 };

struct ecc_ticks {
    size_t count, minor_count;
    double at[ECC_TICKS], minor[ECC_MINOR_TICKS];
    char label[ECC_TICKS][40]; /* UTF-8: "0.25", "−3", "10⁻³" */
};

/* At most `most` (2 or more) ticks at round numbers within the scale; logarithmic scales get minor
 * ticks without labels between neighbouring powers of ten. */
void ecc_ticks_choose(struct ecc_ticks *ticks, const struct ecc_scale *scale, size_t most);

#endif
