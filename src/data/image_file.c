/* image_file.c: decodes PNG and JPEG, told apart by their first bytes, to 8-bit grey or RGB. */
#include "data/image_file.h"

#include "base/file.h"
#include "base/text.h"
#include "data/image_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_PART = 1 << 14 }; /* holds the header of nearly every image */

static enum ecc_image_kind signature(const unsigned char *bytes, size_t size)
{
    if (size >= 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0) return ECC_IMAGE_PNG;
    if (size >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0) return ECC_IMAGE_JPEG;
    return ECC_IMAGE_NONE;
}

enum ecc_status ecc_image_probe_bytes(struct ecc_image_info *info, const unsigned char *bytes,
                                      size_t size, const char *name, struct ecc_error *error)
{
    *info = (struct ecc_image_info){.kind = signature(bytes, size)};
    if (info->kind == ECC_IMAGE_NONE) return ECC_OK;
    ECC_TRY(info->kind == ECC_IMAGE_PNG ? ecc_png_probe(info, bytes, size, name, error)
                                        : ecc_jpeg_probe(info, bytes, size, name, error));
    if (info->width == 0 || info->height == 0 ||
        info->width > (size_t)ECC_IMAGE_MAX_PIXELS / info->height) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s has %zu x %zu pixels, expected at most %d million",
                        ecc_quote_path(shown, name), info->width, info->height,
                        ECC_IMAGE_MAX_PIXELS >> 20);
    }
    return ECC_OK;
}

/* The first part of a file is enough, unless it carries a large thumbnail or colour profile. */
enum ecc_status ecc_image_probe(struct ecc_image_info *info, const char *path,
                                struct ecc_error *error)
{
    unsigned char part[FIRST_PART];
    FILE *const stream = fopen(path, "rb");
    if (!stream) return ecc_fail_errno(error, "open", path);
    const size_t size = fread(part, 1, sizeof part, stream);
    const bool failed = ferror(stream) != 0;
    fclose(stream);
    if (failed) return ecc_fail_errno(error, "read", path);
    const enum ecc_status status = ecc_image_probe_bytes(info, part, size, path, error);
    if (status == ECC_OK || size < sizeof part) return status;
    unsigned char *whole;
    size_t whole_size;
    ECC_TRY(ecc_file_read(&whole, &whole_size, path, error));
    const enum ecc_status second = ecc_image_probe_bytes(info, whole, whole_size, path, error);
    free(whole);
    return second;
}

enum ecc_status ecc_image_decode(struct ecc_image *image, const unsigned char *bytes, size_t size,
                                 size_t channels, const char *name, struct ecc_error *error)
{
    *image = (struct ecc_image){0};
    struct ecc_image_info info;
    char shown[ECC_PATH_SIZE];
    ECC_TRY(ecc_image_probe_bytes(&info, bytes, size, name, error));
    if (info.kind == ECC_IMAGE_NONE) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is neither a PNG nor a JPEG file",
                        ecc_quote_path(shown, name));
    }
    struct ecc_image decoded = {info.width, info.height, channels, NULL};
    decoded.pixels = malloc(info.width * info.height * channels);
    if (!decoded.pixels) return ecc_fail_memory(error, "an image");
    const enum ecc_status status = info.kind == ECC_IMAGE_PNG
                                       ? ecc_png_decode(&decoded, bytes, size, name, error)
                                       : ecc_jpeg_decode(&decoded, bytes, size, name, error);
    if (status != ECC_OK) {
        free(decoded.pixels);
        return status;
    }
    *image = decoded;
    return ECC_OK;
}
