/*
 * images.h: a list of image files as items: decoded when they are read, cut, resized, and cached up
 * to a limit.  The list may be far larger than memory.
 */
#ifndef ECC_DATA_IMAGES_H
#define ECC_DATA_IMAGES_H

#include "data/source.h"

/* A growing list of paths, each with a mark for the source. */
struct ecc_image_list {
    char **paths;   /* [count] */
    int32_t *marks; /* [count] for example the class */
    size_t count, capacity;
};

/* Takes ownership of `path`; NULL, from a failed join, means out of memory. */
enum ecc_status ecc_image_list_add(struct ecc_image_list *list, char *path, int32_t mark,
                                   struct ecc_error *error);
void ecc_image_list_release(struct ecc_image_list *list);

/*
 * Looks at every file (image_survey.h): what is not an image or cannot be read is dropped from the
 * list with a remark, or refused (options->strict).  All images must have the same size after
 * cutting and resizing; if one has colour, all are read as colour.  Sets the dataset's state, count
 * and shape.  Takes ownership of the list even if it fails; ecc_images_list gives what is left of
 * it.
 *
 * Damage inside an image shows only when it is read: it is then decoded as far as possible, with
 * grey in place of the rest, and counted in data->damaged; or refused (options->strict).
 */
enum ecc_status ecc_images_open(struct ecc_dataset *data, struct ecc_image_list *list, size_t crop,
                                size_t size, const struct ecc_data_request *request,
                                struct ecc_error *error);

const struct ecc_image_list *ecc_images_list(const struct ecc_dataset *data);
char *const *ecc_images_paths(const struct ecc_dataset *data);

/* For a source's entry. */
enum ecc_status ecc_images_read(struct ecc_dataset *data, float *x, const uint32_t *rows, size_t n,
                                struct ecc_error *error);
void ecc_images_close(void *state);

#endif
