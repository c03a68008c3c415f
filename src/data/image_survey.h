/*
 * image_survey.h: looks at every file of a list of images before the first is used, so that the
 * items and their order are fixed.
 *
 * Headers are read, and whether a file has its end: a file without it is decoded, to see whether it
 * is whole.  What is damaged in between shows only when an image is read (images.h).
 */
#ifndef ECC_DATA_IMAGE_SURVEY_H
#define ECC_DATA_IMAGE_SURVEY_H

#include "data/image_file.h"
#include "data/images.h"

/*
 * Drops what is not an image and images that cannot be read from the list, with remarks; if
 * `strict`, an image that cannot be read is an error.  *infos: [list->count] of those that are
 * left, at least one, which the caller frees.
 */
enum ecc_status ecc_image_survey(struct ecc_dataset *data, struct ecc_image_info **infos,
                                 struct ecc_image_list *list, const char *folder, bool strict,
                                 struct ecc_error *error);

#endif
