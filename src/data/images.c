/* images.c: a list of image files as items, read through a cache of limited size. */
#include "data/images.h"

#include "base/file.h"
#include "base/text.h"
#include "data/image_sizes.h"
#include "data/image_survey.h"
#include "data/memory.h"
#include "data/resize.h"

#include <stdlib.h>
#include <string.h>

struct ecc_images {
    struct ecc_image_list list;
    size_t crop, size; /* as requested, or 0 */
    bool strict;       /* a damaged image is an error */
    struct ecc_item_shape shape;
    size_t item_size;

    /* Every epoch visits every item once, so recently used items are worth no more than others: the
     * first that fit are kept forever. */
    uint8_t *cache;  /* [slots, item_size] */
    uint32_t *where; /* [count] slot + 1, or 0 */
    size_t slots, used;

    uint8_t *damaged;         /* [count] 1: a part of it was filled in with grey */
    struct ecc_resize resize; /* for the size seen last */
    uint8_t *item;            /* [item_size] for items that are not in the cache */
};

static size_t square_side(const struct ecc_images *images, const struct ecc_image *image)
{
    return ecc_image_square(images->crop, images->size, image->width, image->height);
}

/* ---- Opening and closing -------------------------------------------------------------------- */

static enum ecc_status make_cache(struct ecc_images *images, size_t bytes, struct ecc_error *error)
{
    const size_t room = (bytes ? bytes : ECC_DATA_CACHE) / images->item_size;
    images->slots = room < images->list.count ? room : images->list.count;
    /* the system allocates pages as they are filled */
    images->cache = malloc(images->slots ? images->slots * images->item_size : 1);
    images->where = calloc(images->list.count + 1, sizeof *images->where);
    images->damaged = calloc(images->list.count + 1, 1);
    images->item = malloc(images->item_size);
    if (images->cache && images->where && images->damaged && images->item) return ECC_OK;
    return ecc_fail_memory(error, "the cache of images");
}

static enum ecc_status look_at_all(struct ecc_dataset *data, struct ecc_images *images,
                                   const struct ecc_data_request *request, struct ecc_error *error)
{
    struct ecc_image_info *infos;
    ECC_TRY(ecc_image_survey(data, &infos, &images->list, request->path, images->strict, error));
    const struct ecc_image_sizes sizes = {&images->list, infos, images->crop, images->size};
    const enum ecc_status status = ecc_image_sizes_check(&sizes, &images->shape, data, error);
    images->item_size = ecc_shape_size(images->shape);
    free(infos);
    return status;
}

enum ecc_status ecc_images_open(struct ecc_dataset *data, struct ecc_image_list *list, size_t crop,
                                size_t size, const struct ecc_data_request *request,
                                struct ecc_error *error)
{
    struct ecc_images *const images = calloc(1, sizeof *images);
    if (!images) {
        ecc_image_list_release(list);
        return ecc_fail_memory(error, "images");
    }
    images->list = *list;
    *list = (struct ecc_image_list){0};
    images->crop = crop;
    images->size = size;
    data->state = images;
    images->strict = request->options->strict;
    ECC_TRY(look_at_all(data, images, request, error));
    data->count = images->list.count;
    data->shape = images->shape;
    return make_cache(images, request->options->cache_bytes, error);
}

const struct ecc_image_list *ecc_images_list(const struct ecc_dataset *data)
{
    return &((const struct ecc_images *)data->state)->list;
}

char *const *ecc_images_paths(const struct ecc_dataset *data)
{
    return ecc_images_list(data)->paths;
}

void ecc_images_close(void *state)
{
    struct ecc_images *const images = state;
    ecc_image_list_release(&images->list);
    ecc_resize_release(&images->resize);
    free(images->cache);
    free(images->where);
    free(images->damaged);
    free(images->item);
    free(images);
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* item: [channels, height, width] from a decoded image: its middle, resized if requested. */
static enum ecc_status cut_out(struct ecc_images *images, uint8_t *item,
                               const struct ecc_image *image, struct ecc_error *error)
{
    const size_t side = square_side(images, image);
    const size_t width = side ? side : image->width, height = side ? side : image->height;
    const size_t channels = image->channels, stride = image->width * channels;
    const uint8_t *const corner = image->pixels + (image->height - height) / 2 * stride +
                                  (image->width - width) / 2 * channels;
    if (images->size && images->size != side) {
        if (images->resize.from != side) {
            ecc_resize_release(&images->resize);
            ECC_TRY(ecc_resize_init(&images->resize, side, images->size, channels, error));
        }
        ecc_resize_run(&images->resize, item, corner, stride);
        return ECC_OK;
    }
    for (size_t c = 0; c < channels; c++) {
        for (size_t y = 0; y < height; y++) {
            for (size_t x = 0; x < width; x++) {
                *item++ = corner[y * stride + x * channels + c];
            }
        }
    }
    return ECC_OK;
}

/* The file may have changed since its header was read. */
static enum ecc_status check_unchanged(const struct ecc_images *images,
                                       const struct ecc_image *image, const char *path,
                                       struct ecc_error *error)
{
    const size_t side = square_side(images, image);
    const bool fits =
        side ? side <= image->width && side <= image->height
             : image->width == images->shape.width && image->height == images->shape.height;
    if (fits) return ECC_OK;
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA, "%s changed its size while it was in use",
                    ecc_quote_path(shown, path));
}

static void note_damage(struct ecc_dataset *data, uint32_t row)
{
    struct ecc_images *const images = data->state;
    if (images->damaged[row]) return;
    images->damaged[row] = 1;
    ecc_few_names_add(&data->damaged, images->list.paths[row]);
}

static enum ecc_status decode_item(struct ecc_dataset *data, uint8_t *item, uint32_t row,
                                   struct ecc_error *error)
{
    struct ecc_images *const images = data->state;
    const char *const path = images->list.paths[row];
    unsigned char *bytes;
    struct ecc_image_file file = {.name = path, .mend = !images->strict};
    struct ecc_image image;
    ECC_TRY(ecc_file_read(&bytes, &file.size, path, error));
    file.bytes = bytes;
    enum ecc_status status = ecc_image_decode(&image, &file, images->shape.channels, error);
    free(bytes);
    if (status != ECC_OK) return status;
    status = check_unchanged(images, &image, path, error);
    if (status == ECC_OK) status = cut_out(images, item, &image, error);
    if (image.damaged) note_damage(data, row);
    free(image.pixels);
    return status;
}

enum ecc_status ecc_images_read(struct ecc_dataset *data, float *x, const uint32_t *rows, size_t n,
                                struct ecc_error *error)
{
    struct ecc_images *const images = data->state;
    for (size_t i = 0; i < n; i++) {
        const uint32_t row = rows[i];
        const bool known = images->where[row] != 0, room = images->used < images->slots;
        const size_t slot = known ? images->where[row] - 1 : images->used;
        uint8_t *const item =
            known || room ? images->cache + slot * images->item_size : images->item;
        if (!known) {
            ECC_TRY(decode_item(data, item, row, error));
            if (room) images->where[row] = (uint32_t)++images->used;
        }
        ecc_bytes_to_unit(x + i * images->item_size, item, images->item_size);
    }
    return ECC_OK;
}
