/* convert.c: turns an image file into an item of a run, cut and resized as the run's data was. */
#include "data/convert.h"

#include "data/memory.h"
#include "data/resize.h"

#include <stdlib.h>

static size_t square_side(const struct ecc_convert *c, const struct ecc_image *image)
{
    const size_t shorter = image->width < image->height ? image->width : image->height;
    if (c->crop && shorter >= c->crop && shorter <= 2 * c->crop) return c->crop;
    if (!c->crop && c->faces) return shorter > 1 ? (shorter * 140 + 89) / 178 : shorter;
    return shorter;
}

/* item: [channels, height, width] of the whole image. */
static void copy(uint8_t *item, const struct ecc_image *image)
{
    const size_t plane = image->width * image->height, channels = image->channels;
    for (size_t c = 0; c < channels; c++) {
        for (size_t i = 0; i < plane; i++) item[c * plane + i] = image->pixels[i * channels + c];
    }
}

static enum ecc_status shape_image(const struct ecc_convert *c, uint8_t *item,
                                   const struct ecc_image *image, struct ecc_error *error)
{
    const struct ecc_item_shape s = c->shape;
    if (image->width == s.width && image->height == s.height) {
        copy(item, image);
        return ECC_OK;
    }
    if (s.width != s.height) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "the image is %zu x %zu, expected %zu x %zu: only square items are resized",
                        image->width, image->height, s.width, s.height);
    }
    const size_t side = square_side(c, image), stride = image->width * image->channels;
    const uint8_t *const corner = image->pixels + (image->height - side) / 2 * stride +
                                  (image->width - side) / 2 * image->channels;
    struct ecc_resize resize;
    ECC_TRY(ecc_resize_init(&resize, side, s.width, s.channels, error));
    ecc_resize_run(&resize, item, corner, stride);
    ecc_resize_release(&resize);
    return ECC_OK;
}

static enum ecc_status check_pixels(const struct ecc_image_file *file, struct ecc_error *error)
{
    struct ecc_image_info info;
    ECC_TRY(ecc_image_probe_bytes(&info, file, error));
    if (!info.format || info.width <= (size_t)ECC_CONVERT_MAX_PIXELS / info.height) {
        return ECC_OK; /* decoding reports what is not an image */
    }
    return ecc_fail(
        error, ECC_BAD_DATA,
        "the image has %zu x %zu pixels, expected at most %.1f million: make it smaller",
        info.width, info.height, ECC_CONVERT_MAX_PIXELS / 1e6);
}

enum ecc_status ecc_convert_image(const struct ecc_convert *c, float *x,
                                  const struct ecc_image_file *file, struct ecc_error *error)
{
    struct ecc_image image;
    const size_t count = ecc_shape_size(c->shape);
    ECC_TRY(check_pixels(file, error));
    ECC_TRY(ecc_image_decode(&image, file, c->shape.channels, error));
    uint8_t *const item = calloc(count + 1, 1);
    enum ecc_status status =
        item ? shape_image(c, item, &image, error) : ecc_fail_memory(error, "an image");
    if (status == ECC_OK) {
        for (size_t i = 0; c->invert && i < count; i++) item[i] = (uint8_t)(255 - item[i]);
        ecc_bytes_to_unit(x, item, count);
    }
    free(item);
    free(image.pixels);
    return status;
}
