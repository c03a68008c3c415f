/* image_sizes.h: the size of items that are cut and resized from images of one or many sizes. */
#ifndef ECC_DATA_IMAGE_SIZES_H
#define ECC_DATA_IMAGE_SIZES_H

#include "data/image_file.h"
#include "data/images.h"

struct ecc_image_sizes {
    const struct ecc_image_list *list;
    const struct ecc_image_info *infos; /* [list->count], at least one */
    size_t crop, size;                  /* as requested, or 0 */
};

/* The shape of all items; fails if they would differ.  Remarks tell of different sizes, of images
 * that lose their sides or are enlarged, and of large ones. */
enum ecc_status ecc_image_sizes_check(const struct ecc_image_sizes *sizes,
                                      struct ecc_item_shape *shape, struct ecc_dataset *data,
                                      struct ecc_error *error);

/* The side of the square that is cut out of an image; 0: the whole image. */
size_t ecc_image_square(size_t crop, size_t size, size_t width, size_t height);

#endif
