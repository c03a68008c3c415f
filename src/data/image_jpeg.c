/* image_jpeg.c: JPEG with libjpeg, whose errors come by longjmp. */
#include "data/exif.h"
#include "data/image_format.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

enum {
    MAX_SCANS = 100, /* real progressive files have about ten; each costs a whole pass */
    EXIF_MARKER = JPEG_APP0 + 1,
    MARKER_SIZE = 0xffff,
};

struct decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr manager;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
    bool mend, damaged; /* go on after a warning; there was one */
    char message[JMSG_LENGTH_MAX];
};

static void on_error(j_common_ptr jpeg)
{
    struct decoder *const decoder = jpeg->client_data;
    jpeg->err->format_message(jpeg, decoder->message);
    longjmp(decoder->failed, 1);
}

/* libjpeg fills in grey where data is missing or wrong and only warns; excess bytes are harmless.
 */
static void on_message(j_common_ptr jpeg, int level)
{
    struct decoder *const decoder = jpeg->client_data;
    if (level >= 0 || jpeg->err->msg_code == JWRN_EXTRANEOUS_DATA) return;
    if (!decoder->mend) on_error(jpeg);
    decoder->damaged = true;
}

static void on_progress(j_common_ptr jpeg)
{
    struct decoder *const decoder = jpeg->client_data;
    if (decoder->jpeg.input_scan_number <= MAX_SCANS) return;
    strcpy(decoder->message, "too many scans");
    longjmp(decoder->failed, 1);
}

static void print_nothing(j_common_ptr jpeg)
{
    (void)jpeg;
}

static void decoder_init(struct decoder *decoder)
{
    memset(decoder, 0, sizeof *decoder);
    decoder->jpeg.err = jpeg_std_error(&decoder->manager);
    decoder->manager.error_exit = on_error;
    decoder->manager.emit_message = on_message;
    decoder->manager.output_message = print_nothing;
    decoder->progress.progress_monitor = on_progress;
    decoder->jpeg.client_data = decoder;
}

static enum ecc_status bad_jpeg(struct decoder *decoder, const struct ecc_image_file *file,
                                struct ecc_error *error)
{
    const enum ecc_status status = ecc_image_bad(&ecc_format_jpeg, file, decoder->message, error);
    jpeg_destroy_decompress(&decoder->jpeg);
    return status;
}

/* May jump to decoder->failed, like all of libjpeg. */
static void read_header(struct decoder *decoder, const struct ecc_image_file *file)
{
    jpeg_create_decompress(&decoder->jpeg);
    decoder->jpeg.client_data = decoder;
    decoder->jpeg.progress = &decoder->progress;
    jpeg_mem_src(&decoder->jpeg, file->bytes, (unsigned long)file->size);
    jpeg_save_markers(&decoder->jpeg, EXIF_MARKER, MARKER_SIZE);
    jpeg_read_header(&decoder->jpeg, TRUE);
    if (decoder->jpeg.num_components == 1 || decoder->jpeg.num_components == 3) return;
    strcpy(decoder->message, "CMYK is not supported");
    longjmp(decoder->failed, 1);
}

static int orientation(const struct decoder *decoder)
{
    int found = 1;
    for (const struct jpeg_marker_struct *marker = decoder->jpeg.marker_list; marker && found == 1;
         marker = marker->next) {
        found = ecc_exif_orientation(marker->data, marker->data_length);
    }
    return found;
}

static bool jpeg_ends(const unsigned char *start, const unsigned char *end, uint64_t size)
{
    (void)start;
    return size >= 4 && end[-2] == 0xff && end[-1] == 0xd9;
}

static bool jpeg_starts(const unsigned char *bytes, size_t size)
{
    return size >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0;
}

static enum ecc_status jpeg_probe(struct ecc_image_info *info, const struct ecc_image_file *file,
                                  struct ecc_error *error)
{
    struct decoder decoder;
    decoder_init(&decoder);
    if (setjmp(decoder.failed)) return bad_jpeg(&decoder, file, error);
    read_header(&decoder, file);
    info->width = decoder.jpeg.image_width;
    info->height = decoder.jpeg.image_height;
    info->channels = decoder.jpeg.num_components == 1 ? 1 : 3;
    info->orientation = orientation(&decoder);
    jpeg_destroy_decompress(&decoder.jpeg);
    return ECC_OK;
}

static enum ecc_status jpeg_decode(struct ecc_image *image, const struct ecc_image_file *file,
                                   struct ecc_error *error)
{
    struct decoder decoder;
    decoder_init(&decoder);
    if (setjmp(decoder.failed)) {
        if (!decoder.mend) return bad_jpeg(&decoder, file, error);
        jpeg_destroy_decompress(&decoder.jpeg);
        image->damaged = true;
        return ECC_OK;
    }
    read_header(&decoder, file);
    decoder.mend = file->mend; /* from here on */
    decoder.jpeg.out_color_space = image->channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
    decoder.jpeg.dct_method = JDCT_ISLOW;
    jpeg_start_decompress(&decoder.jpeg);
    const size_t stride = image->width * image->channels;
    while (decoder.jpeg.output_scanline < decoder.jpeg.output_height) {
        JSAMPROW row = image->pixels + decoder.jpeg.output_scanline * stride;
        jpeg_read_scanlines(&decoder.jpeg, &row, 1);
    }
    jpeg_finish_decompress(&decoder.jpeg);
    image->damaged = decoder.damaged;
    jpeg_destroy_decompress(&decoder.jpeg);
    return ECC_OK;
}

const struct ecc_image_format ecc_format_jpeg = {
    .name = "JPEG",
    .endings = {".jpg", ".jpeg"},
    .starts = jpeg_starts,
    .ends = jpeg_ends,
    .probe = jpeg_probe,
    .decode = jpeg_decode,
};
