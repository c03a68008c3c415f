/* image_write.c: an item as a PNG file, 8 bits a channel. */
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

static enum ecc_status write_bytes(const char *path, const uint8_t *bytes,
                                   struct ecc_item_shape shape, struct ecc_error *error)
{
    struct ecc_output output;
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)shape.width,
                     .height = (png_uint_32)shape.height,
                     .format = shape.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY};
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
    const size_t plane = shape.height * shape.width, channels = shape.channels;
    if (channels != 1 && channels != 3) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "a PNG file has 1 or 3 channels, not %zu",
                        channels);
    }
    uint8_t *const bytes = malloc(plane * channels + 1);
    if (!bytes) return ecc_fail_memory(error, "an image");
    for (size_t i = 0; i < plane * channels; i++) {
        bytes[i % plane * channels + i / plane] = to_byte(x[i]);
    }
    const enum ecc_status status = write_bytes(path, bytes, shape, error);
    free(bytes);
    return status;
}
