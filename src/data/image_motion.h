/* image_motion.h: images one after the other, as a moving picture: PNG with several frames (APNG).
 */
#ifndef ECC_DATA_IMAGE_MOTION_H
#define ECC_DATA_IMAGE_MOTION_H

#include "base/file.h"
#include "data/dataset.h"

struct ecc_motion {
    struct ecc_output output;
    struct ecc_item_shape shape;
    size_t frames, done, scale;
    uint32_t sequence;
    unsigned milliseconds;
    uint8_t *pixels, *rows, *packed; /* an image; its rows, enlarged; and these, compressed */
};

/* Of `frames` images of 1 or 3 channels, each shown for so long, again and again.  Small images
 * are enlarged by a whole number.  On any failure call ecc_motion_discard. */
enum ecc_status ecc_motion_open(struct ecc_motion *motion, const char *path,
                                struct ecc_item_shape shape, size_t frames, unsigned milliseconds,
                                struct ecc_error *error);
/* x: [n, channels, height, width] from 0 to 1 */
enum ecc_status ecc_motion_add(struct ecc_motion *motion, const float *x, size_t n,
                               struct ecc_error *error);
/* After all frames. */
enum ecc_status ecc_motion_commit(struct ecc_motion *motion, struct ecc_error *error);
void ecc_motion_discard(struct ecc_motion *motion);

#endif
