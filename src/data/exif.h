/* exif.h: the orientation of a photo, from its EXIF data. */
#ifndef ECC_DATA_EXIF_H
#define ECC_DATA_EXIF_H

#include <stddef.h>

/* How a photo is stored, 1 to 8, from the bytes of a JPEG's APP1 marker; 1, upright, if they do not
 * say, or not in a way that makes sense. */
int ecc_exif_orientation(const unsigned char *bytes, size_t size);

#endif
