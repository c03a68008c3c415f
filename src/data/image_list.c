/* image_list.c: a growing list of image files. */
#include "data/images.h"

#include "base/text.h"

#include <stdlib.h>

static bool grow(struct ecc_image_list *list)
{
    if (list->count < list->capacity) return true;
    const size_t capacity = list->capacity ? list->capacity * 2 : 256;
    char **const paths = realloc(list->paths, capacity * sizeof *paths);
    if (paths) list->paths = paths;
    int32_t *const marks = realloc(list->marks, capacity * sizeof *marks);
    if (marks) list->marks = marks;
    if (!paths || !marks) return false;
    list->capacity = capacity;
    return true;
}

enum ecc_status ecc_image_list_add(struct ecc_image_list *list, char *path, int32_t mark,
                                   struct ecc_error *error)
{
    if (!path || !grow(list)) {
        free(path);
        return ecc_fail_memory(error, "the list of images");
    }
    list->paths[list->count] = path;
    list->marks[list->count++] = mark;
    return ECC_OK;
}

void ecc_image_list_release(struct ecc_image_list *list)
{
    ecc_free_texts(list->paths, list->count);
    free(list->marks);
    *list = (struct ecc_image_list){0};
}
