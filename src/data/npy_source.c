/*
 * npy_source.c: an array in a .npy file, plain or gzipped, as a data set.
 *
 * Images of a plain file stay there and are read on demand, so the file may be larger than memory.
 * Tables, which are standardised, and gzipped files are loaded whole.
 */
#include "base/npy.h"
#include "base/text.h"

#include "data/array.h"
#include "data/fingerprint.h"
#include "data/inflate.h"
#include "data/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* By its ending: a truncated file must be reported as such, not taken for something else. */
static bool npy_accepts(const char *path, bool is_directory)
{
    return !is_directory && (ecc_ends_in(path, ".npy") || ecc_ends_in(path, ".npy.gz"));
}

/* ---- Images that stay in their file ---------------------------------------------------------- */

struct stream_state {
    struct ecc_npy_reader reader;
    bool channels_last;
};

static enum ecc_status stream_read(struct ecc_dataset *data, float *x, const uint32_t *rows,
                                   size_t n, struct ecc_error *error)
{
    struct stream_state *const s = data->state;
    const size_t size = s->reader.row_items;
    for (size_t i = 0; i < n; i++) {
        float *const item = x + i * size;
        size_t got;
        ECC_TRY(ecc_npy_reader_seek(&s->reader, rows[i], error));
        ECC_TRY(ecc_npy_reader_read(&s->reader, item, &got, 1, error));
        ECC_TRY(ecc_array_scale_image(item, s->reader.header.dtype, size, rows[i],
                                      data->name ? data->name : "an array", error));
        if (s->channels_last && !ecc_array_channels_first(item, 1, data->shape, sizeof *item)) {
            return ecc_fail_memory(error, "an image");
        }
    }
    return ECC_OK;
}

static void stream_close(void *state)
{
    struct stream_state *const s = state;
    ecc_npy_reader_close(&s->reader);
    free(s);
}

static const struct ecc_data_source stream_source = {
    .name = "npy",
    .summary = "an array in a .npy file",
    .read = stream_read,
    .close = stream_close,
};

/* Any byte is a pixel; other numbers are checked once, so that a bad one is found before hours of
 * training. */
static enum ecc_status check_pixels(struct ecc_npy_reader *reader, const char *path,
                                    struct ecc_error *error)
{
    if (reader->header.dtype == ECC_U1) return ECC_OK;
    float *const item = malloc(reader->row_items * sizeof *item);
    if (!item) return ecc_fail_memory(error, "an image");
    enum ecc_status status = ECC_OK;
    for (size_t row = 0; status == ECC_OK && row < reader->rows; row++) {
        size_t got;
        status = ecc_npy_reader_read(reader, item, &got, 1, error);
        if (status != ECC_OK) break;
        status =
            ecc_array_check_image(item, reader->header.dtype, reader->row_items, row, path, error);
    }
    free(item);
    return status;
}

static enum ecc_status stream_open(struct ecc_dataset *data, const char *path,
                                   struct ecc_error *error)
{
    struct stream_state *const s = calloc(1, sizeof *s);
    if (!s) return ecc_fail_memory(error, "a data set");
    data->source = &stream_source;
    data->state = s;
    ECC_TRY(ecc_npy_reader_open(&s->reader, path, error));
    const struct ecc_npy_header *const header = &s->reader.header;
    s->channels_last = ecc_array_image_shape(&data->shape, header->shape, header->rank);
    data->count = s->reader.rows;
    return check_pixels(&s->reader, path, error);
}

/* Whether the file holds images and can be read at any place. */
static enum ecc_status can_stream(bool *can, const char *path, struct ecc_error *error)
{
    struct stat information;
    struct ecc_npy_header header;
    FILE *stream;
    *can = false;
    if (stat(path, &information) != 0 || !S_ISREG(information.st_mode)) return ECC_OK;
    ECC_TRY(ecc_npy_open(&stream, &header, path, error));
    fclose(stream);
    ECC_TRY(ecc_array_check_shape(header.shape, header.rank, header.count, path, error));
    *can = header.rank > 2;
    return ECC_OK;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static enum ecc_status npy_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                struct ecc_error *error)
{
    struct ecc_array array;
    const char *const path = request->path;
    if (ecc_ends_in(path, ".gz")) {
        unsigned char *bytes;
        size_t size;
        ECC_TRY(ecc_inflate_announced(&bytes, &size, path, ecc_npy_announced, error));
        const enum ecc_status status = ecc_npy_decode(&array, bytes, size, path, error);
        free(bytes);
        ECC_TRY(status);
    } else {
        bool can;
        ECC_TRY(can_stream(&can, path, error));
        if (can) return stream_open(data, path, error);
        ECC_TRY(ecc_npy_read(&array, path, error));
    }
    return ecc_array_to_dataset(data, &array, path, request, error);
}

const struct ecc_data_source ecc_source_npy = {
    .name = "npy",
    .summary = "an array in a .npy file",
    .accepts = npy_accepts,
    .open = npy_open,
    .read = ecc_memory_read,
    .close = ecc_memory_close,
    .fingerprint = ecc_fingerprint_file,
};
