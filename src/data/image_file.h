/*
 * image_file.h: decodes PNG and JPEG, told apart by their first bytes, to 8-bit grey or RGB.
 *
 * Transparent pixels are blended with white.  What libpng and libjpeg only warn about, such as data
 * that ends early, is an error here; the message names the file.
 */
#ifndef ECC_DATA_IMAGE_FILE_H
#define ECC_DATA_IMAGE_FILE_H

#include "data/dataset.h"

enum { ECC_IMAGE_MAX_PIXELS = 1 << 26 }; /* against files that unpack to gigabytes */

enum ecc_image_kind { ECC_IMAGE_NONE = 0, ECC_IMAGE_PNG, ECC_IMAGE_JPEG };

struct ecc_image_info {
    enum ecc_image_kind kind;
    size_t width, height;
    size_t channels; /* 1 grey, 3 colour */
};

struct ecc_image {
    size_t width, height, channels;
    uint8_t *pixels; /* [height, width, channels]; the owner frees it */
};

/* What a file is, from its header.  ECC_IMAGE_NONE, and ECC_OK, if it is not an image. */
enum ecc_status ecc_image_probe(struct ecc_image_info *info, const char *path,
                                struct ecc_error *error);
enum ecc_status ecc_image_probe_bytes(struct ecc_image_info *info, const unsigned char *bytes,
                                      size_t size, const char *name, struct ecc_error *error);

/* Decodes to 1 or 3 channels, no matter what the file has. */
enum ecc_status ecc_image_decode(struct ecc_image *image, const unsigned char *bytes, size_t size,
                                 size_t channels, const char *name, struct ecc_error *error);

/* Writes x: [channels, height, width] of 0 to 1, 1 or 3 channels, as an 8-bit PNG; values outside
 * are clipped.  The file appears only when it is complete. */
enum ecc_status ecc_image_write(const char *path, const float *x, struct ecc_item_shape shape,
                                struct ecc_error *error);

/* The same into memory: *file: [*size], which the caller frees. */
enum ecc_status ecc_image_encode(unsigned char **file, size_t *size, const float *x,
                                 struct ecc_item_shape shape, struct ecc_error *error);

/* bytes: [height, width, channels], the pixels of x: [channels, height, width]; values outside 0 to
 * 1 are clipped, NaN becomes 0. */
void ecc_image_bytes(uint8_t *bytes, const float *x, struct ecc_item_shape shape);

#endif
