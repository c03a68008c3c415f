/* image_webp.c: WebP with libwebp, lossy and lossless; of animations not even the first frame. */
#include "data/image_format.h"

#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

static bool webp_starts(const unsigned char *bytes, size_t size)
{
    return size >= 12 && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0;
}

/* The size of what follows the first 8 bytes is in them. */
static bool webp_ends(const unsigned char *start, const unsigned char *end, uint64_t size)
{
    (void)end;
    uint64_t announced = 8;
    for (int i = 0; i < 4; i++) announced += (uint64_t)start[4 + i] << 8 * i;
    return size >= announced;
}

static enum ecc_status bad_webp(VP8StatusCode code, const struct ecc_image_file *file,
                                struct ecc_error *error)
{
    static const char *const reasons[] = {
        [VP8_STATUS_OK] = "no error",
        [VP8_STATUS_OUT_OF_MEMORY] = "out of memory",
        [VP8_STATUS_INVALID_PARAM] = "its parameters are not valid",
        [VP8_STATUS_BITSTREAM_ERROR] = "the data is damaged",
        [VP8_STATUS_UNSUPPORTED_FEATURE] = "a feature that libwebp does not support",
        [VP8_STATUS_SUSPENDED] = "the data ends early",
        [VP8_STATUS_USER_ABORT] = "stopped",
        [VP8_STATUS_NOT_ENOUGH_DATA] = "the data ends early",
    };
    return ecc_image_bad(&ecc_format_webp, file, reasons[code], error);
}

static enum ecc_status find_features(WebPBitstreamFeatures *features,
                                     const struct ecc_image_file *file, struct ecc_error *error)
{
    const VP8StatusCode code = WebPGetFeatures(file->bytes, file->size, features);
    if (code != VP8_STATUS_OK) return bad_webp(code, file, error);
    if (!features->has_animation) return ECC_OK;
    return ecc_image_bad(&ecc_format_webp, file, "animations are not supported", error);
}

static enum ecc_status webp_probe(struct ecc_image_info *info, const struct ecc_image_file *file,
                                  struct ecc_error *error)
{
    WebPBitstreamFeatures features;
    ECC_TRY(find_features(&features, file, error));
    info->width = (size_t)features.width;
    info->height = (size_t)features.height;
    info->channels = 3; /* there is no grey WebP */
    return ECC_OK;
}

/* rgba: [height, width, 4], blended with white. */
static void blend(struct ecc_image *image, const uint8_t *rgba)
{
    const size_t count = image->width * image->height, channels = image->channels;
    for (size_t i = 0; i < count; i++, rgba += 4) {
        unsigned colour[3];
        for (size_t c = 0; c < 3; c++) {
            colour[c] = (rgba[c] * rgba[3] + 255U * (255U - rgba[3]) + 127U) / 255U;
        }
        if (channels == 3) {
            for (size_t c = 0; c < 3; c++) image->pixels[i * 3 + c] = (uint8_t)colour[c];
        } else { /* as JPEG has it */
            image->pixels[i] =
                (uint8_t)((299 * colour[0] + 587 * colour[1] + 114 * colour[2] + 500) / 1000);
        }
    }
}

/* As far as possible: the decoder for files that are still being loaded gives the rows it has. */
static void decode_part(WebPDecoderConfig *config, const struct ecc_image_file *file)
{
    const WebPRGBABuffer *const out = &config->output.u.RGBA;
    for (size_t i = 0; i < out->size; i++) out->rgba[i] = i % 4 == 3 ? 255 : ECC_IMAGE_GREY;
    WebPIDecoder *const decoder = WebPIDecode(NULL, 0, config);
    if (decoder) WebPIUpdate(decoder, file->bytes, file->size);
    WebPIDelete(decoder);
}

static enum ecc_status webp_decode(struct ecc_image *image, const struct ecc_image_file *file,
                                   struct ecc_error *error)
{
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) {
        return ecc_image_bad(&ecc_format_webp, file, "libwebp has another version", error);
    }
    ECC_TRY(find_features(&config.input, file, error));
    const size_t stride = image->width * 4, bytes = stride * image->height;
    uint8_t *const rgba = malloc(bytes);
    if (!rgba) return ecc_fail_memory(error, "an image");
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = (WebPRGBABuffer){.rgba = rgba, .stride = (int)stride, .size = bytes};
    const VP8StatusCode code = WebPDecode(file->bytes, file->size, &config);
    const bool good = code == VP8_STATUS_OK;
    if (!good && file->mend) decode_part(&config, file);
    if (good || file->mend) blend(image, rgba);
    image->damaged = !good;
    WebPFreeDecBuffer(&config.output);
    free(rgba);
    return good || file->mend ? ECC_OK : bad_webp(code, file, error);
}

const struct ecc_image_format ecc_format_webp = {
    .name = "WebP",
    .endings = {".webp"},
    .starts = webp_starts,
    .ends = webp_ends,
    .probe = webp_probe,
    .decode = webp_decode,
};
