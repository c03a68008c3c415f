/* image_png.c: PNG with libpng's simplified interface, which does not let longjmp out. */
#include "data/image_format.h"

#include <png.h>
#include <string.h>

static bool png_starts(const unsigned char *bytes, size_t size)
{
    return size >= 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
}

static bool png_ends(const unsigned char *start, const unsigned char *end, uint64_t size)
{
    (void)start;
    return size >= 12 && memcmp(end - 8, "IEND\xae\x42\x60\x82", 8) == 0;
}

static enum ecc_status bad_png(png_image *png, const struct ecc_image_file *file,
                               struct ecc_error *error)
{
    const enum ecc_status status = ecc_image_bad(&ecc_format_png, file, png->message, error);
    png_image_free(png);
    return status;
}

static enum ecc_status png_probe(struct ecc_image_info *info, const struct ecc_image_file *file,
                                 struct ecc_error *error)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, file->bytes, file->size)) {
        return bad_png(&png, file, error);
    }
    info->width = png.width;
    info->height = png.height;
    info->channels = png.format & PNG_FORMAT_FLAG_COLOR ? 3 : 1;
    png_image_free(&png);
    return ECC_OK;
}

static enum ecc_status png_decode(struct ecc_image *image, const struct ecc_image_file *file,
                                  struct ecc_error *error)
{
    const png_color white = {255, 255, 255};
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, file->bytes, file->size)) {
        return bad_png(&png, file, error);
    }
    png.format = image->channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    const bool good = png_image_finish_read(&png, &white, image->pixels, 0, NULL) &&
                      !(png.warning_or_error & PNG_IMAGE_WARNING && strstr(png.message, "CRC"));
    if (!good && !file->mend) return bad_png(&png, file, error);
    image->damaged = !good;
    png_image_free(&png);
    return ECC_OK;
}

const struct ecc_image_format ecc_format_png = {
    .name = "PNG",
    .endings = {".png"},
    .starts = png_starts,
    .ends = png_ends,
    .probe = png_probe,
    .decode = png_decode,
};
