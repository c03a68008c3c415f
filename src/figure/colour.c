/* colour.c: the colours of categories, of ordered series and of signed values. */
#include "figure/colour.h"

#include <math.h>

/* Each colour as 0xRRGGBB.  The categories started from Okabe and Ito's and were then moved apart:
 * the closest two are 0.10 apart in Oklab for red-, green- and blue-blind readers alike (0.02 with
 * the usual ten), and 0.16 for everybody else.  All are dark enough for thin lines on white. */
static const unsigned CATEGORIES[] = {
    0x1a5fc8, /* blue */
    0xd43d0a, /* vermilion */
    0x0aae8c, /* green */
    0xbc6fd0, /* orchid */
    0xdd9401, /* amber */
    0x7fd3f5, /* sky */
    0x7b152c, /* wine */
    0x746d70, /* grey */
    0xb5d92c, /* lime */
    0x35106f, /* indigo */
};

/* Viridis up to nine tenths: its yellow end would vanish on white paper. */
static const unsigned SEQUENCE[] = {
    0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e,
    0x21918c, 0x22a884, 0x44bf70, 0x7ad151, 0xbddf26,
};

/* ColorBrewer's red-blue scale with a true white in the middle; lightness falls evenly both ways.
 */
static const unsigned DIVERGING[] = {
    0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xffffff,
    0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f,
};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static struct ecc_colour from_hex(unsigned hex)
{
    return (struct ecc_colour){(hex >> 16 & 255) / 255.0, (hex >> 8 & 255) / 255.0,
                               (hex & 255) / 255.0, 1};
}

/* From a (t = 0) to b (t = 1). */
static struct ecc_colour mix(struct ecc_colour a, struct ecc_colour b, double t)
{
    return (struct ecc_colour){a.red + t * (b.red - a.red), a.green + t * (b.green - a.green),
                               a.blue + t * (b.blue - a.blue), a.alpha + t * (b.alpha - a.alpha)};
}

/* The colour at t (0 to 1, NaN taken as 0) on a line through evenly spaced colours. */
static struct ecc_colour along(const unsigned *colours, size_t count, double t)
{
    const double position = (t > 0 ? (t < 1 ? t : 1) : 0) * (double)(count - 1);
    size_t i = (size_t)position;
    if (i > count - 2) i = count - 2;
    return mix(from_hex(colours[i]), from_hex(colours[i + 1]), position - (double)i);
}

struct ecc_colour ecc_colour_category(size_t index)
{
    return from_hex(CATEGORIES[index % LENGTH(CATEGORIES)]);
}

struct ecc_colour ecc_colour_sequence(double t)
{
    return along(SEQUENCE, LENGTH(SEQUENCE), t);
}

struct ecc_colour ecc_colour_diverging(double t)
{
    return along(DIVERGING, LENGTH(DIVERGING), isnan(t) ? 0.5 : (t + 1) / 2);
}

static unsigned to_byte(double value)
{
    return value > 0 ? (value < 1 ? (unsigned)(value * 255 + 0.5) : 255) : 0;
}

uint32_t ecc_colour_pixel(struct ecc_colour colour)
{
    const double a = colour.alpha;
    return (uint32_t)(to_byte(a) << 24 | to_byte(colour.red * a) << 16 |
                      to_byte(colour.green * a) << 8 | to_byte(colour.blue * a));
}
