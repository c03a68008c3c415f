/* image_file.c: the table of image formats; looks at image files and decodes them. */
#include "data/image_file.h"

#include "base/file.h"
#include "base/text.h"
#include "data/image_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FIRST_PART = 1 << 14, /* bytes that hold the header of nearly every image */
    GROWTH = 16,          /* of the part that is read if they do not */
};

/* Adding a format: its own file, its entry declared in image_format.h, a line here, and its name in
 * ECC_IMAGE_FORMATS. */
static const struct ecc_image_format *const formats[] = {
    &ecc_format_png,
    &ecc_format_jpeg,
    &ecc_format_webp,
};
enum { FORMATS = sizeof formats / sizeof *formats };

bool ecc_image_is_named(const char *path)
{
    for (size_t i = 0; i < FORMATS; i++) {
        for (const char *const *ending = formats[i]->endings; *ending; ending++) {
            if (ecc_ends_in_any_case(path, *ending)) return true;
        }
    }
    return false;
}

enum ecc_status ecc_image_bad(const struct ecc_image_format *format,
                              const struct ecc_image_file *file, const char *reason,
                              struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    return ecc_fail(error, ECC_BAD_DATA, "cannot read the %s file %s: %s", format->name,
                    ecc_quote_path(shown, file->name), ecc_quote(quoted, reason, strlen(reason)));
}

/* A library that got no memory calls the image damaged.  errno, 0 before, tells. */
static enum ecc_status noticed(enum ecc_status status, bool damaged, struct ecc_error *error)
{
    if (errno != ENOMEM || (status == ECC_OK && !damaged)) return status;
    return ecc_fail_memory(error, "an image");
}

/* ---- Headers -------------------------------------------------------------------------------- */

enum ecc_status ecc_image_probe_bytes(struct ecc_image_info *info,
                                      const struct ecc_image_file *file, struct ecc_error *error)
{
    *info = (struct ecc_image_info){.orientation = 1};
    for (size_t i = 0; i < FORMATS && !info->format; i++) {
        if (formats[i]->starts(file->bytes, file->size)) info->format = formats[i];
    }
    if (!info->format) return ECC_OK;
    errno = 0;
    ECC_TRY(noticed(info->format->probe(info, file, error), false, error));
    if (info->width == 0 || info->height == 0 ||
        info->width > (size_t)ECC_IMAGE_MAX_PIXELS / info->height) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s has %zu x %zu pixels, expected at most %d million",
                        ecc_quote_path(shown, file->name), info->width, info->height,
                        ECC_IMAGE_MAX_PIXELS >> 20);
    }
    if (info->orientation > 4) { /* lies on its side */
        const size_t width = info->width;
        info->width = info->height;
        info->height = width;
    }
    return ECC_OK;
}

/* The first part of a file is enough, unless it carries a large thumbnail or colour profile: then
 * more of it is read until the header is whole. */
static enum ecc_status probe_stream(struct ecc_image_info *info, FILE *stream, const char *path,
                                    struct ecc_error *error)
{
    struct ecc_image_file file = {.name = path};
    unsigned char *bytes = NULL;
    enum ecc_status status;
    size_t room = FIRST_PART;
    for (;; room *= GROWTH) {
        unsigned char *const longer = realloc(bytes, room);
        if (!longer) {
            status = ecc_fail_memory(error, "the header of an image");
            break;
        }
        file.bytes = bytes = longer;
        file.size += fread(bytes + file.size, 1, room - file.size, stream);
        status = ferror(stream) ? ecc_fail_errno(error, "read", path)
                                : ecc_image_probe_bytes(info, &file, error);
        if (status != ECC_BAD_DATA || file.size < room) break;
    }
    free(bytes);
    return status;
}

enum ecc_status ecc_image_probe(struct ecc_image_info *info, const char *path,
                                struct ecc_error *error)
{
    FILE *stream;
    ECC_TRY(ecc_input_open(&stream, path, error));
    const enum ecc_status status = probe_stream(info, stream, path, error);
    fclose(stream);
    return status;
}

/* A few bytes at either end, without the detour over a buffer: folders have 200,000 files. */
static bool has_end(const struct ecc_image_format *format, int file)
{
    unsigned char start[ECC_IMAGE_END] = {0}, end[ECC_IMAGE_END] = {0};
    struct stat information;
    if (fstat(file, &information) != 0) return false;
    const off_t size = information.st_size;
    const ssize_t part = size < ECC_IMAGE_END ? (ssize_t)size : ECC_IMAGE_END;
    return pread(file, start, (size_t)part, 0) == part &&
           pread(file, end, (size_t)part, size - part) == part &&
           format->ends(start, end + part, (uint64_t)size);
}

/* Decodes it for nothing but the message. */
static enum ecc_status decode_all(const char *path, struct ecc_error *error)
{
    unsigned char *bytes;
    struct ecc_image_file file = {.name = path};
    struct ecc_image image;
    ECC_TRY(ecc_file_read(&bytes, &file.size, path, error));
    file.bytes = bytes;
    const enum ecc_status status = ecc_image_decode(&image, &file, 1, error);
    free(bytes);
    if (status == ECC_OK) free(image.pixels);
    return status;
}

enum ecc_status ecc_image_check(struct ecc_image_info *info, const char *path,
                                struct ecc_error *error)
{
    FILE *stream;
    ECC_TRY(ecc_input_open(&stream, path, error));
    enum ecc_status status = probe_stream(info, stream, path, error);
    if (status == ECC_OK && info->format && !has_end(info->format, fileno(stream))) {
        status = decode_all(path, error);
    }
    fclose(stream);
    return status;
}

/* ---- Pixels --------------------------------------------------------------------------------- */

enum ecc_status ecc_image_decode(struct ecc_image *image, const struct ecc_image_file *file,
                                 size_t channels, struct ecc_error *error)
{
    *image = (struct ecc_image){0};
    struct ecc_image_info info;
    char shown[ECC_PATH_SIZE];
    ECC_TRY(ecc_image_probe_bytes(&info, file, error));
    if (!info.format) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is not a " ECC_IMAGE_FORMATS " file",
                        ecc_quote_path(shown, file->name));
    }
    const bool on_side = info.orientation > 4;
    struct ecc_image decoded = {.width = on_side ? info.height : info.width,
                                .height = on_side ? info.width : info.height,
                                .channels = channels};
    const size_t bytes = info.width * info.height * channels;
    decoded.pixels = malloc(bytes);
    if (!decoded.pixels) return ecc_fail_memory(error, "an image");
    if (file->mend) memset(decoded.pixels, ECC_IMAGE_GREY, bytes);
    errno = 0;
    enum ecc_status status = info.format->decode(&decoded, file, error);
    status = noticed(status, decoded.damaged, error);
    if (status == ECC_OK) status = ecc_image_turn(&decoded, info.orientation, error);
    if (status != ECC_OK) {
        free(decoded.pixels);
        return status;
    }
    *image = decoded;
    return ECC_OK;
}
