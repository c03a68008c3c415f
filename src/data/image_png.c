/* image_png.c: PNG with libpng's simplified interface, which does not let longjmp out. */
#include "base/text.h"
#include "data/image_format.h"

#include <png.h>
#include <string.h>

static enum ecc_status bad_png(png_image *png, const char *name, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    ecc_set_error(error, ECC_BAD_DATA, "cannot read the PNG file %s: %s",
                  ecc_quote_path(shown, name),
                  ecc_quote(quoted, png->message, strlen(png->message)));
    png_image_free(png);
    return ECC_BAD_DATA;
}

enum ecc_status ecc_png_probe(struct ecc_image_info *info, const unsigned char *bytes, size_t size,
                              const char *name, struct ecc_error *error)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, bytes, size)) return bad_png(&png, name, error);
    info->width = png.width;
    info->height = png.height;
    info->channels = png.format & PNG_FORMAT_FLAG_COLOR ? 3 : 1;
    png_image_free(&png);
    return ECC_OK;
}

enum ecc_status ecc_png_decode(struct ecc_image *image, const unsigned char *bytes, size_t size,
                               const char *name, struct ecc_error *error)
{
    const png_color white = {255, 255, 255};
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, bytes, size)) return bad_png(&png, name, error);
    png.format = image->channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    if (!png_image_finish_read(&png, &white, image->pixels, 0, NULL)) {
        return bad_png(&png, name, error);
    }
    if (png.warning_or_error & PNG_IMAGE_WARNING && strstr(png.message, "CRC")) {
        return bad_png(&png, name, error);
    }
    png_image_free(&png);
    return ECC_OK;
}
