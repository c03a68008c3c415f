/*
 * image_motion.c: images one after the other, as a moving picture: PNG with several frames (APNG).
 *
 * Chunks: IHDR, acTL (how many frames), then for each frame fcTL (its size and time) and its
 * pixels, which are IDAT in the first frame, so that a program that does not know of frames shows
 * it, and fdAT with a number in the others.
 */
#include "data/image_motion.h"
#include "data/image_file.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LEAST_SIDE = 224, MOST_SIDE = 16384, LEVEL = 9 };
enum { FILTER_SUB = 1, FILTER_UP = 2 };

static void put_u32(unsigned char *to, size_t value)
{
    for (size_t i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (24 - 8 * i) & 255);
}

/* A chunk of two parts: [size], [more_size]. */
static void put_chunk(FILE *out, const char type[4], const unsigned char *bytes, size_t size,
                      const unsigned char *more, size_t more_size)
{
    unsigned char number[4];
    uLong sum = crc32(0, (const Bytef *)type, 4);
    if (size > 0) sum = crc32(sum, bytes, (uInt)size);
    if (more_size > 0) sum = crc32(sum, more, (uInt)more_size);
    put_u32(number, size + more_size);
    fwrite(number, 1, 4, out);
    fwrite(type, 1, 4, out);
    if (size > 0) fwrite(bytes, 1, size, out);
    if (more_size > 0) fwrite(more, 1, more_size, out);
    put_u32(number, sum);
    fwrite(number, 1, 4, out);
}

static size_t row_bytes(const struct ecc_motion *m)
{
    return 1 + m->shape.channels * m->shape.width * m->scale; /* the first names the filter */
}

static size_t all_rows(const struct ecc_motion *m)
{
    return m->shape.height * m->scale * row_bytes(m);
}

static void put_start(const struct ecc_motion *m)
{
    static const unsigned char signature[8] = {137, 80, 78, 71, 13, 10, 26, 10};
    unsigned char header[13] = {0}, control[8] = {0};
    FILE *const out = m->output.stream;
    fwrite(signature, 1, 8, out);
    put_u32(header, m->shape.width * m->scale);
    put_u32(header + 4, m->shape.height * m->scale);
    header[8] = 8;                              /* bits */
    header[9] = m->shape.channels == 3 ? 2 : 0; /* colour or grey */
    put_chunk(out, "IHDR", header, sizeof header, NULL, 0);
    put_u32(control, m->frames); /* then 0: for ever */
    put_chunk(out, "acTL", control, sizeof control, NULL, 0);
}

enum ecc_status ecc_motion_open(struct ecc_motion *m, const char *path, struct ecc_item_shape shape,
                                size_t frames, unsigned milliseconds, struct ecc_error *error)
{
    const size_t side = shape.width > shape.height ? shape.width : shape.height;
    *m = (struct ecc_motion){.shape = shape,
                             .frames = frames,
                             .scale = side < LEAST_SIDE ? LEAST_SIDE / side : 1,
                             .milliseconds = milliseconds};
    if (side * m->scale > MOST_SIDE || frames > UINT32_MAX / 2) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%zu images of %zu x %zu are too many or too large for a moving picture",
                        frames, shape.height, shape.width);
    }
    m->pixels = malloc(ecc_shape_size(shape) + 1);
    m->rows = malloc(all_rows(m) + 1);
    m->packed = malloc(compressBound((uLong)all_rows(m)));
    if (!m->pixels || !m->rows || !m->packed) return ecc_fail_memory(error, "a moving picture");
    ECC_TRY(ecc_output_open(&m->output, path, error));
    put_start(m);
    return ECC_OK;
}

/* Rows as differences from the pixel to the left, and a row that repeats the one above as zeros. */
static void enlarge(struct ecc_motion *m)
{
    const size_t channels = m->shape.channels, width = m->shape.width * m->scale;
    for (size_t y = 0; y < m->shape.height * m->scale; y++) {
        uint8_t *to = m->rows + y * row_bytes(m);
        const uint8_t *const from = m->pixels + y / m->scale * m->shape.width * channels;
        memset(to, 0, row_bytes(m));
        *to++ = y % m->scale ? FILTER_UP : FILTER_SUB;
        if (y % m->scale) continue;
        for (size_t x = 0; x < width; x += m->scale) {
            const uint8_t *const pixel = from + x / m->scale * channels;
            for (size_t c = 0; c < channels; c++) {
                const uint8_t left = x > 0 ? (pixel - channels)[c] : 0;
                to[x * channels + c] = (uint8_t)(pixel[c] - left);
            }
        }
    }
}

static void put_frame(struct ecc_motion *m, size_t size)
{
    unsigned char control[26] = {0}, number[4];
    FILE *const out = m->output.stream;
    put_u32(control, m->sequence++);
    put_u32(control + 4, m->shape.width * m->scale);
    put_u32(control + 8, m->shape.height * m->scale);
    control[20] = (unsigned char)(m->milliseconds >> 8 & 255);
    control[21] = (unsigned char)(m->milliseconds & 255);
    control[22] = 1000 >> 8;
    control[23] = 1000 & 255;
    put_chunk(out, "fcTL", control, sizeof control, NULL, 0);
    if (m->done == 0) {
        put_chunk(out, "IDAT", m->packed, size, NULL, 0);
    } else {
        put_u32(number, m->sequence++);
        put_chunk(out, "fdAT", number, sizeof number, m->packed, size);
    }
    m->done++;
}

enum ecc_status ecc_motion_add(struct ecc_motion *m, const float *x, size_t n,
                               struct ecc_error *error)
{
    for (size_t i = 0; i < n; i++) {
        ecc_image_bytes(m->pixels, x + i * ecc_shape_size(m->shape), m->shape);
        enlarge(m);
        uLongf size = compressBound((uLong)all_rows(m));
        if (compress2(m->packed, &size, m->rows, (uLong)all_rows(m), LEVEL) != Z_OK) {
            return ecc_fail_memory(error, "a moving picture");
        }
        put_frame(m, size);
    }
    return ECC_OK;
}

enum ecc_status ecc_motion_commit(struct ecc_motion *m, struct ecc_error *error)
{
    put_chunk(m->output.stream, "IEND", NULL, 0, NULL, 0);
    return ecc_output_commit(&m->output, error);
}

void ecc_motion_discard(struct ecc_motion *m)
{
    ecc_output_discard(&m->output);
    free(m->pixels);
    free(m->rows);
    free(m->packed);
    *m = (struct ecc_motion){.done = 0};
}
