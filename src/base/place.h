/*
 * place.h: where a result goes: its format, by the ending of its name, and whether it can be
 * written there, before any work starts.
 */
#ifndef ECC_BASE_PLACE_H
#define ECC_BASE_PLACE_H

#include "base/status.h"

/* Formats of results; a set of them is their sum. */
enum ecc_format {
    ECC_FORMAT_OTHER = 0, /* a file in a format that nothing here writes, such as .jpg */
    ECC_FORMAT_CSV = 1 << 0,
    ECC_FORMAT_NPY = 1 << 1,
    ECC_FORMAT_NPZ = 1 << 2,
    ECC_FORMAT_PNG = 1 << 3,
    ECC_FORMAT_SVG = 1 << 4,
    ECC_FORMAT_PDF = 1 << 5,
    ECC_FORMAT_HTML = 1 << 6,
    ECC_FORMAT_FOLDER = 1 << 7,
    ECC_FORMAT_APNG = 1 << 8, /* a moving picture */

    ECC_FORMAT_PICTURE = ECC_FORMAT_PNG | ECC_FORMAT_SVG | ECC_FORMAT_PDF,
};

/* By the ending, in either case.  A name that ends in a slash, or in nothing that a file is known
 * by, is a folder. */
enum ecc_format ecc_format_of(const char *path);

/* ".csv, .npy or a folder": a set of formats in words.  Returns out. */
enum { ECC_FORMAT_WORDS = 80 };
const char *ecc_format_words(char out[ECC_FORMAT_WORDS], unsigned formats);

/* Fails, listing the formats, if the path given for --option is of none of them. */
enum ecc_status ecc_format_check(const char *option, const char *path, unsigned formats,
                                 struct ecc_error *error);

/* Makes the directories that are missing above a path, and fails if nothing can be written there.
 * inside: the path is a folder that will hold the results, and is made, too.  *made (may be NULL):
 * how many levels of directories. */
enum ecc_status ecc_place_prepare(const char *path, bool inside, size_t *made,
                                  struct ecc_error *error);
/* Takes away that many levels, as far as they are empty. */
void ecc_place_undo(const char *path, bool inside, size_t made);

#endif
