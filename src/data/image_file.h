/*
 * image_file.h: decodes PNG, JPEG and WebP, told apart by their first bytes, to 8-bit grey or RGB.
 *
 * Transparent pixels are blended with white.  Photos are turned as their EXIF orientation says; all
 * sizes are those after turning.  What the libraries only warn about, such as data that ends early,
 * is an error here, and the message names the file; unless the caller wants what can be read.
 */
#ifndef ECC_DATA_IMAGE_FILE_H
#define ECC_DATA_IMAGE_FILE_H

#include "data/dataset.h"

enum { ECC_IMAGE_MAX_PIXELS = 1 << 26 }; /* against files that unpack to gigabytes */

/* The formats, for messages. */
#define ECC_IMAGE_FORMATS "PNG, JPEG or WebP"

struct ecc_image_format; /* image_format.h */

/* A file in memory. */
struct ecc_image_file {
    const unsigned char *bytes;
    size_t size;
    const char *name; /* for messages */
    bool mend;        /* pixels that cannot be read become grey */
};

struct ecc_image_info {
    const struct ecc_image_format *format; /* NULL: not an image */
    size_t width, height;
    size_t channels; /* 1 grey, 3 colour */
    int orientation; /* 1 to 8 of EXIF; 1: stored as it is shown */
};

struct ecc_image {
    size_t width, height, channels;
    uint8_t *pixels; /* [height, width, channels]; the owner frees it */
    bool damaged;    /* some pixels could not be read */
};

/* What a file is, from its header.  ECC_OK and no format if it is not an image. */
enum ecc_status ecc_image_probe(struct ecc_image_info *info, const char *path,
                                struct ecc_error *error);
/* The same, and that the file is whole: if it lacks its end, it is decoded to see. */
enum ecc_status ecc_image_check(struct ecc_image_info *info, const char *path,
                                struct ecc_error *error);
enum ecc_status ecc_image_probe_bytes(struct ecc_image_info *info,
                                      const struct ecc_image_file *file, struct ecc_error *error);

/* Whether a file has the name of an image, such as "x.JPG". */
bool ecc_image_is_named(const char *path);

/* Decodes to 1 or 3 channels, no matter what the file has.  The header must be good even with
 * file->mend. */
enum ecc_status ecc_image_decode(struct ecc_image *image, const struct ecc_image_file *file,
                                 size_t channels, struct ecc_error *error);

/* Turns a stored image so that it is upright; orientation: 1 to 8 of EXIF. */
enum ecc_status ecc_image_turn(struct ecc_image *image, int orientation, struct ecc_error *error);

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
