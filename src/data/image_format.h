/* image_format.h: the functions of image_png.c and image_jpeg.c that image_file.c uses. */
#ifndef ECC_DATA_IMAGE_FORMAT_H
#define ECC_DATA_IMAGE_FORMAT_H

#include "data/image_file.h"

enum ecc_status ecc_png_probe(struct ecc_image_info *info, const unsigned char *bytes, size_t size,
                              const char *name, struct ecc_error *error);
enum ecc_status ecc_png_decode(struct ecc_image *image, const unsigned char *bytes, size_t size,
                               const char *name, struct ecc_error *error);

enum ecc_status ecc_jpeg_probe(struct ecc_image_info *info, const unsigned char *bytes, size_t size,
                               const char *name, struct ecc_error *error);
enum ecc_status ecc_jpeg_decode(struct ecc_image *image, const unsigned char *bytes, size_t size,
                                const char *name, struct ecc_error *error);

#endif
