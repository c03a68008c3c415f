/* image_jpeg.c: JPEG with libjpeg, whose errors come by longjmp. */
#include "base/text.h"
#include "data/image_format.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

enum { MAX_SCANS = 100 }; /* real progressive files have about ten; each costs a whole pass */

struct decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr manager;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
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
    if (level < 0 && jpeg->err->msg_code != JWRN_EXTRANEOUS_DATA) on_error(jpeg);
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

static enum ecc_status bad_jpeg(struct decoder *decoder, const char *name, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    ecc_set_error(error, ECC_BAD_DATA, "cannot read the JPEG file %s: %s",
                  ecc_quote_path(shown, name),
                  ecc_quote(quoted, decoder->message, strlen(decoder->message)));
    jpeg_destroy_decompress(&decoder->jpeg);
    return ECC_BAD_DATA;
}

/* May jump to decoder->failed, like all of libjpeg. */
static void read_header(struct decoder *decoder, const unsigned char *bytes, size_t size)
{
    jpeg_create_decompress(&decoder->jpeg);
    decoder->jpeg.client_data = decoder;
    decoder->jpeg.progress = &decoder->progress;
    jpeg_mem_src(&decoder->jpeg, bytes, (unsigned long)size);
    jpeg_read_header(&decoder->jpeg, TRUE);
    if (decoder->jpeg.num_components == 1 || decoder->jpeg.num_components == 3) return;
    strcpy(decoder->message, "CMYK is not supported");
    longjmp(decoder->failed, 1);
}

enum ecc_status ecc_jpeg_probe(struct ecc_image_info *info, const unsigned char *bytes, size_t size,
                               const char *name, struct ecc_error *error)
{
    struct decoder decoder;
    decoder_init(&decoder);
    if (setjmp(decoder.failed)) return bad_jpeg(&decoder, name, error);
    read_header(&decoder, bytes, size);
    info->width = decoder.jpeg.image_width;
    info->height = decoder.jpeg.image_height;
    info->channels = decoder.jpeg.num_components == 1 ? 1 : 3;
    jpeg_destroy_decompress(&decoder.jpeg);
    return ECC_OK;
}

enum ecc_status ecc_jpeg_decode(struct ecc_image *image, const unsigned char *bytes, size_t size,
                                const char *name, struct ecc_error *error)
{
    struct decoder decoder;
    decoder_init(&decoder);
    if (setjmp(decoder.failed)) return bad_jpeg(&decoder, name, error);
    read_header(&decoder, bytes, size);
    decoder.jpeg.out_color_space = image->channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
    decoder.jpeg.dct_method = JDCT_ISLOW;
    jpeg_start_decompress(&decoder.jpeg);
    const size_t stride = image->width * image->channels;
    while (decoder.jpeg.output_scanline < decoder.jpeg.output_height) {
        JSAMPROW row = image->pixels + decoder.jpeg.output_scanline * stride;
        jpeg_read_scanlines(&decoder.jpeg, &row, 1);
    }
    jpeg_finish_decompress(&decoder.jpeg);
    jpeg_destroy_decompress(&decoder.jpeg);
    return ECC_OK;
}
