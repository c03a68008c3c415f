/* formats.h: files that are not tables of text, known by their first bytes or their ending, and how
 * to turn them into one. */
#ifndef ECC_DATA_FORMATS_H
#define ECC_DATA_FORMATS_H

#include "base/status.h"

/* Fails, naming the format and how to convert it, if these bytes of a file are not text. */
enum ecc_status ecc_formats_refuse(const unsigned char *bytes, size_t size, const char *path,
                                   struct ecc_error *error);

#endif
