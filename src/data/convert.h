/*
 * convert.h: turns an image file into an item of a run, cut and resized as the run's data was.
 *
 * If the data has a crop, the same middle is cut from an image of about the data's size (up to
 * twice the crop); from any other image, the largest square in its middle.
 */
#ifndef ECC_DATA_CONVERT_H
#define ECC_DATA_CONVERT_H

#include "data/image_file.h"

struct ecc_convert {
    struct ecc_item_shape shape; /* 1 or 3 channels */
    size_t crop;                 /* of the data, or 0 */
    bool faces;                  /* CelebA: the middle 140 of every 178 pixels */
    bool invert;                 /* dark becomes light */
};

/* A photo of a phone; a larger image keeps everybody else waiting while it is decoded. */
enum { ECC_CONVERT_MAX_PIXELS = 12500000 };

/* x: [channels, height, width] */
enum ecc_status ecc_convert_image(const struct ecc_convert *convert, float *x,
                                  const struct ecc_image_file *file, struct ecc_error *error);

#endif
