/* colour.h: what the drawing files need of colours beyond the public three scales. */
#ifndef ECC_FIGURE_COLOUR_H
#define ECC_FIGURE_COLOUR_H

#include "figure/figure.h"

/* As cairo's image surfaces hold it: 0xAARRGGBB, the colours multiplied by alpha. */
uint32_t ecc_colour_pixel(struct ecc_colour colour);

#endif
