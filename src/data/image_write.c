/* image_write.c: an item as bytes, and as a PNG file with 8 bits per channel. */
#include "base/file.h"
#include "base/text.h"
#include "data/image_file.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

static uint8_t to_byte(float value)
{
    /* also NaN becomes 0 */
    return !(value > 0) ? 0 : value >= 1 ? 255 : (uint8_t)lrintf(value * 255);
}

void ecc_image_bytes(uint8_t *bytes, const float *x, struct ecc_item_shape shape)
{
    const size_t plane = shape.height * shape.width, channels = shape.channels;
    for (size_t c = 0; c < channels; c++) {
        for (size_t i = 0; i < plane; i++) bytes[i * channels + c] = to_byte(x[c * plane + i]);
    }
}

static png_image png_of(struct ecc_item_shape shape)
{
    return (png_image){.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)shape.width,
                       .height = (png_uint_32)shape.height,
                       .format = shape.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY};
}

/* The item as 8-bit pixels, which the caller frees. */
static enum ecc_status take_bytes(uint8_t **bytes, const float *x, struct ecc_item_shape shape,
                                  struct ecc_error *error)
{
    *bytes = NULL;
    if (shape.channels != 1 && shape.channels != 3) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "cannot write %zu channels as PNG, expected 1 or 3", shape.channels);
    }
    *bytes = malloc(ecc_shape_size(shape) + 1);
    if (!*bytes) return ecc_fail_memory(error, "an image");
    ecc_image_bytes(*bytes, x, shape);
    return ECC_OK;
}

static enum ecc_status write_bytes(const char *path, const uint8_t *bytes,
                                   struct ecc_item_shape shape, struct ecc_error *error)
{
    struct ecc_output output;
    png_image png = png_of(shape);
    ECC_TRY(ecc_output_open(&output, path, error));
    enum ecc_status status = ECC_OK;
    if (png_image_write_to_stdio(&png, output.stream, 0, bytes, 0, NULL)) {
        status = ecc_output_commit(&output, error);
    } else {
        char shown[ECC_PATH_SIZE];
        status = ecc_fail(error, ECC_IO, "cannot write %s: %s", ecc_quote_path(shown, path),
                          png.message);
    }
    png_image_free(&png);
    ecc_output_discard(&output);
    return status;
}

enum ecc_status ecc_image_write(const char *path, const float *x, struct ecc_item_shape shape,
                                struct ecc_error *error)
{
    uint8_t *bytes;
    ECC_TRY(take_bytes(&bytes, x, shape, error));
    const enum ecc_status status = write_bytes(path, bytes, shape, error);
    free(bytes);
    return status;
}

static enum ecc_status encode_bytes(unsigned char **file, size_t *size, const uint8_t *bytes,
                                    struct ecc_item_shape shape, struct ecc_error *error)
{
    png_image png = png_of(shape);
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(png);
    *file = malloc(room);
    if (!*file) return ecc_fail_memory(error, "a PNG file");
    if (png_image_write_to_memory(&png, *file, &room, 0, bytes, 0, NULL)) {
        *size = room;
        return ECC_OK;
    }
    free(*file);
    *file = NULL;
    return ecc_fail(error, ECC_IO, "cannot make a PNG file: %s", png.message);
}

enum ecc_status ecc_image_encode(unsigned char **file, size_t *size, const float *x,
                                 struct ecc_item_shape shape, struct ecc_error *error)
{
    uint8_t *bytes;
    *file = NULL;
    ECC_TRY(take_bytes(&bytes, x, shape, error));
    const enum ecc_status status = encode_bytes(file, size, bytes, shape, error);
    free(bytes);
    return status;
}
