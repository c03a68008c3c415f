/*
 * images.h: a list of image files as items: decoded when they are read, cut, resized, and kept as
 * long as the memory for that lasts.  The list may be far larger than memory.
 */
#ifndef ECC_DATA_IMAGES_H
#define ECC_DATA_IMAGES_H

#include "data/source.h"

/* A growing list of paths, and of what a source wants to know about each. */
struct ecc_image_list {
    char **paths;   /* [count] */
    int32_t *marks; /* [count] such as the class */
    size_t count, capacity;
};

/* Takes over `path` (NULL, from a failed join, is out of memory). */
enum ecc_status ecc_image_list_add(struct ecc_image_list *list, char *path, int32_t mark,
                                   struct ecc_error *error);
void ecc_image_list_release(struct ecc_image_list *list);

/*
 * Looks at the header of every file: those without an image's signature are dropped from the list
 * with a remark, unless their name says that they should be one.  All must agree in size after
 * cutting and resizing; if one has colour, all are read as colour.  Sets the dataset's state, count
 * and shape.  Takes the list over whatever the outcome; what is left of it is seen through
 * ecc_images_list.
 */
enum ecc_status ecc_images_open(struct ecc_dataset *data, struct ecc_image_list *list, size_t crop,
                                size_t size, const struct ecc_data_request *request,
                                struct ecc_error *error);

const struct ecc_image_list *ecc_images_list(const struct ecc_dataset *data);

/* For a source's entry. */
enum ecc_status ecc_images_read(struct ecc_dataset *data, float *x, const uint32_t *rows, size_t n,
                                struct ecc_error *error);
void ecc_images_close(void *state);

#endif
