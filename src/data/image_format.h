/* image_format.h: the formats of image files: a const entry, one file each, and a line of the table
 * in image_file.c. */
#ifndef ECC_DATA_IMAGE_FORMAT_H
#define ECC_DATA_IMAGE_FORMAT_H

#include "data/image_file.h"

enum {
    ECC_IMAGE_END = 16,
    ECC_IMAGE_GREY = 128, /* pixels that cannot be read */
};

struct ecc_image_format {
    const char *name;       /* "JPEG" */
    const char *endings[3]; /* of file names, ending in NULL */
    /* Whether a file is of this format, by its first bytes. */
    bool (*starts)(const unsigned char *bytes, size_t size);
    /* Whether a file of this many bytes has its end; `start` is its first bytes, `end` is
     * behind its last byte; ECC_IMAGE_END of each are there, or all if it has fewer.  False is a
     * reason to look closer. */
    bool (*ends)(const unsigned char *start, const unsigned char *end, uint64_t size);
    /* Size, channels and orientation from the header. */
    enum ecc_status (*probe)(struct ecc_image_info *info, const struct ecc_image_file *file,
                             struct ecc_error *error);
    /* Fills image->pixels, whose size and channels are set: the size as it is stored.  With
     * file->mend, pixels that cannot be read stay as they are, and image->damaged is set. */
    enum ecc_status (*decode)(struct ecc_image *image, const struct ecc_image_file *file,
                              struct ecc_error *error);
};

extern const struct ecc_image_format ecc_format_png, ecc_format_jpeg, ecc_format_webp;

/* "cannot read the PNG file 'x.png': 'reason'" */
enum ecc_status ecc_image_bad(const struct ecc_image_format *format,
                              const struct ecc_image_file *file, const char *reason,
                              struct ecc_error *error);

#endif
