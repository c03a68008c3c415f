/*
 * resize.h: resizes square images without aliasing.
 *
 * The filter is a triangle as wide as two pixels of the coarser image, as Pillow's antialiased
 * BILINEAR: the mean over what a new pixel covers, with most weight in its middle.
 */
#ifndef ECC_DATA_RESIZE_H
#define ECC_DATA_RESIZE_H

#include "base/status.h"

/* The weights from `from` pixels of a line to `to`. */
struct ecc_resize {
    size_t from, to, taps;
    size_t *first;  /* [to] the first pixel with a weight */
    float *weights; /* [to, taps], each row's sum 1 */
    float *lines;   /* [from, to, channels]: result of the first pass */
    size_t channels;
};

enum ecc_status ecc_resize_init(struct ecc_resize *resize, size_t from, size_t to, size_t channels,
                                struct ecc_error *error);
void ecc_resize_release(struct ecc_resize *resize);

/* out: [channels, to, to]; in: a square [from, from, channels] of an image whose lines are `stride`
 * bytes apart. */
void ecc_resize_run(const struct ecc_resize *resize, uint8_t *out, const uint8_t *in,
                    size_t stride);

#endif
