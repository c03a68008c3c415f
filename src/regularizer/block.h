/* block.h: a first look at a block of latents, before its pairs. */
#ifndef ECC_REGULARIZER_BLOCK_H
#define ECC_REGULARIZER_BLOCK_H

#include <stddef.h>

struct ecc_block_summary {
    double squares;  /* sum of |z|^2 */
    double centred;  /* sum of |z - centre|^2 */
    double spread;   /* largest |z - centre|^2 */
    size_t bad_item; /* first item with a coordinate that is not finite, or SIZE_MAX */
};

/* The summary but for what needs the centre, and sums: [d] of the coordinates; z: [count, d]. */
void ecc_block_summarise(struct ecc_block_summary *summary, double *sums, const float *z,
                         size_t count, size_t d);

/* The rest of the summary; centre: [d]. */
void ecc_block_measure(struct ecc_block_summary *summary, const double *centre, const float *z,
                       size_t count, size_t d);

/* out: [count, d] receives (z - centre) scale, and norm: [count] their squared lengths. */
void ecc_block_centre(float *restrict out, float *restrict norm, const float *restrict z,
                      const double *centre, double scale, size_t count, size_t d);

#endif
