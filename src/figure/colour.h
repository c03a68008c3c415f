/* colour.h: what the drawing files need of colours beyond the public three scales. */
#ifndef ECC_FIGURE_COLOUR_H
#define ECC_FIGURE_COLOUR_H

#include "figure/figure.h"

/* From a (t = 0) to b (t = 1). */
struct ecc_colour ecc_colour_mix(struct ecc_colour a, struct ecc_colour b, double t);

/* As cairo's image surfaces hold it: 0xAARRGGBB, the colours multiplied by alpha. */
uint32_t ecc_colour_pixel(struct ecc_colour colour);

#endif
