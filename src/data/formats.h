/* formats.h: files that are not read, known by their first bytes or their ending, and how to turn
 * them into ones that are. */
#ifndef ECC_DATA_FORMATS_H
#define ECC_DATA_FORMATS_H

#include "base/status.h"

/* Fails, naming the format and how to convert it, if these bytes of a file are not text. */
enum ecc_status ecc_formats_refuse(const unsigned char *bytes, size_t size, const char *path,
                                   struct ecc_error *error);

/* An image of a format that is not read; the texts are constant. */
struct ecc_image_format_found {
    const char *name;   /* "a TIFF image" */
    const char *remedy; /* how to convert it */
};

/* Whether a file is such an image. */
bool ecc_formats_find_image(struct ecc_image_format_found *found, const char *path);

#endif
