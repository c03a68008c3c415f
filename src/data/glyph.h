/*
 * glyph.h: digits that look handwritten, drawn from strokes by known factors.
 *
 * Shapes live in a box one unit high: x to the right from -0.5 to 0.5, y down from 0 to 1.
 */
#ifndef ECC_DATA_GLYPH_H
#define ECC_DATA_GLYPH_H

#include "base/status.h"

enum {
    ECC_GLYPH_SIDE = 28,
    ECC_GLYPH_CLASSES = 10,
    ECC_GLYPH_STYLES = 2, /* ways of writing each digit */
    ECC_GLYPH_STROKES = 3,
    ECC_GLYPH_POINTS = 14, /* of one stroke, at most */
};

/* What varies besides the digit, in the order of dataset->factors. */
enum ecc_glyph_factor {
    ECC_GLYPH_STYLE,     /* 0 or 1: a seven with or without its bar, ... */
    ECC_GLYPH_SLANT,     /* how far the top leans to the right, as a share of the height */
    ECC_GLYPH_WIDTH,     /* 1 is the digit's usual width */
    ECC_GLYPH_THICKNESS, /* of the pen, in pixels */
    ECC_GLYPH_ROTATION,  /* clockwise, in degrees */
    ECC_GLYPH_SHIFT_X,   /* in pixels, to the right */
    ECC_GLYPH_SHIFT_Y,   /* in pixels, down */
    ECC_GLYPH_OPENNESS,  /* how far curves are open, bars high, ...: `open` of the points */
    ECC_GLYPH_CURL,      /* how far strokes are bent: `curl` of the points */
    ECC_GLYPH_BALANCE,   /* how much lower the middle lies */
    ECC_GLYPH_FACTORS,
};

/* A point that a stroke passes through, and how it moves with a factor of 1. */
struct ecc_glyph_point {
    float x, y;
    float open_x, open_y;
    float curl_x, curl_y;
};

struct ecc_glyph_stroke {
    size_t count; /* 0: no stroke */
    struct ecc_glyph_point points[ECC_GLYPH_POINTS];
};

struct ecc_glyph_shape {
    struct ecc_glyph_stroke strokes[ECC_GLYPH_STROKES];
};

extern const struct ecc_glyph_shape ecc_glyph_shapes[ECC_GLYPH_CLASSES][ECC_GLYPH_STYLES];
extern const char *const ecc_glyph_factor_names[ECC_GLYPH_FACTORS];

/* Digit and factors of item `index` of the set with this seed: they depend on nothing else. */
void ecc_glyph_factors(int *digit, float factors[ECC_GLYPH_FACTORS], uint64_t seed, uint64_t index);

/* pixels: [28, 28], 0 to 255.  The tremor of the hand, which is small and not a factor, depends on
 * seed and index. */
void ecc_glyph_draw(uint8_t *pixels, int digit, const float factors[ECC_GLYPH_FACTORS],
                    uint64_t seed, uint64_t index);

#endif
